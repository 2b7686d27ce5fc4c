// Lays rows out in columns for a terminal.
#pragma once

#include <string>
#include <vector>

#include "review/review.hpp"

namespace s2f::cli {

struct Table {
  std::vector<std::string> head; // shown dim
  std::vector<std::vector<std::string>> rows;
  std::size_t right = 0; // that many leading columns are set flush right
};

// Two blanks before each line and between columns. The last column wraps; a cell is cut off only
// where it would take more than half of the width.
[[nodiscard]] std::string render(const Table& table, const review::TextStyle& style);

} // namespace s2f::cli
