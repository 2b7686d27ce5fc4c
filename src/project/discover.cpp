// Tells scripts that Slurm reads from all the other files of a repository.
#include "project/discover.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <utility>

#include "project/ignores.hpp"
#include "site/site.hpp"
#include "slurm/crontab.hpp"

namespace s2f::project {

namespace {

namespace fs = std::filesystem;

constexpr std::array by_name{".sbatch", ".slurm", ".slm", ".sbat"};
// Files of other kinds are not read: they may be large, and are no scripts.
constexpr std::array by_content{".sh",  ".bash",   ".zsh",   ".ksh",     ".csh",   ".tcsh",
                                ".py",  ".pl",     ".R",     ".r",       ".jl",    ".job",
                                ".sub", ".submit", ".batch", ".cmd",     ".q",     ".run",
                                ".txt", "",        ".cron",  ".crontab", ".scron", ".tab"};

bool has_directive(std::string_view text) {
  return text.starts_with("#SBATCH") || text.find("\n#SBATCH") != std::string_view::npos;
}

// `sbatch` as a word where a command can stand; a comment that names it is none.
bool calls_sbatch(std::string_view text) {
  constexpr std::string_view word = "sbatch";
  const auto part_of_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("_-./").contains(c);
  };
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const auto line = text.rfind('\n', at) + 1; // npos + 1 is 0
    const auto before = text.substr(line, at - line);
    const auto end = at + word.size();
    const bool whole = (at == 0 || !part_of_name(text[at - 1])) && end < text.size() &&
                       (text[end] == ' ' || text[end] == '\t');
    if (whole && !before.contains('#') && !before.contains("echo")) {
      return true;
    }
  }
  return false;
}

// A program in another language, or prose, may quote a job script; the directives of one that
// Slurm reads stand before its first statement.
bool directive_in_head(std::string_view text) {
  if (!text.starts_with("#!")) {
    return false;
  }
  while (!text.empty() && (text.front() == '#' || text.front() == '\n')) {
    if (text.starts_with("#SBATCH")) {
      return true;
    }
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  }
  return false;
}

bool is_shell_script(std::string_view name, std::string_view content) {
  const auto ending = fs::path(name).extension().string();
  const auto first = content.substr(0, content.find('\n'));
  return ending == ".sh" || ending == ".bash" || ending == ".zsh" || ending == ".ksh" ||
         (first.starts_with("#!") && (first.ends_with("sh") || first.contains("sh ")));
}

// "jobs/train.sh" by "*.sh", by "jobs/**" and by "jobs".
bool fits(const std::vector<std::string>& patterns, const std::string& path) {
  const auto name = path.substr(path.find_last_of('/') + 1);
  return std::ranges::any_of(patterns, [&](const std::string& pattern) {
    return pattern.contains('/') ? site::matches_path(pattern, path)
                                 : site::matches(pattern, name) || path.starts_with(pattern + "/");
  });
}

} // namespace

bool is_script(std::string_view name, std::string_view content) {
  constexpr std::array other_text{".py", ".pl", ".R", ".r", ".jl", ".txt"};
  if (slurm::is_crontab(name, content)) {
    return true;
  }
  const auto ending = fs::path(name).extension().string();
  if (std::ranges::find(other_text, ending) != other_text.end()) {
    return directive_in_head(content);
  }
  return std::ranges::find(by_name, ending) != by_name.end() || has_directive(content) ||
         (is_shell_script(name, content) && calls_sbatch(content));
}

std::vector<std::string> scripts_below(const std::string& directory, const Files& files,
                                       const Wanted& wanted) {
  constexpr std::size_t deepest = 32;
  std::vector<std::string> found;
  Ignores ignores(files);
  const auto from_there = [&directory](const std::string& path) {
    return fs::path(path).lexically_relative(directory).generic_string();
  };
  std::vector<std::pair<std::string, std::size_t>> pending{{directory, 0}};
  while (!pending.empty()) {
    const auto [at, depth] = pending.back();
    pending.pop_back();
    std::vector<std::string> inner;
    for (const std::string& name : files.list(at)) {
      if (name.starts_with('.') || name == "node_modules") {
        continue;
      }
      const auto path = (fs::path(at) / name).lexically_normal().string();
      const bool is_directory = files.is_directory(path);
      if ((!wanted.ignored_too && ignores.left_out(path, is_directory)) ||
          fits(wanted.exclude, from_there(path))) {
        continue;
      }
      if (is_directory) {
        inner.push_back(path);
        continue;
      }
      if (!wanted.include.empty() && !fits(wanted.include, from_there(path))) {
        continue;
      }
      const auto ending = fs::path(name).extension().string();
      if (std::ranges::find(by_name, ending) == by_name.end() &&
          std::ranges::find(by_content, ending) == by_content.end()) {
        continue;
      }
      if (const auto content = files.read(path); content && is_script(name, *content)) {
        found.push_back(path);
      }
    }
    for (auto path = inner.rbegin(); path != inner.rend() && depth < deepest; ++path) {
      pending.emplace_back(std::move(*path), depth + 1);
    }
  }
  return found;
}

} // namespace s2f::project
