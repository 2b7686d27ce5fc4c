// Reads the words of trap.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shell/tree.hpp"

namespace s2f::passes {

struct Trap {
  const shell::Word* handler = nullptr; // nothing where the signals get back what they did
  bool exit = false;                    // EXIT, 0
  bool other = false;                   // ERR, DEBUG, what is no signal that only others send
  std::vector<std::string> signals;     // TERM, USR1: the others

  [[nodiscard]] bool reset() const { return handler == nullptr; }
};

// Nothing for another command, and for one that only shows.
[[nodiscard]] std::optional<Trap> trap_of(const shell::SimpleCommand& command);

} // namespace s2f::passes
