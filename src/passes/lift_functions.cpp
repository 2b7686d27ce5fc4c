// Calls of the script's own functions: what is in one stands where it is called.
//
// before:  align() { local s=$1; bwa mem "$s.fq"; }   align a
// after:   If{true: Assign{s = "a"}, Launch{bwa mem a.fq}}
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "passes/lifting.hpp"

namespace s2f::passes {

namespace {

constexpr const char* why = "a call of a function";

// The statements of a function whose body is { ... } and nothing else.
const std::vector<shell::Statement>* body_of(const shell::Statement& definition) {
  const auto* function = std::get_if<shell::Function>(&definition.value);
  const auto* group =
      function != nullptr ? std::get_if<shell::Group>(&function->body->value) : nullptr;
  return group != nullptr && function->body->redirects.empty() ? &group->body : nullptr;
}

// Statements of all kinds within one.
std::size_t size_of(const shell::Statement& statement) {
  std::size_t count = 0;
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement&) { ++count; };
  analysis::walk(statement, visitor);
  return count;
}

} // namespace

std::set<std::string> locals_of(const shell::Statement& definition) {
  std::set<std::string> names;
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& inner) {
    const auto* command = shell::as_simple(inner);
    if (command != nullptr && analysis::command_name(*command) == "local") {
      for (const shell::Assignment& each : command->declared) {
        names.insert(each.name);
      }
    }
  };
  analysis::walk(definition, visitor);
  return names;
}

analysis::Effects Lifting::effects_of(const shell::Statement& statement) const {
  analysis::Effects result = analysis::effects_of(statement);
  std::set<std::string> seen;
  std::vector<std::string> open(result.commands.begin(), result.commands.end());
  while (!open.empty() && !functions_.empty()) {
    const auto function = functions_.find(open.back());
    open.pop_back();
    if (function == functions_.end() || !seen.insert(function->first).second) {
      continue;
    }
    for (const shell::Statement* definition : function->second) {
      analysis::Effects effects = analysis::effects_of(*definition);
      for (const std::string& name : locals_of(*definition)) {
        for (auto* names : {&effects.reads, &effects.reads_defaulted, &effects.writes}) {
          names->erase(name);
        }
      }
      open.insert(open.end(), effects.commands.begin(), effects.commands.end());
      effects.functions = result.functions;
      analysis::merge(result, effects);
    }
  }
  return result;
}

// Whether no statement but those of functions for which it is local, too, knows a variable.
bool Lifting::only_local(const std::string& name) const {
  return std::ranges::all_of(job_.body, [&](const ir::Step& step) {
    if (step.statement == nullptr) {
      return true;
    }
    const bool definition = std::holds_alternative<shell::Function>(step.statement->value);
    const analysis::Effects effects = analysis::effects_of(*step.statement);
    return (definition && locals_of(*step.statement).contains(name)) ||
           !(effects.reads.contains(name) || effects.reads_defaulted.contains(name) ||
             effects.writes.contains(name) ||
             (effects.anything && std::holds_alternative<ir::Opaque>(step.value)));
  });
}

// local name=value, in a function that is being called.
std::string Lifting::local(ir::Step& step, const shell::SimpleCommand& command) {
  const std::string general = "the shell's own local";
  const bool plain =
      command.words.size() == 1 && command.assignments.empty() &&
      std::ranges::all_of(command.declared, [&](const shell::Assignment& each) {
        return !each.append && !each.subscript && (calls_ == 0 || only_local(each.name));
      });
  if (!plain || command.declared.empty()) {
    return general;
  }
  const auto empty = [](const shell::Assignment& each) { return !each.value && !each.array; };
  if (std::ranges::all_of(command.declared, empty)) { // local a b
    for (const shell::Assignment& each : command.declared) {
      (void)scope_.unset_from_here(each.name);
    }
    step.value = ir::Nothing{};
    return {};
  }
  if (std::ranges::any_of(command.declared, empty)) {
    return general;
  }
  // Its status is that of `local`, whatever $( ) did.
  std::string reason = assign(step, command.declared, false);
  if (auto* made = std::get_if<ir::Assign>(&step.value); reason.empty() && made != nullptr) {
    made->declared = true;
  }
  return reason;
}

