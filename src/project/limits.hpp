// How much one script may ask of the program; past it the script is refused, and the others go on.
#pragma once

#include <cstddef>

namespace s2f::project {

// 0: no limit. Beside these no file is read beyond 16 MiB, and nothing is nested deeper than 200.
struct Limits {
  std::size_t bytes = 0;    // of a script
  std::size_t findings = 0; // of a script
  std::size_t depth = 0;    // of what stands in one another in a script: loops, substitutions
  // Of work on a script. It is looked at between the stages: nothing is cut off in the middle.
  double seconds = 0;
};

} // namespace s2f::project
