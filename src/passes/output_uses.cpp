// Collects the places of a body whose output or status something else uses.
#include "passes/output_uses.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"

namespace s2f::passes {

namespace {

source::Span whole(const std::vector<shell::Statement>& statements) {
  return statements.empty()
             ? source::Span{}
             : source::Span{statements.front().span.source, statements.front().span.begin,
                            statements.back().span.end};
}

// The commands that run inside $( ), directly.
void note_commands(const std::vector<shell::Statement>& body, std::set<std::string>& names) {
  for (const shell::Statement& statement : body) {
    names.merge(analysis::effects_of(statement).commands);
  }
}

bool does_nothing(const shell::Statement& statement) { // `... || true`
  const auto* command = shell::as_simple(statement);
  const auto name = command == nullptr ? std::nullopt : analysis::command_name(*command);
  return name == "true" || name == ":";
}

} // namespace

OutputUses::OutputUses(const std::vector<ir::Step>& body) {
  std::set<std::string> within_substitutions;
  std::vector<std::pair<std::string, source::Span>> functions;
  analysis::Visitor visitor;
  visitor.part = [&](const shell::WordPart& part) {
    if (const auto* inner = std::get_if<shell::CommandSubstitution>(&part.value)) {
      captured_.push_back(part.span);
      note_commands(inner->body, within_substitutions);
    } else if (const auto* process = std::get_if<shell::ProcessSubstitution>(&part.value)) {
      captured_.push_back(part.span);
      note_commands(process->body, within_substitutions);
    }
  };
  visitor.statement = [&](const shell::Statement& statement) {
    if (const auto* pipeline = std::get_if<shell::Pipeline>(&statement.value)) {
      for (std::size_t i = 0; i + 1 < pipeline->commands.size(); ++i) {
        captured_.push_back(pipeline->commands[i].span);
      }
    } else if (const auto* list = std::get_if<shell::AndOr>(&statement.value)) {
      if (!does_nothing(*list->right)) {
        tested_.push_back(list->left->span);
      }
    } else if (const auto* branch = std::get_if<shell::If>(&statement.value)) {
      for (const shell::IfBranch& each : branch->branches) {
        tested_.push_back(whole(each.condition));
      }
    } else if (const auto* loop = std::get_if<shell::While>(&statement.value)) {
      tested_.push_back(whole(loop->condition));
    } else if (const auto* function = std::get_if<shell::Function>(&statement.value)) {
      functions.emplace_back(function->name, statement.span);
    }
    if (!std::holds_alternative<shell::SimpleCommand>(statement.value) &&
        !statement.redirects.empty()) {
      captured_.push_back(statement.span);
    }
    if (statement.negated) {
      tested_.push_back(statement.span);
    }
  };
  for (const ir::Step& step : body) {
    if (step.statement != nullptr) {
      analysis::walk(*step.statement, visitor);
    }
  }
  for (const auto& [name, span] : functions) {
    if (within_substitutions.contains(name)) {
      captured_.push_back(span);
    }
  }
}

bool OutputUses::within(const std::vector<source::Span>& spans, const source::Span& span) {
  return std::ranges::any_of(spans, [&](const source::Span& each) { return each.contains(span); });
}

} // namespace s2f::passes
