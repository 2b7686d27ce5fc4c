// Which statements of a body stay Bash together, and what of the others they need.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "passes/context.hpp"

namespace s2f::passes {

// A run of steps, by their indices into Job::body.
struct KeptExtent {
  std::size_t first = 0, last = 0; // both inclusive
  std::vector<std::size_t> before; // steps whose text the region begins with
  bool appends_true = false;       // its last status is no reason to end the job
  // Variables that Python gives it, and such that Python reads behind it: the shell's name,
  // Python's.
  std::map<std::string, std::string> takes, returns; // "" until Python has a name for it
  bool counts = false;                               // it reads $SECONDS, which Python counts
  ir::ShellLeft left;
  bool watches = false;      // it looks whether more than that was done to the shell
  bool sees_exports = false; // a region before it has said what programs see
};

// In the order of the script; none touches another.
[[nodiscard]] std::vector<KeptExtent> kept_extents(const PassContext& context);

// The name that a function is defined by, where the step is the definition and nothing else.
[[nodiscard]] const std::string* defined_function(const ir::Step& step);

} // namespace s2f::passes
