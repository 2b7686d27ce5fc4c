// What the script, and what it starts, names of the directory that it is submitted from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "passes/context.hpp"

namespace s2f::passes {

struct NamedFiles {
  std::vector<std::string> python;  // files of Python that may be run
  std::vector<std::string> texts;   // python -c TEXT
  std::vector<std::string> modules; // python -m NAME, where it does not lie there
  std::vector<std::string> roots;   // of PYTHONPATH, below the submit directory: "src/"
  std::optional<Span> started;      // Python
};

// Bundles what the names stand for, and says what nothing beside the script answers to.
[[nodiscard]] NamedFiles named_files(PassContext& context);

} // namespace s2f::passes
