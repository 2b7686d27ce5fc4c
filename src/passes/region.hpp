// Which statements of a body stay Bash together.
#pragma once

#include <cstddef>
#include <optional>

#include "passes/context.hpp"

namespace s2f::passes {

struct RegionBounds {
  std::size_t first = 0, last = 0; // indices into Job::body, both inclusive
};

// From the first statement that no pass lifted, or whose state such a one needs, to the last that
// must be with them; nothing where all are lifted.
[[nodiscard]] std::optional<RegionBounds> region_bounds(const PassContext& context);

// What text that stays Bash writes: files with a name of their own become outputs of the task,
// others are asked about.
void files_left(PassContext& context, const ir::KeptRegion& region);

} // namespace s2f::passes
