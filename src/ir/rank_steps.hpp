// What each of several ranks does of a step that the script runs once, on its first node.
//
// before:  tar -xf data.tar; srun torchrun ... train.py; python report.py
// after:   once on each node, by its first rank; every rank; by the first rank of all
#pragma once

#include "ir/workload.hpp"

namespace s2f::ir {

enum class Guard {
  none,        // every rank does it
  once_a_node, // the first rank of a node does it, and the others wait
  first_rank,  // the first rank of all does it, behind its own program
  impossible,  // neither says what it does
};

[[nodiscard]] Guard guard_of(const Job& job, const Step& step);

} // namespace s2f::ir
