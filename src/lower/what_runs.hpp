// What a job is about, for the titles of its module and task.
#pragma once

#include <optional>
#include <string>

#include "ir/workload.hpp"

namespace s2f::lower {

// "train.py", "sweep.jl and make"; nothing where no program stands out.
[[nodiscard]] std::optional<std::string> what_runs(const ir::Job& job);

} // namespace s2f::lower
