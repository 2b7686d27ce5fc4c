// Which scripts a command line names, and what to say of a path that is none.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/console.hpp"
#include "project/discover.hpp"

namespace s2f::cli {

// The scripts that are named, and those below the directories that are named (here, if nothing is).
[[nodiscard]] std::vector<std::string> scripts_of_paths(const std::vector<std::string>& paths,
                                                        const Console& console,
                                                        const project::Wanted& wanted = {});

// `message` is what reading it said; for a file that is missing: a name that is near.
void complain_about_input(const Console& console, const std::string& path,
                          std::string_view message);

} // namespace s2f::cli
