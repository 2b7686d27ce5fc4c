// How many of the programs that a script starts are started by the task itself.
#pragma once

#include "ir/workload.hpp"
#include "review/review.hpp"

namespace s2f::passes {

// Nothing for a job that stays on Slurm.
[[nodiscard]] std::optional<review::Launches> launches_of(const ir::Job& job);

} // namespace s2f::passes
