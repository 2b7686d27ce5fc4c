// Turns tokens into statements: tree-sitter's Bash grammar says how they hang together.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "shell/scanner.hpp"

namespace s2f::shell {

// The statements of the tokens [first, end) of `body`, whose parts are moved out; nothing when
// tree-sitter finds an error in them or sees another structure than the scanner did.
[[nodiscard]] std::optional<std::vector<Statement>> lower(Body& body, source::SourceId source,
                                                          std::uint32_t first, std::uint32_t end);

} // namespace s2f::shell
