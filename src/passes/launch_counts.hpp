// How many of the programs that a script starts are started by the task itself.
#pragma once

#include "ir/workload.hpp"
#include "review/review.hpp"

namespace s2f::passes {

// Nothing for a job that stays on Slurm.
[[nodiscard]] std::optional<review::Launches> launches_of(const ir::Job& job);

// Why a statement stays Bash that a shell refuses: it runs nothing from there on.
inline constexpr const char* refused_by_the_shell = "text that the shell refuses";

} // namespace s2f::passes
