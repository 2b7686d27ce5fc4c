// Whether `python` on the module starts the job's run, so that the run can carry what the job asked
// for: notifications, labels.
#pragma once

#include "passes/pipeline.hpp"

namespace s2f::passes {

// It is no part of a pipeline, and needs no input.
[[nodiscard]] bool starts_by_itself(const PassContext& context);

} // namespace s2f::passes
