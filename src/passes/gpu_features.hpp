// A feature of --constraint that is a kind of GPU.
#pragma once

#include "passes/pipeline.hpp"

namespace s2f::passes {

// Whether the one feature that is asked for names a GPU of Flyte's list, where the job asks for
// GPUs of no kind: then the task asks for that kind, and a person is asked whether it matters.
bool gpu_feature(PassContext& context, const slurm::OptionUse& use);

} // namespace s2f::passes
