// What the shell shows behind a statement, and what tells an empty variable from one that is unset.
#pragma once

#include <set>
#include <string>

#include "analysis/effects.hpp"

namespace s2f::analysis {

// The effects of a statement without what shells of their own do: $(cd data; pwd), (X=1), a
// pipeline.
[[nodiscard]] Effects effects_behind(const shell::Statement& statement);

// ${name-x}, ${name+x}, ${name=x}, ${name?}: the names.
[[nodiscard]] std::set<std::string> asked_whether_set(const shell::Statement& statement);

} // namespace s2f::analysis
