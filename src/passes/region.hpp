// Which statements of a body stay Bash together.
#pragma once

#include <cstddef>
#include <vector>

#include "passes/context.hpp"

namespace s2f::passes {

// Why the whole of a driver is kept: it runs as it was, but that `submit` stands for sbatch.
inline constexpr std::string_view driver_as_it_was = "a driver runs as it was";

struct RegionBounds {
  std::size_t first = 0, last = 0; // indices into Job::body, both inclusive
};

// Each from the first statement that no pass lifted, or whose state such a one needs, to the last
// that must be with it; nothing where all are lifted.
[[nodiscard]] std::vector<RegionBounds> region_bounds(const PassContext& context);
[[nodiscard]] bool in_region(const std::vector<RegionBounds>& regions, std::size_t step);

// What text that stays Bash writes: files with a name of their own become outputs of the task,
// others are asked about.
void files_left(PassContext& context, const ir::KeptRegion& region);
// The same of a piece within what is lifted, which these statements are.
void files_left(PassContext& context, const std::vector<const shell::Statement*>& statements);
// Files beside the script that the text names go with the module.
void include_files(PassContext& context, const shell::Statement& statement);
// What stays Bash within what is lifted.
void kept_inside(PassContext& context);

} // namespace s2f::passes
