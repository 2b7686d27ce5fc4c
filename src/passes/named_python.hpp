// The version of Python that the name of a program gives.
#pragma once

#include "passes/context.hpp"

namespace s2f::passes {

void named_python(PassContext& context);

} // namespace s2f::passes
