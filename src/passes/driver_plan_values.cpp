// What a driver that runs as it was has in its variables, as far as its text tells.
//
// before:  DIR=jobs; export LR=0.1; sbatch $DIR/train.sh
// after:   constants_ = {DIR: jobs}, exported_ = {LR}
#include "passes/driver_plan.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/secrets.hpp"
#include "analysis/walk.hpp"

namespace s2f::passes {

namespace {

namespace terms = ir::terms;
using ir::Term;
using Type = Term::Type;
using review::Disposition;

} // namespace

bool is_variable(std::string_view name) {
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
         std::ranges::all_of(name,
                             [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

// TOKEN of $TOKEN, ${TOKEN} and ${TOKEN:-x}; "" of anything else.
std::string secret_in(const shell::WordPart& part) {
  const auto* parameter = std::get_if<shell::Parameter>(&part.value);
  return parameter != nullptr && !parameter->length && !parameter->indirect &&
                 analysis::names_secret(parameter->name)
             ? parameter->name
             : "";
}

bool holds_secret(const std::vector<shell::WordPart>& parts) {
  return std::ranges::any_of(parts, [](const shell::WordPart& part) {
    const auto* quoted = std::get_if<shell::DoubleQuoted>(&part.value);
    return quoted != nullptr ? holds_secret(quoted->parts) : !secret_in(part).empty();
  });
}

// The text before the first part that is not literal.
std::string literal_start(const shell::Word& word) {
  std::string text;
  for (const shell::WordPart& part : word.parts) {
    if (const auto* literal = std::get_if<shell::Literal>(&part.value)) {
      text += literal->value;
    } else if (const auto* quoted = std::get_if<shell::DoubleQuoted>(&part.value)) {
      for (const shell::WordPart& inner : quoted->parts) {
        const auto* plain = std::get_if<shell::Literal>(&inner.value);
        if (plain == nullptr) {
          return text;
        }
        text += plain->value;
      }
    } else {
      return text;
    }
  }
  return text;
}

// Variables that get one value, in a statement that runs whatever happens.
void DriverPlanner::find_constants() {
  static constexpr std::array setters{"read",   "readarray", "mapfile", "getopts",
                                      "printf", "let",       "unset"};
  std::map<std::string, int> writes;
  analysis::Visitor visitor;
  visitor.assignment = [&](const shell::Assignment& each) { ++writes[each.name]; };
  visitor.statement = [&](const shell::Statement& each) {
    if (const auto* loop = std::get_if<shell::For>(&each.value)) {
      writes[loop->variable] += 2;
    } else if (const auto* arithmetic = std::get_if<shell::ArithmeticCommand>(&each.value)) {
      for (const std::string& name : arithmetic->arithmetic.variables) {
        writes[name] += 2;
      }
    } else if (const auto* command = shell::as_simple(each)) {
      const auto name = analysis::command_name(*command);
      if (name && std::ranges::find(setters, *name) != setters.end()) {
        for (const shell::Word& word : command->words) {
          const auto text = word.literal().value_or("");
          writes[text.substr(0, text.find_first_of("+-=*"))] += 2;
        }
      }
    }
  };
  visitor.part = [&](const shell::WordPart& part) {
    if (const auto* arithmetic = std::get_if<shell::Arithmetic>(&part.value);
        arithmetic != nullptr && arithmetic->assigns) {
      for (const std::string& name : arithmetic->variables) {
        writes[name] += 2;
      }
    }
  };
  for (const shell::Statement& statement : driver_.script->statements) {
    analysis::walk(statement, visitor);
    if (analysis::effects_of(statement).anything) { // eval, or a file that is sourced
      return;
    }
  }
  for (const shell::Statement& statement : driver_.script->statements) {
    const auto* command = shell::as_simple(statement);
    if (command == nullptr || statement.background) {
      continue;
    }
    const auto& list = command->words.empty() ? command->assignments : command->declared;
    for (const shell::Assignment& each : list) {
      const auto value = each.value && !each.append && !each.subscript && writes[each.name] == 1
                             ? constant(*each.value)
                             : std::nullopt;
      if (value && !only_modules(*value)) {
        constants_[each.name] = *value;
      }
    }
  }
}

// Variables that the driver puts into the environment of what it submits.
void DriverPlanner::find_exported() {
  bool all = false;
  std::set<std::string> assigned;
  analysis::Visitor visitor;
  visitor.assignment = [&](const shell::Assignment& each) { assigned.insert(each.name); };
  visitor.statement = [&](const shell::Statement& each) {
    const auto* command = shell::as_simple(each);
    if (command == nullptr || command->words.empty()) {
      return;
    }
    const auto name = analysis::command_name(*command);
    const auto option = command->words.size() > 1 ? command->words[1].literal() : std::nullopt;
    if (name == "export" || ((name == "declare" || name == "typeset") && option == "-x")) {
      for (const shell::Assignment& declared : command->declared) {
        exported_.insert(declared.name);
      }
      for (const shell::Word& word : command->words) {
        if (const auto text = word.literal(); text && is_variable(*text)) {
          exported_.insert(*text);
        }
      }
    }
    all |= name == "set" && (option == "-a" || option == "-o");
    if (const auto at = sbatch_in(*command)) {
      for (const shell::Assignment& before : command->assignments) {
        exported_.insert(before.name);
      }
      for (std::size_t i = 1; i < *at; ++i) { // env NAME=VALUE sbatch
        const auto text = command->words[i].literal().value_or("");
        if (const auto equals = text.find('='); is_variable(text.substr(0, equals))) {
          exported_.insert(text.substr(0, equals));
        }
      }
    }
  };
  for (const shell::Statement& statement : driver_.script->statements) {
    analysis::walk(statement, visitor);
  }
  if (all) {
    exported_.merge(assigned);
  }
  exported_.erase("export");
}

std::optional<std::string>
DriverPlanner::constant(const std::vector<shell::WordPart>& parts) const {
  std::string text;
  for (const shell::WordPart& part : parts) {
    if (const auto* literal = std::get_if<shell::Literal>(&part.value);
        literal != nullptr && !literal->globs) {
      text += literal->value;
    } else if (const auto* single = std::get_if<shell::SingleQuoted>(&part.value)) {
      text += single->value;
    } else if (const auto* quoted = std::get_if<shell::DoubleQuoted>(&part.value)) {
      const auto inner = constant(quoted->parts);
      if (!inner) {
        return std::nullopt;
      }
      text += *inner;
    } else if (const auto* parameter = std::get_if<shell::Parameter>(&part.value);
               parameter != nullptr && parameter->op.empty() && !parameter->length &&
               !parameter->indirect && !parameter->subscript &&
               constants_.contains(parameter->name)) {
      text += constants_.at(parameter->name);
    } else {
      return std::nullopt;
    }
  }
  return text;
}

std::optional<std::string> DriverPlanner::constant(const shell::Word& word) const {
  return constant(word.parts);
}

} // namespace s2f::passes
