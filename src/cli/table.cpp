// Lays rows out in columns for a terminal.
#include "cli/table.hpp"

#include <algorithm>

#include "review/paint.hpp"
#include "review/visible.hpp"

namespace s2f::cli {

namespace {

constexpr std::string_view gap = "  ";

std::string cut(std::string_view text, std::uint32_t width) {
  const auto shown = review::visible(text);
  if (review::columns_of(shown) <= width)
    return shown;
  std::string out;
  std::uint32_t used = 1; // the ellipsis
  for (const auto& glyph : review::glyphs(text)) {
    used += glyph.columns;
    if (used > width)
      break;
    out += glyph.text;
  }
  return out + "…";
}

} // namespace

std::string render(const Table& table, const review::TextStyle& style) {
  const std::size_t columns = table.head.size();
  const std::uint32_t most = style.width / 2;
  std::vector<std::uint32_t> widths(columns, 0);
  for (std::size_t column = 0; column < columns; ++column) {
    widths[column] = review::columns_of(table.head[column]);
    for (const auto& row : table.rows)
      widths[column] = std::max(widths[column], review::columns_of(review::visible(row[column])));
    widths[column] = std::min(widths[column], most);
  }
  const auto line = [&](const std::vector<std::string>& row) {
    std::string lead;
    for (std::size_t column = 0; column + 1 < columns; ++column) {
      const auto text = cut(row[column], widths[column]);
      const auto used = review::columns_of(text);
      const std::string blanks(widths[column] - std::min(used, widths[column]), ' ');
      lead += gap;
      lead += column < table.right ? blanks + text : text + blanks;
    }
    lead += gap;
    return lead;
  };
  std::string out;
  if (!table.head.empty()) {
    std::string head = line(table.head) + table.head.back();
    out += review::paint(head, review::Ink::dim, style) + '\n';
  }
  for (const auto& row : table.rows) {
    const auto lead = line(row);
    const auto column = review::columns_of(lead);
    // Where little room is left the last column gets lines of its own below.
    const std::uint32_t indent = column + 16 > style.width ? 8 : column;
    std::string text = review::wrapped(row.back(), lead, std::string(indent, ' '), style.width);
    out += row.back().empty() ? lead.substr(0, lead.find_last_not_of(' ') + 1) + '\n' : text;
  }
  return out;
}

} // namespace s2f::cli
