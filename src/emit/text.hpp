// Text as it may stand in an emitted module: measured, wrapped, and without anything invisible.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace s2f::emit {

// One step of reading UTF-8. `length` is 1 and `valid` false for a byte that is not part of a
// character.
struct Decoded {
  std::uint32_t code = 0;
  std::uint32_t length = 0;
  bool valid = false;
};

[[nodiscard]] Decoded decode(std::string_view text);

// Whether a character may stand in a module as it is: seen by a reader, and the same width to every
// tool.
[[nodiscard]] bool visible(std::uint32_t code);

// Columns that ruff counts for a text of visible characters.
[[nodiscard]] std::uint32_t display_width(std::string_view text);

// `text` on one line, blanks collapsed, with escapes for what is not visible; "" when nothing is
// left.
[[nodiscard]] std::string one_line(std::string_view text);

// "# text": also what tools would take for an instruction to them (`# noqa`, `# fmt: off`) is
// disarmed.
[[nodiscard]] std::string comment_line(std::string_view text);

// The same of a line that stays as it was written, blanks too.
[[nodiscard]] std::string written_comment(std::string_view text);

// One line of text as it stands in a docstring: no backslash or quotes that would mean something.
[[nodiscard]] std::string docstring_text(std::string_view text);

// A paragraph as comment lines of at most `width` columns; a word that is longer stands alone.
[[nodiscard]] std::vector<std::string> wrap_comment(std::string_view paragraph,
                                                    std::uint32_t width);

// A paragraph as plain lines of at most `width` columns, the first one `first_width`, those after
// the first begun with `hang` blanks.
[[nodiscard]] std::vector<std::string> wrap_text(std::string_view paragraph, std::uint32_t width,
                                                 std::uint32_t first_width, std::uint32_t hang = 0);

// The first lines of a docstring, begun with its quotes, so that they stay as they are when the
// closing ones are put: after a docstring of one line, else in a line of their own.
[[nodiscard]] std::vector<std::string> docstring_opening(std::string_view paragraph,
                                                         std::uint32_t width, bool alone);

} // namespace s2f::emit
