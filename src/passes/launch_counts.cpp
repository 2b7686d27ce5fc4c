// Counts the programs that a script starts, those of its functions and substitutions too.
#include "passes/launch_counts.hpp"

#include <algorithm>
#include <set>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "generated/tables/builtins.hpp"
#include "ir/inner_text.hpp"
#include "ir/steps.hpp"

namespace s2f::passes {

namespace {

bool of_the_shell(const std::string& name) {
  return std::ranges::any_of(tables::builtins, [&](const auto& row) { return row.name == name; });
}

std::set<std::string> functions_of(const ir::Job& job) {
  std::set<std::string> names;
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& statement) {
    if (const auto* function = std::get_if<shell::Function>(&statement.value)) {
      names.insert(function->name);
    }
  };
  for (const ir::Step& step : job.body) {
    if (step.statement != nullptr) {
      analysis::walk(*step.statement, visitor);
    }
  }
  return names;
}

} // namespace

std::optional<review::Launches> launches_of(const ir::Job& job) {
  if (job.stays_on_slurm || job.script == nullptr) {
    return std::nullopt;
  }
  const std::set<std::string> functions = functions_of(job);
  const auto inlined = [&](const ir::Step& step) {
    const auto* function = std::get_if<shell::Function>(&step.statement->value);
    return function != nullptr && job.inlined.contains(function->name);
  };
  std::vector<ir::Span> inner; // what stays Bash within what is lifted, functions among it
  (void)ir::any_step(job.body, [&](const ir::Step& each) {
    if (!each.in_region && !ir::inner_launches(each).empty()) {
      inner.push_back(each.span);
    }
    return false;
  });
  review::Launches result;
  for (const ir::Step& step : job.body) {
    const auto* opaque = std::get_if<ir::Opaque>(&step.value);
    if (opaque != nullptr && opaque->why == refused_by_the_shell) {
      break; // nothing starts from there on
    }
    if (step.statement == nullptr ||
        (std::holds_alternative<ir::Nothing>(step.value) && !step.in_region && !inlined(step))) {
      continue;
    }
    analysis::Visitor visitor;
    visitor.statement = [&](const shell::Statement& statement) {
      const auto* command = shell::as_simple(statement);
      if (command == nullptr || command->words.empty() ||
          std::ranges::any_of(job.removals, [&](const ir::Removal& removal) {
            return removal.span.contains(statement.span);
          })) {
        return;
      }
      const auto name = analysis::command_name(*command);
      const bool bash = step.in_region || std::ranges::any_of(inner, [&](const auto& span) {
                          return span.contains(statement.span);
                        });
      std::size_t& count = bash ? result.bash : result.python;
      count += !name || (!of_the_shell(*name) && !functions.contains(*name)) ? 1 : 0;
    };
    analysis::walk(*step.statement, visitor);
  }
  return result;
}

} // namespace s2f::passes
