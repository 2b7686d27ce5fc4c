// Where a command that fails ends the script: behind `set -e`, until `set +e`.
#pragma once

#include <vector>

#include "passes/context.hpp"

namespace s2f::passes {

// For each step of the body, whether errexit holds when it runs.
[[nodiscard]] std::vector<bool> errexit_at(const ir::Job& job);

// Whether a command of the shell is `set +e`, or turns off errexit among others.
[[nodiscard]] bool turns_off_errexit(const ir::Step& step);

} // namespace s2f::passes
