// Bash's own constructs in a script of sh.
#pragma once

#include "passes/pipeline.hpp"

namespace s2f::passes {

// Notes what of a script of sh stays and is Bash's: the sh of an image is dash.
void sh_dialect(PassContext& context);

} // namespace s2f::passes
