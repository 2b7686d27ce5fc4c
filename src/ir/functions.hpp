// Asks of a function of the task.
#pragma once

#include <set>
#include <string>

#include "ir/workload.hpp"

namespace s2f::ir {

// Python's names that only the function knows: its parameters, and what it assigns.
[[nodiscard]] std::set<std::string> own_names(const Function& function);

} // namespace s2f::ir
