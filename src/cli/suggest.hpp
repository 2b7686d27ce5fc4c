// Finds what somebody probably meant to type.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace s2f::cli {

// The candidate nearest to `typed`, or "" when none is near.
[[nodiscard]] std::string nearest(std::string_view typed,
                                  const std::vector<std::string>& candidates);
// "; did you mean X?", or "".
[[nodiscard]] std::string did_you_mean(std::string_view typed,
                                       const std::vector<std::string>& candidates);

} // namespace s2f::cli
