// Which scripts a command line names, and what to say of a path that is none.
#include "cli/inputs.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/suggest.hpp"
#include "project/discover.hpp"

namespace s2f::cli {

namespace fs = std::filesystem;

std::vector<std::string> scripts_of_paths(const std::vector<std::string>& paths,
                                          const Console& console, const project::Wanted& wanted) {
  std::vector<std::string> scripts;
  for (const std::string& path : paths.empty() ? std::vector<std::string>{"."} : paths) {
    if (path == "." || console.files.is_directory(path)) {
      auto below = project::scripts_below(path, console.files, wanted);
      std::ranges::move(below, std::back_inserter(scripts));
    } else {
      scripts.push_back(path);
    }
  }
  return scripts;
}

void complain_about_input(const Console& console, const std::string& path,
                          std::string_view message) {
  if (console.files.is_directory(path)) {
    complain(console, path + ": no file in this directory is a job script.");
    hint(console, "Looked for files that end in .sbatch or .slurm, that have a #SBATCH line, or "
                  "that call sbatch.");
    return;
  }
  complain(console,
           message.starts_with(path) ? std::string(message) : path + ": " + std::string(message));
  const fs::path file(path);
  if (console.files.is_file(path))
    return;
  const auto near =
      nearest(file.filename().string(), console.files.list(file.parent_path().string()));
  if (!near.empty())
    hint(console, "Did you mean " + (file.parent_path() / near).string() + "?");
}

} // namespace s2f::cli
