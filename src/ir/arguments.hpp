// Which parameters of a job are arguments of its script.
#pragma once

#include "ir/workload.hpp"

namespace s2f::ir {

// $1 or "$@": a word behind the script on sbatch's command line, not a variable.
[[nodiscard]] inline bool is_argument(const Parameter& parameter) {
  return parameter.position != 0 || parameter.type == Type::text_list;
}

} // namespace s2f::ir
