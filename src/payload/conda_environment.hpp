// What a conda environment file (environment.yml) lists: read as text, never resolved.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace s2f::payload {

struct CondaEnvironment {
  std::string name;
  std::string python;                   // "3.10", "" when none is named
  std::vector<std::string> conda;       // "numpy=1.26", without python
  std::vector<std::string> pip;         // "torch==2.1.0"
  std::vector<std::string> pip_options; // "-r more.txt"
};

[[nodiscard]] CondaEnvironment read_conda_environment(std::string_view text);

} // namespace s2f::payload
