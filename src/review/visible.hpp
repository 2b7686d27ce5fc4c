// Makes text of a script safe and measurable for a terminal or a page: nothing in it acts on the
// reader.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace s2f::review {

// One character as it is shown: control characters as "\x1b", invisible and direction-changing ones
// as "<U+202E>", bytes that are not UTF-8 as "<FF>".
struct Glyph {
  std::string text;
  std::uint32_t columns = 1; // that it takes on a terminal
  std::uint32_t offset = 0;  // of its first byte in the text that it was made from
};

// A tab becomes blanks up to the next multiple of four columns.
[[nodiscard]] std::vector<Glyph> glyphs(std::string_view text);
[[nodiscard]] std::string visible(std::string_view text);
[[nodiscard]] std::uint32_t columns_of(std::string_view visible_text);

// Words of `text` (made visible) in lines of at most `width` columns; the first begins with
// `first`, the others with `rest`. A word that is longer than a line stands alone. Ends with a
// newline.
[[nodiscard]] std::string wrapped(std::string_view text, std::string_view first,
                                  std::string_view rest, std::uint32_t width);

// Line `line` (1-based) of a text, without its newline; empty where there is none.
[[nodiscard]] std::string_view line_of(std::string_view text, std::uint32_t line);

// The lines of a text that is asked for many of them.
class Lines {
public:
  explicit Lines(std::string_view text);
  [[nodiscard]] std::string_view operator[](std::uint32_t line) const; // as line_of

private:
  std::vector<std::string_view> lines_;
};

} // namespace s2f::review
