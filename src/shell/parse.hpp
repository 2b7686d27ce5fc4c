// Bash text to the typed tree, by tree-sitter and the repairs of what its grammar gets wrong.
#pragma once

#include "shell/tree.hpp"

namespace s2f::shell {

// Never fails: what cannot be read becomes `Unparsed` statements. Linear in the text but for
// pathological input, which a budget bounds (the rest of the file is then one Unparsed region).
// Thread-safe; one parser a thread.
[[nodiscard]] Script parse(const source::Source& source);

} // namespace s2f::shell
