// Which job of a driver waits for which, as a report draws it.
#pragma once

#include "ir/workload.hpp"
#include "review/review.hpp"

namespace s2f::ir {

// One node a submission, one edge a dependency between two of them. What a driver computes while
// it runs is drawn as it may be: an edge says that the one can wait for the other.
[[nodiscard]] review::JobGraph job_graph(const Workload& workload);

} // namespace s2f::ir
