// What concerns the arrays of all jobs together.
#pragma once

#include <cstdint>

#include "ir/workload.hpp"

namespace s2f::passes {

// Gives lists that differ constants of different names.
void name_lists_apart(ir::Workload& workload);

// How many actions a run of Flyte may have, and the note that it would have more.
[[nodiscard]] std::int64_t actions_in_a_run();
[[nodiscard]] review::Finding too_many_actions(std::int64_t count, const ir::Span& span);
void driver_actions(const ir::Workload& workload, review::Findings& findings);

} // namespace s2f::passes
