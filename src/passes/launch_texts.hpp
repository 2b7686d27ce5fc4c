// What an srun within a text starts: in a word of another command, or in Bash that is kept.
//
// before:  cmd "srun -N4 -n32 amr_wind case.inp"
// after:   mpi, "amr_wind is an MPI program"
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "passes/rank_programs.hpp"
#include "shell/tree.hpp"

namespace s2f::passes {

// Of the first srun in the text whose program is known; nothing where there is none. `near` is a
// command beside it.
[[nodiscard]] std::optional<Ranks>
ranks_in_text(const PassContext& context, const shell::SimpleCommand& near, std::string_view text);

} // namespace s2f::passes
