// Which variables a statement may set that does not say so: eval, a file that is sourced.
#pragma once

#include <cstddef>
#include <set>
#include <string>

#include "analysis/effects.hpp"
#include "ir/workload.hpp"

namespace s2f::passes {

struct SetUnseen {
  std::size_t from = 0;        // the first step of the body that may set any variable
  std::set<std::string> names; // those that the texts which `eval` runs may set
  analysis::Effects before;    // of what stands before the first of either

  // Whether what the variable is comes from outside the script where it is first read.
  [[nodiscard]] bool from_outside(const std::string& name, bool all) const;
};
[[nodiscard]] SetUnseen set_unseen(const ir::Job& job);

} // namespace s2f::passes
