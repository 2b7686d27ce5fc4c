// Which variables of a script hold whole numbers and nothing else.
//
// before:  i=0; for x in a b; do i=$((i + 1)); done       after:  names {i}, naturals {i}
#pragma once

#include <set>
#include <string>

#include "shell/tree.hpp"

namespace s2f::passes {

struct NumberVariables {
  std::set<std::string> names;
  std::set<std::string> naturals; // those that are never below 0
};

// `array`: the job has an index.
[[nodiscard]] NumberVariables number_variables(const shell::Script& script, bool array);

} // namespace s2f::passes
