// What .gitignore leaves out.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "project/files.hpp"

namespace s2f::project {

// Asked from the outside in: what lies in a directory that is left out is not asked for.
class Ignores {
public:
  explicit Ignores(const Files& files) : files_(files) {}
  [[nodiscard]] bool left_out(const std::string& path, bool is_directory);

private:
  struct Pattern {
    std::string text;
    bool again = false;     // !text: not left out after all
    bool directory = false; // text/: directories alone
    bool anchored = false;  // from the file's own directory
  };
  const std::vector<Pattern>& of(const std::string& directory);

  const Files& files_;
  std::map<std::string, std::vector<Pattern>> read_; // by directory
};

} // namespace s2f::project
