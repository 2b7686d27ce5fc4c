// Assignments and exports, as far as their values are known.
//
// before:  export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK
// after:   Assign{OMP_NUM_THREADS = "8", exported}
#include <algorithm>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "generated/tables/ambient_variables.hpp"
#include "passes/lifting.hpp"

namespace s2f::passes {

namespace {

// Variables by which the shell itself works otherwise.
bool changes_shell(const std::string& name) {
  const auto* row = tables::find_ambient_variables(name);
  return row != nullptr && row->from == tables::AmbientVariablesFrom::shell;
}

} // namespace

void fail_with_last(ir::Assign& assign, bool matters) {
  for (auto binding = assign.bindings.rbegin(); binding != assign.bindings.rend(); ++binding) {
    auto& parts = binding->value.parts;
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
      if (auto* output = std::get_if<ir::Output>(&*part)) {
        output->launch->status_matters = matters && !assign.declared;
        return;
      }
    }
  }
}

std::string Lifting::assign(ir::Step& step, const std::vector<shell::Assignment>& assignments,
                            bool exported) {
  const Scope before = scope_;
  ir::Assign result;
  std::string why = bind(step, assignments, exported, result);
  if (!why.empty()) {
    scope_ = before;
    return why;
  }
  result.declared = exported;
  for (const ir::Binding& binding : result.bindings) {
    if (binding.exported) {
      exported_.insert(binding.variable);
      maybe_exported_.erase(binding.variable);
    }
  }
  step.value = std::move(result);
  return {};
}

std::string Lifting::bind(const ir::Step& step, const std::vector<shell::Assignment>& assignments,
                          bool exported, ir::Assign& result) {
  if (!step.statement->redirects.empty()) {
    return "an assignment with a redirection";
  }
  for (const shell::Assignment& assignment : assignments) {
    const std::string& name = assignment.name;
    if (assignment.append || assignment.subscript || assignment.array) {
      return "an assignment to an array or by +=";
    }
    if (changes_shell(name) || (!exported && name != "PATH" && analysis::ambient_variable(name))) {
      return fmt::format("an assignment to {}, which programs see", name);
    }
    if (!exported && maybe_exported_.contains(name)) {
      return fmt::format("a new value of {}, which may have been exported", name);
    }
    const bool seen = exported || exported_.contains(name) || name == "PATH";
    if (!assignment.value) { // `export NAME`
      if (scope_.is_local(name)) {
        return fmt::format("an export of ${}, which may be unset", name);
      }
      const ir::Value* value = scope_.find(name);
      if (value == nullptr) {
        return fmt::format("an export of ${}, which is no constant", name);
      }
      result.bindings.push_back({name, *value, {}, seen});
      continue;
    }
    ir::Value value = scope_.assigned(*assignment.value);
    if (!value.known()) {
      return why_unknown(value);
    }
    result.bindings.push_back(scope_.set(name, std::move(value)));
    ir::Binding& binding = result.bindings.back();
    binding.exported = seen;
    if (!read_elsewhere(name, *step.statement) &&
        (assignments.size() == 1 || !readers_.contains(name))) {
      binding.local.clear(); // only programs see it, if anything does
    }
  }
  return {};
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
