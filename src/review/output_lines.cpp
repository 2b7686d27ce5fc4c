// Answers which lines of the output came from a piece of the script.
#include "review/output_lines.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

namespace s2f::review {

OutputLines::OutputLines(const source::Sources& sources, source::SourceId id,
                         const OutputMap& map) {
  for (const auto& [line, span] : map) {
    const Span located = span.source == id ? span : sources.to_file(span);
    if (located.source == id)
      pieces_.push_back({located, line});
  }
  std::ranges::sort(pieces_, {}, [](const Piece& piece) {
    return std::tuple{piece.span.begin, ~piece.span.end, piece.line};
  });
  const std::size_t leaves = std::bit_ceil(pieces_.size());
  last_end_.resize(2 * leaves);
  for (std::size_t i = 0; i < pieces_.size(); ++i)
    last_end_[leaves + i] = pieces_[i].span.end;
  for (std::size_t node = leaves - 1; node > 0; --node)
    last_end_[node] = std::max(last_end_[2 * node], last_end_[2 * node + 1]);
  std::vector<std::size_t> holding;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    while (!holding.empty() && pieces_[holding.back()].span.end < pieces_[i].span.end)
      holding.pop_back();
    if (!holding.empty())
      pieces_[i].outer = holding.back();
    holding.push_back(i);
  }
}

void OutputLines::add_within(const Span& span, std::vector<std::uint32_t>& lines) const {
  auto piece = std::ranges::lower_bound(pieces_, span.begin, {},
                                        [](const Piece& each) { return each.span.begin; });
  for (; piece != pieces_.end() && piece->span.begin <= span.end; ++piece) {
    if (piece->span.end <= span.end && (piece->span.begin < span.end || piece->span == span)) {
      lines.push_back(piece->line);
    }
  }
}

void OutputLines::add_ending(std::size_t node, std::size_t low, std::size_t high, std::size_t end,
                             std::uint32_t until, std::vector<std::uint32_t>& lines) const {
  if (low >= high || low >= end || last_end_[node] < until)
    return;
  if (high - low == 1) {
    if (low < pieces_.size())
      lines.push_back(pieces_[low].line);
    return;
  }
  const std::size_t middle = low + (high - low) / 2;
  add_ending(2 * node, low, middle, end, until, lines);
  add_ending(2 * node + 1, middle, high, end, until, lines);
}

std::size_t OutputLines::holder_of(const Span& span) const {
  const auto after = std::ranges::upper_bound(pieces_, span.begin, {},
                                              [](const Piece& each) { return each.span.begin; });
  std::size_t at =
      after == pieces_.begin() ? none : static_cast<std::size_t>(after - pieces_.begin()) - 1;
  while (at != none && pieces_[at].span.end < span.end)
    at = pieces_[at].outer;
  return at;
}

static std::vector<std::uint32_t> each_once(std::vector<std::uint32_t> lines) {
  std::ranges::sort(lines);
  const auto repeated = std::ranges::unique(lines);
  lines.erase(repeated.begin(), repeated.end());
  return lines;
}

std::vector<std::uint32_t> OutputLines::of(const Span& span, bool around) const {
  std::vector<std::uint32_t> lines;
  add_within(span, lines);
  if (lines.empty() && around) {
    if (std::size_t at = holder_of(span); at != none) {
      const Span held = pieces_[at].span;
      while (at > 0 && pieces_[at - 1].span == held)
        --at;
      for (; at < pieces_.size() && pieces_[at].span == held; ++at)
        lines.push_back(pieces_[at].line);
    }
  }
  return each_once(std::move(lines));
}

std::vector<std::uint32_t> OutputLines::of_all(const Span& span) const {
  std::vector<std::uint32_t> lines;
  add_within(span, lines);
  const auto after = std::ranges::upper_bound(pieces_, span.begin, {},
                                              [](const Piece& each) { return each.span.begin; });
  add_ending(1, 0, last_end_.size() / 2, static_cast<std::size_t>(after - pieces_.begin()),
             span.end, lines);
  return each_once(std::move(lines));
}

} // namespace s2f::review
