// What to type after a conversion, in place of what was typed with Slurm.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "review/review.hpp"

namespace s2f::cli {

struct Runnable {
  std::string module; // its path
  std::string entry;  // the task to run
  bool local = true;  // false: only a cluster can run it
};

// Quoted for a shell where that is needed.
[[nodiscard]] std::string shell_word(const std::string& text);

// "" when there is nothing to run. `all`: how many there are, where not all of them are given.
[[nodiscard]] std::string next_steps(const std::vector<Runnable>& modules,
                                     const review::TextStyle& style, std::size_t all = 0);

} // namespace s2f::cli
