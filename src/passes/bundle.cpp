// Finds what of a job's directory a name stands for.
#include "passes/bundle.hpp"

#include <algorithm>
#include <string_view>

#include "generated/tables/bundle_limits.hpp"
#include "generated/tables/file_endings.hpp"
#include "passes/script_names.hpp"

namespace s2f::passes {

namespace {

constexpr std::string_view wild = "*?[\x01";

std::size_t most_files() {
  const auto* row = tables::find_bundle_limits("files");
  return row == nullptr ? 0 : static_cast<std::size_t>(row->value);
}

// The set that begins at `at`, a "[": its end, and whether it holds the letter.
std::optional<std::size_t> end_of_set(std::string_view pattern, std::size_t at) {
  const auto first = at + 1 + (pattern.substr(at + 1, 1).find_first_of("!^") == 0 ? 1 : 0);
  const auto end = pattern.find(']', first + 1);
  return end == std::string_view::npos ? std::nullopt : std::optional(end);
}
bool in_set(std::string_view set, char c) {
  const bool other = set.starts_with('!') || set.starts_with('^');
  set.remove_prefix(other ? 1 : 0);
  bool found = false;
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (i + 2 < set.size() && set[i + 1] == '-') {
      found |= set[i] <= c && c <= set[i + 2];
      i += 2;
    } else {
      found |= set[i] == c;
    }
  }
  return found != other;
}

std::size_t components(std::string_view path) {
  return static_cast<std::size_t>(std::ranges::count(path, '/')) + 1;
}
std::string_view first_components(std::string_view path, std::size_t count) {
  std::size_t at = 0;
  for (; count > 0 && at != std::string_view::npos; --count) {
    at = path.find('/', at == 0 ? 0 : at + 1);
  }
  return path.substr(0, at);
}

// As Flyte writes it: glob knows "[!", and no open parts.
std::string as_glob(std::string pattern) {
  std::ranges::replace(pattern, open_part, '*');
  for (auto at = pattern.find("[^"); at != std::string::npos; at = pattern.find("[^", at)) {
    pattern[at + 1] = '!';
  }
  for (auto at = pattern.find("**"); at != std::string::npos; at = pattern.find("**", at)) {
    pattern.erase(at, 1);
  }
  return pattern;
}

// Whether so much of a name is known that what fits it is meant: a directory, or a kind of file.
bool says_enough(std::string_view name) {
  const std::string_view first = name.substr(0, name.find('/'));
  if (first.find_first_not_of("\x01") == std::string_view::npos) {
    return false; // it may begin anywhere
  }
  const std::string_view leaf = name.substr(name.find_last_of('/') + 1);
  const auto dot = leaf.find_last_of('.');
  const bool kind =
      dot != std::string_view::npos && tables::find_file_endings(leaf.substr(dot + 1)) != nullptr;
  return kind || (first.size() < name.size() && first.find_first_of(wild) == first.npos);
}

} // namespace

bool is_pattern(const std::string& name) { return name.find_first_of(wild) != std::string::npos; }

// Without recursion but for what a star leaves open: the last one is tried again.
bool fits(std::string_view pattern, std::string_view name, bool deep) {
  std::size_t p = 0;
  std::size_t n = 0;
  std::optional<std::pair<std::size_t, std::size_t>> star; // behind it, and where it ends
  bool crosses = false;
  const auto begins = [&](std::size_t at) { return at == 0 || name[at - 1] == '/'; };
  while (n < name.size()) {
    const char c = p < pattern.size() ? pattern[p] : '\0';
    const bool hidden = name[n] == '.' && begins(n);
    if ((c == '*' || c == open_part) && !(hidden && c == '*')) {
      star = {++p, n};
      crosses = deep && c == open_part;
      continue;
    }
    if (c == '?' && name[n] != '/' && !hidden) {
      ++p, ++n;
      continue;
    }
    if (const auto end = c == '[' ? end_of_set(pattern, p) : std::nullopt;
        end && in_set(pattern.substr(p + 1, *end - p - 1), name[n])) {
      p = *end + 1;
      ++n;
      continue;
    }
    if (p < pattern.size() && c == name[n] && c != '*' && c != '?' && c != open_part) {
      ++p, ++n;
      continue;
    }
    if (!star || (name[star->second] == '/' && !crosses)) {
      return false;
    }
    p = star->first;
    n = ++star->second;
  }
  while (p < pattern.size() && (pattern[p] == '*' || pattern[p] == open_part)) {
    ++p;
  }
  return p == pattern.size();
}

