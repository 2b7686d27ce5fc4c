// Variables of the submitting shell that the script gives a new value made of the old one.
#pragma once

#include <string>
#include <vector>

#include "ir/workload.hpp"

namespace s2f::passes {

struct InheritedVariable {
  std::string name;
  source::Span span{};    // where it is read
  bool defaulted = false; // ${NAME:-...}: unset is no error
};
// In the order of the script; not those that the environment of every job has.
[[nodiscard]] std::vector<InheritedVariable> inherited_variables(const ir::Job& job);

} // namespace s2f::passes
