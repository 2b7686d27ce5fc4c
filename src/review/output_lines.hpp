// Answers which lines of the output came from a piece of the script.
#pragma once

#include <cstdint>
#include <vector>

#include "review/review.hpp"

namespace s2f::review {

class OutputLines {
public:
  OutputLines(const source::Sources& sources, source::SourceId id, const OutputMap& map);
  // The lines whose spans lie inside `span`. If there are none and `around`: those of the smallest
  // span that holds it, for an option that stands in the output as part of its statement.
  [[nodiscard]] std::vector<std::uint32_t> of(const Span& span, bool around) const;
  // Those lines, and the lines of all spans that hold it.
  [[nodiscard]] std::vector<std::uint32_t> of_all(const Span& span) const;

private:
  void add_within(const Span& span, std::vector<std::uint32_t>& lines) const;
  // Those before `end` of the pieces that end at `until` or later, of the part of the tree at
  // `node` that stands for the pieces from `low` to `high`.
  void add_ending(std::size_t node, std::size_t low, std::size_t high, std::size_t end,
                  std::uint32_t until, std::vector<std::uint32_t>& lines) const;
  // The piece that begins last, no later than the span, and holds it.
  [[nodiscard]] std::size_t holder_of(const Span& span) const;

  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  struct Piece {
    Span span;
    std::uint32_t line;
    std::size_t outer = none; // the piece that holds this one
  };
  std::vector<Piece> pieces_;           // by begin; of those with one begin the longest first
  std::vector<std::uint32_t> last_end_; // a tree over pieces_: how far the pieces of a part reach
};

} // namespace s2f::review
