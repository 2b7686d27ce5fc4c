// Folds lists of line numbers into ranges.
#include "review/line_ranges.hpp"

#include <fmt/format.h>

namespace s2f::review {

std::vector<std::pair<std::uint32_t, std::uint32_t>>
line_ranges(const std::vector<std::uint32_t>& lines) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges;
  for (const auto line : lines) {
    if (!ranges.empty() && ranges.back().second + 1 == line) {
      ranges.back().second = line;
    } else {
      ranges.emplace_back(line, line);
    }
  }
  return ranges;
}

std::string ranges_text(const std::vector<std::uint32_t>& lines) {
  std::string text;
  for (const auto& [first, last] : line_ranges(lines)) {
    text += text.empty() ? "" : ", ";
    text += first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last);
  }
  return text;
}

} // namespace s2f::review
