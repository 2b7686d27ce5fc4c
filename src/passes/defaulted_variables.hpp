// Variables that the script takes from the submitting shell, or else gives a value.
#pragma once

#include <string>
#include <vector>

#include "ir/workload.hpp"

namespace s2f::passes {

struct DefaultedVariable {
  std::string name;
  std::string default_;
  source::Span span{};
};
[[nodiscard]] std::vector<DefaultedVariable> defaulted_variables(const ir::Job& job);

} // namespace s2f::passes
