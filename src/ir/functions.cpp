// Asks of a function of the task.
#include "ir/functions.hpp"

#include "ir/steps.hpp"

namespace s2f::ir {

std::set<std::string> own_names(const Function& function) {
  std::set<std::string> names;
  for (const Function::Parameter& parameter : function.parameters) {
    names.insert(parameter.name);
  }
  const auto bindings = [&](const std::vector<Binding>& list) {
    for (const Binding& binding : list) {
      names.insert(binding.local);
    }
  };
  for_each_step(function.steps, [&](const Step& step) {
    if (const auto* assign = std::get_if<Assign>(&step.value)) {
      bindings(assign->bindings);
    } else if (const auto* loop = std::get_if<For>(&step.value)) {
      names.insert(loop->variable);
      bindings(loop->before);
    } else if (const auto* branches = std::get_if<If>(&step.value)) {
      bindings(branches->before);
    }
  });
  names.erase("");
  return names;
}

} // namespace s2f::ir
