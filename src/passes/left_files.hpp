// Files whose names only a run makes, from the job that leaves them to the one that looks for them.
#pragma once

#include <functional>

#include "passes/driver_order.hpp"

namespace s2f::passes {

// After single files were handed on: fills Job::left and Submission::handed, and raises S2F360.
void hand_on_left(ir::Workload& workload, const DriverOrder& order,
                  const std::function<review::Findings&(const ir::Job&)>& findings_of);

} // namespace s2f::passes
