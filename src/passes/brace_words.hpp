// The words that the shell makes of one with braces.
//
// before:  data_{a,b}.txt   run{1..3}
// after:   data_a.txt data_b.txt   run1 run2 run3
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shell/tree.hpp"

namespace s2f::passes {

// The texts of a range {first..last..step}; nothing for one of another form or a very long one.
[[nodiscard]] std::optional<std::vector<std::string>> range_of(const shell::BraceExpansion& braces);

// The word itself where there are no braces in it; nothing where what they mean cannot be told.
[[nodiscard]] std::optional<std::vector<shell::Word>> without_braces(const shell::Word& word);

} // namespace s2f::passes
