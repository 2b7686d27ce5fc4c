// Tells how far a conversion of many scripts is.
#pragma once

#include "cli/console.hpp"
#include "project/batch.hpp"

namespace s2f::cli {

// A bar on a terminal, a line now and then elsewhere, and nothing for a handful of scripts.
[[nodiscard]] project::Progress progress_of(bool quiet, const Console& console);

} // namespace s2f::cli
