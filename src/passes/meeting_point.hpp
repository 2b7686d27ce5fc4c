// Leaves out of a job what its ranks do not need, once Flyte starts them.
#pragma once

#include "passes/context.hpp"
#include "passes/rank_start.hpp"

namespace s2f::passes {

void leave_meeting_point(PassContext& context, RankStart& start);

} // namespace s2f::passes
