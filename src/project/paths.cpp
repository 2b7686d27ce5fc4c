// The parts of a script's path.
#include "project/paths.hpp"

namespace s2f::project {

std::string base_name(std::string_view path) {
  return std::string(path.substr(path.find_last_of('/') + 1));
}

std::string normal(std::string path) {
  while (path.starts_with("./")) {
    path.erase(0, 2);
  }
  for (auto at = path.find("/./"); at != std::string::npos; at = path.find("/./")) {
    path.erase(at, 2);
  }
  return path;
}

} // namespace s2f::project
