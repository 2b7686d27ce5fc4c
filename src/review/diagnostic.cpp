// Renders one finding as a compiler would: place, severity, code, the line, a caret, what to do.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "review/formats.hpp"
#include "review/line_ranges.hpp"
#include "review/paint.hpp"
#include "review/review.hpp"
#include "review/visible.hpp"

namespace s2f::review {

namespace {

struct Excerpt {
  std::string line;
  std::string marks; // blanks, then ^~~~
};

// The line and the underline of bytes [begin, end), cut to `room` columns around the caret.
Excerpt excerpt(std::string_view line, std::size_t begin, std::size_t end, std::uint32_t room) {
  const auto all = glyphs(line);
  std::uint32_t total = 0;
  std::uint32_t caret = 0;
  std::uint32_t marked = 0;
  for (const Glyph& glyph : all) {
    if (glyph.offset < begin)
      caret += glyph.columns;
    if (glyph.offset >= begin && glyph.offset < end)
      marked += glyph.columns;
    total += glyph.columns;
  }
  marked = std::max(marked, 1U);
  std::uint32_t from = 0;
  if (total > room && caret + std::min(marked, room / 2) > room) {
    from = std::min(caret - std::min(caret, room / 4), total - std::min(total, room));
  }
  Excerpt out;
  std::uint32_t at = 0;
  std::uint32_t used = 0;
  std::uint32_t skipped = 0; // columns cut off at the left
  for (const Glyph& glyph : all) {
    const auto start = at;
    at += glyph.columns;
    if (start < from + (from > 0 ? 1 : 0)) { // one column is for the ellipsis
      skipped = at;
      continue;
    }
    if (used + glyph.columns > room - (from > 0 ? 1 : 0) - (total > from + room ? 1 : 0))
      break;
    out.line += glyph.text;
    used += glyph.columns;
  }
  if (from > 0)
    out.line.insert(0, "…");
  if (at < total || skipped + used < total)
    out.line += "…";
  const std::uint32_t shift = from > 0 ? 1 : 0;
  const std::uint32_t left = caret - std::min(caret, skipped) + shift;
  const std::uint32_t most = used + shift > left ? used + shift - left : 1;
  out.marks = std::string(left, ' ') + '^' + std::string(std::min(marked, most) - 1, '~');
  return out;
}

std::string places(const Input& input, const PlacedFinding& placed) {
  if (placed.output_lines.empty() || input.output.empty())
    return {};
  return fmt::format(" ({}:{})", input.output, ranges_text(placed.output_lines));
}

} // namespace

std::string source_excerpt(std::string_view line, std::uint32_t number, std::uint32_t column,
                           std::uint32_t end_column, Ink ink, const TextStyle& style) {
  if (line.find_first_not_of(" \t\r") == line.npos)
    return {};
  const auto digits = std::to_string(number);
  const std::string margin(std::max<std::size_t>(digits.size(), 3), ' ');
  const auto gutter = static_cast<std::uint32_t>(margin.size()) + 4;
  const auto room = std::max(style.width, gutter + 20) - gutter;
  const std::size_t begin = std::max(column, 1U) - 1;
  const std::size_t end = std::max<std::size_t>(begin + 1, std::max(end_column, 1U) - 1);
  const auto [text, marks] = excerpt(line, begin, end, room);
  return fmt::format(" {}{} | {}\n", margin.substr(digits.size()), digits, text) +
         fmt::format(" {} | {}\n", margin, paint(marks, ink, style));
}

std::string render_diagnostic(const Input& secret_input, const PlacedFinding& placed,
                              const TextStyle& style) {
  // Only what is shown, for a script has many findings.
  Input input;
  input.path = secret_input.path;
  input.output = secret_input.output;
  input.secrets = secret_input.secrets;
  input.source_text = line_of(secret_input.source_text, placed.line);
  input.findings = {placed};
  input = redacted(std::move(input));
  const PlacedFinding& shown = input.findings.front();
  const Finding& finding = shown.finding;

  std::string out =
      paint(fmt::format("{}:{}:{}:", visible(input.path), shown.line, shown.column), Ink::bold,
            style) +
      ' ' +
      paint(fmt::format("{}[{}]:", to_string(finding.severity), visible(finding.rule)),
            ink_of(finding.severity), style) +
      ' ' + visible(finding.message) + '\n';

  const std::string margin(std::max<std::size_t>(std::to_string(shown.line).size(), 3), ' ');
  const std::string_view line = input.source_text;
  const auto end = shown.end_line > shown.line ? static_cast<std::uint32_t>(line.size()) + 1
                                               : std::max(shown.end_column, 1U);
  out += source_excerpt(line, shown.line, shown.column, end, ink_of(finding.severity), style);
  const auto hint = [&](std::string_view label, std::string_view text) {
    if (text.empty())
      return;
    const auto lead = fmt::format(" {} = {}: ", margin, label);
    out += wrapped(text, lead, std::string(lead.size(), ' '), style.width);
  };
  hint("slurm", finding.slurm_does);
  hint("output",
       finding.output_does.empty() ? std::string() : finding.output_does + places(input, shown));
  hint("choices", fmt::format("{}", fmt::join(finding.choices, "; ")));
  hint("default", finding.default_);
  if (finding.fix)
    hint("fix", finding.fix->what);
  if (const auto key = answer_text(finding); !key.empty())
    hint("answer", key + " in slurm2flyte.toml");
  return out;
}

} // namespace s2f::review
