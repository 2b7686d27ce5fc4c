// Assignments and exports, as far as their values are known.
//
// before:  export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK
// after:   Assign{OMP_NUM_THREADS = "8", exported}
#include <algorithm>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "passes/lifting.hpp"

namespace s2f::passes {

std::string Lifting::assign(ir::Step& step, const std::vector<shell::Assignment>& assignments,
                            bool exported) {
  if (!step.statement->redirects.empty()) {
    return "an assignment with a redirection";
  }
  ir::Assign result;
  result.exported = exported;
  for (const shell::Assignment& assignment : assignments) {
    if (assignment.append || assignment.subscript || assignment.array) {
      return "an assignment to an array or by +=";
    }
    ir::Value value;
    if (assignment.value) {
      value = scope_.value_of(*assignment.value);
    } else if (const ir::Value* constant = scope_.find(assignment.name)) {
      value = *constant;
    } else {
      return fmt::format("an export of ${}, which is no constant", assignment.name);
    }
    if (!value.known()) {
      return why_unknown(value);
    }
    if (exported && !exportable(value)) {
      return "an export of a value that is known only when the job runs";
    }
    result.bindings.emplace_back(assignment.name, value);
  }
  for (const auto& [name, value] : result.bindings) {
    if (exported) {
      exported_.insert(name);
    } else if (name == "IFS" || analysis::ambient_variable(name)) {
      return fmt::format("an assignment to {}, which programs see", name);
    } else if (exported_.contains(name)) {
      if (launched_) {
        return fmt::format("a new value of {}, which was exported", name);
      }
      result.exported = true; // it stays exported
    }
  }
  // Exported later than a program was started, a variable would be missing there.
  if (exported && launched_) {
    return "an export after a program was started";
  }
  for (auto& [name, value] : result.bindings) {
    scope_.set(name, value);
  }
  step.value = std::move(result);
  return {};
}

bool Lifting::exportable(const ir::Value& value) {
  return std::ranges::all_of(value.parts, [](const ir::ValuePart& part) {
    return std::holds_alternative<ir::Text>(part) ||
           std::holds_alternative<ir::ParameterRef>(part) ||
           std::holds_alternative<ir::ArrayIndex>(part) ||
           std::holds_alternative<ir::SubmitDirectory>(part);
  });
}

std::string Lifting::export_(ir::Step& step, const shell::SimpleCommand& command) {
  if (command.words.size() > 1 || !command.assignments.empty()) {
    return "an export with options";
  }
  if (command.declared.empty()) {
    return "an export of nothing";
  }
  return assign(step, command.declared, true);
}

} // namespace s2f::passes
