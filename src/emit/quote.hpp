// Quoting for the inside of the emitter; `quote` and `quote_block` are in emit.hpp.
#pragma once

#include <string>
#include <string_view>

namespace s2f::emit {

// The quotes that need fewer backslashes, double ones where it makes no difference: as ruff has
// them.
[[nodiscard]] char best_quote(std::string_view text);

// The text between quotes `quote`, escaped, without the quotes themselves.
[[nodiscard]] std::string quoted_body(std::string_view text, char quote);

// With these quotes, whatever is in the text.
[[nodiscard]] std::string quote_with(std::string_view text, char quote);

// b"...".
[[nodiscard]] std::string quote_bytes(std::string_view bytes);

} // namespace s2f::emit
