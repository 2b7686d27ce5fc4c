// Words of echo that Bash splits, and echo joins again.
#pragma once

#include "ir/value.hpp"

namespace s2f::passes {

// $(date) without quotes: of several blanks echo leaves one, so the day of the month has none
// before it. Then no word of it is lost or changed.
void join_clock(ir::Value& value);

} // namespace s2f::passes
