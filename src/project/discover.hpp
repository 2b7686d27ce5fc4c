// Finds the scripts of a repository: job scripts, and scripts that submit them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "project/files.hpp"

namespace s2f::project {

// Whether the file is one by its name alone (train.sbatch), or by its content: it has a #SBATCH
// line, is a shell script that calls sbatch, or a crontab that has Slurm start something.
[[nodiscard]] bool is_script(std::string_view name, std::string_view content);

// Which of the scripts below a directory are meant, by patterns for their paths from there: `**`
// crosses slashes, and one without a slash is about the name alone.
struct Wanted {
  std::vector<std::string> include, exclude;
  bool ignored_too = false; // what .gitignore leaves out
};

// Those below a directory, in order: a directory's own before those of the directories in it.
// Hidden ones are left out; links that lead in circles end.
[[nodiscard]] std::vector<std::string> scripts_below(const std::string& directory,
                                                     const Files& files, const Wanted& wanted = {});

} // namespace s2f::project
