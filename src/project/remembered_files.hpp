// Files that are asked once: while scripts are compiled nothing is written, so no answer changes.
#pragma once

#include "project/files.hpp"

namespace s2f::project {

// The same files; what `is_file` and `is_directory` said is remembered. For one thread.
[[nodiscard]] Files remembered(const Files& files);

} // namespace s2f::project
