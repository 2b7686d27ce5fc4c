// Reads Python literals: what a string means, and a literal laid out in one way whoever wrote it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "payload/syntax.hpp"

namespace s2f::payload {

// The value of a str that has no computed part; adjacent and added strings are joined. Not bytes.
[[nodiscard]] std::optional<std::string> string_value(const Syntax& syntax, NodeId expression);

// The content of one `string` node between `begin` and `end` with its escapes resolved; `start` is
// the node of its opening quote.
[[nodiscard]] std::optional<std::string> decode(const Syntax& syntax, NodeId start,
                                                std::uint32_t begin, std::uint32_t end);

[[nodiscard]] bool is_formatted(const Syntax& syntax, NodeId string);

// Numbers as written, sums and products of them too; strings in double quotes; lists, tuples, sets
// and dictionaries of literals.
[[nodiscard]] std::optional<std::string> literal_text(const Syntax& syntax, NodeId expression);

// As a Python string in double quotes.
[[nodiscard]] std::string double_quoted(std::string_view text);

} // namespace s2f::payload
