// Assignments that nothing reads any more, so that no parameter is asked for on their account.
//
// before:  ENV=$1; source activate $ENV       (the image is the environment)
// after:   Nothing, Nothing
#include "passes/unread_assignments.hpp"

#include <algorithm>
#include <set>
#include <string>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"

namespace s2f::passes {

namespace {

// The variables that a statement sets, where that is all that it does and what they get came from
// outside; empty for any other.
std::set<std::string> only_takes(const shell::Statement& statement) {
  const auto* command = shell::as_simple(statement);
  if (command == nullptr || !command->words.empty() || !command->declared.empty() ||
      !statement.redirects.empty() || statement.background || statement.negated ||
      statement.timed) {
    return {};
  }
  bool outside = false;
  bool more = false;
  analysis::Visitor visitor;
  visitor.part = [&](const shell::WordPart& part) {
    if (const auto* parameter = std::get_if<shell::Parameter>(&part.value)) {
      const std::string& op = parameter->op;
      outside = true;
      more |= op == ":?" || op == "?" || op == ":=" || op == "=";
    }
    more |= std::holds_alternative<shell::CommandSubstitution>(part.value) ||
            std::holds_alternative<shell::ProcessSubstitution>(part.value) ||
            std::holds_alternative<shell::Arithmetic>(part.value);
  };
  analysis::walk(statement, visitor);
  std::set<std::string> names;
  for (const shell::Assignment& assignment : command->assignments) {
    more |= assignment.array.has_value() || assignment.subscript.has_value() ||
            analysis::ambient_variable(assignment.name);
    names.insert(assignment.name);
  }
  return outside && !more ? names : std::set<std::string>{};
}

// Names that any statement could read without saying so.
bool reads_unseen(const ir::Job& job) {
  bool found = false;
  for (const ir::Step& step : job.body) {
    if (step.statement == nullptr) {
      continue;
    }
    found |= analysis::effects_of(*step.statement).unparsed;
    analysis::Visitor visitor;
    visitor.part = [&](const shell::WordPart& part) {
      const auto* parameter = std::get_if<shell::Parameter>(&part.value);
      found |= parameter != nullptr && parameter->indirect;
    };
    analysis::walk(*step.statement, visitor);
  }
  return found;
}

bool exports(const ir::Job& job, const std::set<std::string>& names) {
  return std::ranges::any_of(job.body, [&](const ir::Step& step) {
    const auto* command = step.statement == nullptr ? nullptr : shell::as_simple(*step.statement);
    return command != nullptr &&
           std::ranges::any_of(command->declared, [&](const shell::Assignment& assignment) {
             return names.contains(assignment.name);
           });
  });
}

} // namespace

void unread_assignments(PassContext& context) {
  ir::Job& job = context.job;
  for (bool again = true; again;) {
    again = false;
    std::set<std::string> reads;
    for (const ir::Step& step : job.body) {
      if (step.statement == nullptr || std::holds_alternative<ir::Nothing>(step.value)) {
        continue;
      }
      const auto effects = analysis::effects_of(*step.statement);
      const auto own = only_takes(*step.statement);
      for (const auto* names : {&effects.reads, &effects.reads_defaulted}) {
        for (const std::string& name : *names) {
          if (!own.contains(name)) {
            reads.insert(name);
          }
        }
      }
      if (effects.anything) {
        return;
      }
    }
    for (ir::Step& step : job.body) {
      if (step.statement == nullptr || !std::holds_alternative<ir::Opaque>(step.value) ||
          context.ledger.settled(step.entry)) {
        continue;
      }
      const auto names = only_takes(*step.statement);
      const bool unread = !names.empty() && std::ranges::none_of(names, [&](const auto& name) {
        return reads.contains(name);
      });
      if (!unread) {
        continue;
      }
      const bool earlier = std::ranges::any_of(job.body, [&](const ir::Step& other) {
        return &other != &step && std::holds_alternative<ir::Nothing>(other.value) &&
               other.statement != nullptr &&
               std::ranges::any_of(analysis::effects_of(*other.statement).reads,
                                   [&](const auto& name) { return names.contains(name); });
      });
      if (earlier && !reads_unseen(job) && !exports(job, names)) {
        step.value = ir::Nothing{};
        context.ledger.settle(step.entry, review::Disposition::dropped,
                              "only what the image stands for reads it");
        job.removals.push_back(
            {step.span, "", fmt::format("line {}", context.sources.begin(step.span).line)});
        again = true;
      }
    }
  }
}

} // namespace s2f::passes
