// Folds lists of line numbers into ranges.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace s2f::review {

// 3 4 5 9 -> (3, 5) (9, 9); the lines are sorted.
[[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint32_t>>
line_ranges(const std::vector<std::uint32_t>& lines);
// 3 4 5 9 -> "3-5, 9"
[[nodiscard]] std::string ranges_text(const std::vector<std::uint32_t>& lines);

} // namespace s2f::review
