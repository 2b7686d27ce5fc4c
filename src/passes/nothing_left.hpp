// Jobs of which nothing is left to run.
#pragma once

#include "passes/pipeline.hpp"

namespace s2f::passes {

// Says so: a task that does nothing succeeds, whatever the job was there for.
void nothing_left(PassContext& context);

} // namespace s2f::passes
