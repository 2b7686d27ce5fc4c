// Assignments that only what the image stands for reads.
#pragma once

#include "passes/context.hpp"

namespace s2f::passes {

void unread_assignments(PassContext& context);

} // namespace s2f::passes
