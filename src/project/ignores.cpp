// What .gitignore leaves out.
#include "project/ignores.hpp"

#include <filesystem>
#include <string_view>

#include "site/site.hpp"

namespace s2f::project {

namespace fs = std::filesystem;

const std::vector<Ignores::Pattern>& Ignores::of(const std::string& directory) {
  const auto [entry, fresh] = read_.try_emplace(directory);
  if (!fresh) {
    return entry->second;
  }
  const auto text = files_.read((fs::path(directory) / ".gitignore").string());
  if (!text) {
    return entry->second;
  }
  for (std::size_t begin = 0; begin < text->size();) {
    const auto end = std::min(text->find('\n', begin), text->size());
    std::string_view line = std::string_view(*text).substr(begin, end - begin);
    begin = end + 1;
    line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    if (line.empty() || line.starts_with('#')) {
      continue;
    }
    Pattern pattern;
    pattern.again = line.starts_with('!');
    line.remove_prefix(pattern.again ? 1 : 0);
    pattern.directory = line.ends_with('/');
    line.remove_suffix(pattern.directory ? 1 : 0);
    pattern.anchored = line.contains('/');
    line.remove_prefix(line.starts_with('/') ? 1 : 0);
    pattern.text = line;
    entry->second.push_back(std::move(pattern));
  }
  return entry->second;
}

bool Ignores::left_out(const std::string& path, bool is_directory) {
  bool out = false;
  const fs::path whole(path);
  // The outermost file first: what stands further in has the last word.
  std::vector<fs::path> directories;
  for (fs::path at = whole.parent_path();; at = at.parent_path()) {
    directories.push_back(at);
    if (at.empty() || at == at.parent_path()) {
      break;
    }
  }
  for (auto at = directories.rbegin(); at != directories.rend(); ++at) {
    const auto below = at->empty() ? whole : whole.lexically_relative(*at);
    const auto name = whole.filename().string();
    for (const Pattern& pattern : of(at->string())) {
      if (pattern.directory && !is_directory) {
        continue;
      }
      const bool fits = pattern.anchored ? site::matches_path(pattern.text, below.generic_string())
                                         : site::matches(pattern.text, name);
      out = fits ? !pattern.again : out;
    }
  }
  return out;
}

} // namespace s2f::project
