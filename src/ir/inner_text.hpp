// A statement within a branch, a loop or a function that stays Bash while what is around it is
// lifted: a launch of the script's interpreter, with its text.
#pragma once

#include <string>
#include <vector>

#include "ir/workload.hpp"

namespace s2f::ir {

// What Launch::launcher of one begins with; what kept it from being lifted stands behind it.
inline const std::string inner_launcher = "the script's own shell: ";

[[nodiscard]] bool is_inner(const Launch& launch);
// The region that holds the text of one, which no step of the body stands in.
[[nodiscard]] bool is_inner(const KeptRegion& region);
[[nodiscard]] KeptRegion inner_region(Span span, std::string text);

// What kept it from being lifted.
[[nodiscard]] std::string why_inner(const Launch& launch);
// The text of one, behind -c.
[[nodiscard]] const std::string& inner_text(const Launch& launch);
// Such launches of a step itself: it is one, or it assigns what one prints.
[[nodiscard]] std::vector<const Launch*> inner_launches(const Step& step);
// Whether a statement stands in a region, or is one within what is lifted.
[[nodiscard]] bool stays_bash(const Step& step);

} // namespace s2f::ir
