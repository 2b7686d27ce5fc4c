// What a job does with the path of a file that it is given.
#pragma once

#include <string>

#include "ir/workload.hpp"

namespace s2f::passes {

// Whether it makes other paths of it (${1/_R1/_R2}, $1.bai, dirname) that it does not first write
// itself: they lie beside the file.
[[nodiscard]] bool names_neighbours(const ir::Job& job, const std::string& parameter);

} // namespace s2f::passes
