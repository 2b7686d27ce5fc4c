// The names that a module defines at its top level.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "flyte/program.hpp"

namespace s2f::flyte {

// Of constants, images, environments, texts, tasks and helpers; HERE where it is made.
[[nodiscard]] std::set<std::string, std::less<>> defined_names(const Module& module);

} // namespace s2f::flyte
