// What a driver's jobs are to each other: which waits for which, as a report draws it, and which is
// as its script says.
#pragma once

#include "ir/workload.hpp"
#include "review/review.hpp"

namespace s2f::ir {

// One node a submission, one edge a dependency between two of them. What a driver computes while
// it runs is drawn as it may be: an edge says that the one can wait for the other.
[[nodiscard]] review::JobGraph job_graph(const Workload& workload);

// Whether the script alone says how the job is submitted: nothing on the command line does.
[[nodiscard]] bool as_written(const Job& job);

} // namespace s2f::ir
