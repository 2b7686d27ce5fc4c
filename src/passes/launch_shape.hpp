// How many ranks a job on several nodes starts, and where, whatever keeps it on Slurm.
//
// before:  srun -N1 -n1 -w $node singularity run --nv i.sif torchrun --nnodes 4 --nproc_per_node 8
// after:   {4, 8}
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "passes/context.hpp"

namespace s2f::passes {

struct LaunchShape {
  std::int64_t nodes = 1, processes = 1; // of each node
  std::string by;                        // "$GPUS_PER_NODE", which alone says the processes
};

// Nothing where no command tells it. Of several launches the largest.
[[nodiscard]] std::optional<LaunchShape> launch_shape(const PassContext& context);

// "4 nodes with 8 processes each"
[[nodiscard]] std::string said(const LaunchShape& shape);

} // namespace s2f::passes
