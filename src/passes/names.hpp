// Python's names for what the script calls otherwise.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "ir/workload.hpp"

namespace s2f::passes {

// "OUT_DIR" -> "out_dir", "_1" -> "value_1", "eval" -> "eval_".
[[nodiscard]] std::string python_name(std::string_view name);

// The names that a task's body uses already: parameters, locals, and those that the lowering makes.
[[nodiscard]] std::set<std::string> taken_names(const ir::Job& job);

// The Python variable that stands for a variable of the script; chosen once.
[[nodiscard]] std::string local_name(ir::Job& job, const std::string& variable);

} // namespace s2f::passes
