// Variables that the script reads before it writes them, for their own new value.
//
// before:  MODEL="${MODEL}"; INPUT="${INPUT:-$HOME/in}"; OPTIONS="$OPTIONS --fast"; : ${MODE:=}
// after:   MODEL, INPUT, OPTIONS and MODE come from the shell that submitted
#include "passes/inherited_variables.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "generated/tables/search_paths.hpp"

namespace s2f::passes {

namespace {

// Where the value of an assignment reads the variable itself; nothing where unset and empty are not
// the same to it.
std::optional<InheritedVariable> reads_itself(const shell::Assignment& assignment) {
  std::optional<InheritedVariable> found;
  bool tells_apart = false;
  if (assignment.append && !assignment.array) {
    found = InheritedVariable{assignment.name, assignment.span, false};
  }
  if (!assignment.value || assignment.subscript) {
    return found;
  }
  analysis::Visitor visitor;
  visitor.part = [&](const shell::WordPart& part) {
    const auto* parameter = std::get_if<shell::Parameter>(&part.value);
    if (parameter == nullptr || parameter->name != assignment.name) {
      return;
    }
    tells_apart |= parameter->op == "-" || parameter->op == "+" || parameter->op == "=" ||
                   parameter->op == "?" || parameter->op == ":?";
    const bool defaulted = parameter->op == ":-" || parameter->op == ":+" || parameter->op == ":=";
    if (!found) {
      found = InheritedVariable{assignment.name, part.span, defaulted};
    }
    found->defaulted = found->defaulted && defaulted;
  };
  analysis::walk(*assignment.value, visitor);
  return tells_apart ? std::nullopt : found;
}

// : ${NAME:=text} keeps what is set.
std::vector<InheritedVariable> given_defaults(const shell::Statement& statement) {
  std::vector<InheritedVariable> found;
  analysis::Visitor visitor;
  visitor.part = [&](const shell::WordPart& part) {
    const auto* parameter = std::get_if<shell::Parameter>(&part.value);
    if (parameter != nullptr && parameter->op == ":=" && !parameter->length &&
        !parameter->indirect && !parameter->subscript) {
      found.push_back({parameter->name, part.span, true});
    }
  };
  analysis::walk(statement, visitor);
  return found;
}

// Neither Slurm's, nor the shell's, nor one that says where programs are found.
bool of_the_script(const std::string& name) {
  return !name.starts_with("SLURM") && !name.starts_with("SBATCH_") &&
         !analysis::ambient_variable(name) && tables::find_search_paths(name) == nullptr;
}

} // namespace

std::vector<InheritedVariable> inherited_variables(const ir::Job& job) {
  std::vector<InheritedVariable> result;
  std::set<std::string> written;
  for (const ir::Step& step : job.body) {
    if (step.statement == nullptr) {
      continue;
    }
    const auto* command = shell::as_simple(*step.statement);
    const bool assigns =
        command != nullptr && (command->words.empty() || !command->declared.empty());
    for (const auto* list :
         {assigns ? &command->assignments : nullptr, assigns ? &command->declared : nullptr}) {
      if (list == nullptr || std::holds_alternative<ir::Nothing>(step.value)) {
        continue;
      }
      for (const shell::Assignment& assignment : *list) {
        const std::string& name = assignment.name;
        const auto inherited = reads_itself(assignment);
        if (inherited && !written.contains(name) && of_the_script(name)) {
          result.push_back(*inherited);
        }
        written.insert(name);
      }
    }
    if (command != nullptr && analysis::command_name(*command) == ":" &&
        !std::holds_alternative<ir::Nothing>(step.value)) {
      for (InheritedVariable& each : given_defaults(*step.statement)) {
        if (!written.contains(each.name) && of_the_script(each.name)) {
          result.push_back(std::move(each));
        }
      }
    }
    written.merge(analysis::effects_of(*step.statement).writes);
  }
  return result;
}

} // namespace s2f::passes
