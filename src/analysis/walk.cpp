// The one recursion over a Bash tree that all analyses share.
#include "analysis/walk.hpp"

#include <variant>
#include <vector>

namespace s2f::analysis {

namespace {

template <class... Ts> struct Overload : Ts... {
  using Ts::operator()...;
};

void walk_all(const std::vector<shell::Statement>& statements, const Visitor& visitor) {
  for (const shell::Statement& statement : statements) {
    walk(statement, visitor);
  }
}

void walk_all(const std::vector<shell::Word>& words, const Visitor& visitor) {
  for (const shell::Word& word : words) {
    walk(word, visitor);
  }
}

void walk_part(const shell::WordPart& part, const Visitor& visitor) {
  if (visitor.part) {
    visitor.part(part);
  }
  std::visit(
      Overload{
          [&](const shell::DoubleQuoted& quoted) {
            for (const shell::WordPart& inner : quoted.parts) {
              walk_part(inner, visitor);
            }
          },
          [&](const shell::Parameter& parameter) {
            if (parameter.subscript) {
              walk(**parameter.subscript, visitor);
            }
            walk_all(parameter.arguments, visitor);
          },
          [&](const shell::CommandSubstitution& substitution) {
            walk_all(substitution.body, visitor);
          },
          [&](const shell::ProcessSubstitution& substitution) {
            walk_all(substitution.body, visitor);
          },
          [&](const shell::Arithmetic& arithmetic) {
            for (const shell::WordPart& inner : arithmetic.expansions) {
              walk_part(inner, visitor);
            }
          },
          [&](const shell::BraceExpansion& braces) { walk_all(braces.alternatives, visitor); },
          [](const auto&) {},
      },
      part.value);
}

void walk_assignment(const shell::Assignment& assignment, const Visitor& visitor) {
  if (visitor.assignment) {
    visitor.assignment(assignment);
  }
  if (assignment.subscript) {
    walk(**assignment.subscript, visitor);
  }
  if (assignment.value) {
    walk(*assignment.value, visitor);
  }
  if (assignment.array) {
    walk_all(*assignment.array, visitor);
  }
}

} // namespace

void walk(const shell::Word& word, const Visitor& visitor) {
  if (visitor.word) {
    visitor.word(word);
  }
  for (const shell::WordPart& part : word.parts) {
    walk_part(part, visitor);
  }
}

void walk(const shell::Statement& statement, const Visitor& visitor) {
  if (visitor.statement) {
    visitor.statement(statement);
  }
  for (const shell::Redirect& redirect : statement.redirects) {
    walk(redirect.target, visitor);
    for (const shell::WordPart& part : redirect.heredoc_parts) {
      walk_part(part, visitor);
    }
  }
  std::visit(Overload{
                 [&](const shell::SimpleCommand& command) {
                   for (const shell::Assignment& assignment : command.assignments) {
                     walk_assignment(assignment, visitor);
                   }
                   walk_all(command.words, visitor);
                   for (const shell::Assignment& assignment : command.declared) {
                     walk_assignment(assignment, visitor);
                   }
                 },
                 [&](const shell::Pipeline& pipeline) { walk_all(pipeline.commands, visitor); },
                 [&](const shell::AndOr& list) {
                   walk(*list.left, visitor);
                   walk(*list.right, visitor);
                 },
                 [&](const shell::Subshell& subshell) { walk_all(subshell.body, visitor); },
                 [&](const shell::Group& group) { walk_all(group.body, visitor); },
                 [&](const shell::If& command) {
                   for (const shell::IfBranch& branch : command.branches) {
                     walk_all(branch.condition, visitor);
                     walk_all(branch.body, visitor);
                   }
                 },
                 [&](const shell::While& command) {
                   walk_all(command.condition, visitor);
                   walk_all(command.body, visitor);
                 },
                 [&](const shell::For& command) {
                   walk_all(command.words, visitor);
                   walk_all(command.body, visitor);
                 },
                 [&](const shell::ArithmeticFor& command) { walk_all(command.body, visitor); },
                 [&](const shell::Case& command) {
                   walk(command.subject, visitor);
                   for (const shell::CaseItem& item : command.items) {
                     walk_all(item.patterns, visitor);
                     walk_all(item.body, visitor);
                   }
                 },
                 [&](const shell::Function& function) {
                   if (visitor.functions) {
                     walk(*function.body, visitor);
                   }
                 },
                 [&](const shell::Test& test) { walk_all(test.words, visitor); },
                 [&](const shell::ArithmeticCommand& command) {
                   for (const shell::WordPart& inner : command.arithmetic.expansions) {
                     walk_part(inner, visitor);
                   }
                 },
                 [&](const shell::Coprocess& coprocess) { walk(*coprocess.body, visitor); },
                 [](const auto&) {},
             },
             statement.value);
}

} // namespace s2f::analysis