std::optional<std::string> path_below(const std::string& name, const std::string& directory) {
  std::string text = name;
  std::string base = directory;
  if (!text.empty() && text.front() == submit_part) {
    if (text.size() > 1 && text[1] != '/') {
      return std::nullopt;
    }
    text.erase(0, 1);
    text.erase(0, text.find_first_not_of('/'));
    base.clear();
  } else if (text.empty() || text.front() == '/' || text.front() == '~' || text.front() == '-') {
    return std::nullopt;
  }
  if (text.size() > 400 || text.find_first_of("\x02$`\"'<>|;&(){}\\\n\t") != std::string::npos) {
    return std::nullopt;
  }
  std::vector<std::string_view> parts;
  const std::string whole = base.empty() ? text : base + "/" + text;
  for (std::string_view rest = whole; !rest.empty();) {
    const auto slash = std::min(rest.find('/'), rest.size());
    const std::string_view part = rest.substr(0, slash);
    rest.remove_prefix(std::min(slash + 1, rest.size()));
    if (part == "..") {
      if (parts.empty() || parts.back().find_first_of(wild) != std::string_view::npos) {
        return std::nullopt;
      }
      parts.pop_back();
    } else if (!part.empty() && part != ".") {
      parts.push_back(part);
    }
  }
  std::string path;
  for (const std::string_view part : parts) {
    path += (path.empty() ? "" : "/") + std::string(part);
  }
  return path;
}

const std::vector<std::string>& Bundle::files_in(const std::string& directory) {
  const std::string name = directory.empty() ? "." : directory;
  const auto [at, first] = listed_.try_emplace(name);
  if (first && context_.list_files && (name == "." || context_.file_exists(name))) {
    at->second = context_.list_files(name);
  }
  return at->second;
}

void Bundle::saw(const std::string& file) {
  if (seen_.insert(file).second) {
    files_.push_back(file);
  }
}

void Bundle::include(const std::string& entry) {
  std::vector<std::string>& all = context_.job.include;
  const auto& lines = context_.job.array ? context_.job.array->files : std::vector<std::string>{};
  const bool held = std::ranges::any_of(all, [&](const std::string& each) {
    return each == entry || each == "." || entry.starts_with(each + "/") ||
           (is_pattern(each) && !is_pattern(entry) && fits(each, entry));
  });
  // The lines of such a file are given to each element.
  if (!held && std::ranges::find(lines, entry) == lines.end()) {
    all.push_back(entry);
  }
}

void Bundle::tidy() {
  std::vector<std::string>& all = context_.job.include;
  const std::vector<std::string> before = all;
  std::erase_if(all, [&](const std::string& entry) {
    return std::ranges::any_of(before, [&](const std::string& each) {
      return each != entry && (each == "." || entry.starts_with(each + "/"));
    });
  });
}

Bundle::Found Bundle::take_directory(const std::string& directory) {
  const auto& files = files_in(directory);
  if (files.empty()) {
    return Found::no;
  }
  if (files.size() > most_files()) {
    return Found::too_many;
  }
  include(directory.empty() ? "." : directory);
  return Found::yes;
}

Bundle::Found Bundle::take(const std::string& name, bool directories) {
  if (name.empty() || context_.provided.contains(name)) {
    return Found::no;
  }
  if (!is_pattern(name)) {
    if (!context_.file_exists(name)) {
      return Found::no;
    }
    if (!is_directory(name)) {
      saw(name);
      include(name);
      return Found::yes;
    }
    if (directories) {
      include(name);
    }
    return Found::yes;
  }
  const bool spaced = name.find(' ') != std::string::npos;
  if (spaced || !says_enough(name)) {
    return Found::no;
  }
  const std::string before = name.substr(0, name.find_first_of(wild));
  const auto slash = before.find_last_of('/');
  const std::string directory = slash == std::string::npos ? "" : before.substr(0, slash);
  const std::string leaf = directory.empty() ? name : name.substr(slash + 1);
  const auto& files = files_in(directory);
  const auto whole = [&](const std::string& file) {
    return directory.empty() ? file : directory + "/" + file;
  };
  std::set<std::string> below;  // directories that fit it
  std::vector<std::string> fit; // files
  std::vector<std::string> deep;
  const std::size_t count = components(leaf);
  for (const std::string& file : files) {
    if (fits(leaf, file)) {
      fit.push_back(file);
    } else if (components(file) > count && fits(leaf, first_components(file, count))) {
      below.emplace(first_components(file, count));
    } else if (fits(leaf, file, true)) {
      deep.push_back(file);
    }
  }
  if (fit.empty() && (!directories || below.empty()) && deep.empty()) {
    return Found::no;
  }
  if (files.size() > most_files()) {
    return Found::too_many;
  }
  if (!fit.empty()) {
    include(as_glob(name));
    std::ranges::for_each(fit, [&](const std::string& file) { saw(whole(file)); });
  } else if (!below.empty() && directories) {
    if (!directory.empty()) {
      return take_directory(directory);
    }
    std::ranges::for_each(below, [&](const std::string& each) { (void)take_directory(each); });
  } else if (!directory.empty()) {
    return take_directory(directory);
  } else {
    std::ranges::for_each(deep, [&](const std::string& each) { (void)take(each); });
  }
  return Found::yes;
}

} // namespace s2f::passes
