// Leaves out assignments that nothing in their function reads.
#pragma once

#include "flyte/program.hpp"

namespace s2f::emit {

// before:  venv = f"{Path.home()}/envs/x"; await bash(JOB, "job.sh")   (the Bash says it again)
// after:   await bash(JOB, "job.sh")
//
// Only values that are made without an effect go; a comment above one stays.
void drop_unread(flyte::Module& module);

} // namespace s2f::emit
