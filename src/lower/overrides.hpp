// Jobs of one script that differ in what `.override` takes.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "lower/parts.hpp"

namespace s2f::lower {

struct Override {
  std::size_t of = 0;                // index into Workload::jobs: whose task it is
  std::vector<flyte::Arg> arguments; // of `.override`; none where the two are the same
  // Where the task stands in the module of its script: the job as that module has it.
  const ir::Job* imported = nullptr;
};
// By the index of the job that needs no task of its own.
using Overrides = std::map<std::size_t, Override>;

// Of the jobs of one script, the task is that of the one that the script alone describes.
[[nodiscard]] Overrides overrides(const LowerContext& context, const ir::Workload& workload);

} // namespace s2f::lower
