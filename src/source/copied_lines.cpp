// Finds where the lines of a copied piece of text stood.
#include "source/copied_lines.hpp"

#include <algorithm>
#include <cstddef>
#include <unordered_map>

namespace s2f::source {

static bool blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

std::vector<Span> copied_lines(const Source& source, const std::vector<Span>& pieces,
                               std::string_view copy) {
  std::vector<Span> originals;
  for (const Span& piece : pieces) {
    const std::uint32_t last = source.position(piece.end).line;
    for (std::uint32_t line = source.position(piece.begin).line; line <= last; ++line) {
      const Span whole = source.line_span(line);
      const std::uint32_t begin = std::max(whole.begin, piece.begin);
      originals.push_back({source.id, begin, std::max(begin, std::min(whole.end, piece.end))});
    }
  }
  std::unordered_map<std::string_view, std::vector<std::size_t>> places; // in order
  for (std::size_t i = 0; i < originals.size(); ++i) {
    const Span& line = originals[i];
    places[std::string_view(source.text).substr(line.begin, line.size())].push_back(i);
  }
  constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::vector<std::string_view> lines;
  std::vector<std::size_t> found; // the place of each line in `originals`
  std::size_t next = 0;
  for (std::size_t at = 0, end = 0; end != std::string_view::npos; at = end + 1) {
    end = copy.find('\n', at);
    lines.push_back(copy.substr(at, end - at));
    const auto all = blank(lines.back()) ? places.end() : places.find(lines.back());
    const auto place = all == places.end() ? std::vector<std::size_t>::const_iterator{}
                                           : std::ranges::lower_bound(all->second, next);
    const bool known = all != places.end() && place != all->second.end();
    found.push_back(known ? *place : none);
    next = known ? *place + 1 : next;
  }
  std::vector<Span> spans(lines.size());
  std::size_t before = 0; // behind the last original that was found
  for (std::size_t i = 0; i < lines.size();) {
    if (found[i] != none) {
      spans[i] = originals[found[i]];
      before = found[i++] + 1;
      continue;
    }
    // Lines that were changed: of those between the lines around them.
    std::size_t behind = i;
    while (behind < lines.size() && found[behind] == none) {
      ++behind;
    }
    const std::size_t after = behind < lines.size() ? found[behind] : originals.size();
    for (std::size_t line = i; line < behind && before < after; ++line) {
      if (!blank(lines[line])) {
        spans[line] = after - before == behind - i
                          ? originals[before + line - i]
                          : Span{source.id, originals[before].begin, originals[after - 1].end};
      }
    }
    i = behind;
  }
  return spans;
}

} // namespace s2f::source