// A function of the task where the script calls it in several places, or asks how it ended; else,
// and where that cannot be, what is in it.
std::string Lifting::call(ir::Step& step, const shell::SimpleCommand& command,
                          const std::vector<const shell::Statement*>& definitions) {
  const shell::Statement& definition = *definitions.front();
  const bool top = definitions.size() == 1 && body_of(definition) != nullptr &&
                   std::ranges::any_of(job_.body, [&](const ir::Step& each) {
                     return each.statement == &definition;
                   });
  if (!top) {
    return why;
  }
  constexpr std::size_t small = 4; // itself, its braces and two commands
  const auto& name = std::get<shell::Function>(definition.value).name;
  const bool asked = depth_ > 0;
  const bool inlines = !asked && !made_functions_.contains(name) &&
                       (calls_of(name).size() < 2 || size_of(definition) <= small);
  const Attempt attempt(*this);
  std::string reason =
      inlines ? inline_call(step, command, definitions) : made_call(step, command, definition);
  if (reason.empty()) {
    return reason;
  }
  attempt.undo();
  if (!asked) {
    const std::string other =
        inlines ? made_call(step, command, definition) : inline_call(step, command, definitions);
    if (other.empty()) {
      return other;
    }
    attempt.undo();
  }
  return reason;
}

std::string Lifting::inline_call(ir::Step& step, const shell::SimpleCommand& command,
                                 const std::vector<const shell::Statement*>& definitions) {
  constexpr std::size_t deepest_call = 3;
  constexpr std::size_t largest = 60; // statements that all calls of it would make
  const shell::Statement& statement = *step.statement;
  const std::vector<shell::Statement>* body =
      definitions.size() == 1 ? body_of(*definitions.front()) : nullptr;
  const bool top = body != nullptr && std::ranges::any_of(job_.body, [&](const ir::Step& each) {
                     return each.statement == definitions.front();
                   });
  if (!top || !statement.redirects.empty() || statement.background || statement.negated ||
      statement.timed || !command.assignments.empty() || calls_ >= deepest_call) {
    return why;
  }
  const auto* function = std::get_if<shell::Function>(&definitions.front()->value);
  if (calls_ == 0 && definitions.front()->span.end > statement.span.begin) {
    return why; // it is defined later
  }
  const std::size_t callers = calls_of(function->name).size();
  if (callers > 1 && callers * size_of(*definitions.front()) > largest) {
    return why;
  }
  const analysis::Effects effects = analysis::effects_of(*definitions.front());
  static constexpr std::array others{"getopts", "return",   "set",   "unset",    "declare",
                                     "typeset", "readonly", "break", "continue", "trap"};
  if (effects.anything || effects.unparsed || effects.traps ||
      effects.commands.contains(function->name) ||
      std::ranges::any_of(others,
                          [&](const char* each) { return effects.commands.contains(each); })) {
    return why;
  }
  std::set<std::string> own = locals_of(*definitions.front());
  // Under errexit what fails without ending the function, as the left side of &&, ends the call.
  if (errexit_ && !body->empty() && shell::as_simple(body->back()) == nullptr) {
    return why;
  }
  if (effects.commands.contains("export") &&
      (!own.empty() || !effects.positionals.empty() || effects.all_positionals)) {
    return why; // an export of a local ends with the function
  }
  if (std::ranges::any_of(own, [&](const auto& name) { return active_locals_.contains(name); })) {
    return why;
  }
  std::vector<ir::Value> arguments;
  for (std::size_t i = 1; i < command.words.size(); ++i) {
    for (ir::Value& value : scope_.words_of(command.words[i])) {
      const bool steady =
          value.known() && !value.many() && !value.runs_program() && !value.of_the_moment() &&
          std::ranges::all_of(value.parts, [&](const ir::ValuePart& part) {
            const auto* local = std::get_if<ir::Local>(&part);
            return local == nullptr || local->once ||
                   std::ranges::none_of(effects.writes, [&](const auto& name) {
                     const auto found = job_.locals.find(name);
                     return found != job_.locals.end() && found->second == local->name;
                   });
          });
      if (!steady) {
        return why;
      }
      note_splitting(value);
      value.unquoted = false;
      arguments.push_back(std::move(value));
    }
  }
  const Scope::Arguments before = scope_.give_arguments(std::move(arguments));
  const std::set<std::string> outer = active_locals_;
  active_locals_.merge(own);
  ++calls_;
  const std::size_t level = std::exchange(function_level_, later_.size() + 1);
  ir::If block;
  block.branches.push_back({ir::Condition{ir::Always{true}}, {}, step.span});
  std::string reason =
      lift_all(*body, definitions.front()->span.begin, block.branches.front().steps);
  --calls_;
  function_level_ = level;
  active_locals_ = outer;
  (void)scope_.give_arguments(before);
  if (!reason.empty()) {
    return reason.starts_with(why) ? reason : fmt::format("{} with {}", why, reason);
  }
  job_.inlined.insert(function->name);
  step.value = std::move(block);
  return {};
}

} // namespace s2f::passes
