// The tree as text in the manner of S-expressions, for tests and for a developer's eyes.
#pragma once

#include <string>

#include "shell/tree.hpp"

namespace s2f::shell {

// One statement a line, what it contains indented below it; places as line:column. Words are
// "text", 'single', $"ansi", (dq ...), $name or (${} name op ...), $(...), $((...)), <(...), (brace
// ...), (tilde ...); a `*` after text says that it globs, a `\` that a character of it was escaped.
[[nodiscard]] std::string dump(const Script& script, const source::Source& source);

// One word in the same manner, without places.
[[nodiscard]] std::string dump(const Word& word);

} // namespace s2f::shell
