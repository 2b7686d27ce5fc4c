// Which GPUs of its node each process of a step sees.
//
// before:  #SBATCH --gpus-per-task=1                        srun python train.py
// after:   OwnGpus{1, "--gpus-per-task=1"}: each sees one, as its device 0
#pragma once

#include <cstdint>
#include <string>

#include "passes/context.hpp"
#include "passes/srun.hpp"

namespace s2f::passes {

struct OwnGpus {
  std::int64_t each = 0; // 0: all of the node's, or what no number tells
  std::string by;        // "--gpus-per-task=1"
  Span span{};           // of sbatch's option, if it is one
};
[[nodiscard]] OwnGpus own_gpus(const PassContext& context, const StepOptions& step);

// Says that each rank is shown its own.
void say_own_gpus(PassContext& context, const OwnGpus& own, const Span& where);

} // namespace s2f::passes
