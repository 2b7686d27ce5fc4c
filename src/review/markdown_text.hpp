// Text of a script inside Markdown, so that nothing of it acts as markup.
#pragma once

#include <string>
#include <string_view>

namespace s2f::review {

// Prose in a paragraph, a list item or a table cell: one line, shown as it is.
[[nodiscard]] std::string markdown_text(std::string_view text);
// The same as code. Falls back to <code> where a code span could be broken out of.
[[nodiscard]] std::string markdown_code(std::string_view text);

} // namespace s2f::review
