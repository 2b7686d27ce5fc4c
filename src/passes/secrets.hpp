// Secrets that the submitting shell held.
#pragma once

#include <string>

#include "passes/context.hpp"

namespace s2f::passes {

// A variable that by its name is a secret and that nothing sets: the task gets it from Flyte.
void secret_of_the_shell(PassContext& context, const std::string& name, const Span& span);

} // namespace s2f::passes
