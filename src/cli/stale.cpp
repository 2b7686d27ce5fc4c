// Which outputs on the disk are not what a conversion would write now, and how they differ.
#include "cli/stale.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "cli/verified_reports.hpp"
#include "review/paint.hpp"
#include "review/visible.hpp"

namespace s2f::cli {

namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

struct Edit {
  char mark = ' '; // ' ', '-' or '+'
  std::string_view line;
};

// By the longest common part; large changes are shown as a whole.
std::vector<Edit> edits_of(const std::vector<std::string_view>& a,
                           const std::vector<std::string_view>& b) {
  std::size_t head = 0;
  while (head < std::min(a.size(), b.size()) && a[head] == b[head]) {
    ++head;
  }
  std::size_t tail = 0;
  while (tail < std::min(a.size(), b.size()) - head &&
         a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) {
    ++tail;
  }
  const auto rows = a.size() - head - tail;
  const auto columns = b.size() - head - tail;
  constexpr std::size_t most = 4'000'000;
  const bool small = rows * columns <= most;
  // common[i][j]: of what is left from i and j on
  std::vector<std::uint32_t> common(small ? (rows + 1) * (columns + 1) : 0);
  const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& {
    return common[i * (columns + 1) + j];
  };
  for (std::size_t i = small ? rows : 0; i-- > 0;) {
    for (std::size_t j = columns; j-- > 0;) {
      at(i, j) =
          a[head + i] == b[head + j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
    }
  }
  std::vector<Edit> edits;
  edits.reserve(a.size() + columns);
  for (std::size_t i = 0; i < head; ++i) {
    edits.push_back({' ', a[i]});
  }
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < rows || j < columns) {
    if (small && i < rows && j < columns && a[head + i] == b[head + j]) {
      edits.push_back({' ', a[head + i]});
      ++i, ++j;
    } else if (i < rows && (j == columns || !small || at(i + 1, j) >= at(i, j + 1))) {
      edits.push_back({'-', a[head + i++]});
    } else {
      edits.push_back({'+', b[head + j++]});
    }
  }
  for (std::size_t k = a.size() - tail; k < a.size(); ++k) {
    edits.push_back({' ', a[k]});
  }
  return edits;
}

std::string painted(const Edit& edit, const review::TextStyle& style) {
  const auto text = fmt::format("{}{}", edit.mark, review::visible(edit.line));
  const auto shown = edit.mark == '-'   ? review::paint(text, review::Ink::red, style)
                     : edit.mark == '+' ? review::paint(text, review::Ink::green, style)
                                        : text;
  return shown + '\n';
}

} // namespace

bool is_stale(const Output& output, const project::Files& files) {
  const auto there = project::read_output(files, output.path);
  if (!there) {
    return true;
  }
  if (*there == output.text || without_verified(output.format, *there) == output.text) {
    return false;
  }
  if (output.format == Format::json || output.format == Format::sarif) {
    return true;
  }
  const auto lines = lines_of(output.text);
  const auto below = lines_of(*there);
  return lines.empty() || std::ranges::find(below, lines.back()) == below.end();
}

std::string unified_diff(std::string_view path, std::string_view before, std::string_view after,
                         const review::TextStyle& style) {
  if (before == after) {
    return {};
  }
  constexpr std::size_t context = 3;
  const auto edits = edits_of(lines_of(before), lines_of(after));
  std::string out = fmt::format("--- {0}\n+++ {0}\n", review::visible(path));
  std::size_t old_line = 1;
  std::size_t new_line = 1;
  for (std::size_t i = 0; i < edits.size();) {
    std::size_t change = i;
    while (change < edits.size() && edits[change].mark == ' ') {
      ++change;
    }
    if (change == edits.size()) {
      break;
    }
    const auto begin = std::max(i, change - std::min(change, context));
    old_line += begin - i;
    new_line += begin - i;
    // To the last change that is followed by more than two contexts of what stays.
    std::size_t end = change;
    std::size_t same = 0;
    for (std::size_t k = change; k < edits.size() && same <= 2 * context; ++k) {
      same = edits[k].mark == ' ' ? same + 1 : 0;
      end = edits[k].mark == ' ' ? end : k + 1;
    }
    end = std::min(end + context, edits.size());
    std::size_t removed = 0;
    std::size_t added = 0;
    std::string body;
    for (std::size_t k = begin; k < end; ++k) {
      removed += edits[k].mark != '+' ? 1 : 0;
      added += edits[k].mark != '-' ? 1 : 0;
      body += painted(edits[k], style);
    }
    out += fmt::format("@@ -{},{} +{},{} @@\n", removed == 0 ? old_line - 1 : old_line, removed,
                       added == 0 ? new_line - 1 : new_line, added);
    out += body;
    old_line += removed;
    new_line += added;
    i = end;
  }
  return out;
}

} // namespace s2f::cli
