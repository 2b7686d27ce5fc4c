// Finds where the lines of a copied piece of text stood.
#pragma once

#include <string_view>
#include <vector>

#include "source/source.hpp"

namespace s2f::source {

// For each line of `copy` the line that it was, of those in the pieces, which were copied in this
// order; some may be left out. One that was changed gets the lines between those of its neighbours;
// a line that is none of them, or blank, an empty span.
[[nodiscard]] std::vector<Span> copied_lines(const Source& source, const std::vector<Span>& pieces,
                                             std::string_view copy);

} // namespace s2f::source
