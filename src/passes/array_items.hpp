// What the jobs of a driver do about lists of one name.
#pragma once

#include "ir/workload.hpp"

namespace s2f::passes {

// Gives lists that differ constants of different names.
void name_lists_apart(ir::Workload& workload);

} // namespace s2f::passes
