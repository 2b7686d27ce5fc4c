// What the shell counts in $SECONDS.
#pragma once

#include "ir/workload.hpp"

namespace s2f::passes {

// Seconds since the script began, or since it last said so (`counted`).
[[nodiscard]] ir::Value seconds_since(ir::Job& job, bool counted);

} // namespace s2f::passes
