// Names of launchers and of Slurm's commands within a text.
//
// before:  bash -c "cd run && mpirun -np 4 ./x"      after:  mpirun
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "generated/tables/launchers.hpp"

namespace s2f::passes {

// Which commands are looked for: all that have to do with Slurm or ranks, those that start
// something, or those that have to do with Slurm.
enum class LauncherWords { any, starts, slurm };

// The row of a command of that name; null for one that has to do with neither.
[[nodiscard]] const tables::LaunchersRow* launcher_of(std::string_view name);

// The first such name that stands as a word of its own, comments aside; it may stand in a string
// that is run later.
[[nodiscard]] std::optional<std::string> launcher_word(std::string_view text, LauncherWords which);

} // namespace s2f::passes
