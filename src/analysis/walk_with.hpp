// The one recursion over a Bash tree that all analyses share, made for one visitor: what is asked
// of every statement again and again calls its visitor directly.
#pragma once

#include <variant>
#include <vector>

#include "shell/tree.hpp"

namespace s2f::analysis {

// `Seer` has statement(), part(), word() and assignment(), as walk.hpp's Visitor, and
// walks_functions(); where it has walks_shells(), that says whether what a shell of its own runs is
// walked.
template <class Seer> class Walk {
public:
  explicit Walk(Seer& seer) : seer_(seer) {}

  void statements(const std::vector<shell::Statement>& statements) {
    for (const shell::Statement& each : statements) {
      statement(each);
    }
  }

  void words(const std::vector<shell::Word>& words) {
    for (const shell::Word& each : words) {
      word(each);
    }
  }

  void word(const shell::Word& word) {
    seer_.word(word);
    parts(word.parts);
  }

  void statement(const shell::Statement& statement) {
    seer_.statement(statement);
    if (statement.background && !enters()) {
      return;
    }
    for (const shell::Redirect& redirect : statement.redirects) {
      word(redirect.target);
      parts(redirect.heredoc_parts);
    }
    std::visit([this](const auto& value) { this->inside(value); }, statement.value);
  }

private:
  static constexpr bool enters() {
    if constexpr (requires { Seer::walks_shells(); }) {
      return Seer::walks_shells();
    } else {
      return true;
    }
  }

  void shell(const std::vector<shell::Statement>& body) {
    if (enters()) {
      statements(body);
    }
  }

  void parts(const std::vector<shell::WordPart>& parts) {
    for (const shell::WordPart& each : parts) {
      part(each);
    }
  }

  void part(const shell::WordPart& part) {
    seer_.part(part);
    if (const auto* quoted = std::get_if<shell::DoubleQuoted>(&part.value)) {
      parts(quoted->parts);
    } else if (const auto* parameter = std::get_if<shell::Parameter>(&part.value)) {
      if (parameter->subscript) {
        word(**parameter->subscript);
      }
      words(parameter->arguments);
    } else if (const auto* substitution = std::get_if<shell::CommandSubstitution>(&part.value)) {
      shell(substitution->body);
    } else if (const auto* process = std::get_if<shell::ProcessSubstitution>(&part.value)) {
      shell(process->body);
    } else if (const auto* arithmetic = std::get_if<shell::Arithmetic>(&part.value)) {
      parts(arithmetic->expansions);
    } else if (const auto* braces = std::get_if<shell::BraceExpansion>(&part.value)) {
      words(braces->alternatives);
    }
  }

  void assignments(const std::vector<shell::Assignment>& assignments) {
    for (const shell::Assignment& each : assignments) {
      seer_.assignment(each);
      if (each.subscript) {
        word(**each.subscript);
      }
      if (each.value) {
        word(*each.value);
      }
      if (each.array) {
        words(*each.array);
      }
    }
  }

  void inside(const shell::SimpleCommand& command) {
    assignments(command.assignments);
    words(command.words);
    assignments(command.declared);
  }
  void inside(const shell::Pipeline& pipeline) {
    if (pipeline.commands.size() < 2 || enters()) {
      statements(pipeline.commands);
    }
  }
  void inside(const shell::AndOr& list) {
    statement(*list.left);
    statement(*list.right);
  }
  void inside(const shell::Subshell& subshell) { shell(subshell.body); }
  void inside(const shell::Group& group) { statements(group.body); }
  void inside(const shell::If& command) {
    for (const shell::IfBranch& branch : command.branches) {
      statements(branch.condition);
      statements(branch.body);
    }
  }
  void inside(const shell::While& command) {
    statements(command.condition);
    statements(command.body);
  }
  void inside(const shell::For& command) {
    words(command.words);
    statements(command.body);
  }
  void inside(const shell::ArithmeticFor& command) { statements(command.body); }
  void inside(const shell::Case& command) {
    word(command.subject);
    for (const shell::CaseItem& item : command.items) {
      words(item.patterns);
      statements(item.body);
    }
  }
  void inside(const shell::Function& function) {
    if (seer_.walks_functions()) {
      statement(*function.body);
    }
  }
  void inside(const shell::Test& test) { words(test.words); }
  void inside(const shell::ArithmeticCommand& command) { parts(command.arithmetic.expansions); }
  void inside(const shell::Coprocess& coprocess) { statement(*coprocess.body); }
  void inside(const shell::Unparsed& /*unparsed*/) {}

  Seer& seer_;
};

// Sees statements and assignments, each by a function.
template <class OnStatement, class OnAssignment> struct Sees {
  OnStatement on_statement;
  OnAssignment on_assignment;

  void statement(const shell::Statement& statement) { on_statement(statement); }
  void assignment(const shell::Assignment& assignment) { on_assignment(assignment); }
  static void part(const shell::WordPart& /*part*/) {}
  static void word(const shell::Word& /*word*/) {}
  static bool walks_functions() { return true; }
};

} // namespace s2f::analysis
