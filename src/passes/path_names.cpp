// Asks of the text of a path: where it lies, what it is called.
#include "passes/path_names.hpp"

#include <algorithm>
#include <cctype>

#include "flyte/program.hpp"
#include "generated/tables/path_places.hpp"

namespace s2f::passes {

bool on_cluster(std::string_view text) {
  if ((!text.starts_with('/') && !text.starts_with('$')) || text.size() < 2 ||
      text.ends_with('/') || text.find("/../") != std::string_view::npos) {
    return false;
  }
  const std::string_view head = text.substr(0, text.find('/', 1));
  const auto found =
      std::ranges::find_if(tables::path_places, [&](const auto& row) { return row.head == head; });
  if (found == std::end(tables::path_places)) {
    return text.starts_with('/');
  }
  return found->place == tables::PathPlacesPlace::cluster && head.size() < text.size();
}

std::string clean(std::string path) {
  while (path.starts_with("./")) {
    path.erase(0, 2);
  }
  return path;
}

std::string leaf_of(std::string_view path) {
  return std::string(path.substr(path.find_last_of('/') + 1));
}

std::string path_python_name(std::string_view text, bool whole) {
  std::string name;
  for (const char c : whole ? text : text.substr(0, text.find('.'))) {
    const auto byte = static_cast<unsigned char>(c);
    name += byte < 128 && std::isalnum(byte) != 0 ? static_cast<char>(std::tolower(byte)) : '_';
  }
  const bool begins = !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) != 0;
  return begins && !flyte::reserved_python_name(name) ? name : std::string();
}

std::string plain_names(std::string text) {
  for (auto at = text.find("${"); at != std::string::npos; at = text.find("${", at)) {
    const auto end = text.find('}', at);
    if (end != std::string::npos) {
      text.erase(end, 1);
    }
    text.erase(at + 1, 1);
  }
  for (auto at = text.find("~/"); at != std::string::npos; at = text.find("~/", at)) {
    text.replace(at, 1, "$HOME");
  }
  return text;
}

} // namespace s2f::passes
