// Patterns of the shell, and regular expressions of [[ =~ ]], as Python's `re` has them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace s2f::passes {

// A text of which no character means anything else in a regular expression.
[[nodiscard]] std::string escaped_for_regex(std::string_view text);
// A pattern with *, ? and [ ], to be looked for with re.sub; nothing where both may find different
// things.
[[nodiscard]] std::optional<std::string> regex_of_pattern(std::string_view pattern);
// An extended regular expression, to be looked for with re.search; nothing as above.
[[nodiscard]] std::optional<std::string> regex_of_extended(std::string_view expression);

} // namespace s2f::passes
