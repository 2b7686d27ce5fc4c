// The parts of a script's path.
#include "project/paths.hpp"

#include <algorithm>
#include <vector>

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

std::string below(const std::string& directory, const std::string& script) {
  std::vector<std::string> parts;
  const auto add = [&](const std::string& path, bool given) {
    for (std::size_t from = 0; from <= path.size();) {
      const auto end = std::min(path.find('/', from), path.size());
      const std::string part = path.substr(from, end - from);
      const bool up = part == ".." && !parts.empty() && parts.back() != "..";
      if (part == ".." && !up && !given) {
        return false;
      }
      if (up) {
        parts.pop_back();
      } else if (!part.empty() && part != ".") {
        parts.push_back(part);
      }
      from = end + 1;
    }
    return true;
  };
  if (!add(directory, true) || !add(script, false)) {
    return "";
  }
  std::string text = directory.starts_with('/') ? "/" : "";
  for (std::size_t i = 0; i < parts.size(); ++i) {
    text += (i == 0 ? "" : "/") + parts[i];
  }
  return text;
}

} // namespace s2f::project
