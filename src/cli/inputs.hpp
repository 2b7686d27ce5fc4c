// Says of a path that cannot be converted what it is and which one was probably meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/console.hpp"

namespace s2f::cli {

// The names in a directory that look like job scripts: by their ending or a #SBATCH line. Sorted.
[[nodiscard]] std::vector<std::string> job_scripts_in(const std::string& directory,
                                                      const project::Files& files);

// `message` is what reading it said. For a directory: what to name instead; for a file that is
// missing: a name that is near.
void complain_about_input(const Console& console, const std::string& path,
                          std::string_view message);

} // namespace s2f::cli
