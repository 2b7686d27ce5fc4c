// Walks over a Bash tree: every simple command, every word part and every nested statement of a
// statement.
#pragma once

#include <functional>

#include "shell/tree.hpp"

namespace s2f::analysis {

// What a visitor may look at; an empty function is not called.
struct Visitor {
  bool functions = true; // whether bodies of functions are walked
  std::function<void(const shell::Statement&)>
      statement;                                    // each, the outermost too, before what is in it
  std::function<void(const shell::WordPart&)> part; // each, at any depth
  std::function<void(const shell::Word&)> word;     // each word
  std::function<void(const shell::Assignment&)> assignment;
};

void walk(const shell::Statement& statement, const Visitor& visitor);
void walk(const shell::Word& word, const Visitor& visitor);

} // namespace s2f::analysis
