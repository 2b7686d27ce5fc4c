// Other places of a script that read a variable of which a parameter has been made.
#pragma once

#include <string>
#include <vector>

#include "passes/pipeline.hpp"

namespace s2f::passes {

struct ParameterRead {
  std::string variable;    // of the shell, "" where the parameter stands for a literal
  std::string value;       // what it holds
  bool exact = true;       // Python prints it so
  std::vector<Span> own{}; // the words that the parameter stands in
};

// The variable that is all of a word, or all behind `--option=`; "" for another word.
[[nodiscard]] std::string variable_of_word(std::string_view word);

// Whether every other read of the variable can follow the parameter; a value that some run is given
// must not stand in half of the places. With a name, makes them follow.
bool reads_follow(PassContext& context, const ParameterRead& read, const std::string& name = {});

} // namespace s2f::passes
