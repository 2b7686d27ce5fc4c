// Says of a path that cannot be converted what it is and which one was probably meant.
#include "cli/inputs.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/suggest.hpp"

namespace s2f::cli {

namespace {

namespace fs = std::filesystem;

bool has_directive(std::string_view text) {
  return text.starts_with("#SBATCH") || text.find("\n#SBATCH") != std::string_view::npos;
}

} // namespace

std::vector<std::string> job_scripts_in(const std::string& directory, const project::Files& files) {
  constexpr std::array by_name{".sbatch", ".slurm", ".job", ".sub"};
  constexpr std::array by_content{".sh", ".bash", ".py", ".csh", ".zsh", ""};
  constexpr std::size_t most = 500; // files are read here, and somebody waits
  std::vector<std::string> found;
  std::size_t read = 0;
  for (const std::string& name : files.list(directory)) {
    const auto path = (fs::path(directory) / name).string();
    if (name.starts_with('.') || !files.is_file(path))
      continue;
    const auto ending = fs::path(name).extension().string();
    if (std::ranges::find(by_name, ending) != by_name.end()) {
      found.push_back(name);
    } else if (std::ranges::find(by_content, ending) != by_content.end() && ++read <= most) {
      const auto content = files.read(path);
      if (content && has_directive(*content))
        found.push_back(name);
    }
  }
  return found;
}

void complain_about_input(const Console& console, const std::string& path,
                          std::string_view message) {
  constexpr std::size_t shown = 8;
  if (console.files.is_directory(path)) {
    complain(console, path + ": this is a directory; name the scripts in it one by one.");
    auto scripts = job_scripts_in(path, console.files);
    if (scripts.empty()) {
      hint(console, "No file in it looks like a job script.");
      return;
    }
    const auto more = scripts.size() - std::min(scripts.size(), shown);
    scripts.resize(scripts.size() - more);
    hint(console, fmt::format("These look like job scripts: {}{}", fmt::join(scripts, ", "),
                              more == 0 ? "" : fmt::format(" and {} more", more)));
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
