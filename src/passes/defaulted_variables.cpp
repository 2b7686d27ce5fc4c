// Variables of the submitting shell for which the script has a value of its own.
//
// before:  SIZE=${SIZE:-small}     (sbatch --export=ALL,SIZE=big)
// after:   a parameter size = "small"
#include "passes/defaulted_variables.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"

namespace s2f::passes {

namespace {

// The text of NAME in ${NAME:-text} and ${NAME:=text}.
std::optional<std::string> default_of(const shell::Parameter& parameter) {
  const bool has =
      parameter.op == ":-" || parameter.op == "-" || parameter.op == ":=" || parameter.op == "=";
  if (!has || parameter.length || parameter.indirect || parameter.subscript ||
      parameter.arguments.size() != 1) {
    return std::nullopt;
  }
  return parameter.arguments[0].literal();
}

// NAME=${NAME:-text}, quoted or not.
bool keeps_what_is_set(const shell::Assignment& assignment) {
  if (!assignment.value || assignment.append || assignment.value->parts.size() != 1) {
    return false;
  }
  const shell::WordPart* part = &assignment.value->parts.front();
  const auto* quoted = std::get_if<shell::DoubleQuoted>(&part->value);
  if (quoted != nullptr && quoted->parts.size() == 1) {
    part = &quoted->parts.front();
  }
  const auto* parameter = std::get_if<shell::Parameter>(&part->value);
  return parameter != nullptr && parameter->name == assignment.name && default_of(*parameter);
}

} // namespace

std::vector<DefaultedVariable> defaulted_variables(const ir::Job& job) {
  std::map<std::string, DefaultedVariable> found;
  std::set<std::string> other; // with several defaults, or set in another way
  for (const ir::Step& step : job.body) {
    if (step.statement == nullptr || std::holds_alternative<ir::Nothing>(step.value)) {
      continue;
    }
    const auto* command = shell::as_simple(*step.statement);
    std::set<std::string> kept;
    if (command != nullptr) {
      for (const auto* list : {&command->assignments, &command->declared}) {
        for (const shell::Assignment& assignment : *list) {
          if (keeps_what_is_set(assignment)) {
            kept.insert(assignment.name);
          }
        }
      }
    }
    for (const std::string& name : analysis::effects_of(*step.statement).writes) {
      if (!kept.contains(name) &&
          !(command != nullptr && analysis::command_name(*command) == ":")) {
        other.insert(name);
      }
    }
    analysis::Visitor visitor;
    visitor.part = [&](const shell::WordPart& part) {
      const auto* parameter = std::get_if<shell::Parameter>(&part.value);
      const auto text = parameter == nullptr ? std::nullopt : default_of(*parameter);
      if (!text || text->empty()) {
        return;
      }
      const auto [at, fresh] =
          found.try_emplace(parameter->name, DefaultedVariable{parameter->name, *text, part.span});
      if (!fresh && at->second.default_ != *text) {
        other.insert(parameter->name);
      }
    };
    analysis::walk(*step.statement, visitor);
  }
  std::vector<DefaultedVariable> result;
  for (auto& [name, variable] : found) {
    const bool plain = name.find_first_not_of("0123456789") != std::string::npos &&
                       name.find_first_of("@*#?$!-") == std::string::npos;
    if (plain && !other.contains(name) && !name.starts_with("SLURM") &&
        !name.starts_with("SBATCH_") && !analysis::ambient_variable(name)) {
      result.push_back(std::move(variable));
    }
  }
  std::ranges::sort(result, {}, [](const DefaultedVariable& each) { return each.span.begin; });
  return result;
}

} // namespace s2f::passes
