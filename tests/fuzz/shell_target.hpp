// Any bytes as Bash: read without a crash, every place inside the text, and read the same way
// twice.
#pragma once

#include "shell/dump.hpp"
#include "tests/fuzz/target.hpp"
#include "tests/shell/tree_checks.hpp"

namespace s2f::fuzz {

inline void shell_target(std::string_view data) {
  const std::string text(data);
  require(test::is_sound_tree(text), "places lie inside one another, in order");
  const test::Parsed once(text);
  const test::Parsed twice(text);
  require(shell::dump(once.script, once.sources[source::SourceId{}]) ==
              shell::dump(twice.script, twice.sources[source::SourceId{}]),
          "a script is read the same way twice");
}

} // namespace s2f::fuzz
