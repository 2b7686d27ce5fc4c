// What a shell or srun does where a program cannot be started, or an argument is not there.
#pragma once

#include "passes/pipeline.hpp"

namespace s2f::passes {

// Notes where the status, or what is printed, is another without them.
void shell_starts(PassContext& context);

} // namespace s2f::passes
