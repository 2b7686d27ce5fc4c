// Which variables of a driver its jobs inherit.
//
// before:  set -a; LR=0.1; export -n MODEL; DATA=/d sbatch train.sh
// after:   the submission's environment is {LR, DATA}, MODEL is unset
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "passes/driver_reader.hpp"

namespace s2f::passes {

namespace {

namespace terms = ir::terms;
using ir::Term;
using Kind = Term::Kind;
using Type = Term::Type;

// Whether one of the words is an option with that letter behind the sign: -rx, +x.
bool has_flag(const shell::SimpleCommand& command, char sign, char letter) {
  return std::any_of(command.words.begin() + 1, command.words.end(), [&](const shell::Word& word) {
    const auto text = word.literal();
    return text && text->size() > 1 && (*text)[0] == sign && (*text)[1] != '-' &&
           text->find(letter, 1) != std::string::npos;
  });
}

} // namespace

// A variable that got a value, as far as its export goes.
void DriverReader::note_assigned(const std::string& name) {
  if (state_.all_exported) {
    state_.exported.insert(name);
    state_.unset.erase(name);
  }
}

DriverReader::Why DriverReader::declare(const shell::Statement& statement,
                                        const shell::SimpleCommand& command,
                                        const std::string& name) {
  const bool export_ = name == "export";
  const bool hides = has_flag(command, '+', 'x') || (export_ && has_flag(command, '-', 'n'));
  const bool exports = !hides && (export_ || has_flag(command, '-', 'x'));
  if (has_flag(command, '-', 'f')) { // functions
    return {};
  }
  for (const shell::Assignment& each : command.declared) {
    if (each.value || each.array) {
      if (Why why = assign(each, statement.span); !why.empty()) {
        return why;
      }
      note_assigned(each.name);
    }
    if (exports) {
      state_.exported.insert(each.name);
      state_.unset.erase(each.name);
    } else if (hides) {
      state_.exported.erase(each.name);
      state_.unset.insert(each.name);
    }
  }
  return {};
}

DriverReader::Why DriverReader::set_options(const shell::SimpleCommand& command) {
  for (std::size_t i = 1; i < command.words.size(); ++i) {
    const auto word = command.words[i].literal();
    if (word == "--") {
      return "arguments that it sets anew";
    }
    if (!word || word->size() < 2 || (word->front() != '-' && word->front() != '+')) {
      return "arguments that it sets anew";
    }
    const bool on = word->front() == '-';
    std::string option;
    if (word->back() == 'o' && i + 1 < command.words.size()) {
      option = command.words[++i].literal().value_or("");
    }
    if (word->find('e') != std::string::npos || option == "errexit") {
      driver_.errexit = on || driver_.errexit;
      said_ = on ? "a submission that fails ends the driver" : said_;
    }
    if (word->find('a') != std::string::npos || option == "allexport") {
      state_.all_exported = on;
    }
  }
  return {};
}

DriverReader::Why DriverReader::shell_option(const shell::Statement& statement,
                                             const shell::SimpleCommand& command) {
  static constexpr std::array expands{"dotglob",  "extglob",    "failglob",
                                      "globstar", "nocaseglob", "globasciiranges"};
  const auto sign = command.words.size() > 1 ? command.words[1].literal() : std::nullopt;
  for (std::size_t i = 2; i < command.words.size(); ++i) {
    const auto option = command.words[i].literal().value_or("");
    if (option == "nullglob") {
      state_.null_globs = sign == "-s";
      said_ = "a pattern that matches nothing is gone";
    } else if (sign == "-s" && std::ranges::find(expands, option) != expands.end()) {
      return fmt::format("patterns that {} changes", option);
    }
  }
  if (said_.empty()) {
    drop(statement, "shopt", "no statement of `main` depends on it");
  }
  return {};
}

void DriverReader::unset(const shell::Statement& statement, const shell::SimpleCommand& command) {
  for (std::size_t i = 1; i < command.words.size(); ++i) {
    const auto word = command.words[i].literal();
    if (!word || word->starts_with('-')) {
      continue;
    }
    state_.exported.erase(*word);
    state_.unset.insert(*word);
    if (const IdVariable* id = ids_.find(*word)) {
      const bool list = id->type == Type::jobs || id->type == Type::job_map;
      push(ir::Bind{*word, list ? terms::make(Kind::list, id->type, {})
                                : terms::make(Kind::no_job, Type::maybe_job, {})},
           statement.span);
      state_.variables[*word] = terms::name(*word, list ? id->type : Type::maybe_job);
    } else {
      set(*word, terms::text(""), statement.span);
    }
  }
}

// What a subshell sets and exports is gone behind it.
DriverReader::Why DriverReader::in_subshell(const shell::Statement& statement,
                                            const shell::Subshell& shell) {
  const State before = state_;
  Why why = block(shell.body);
  if (!why.empty()) {
    return why;
  }
  for (const auto& [name, value] : state_.variables) {
    const auto was = before.variables.find(name);
    const bool changed = was == before.variables.end() || !(was->second == value);
    if (changed && (read_outside(name, statement.span) || before.bound.contains(name))) {
      return "a variable that a subshell sets";
    }
  }
  std::map<std::string, Term> variables = before.variables;
  for (const auto& [name, value] : state_.variables) {
    if (value.holds_jobs()) {
      variables[name] = value;
    }
  }
  state_.variables = std::move(variables);
  state_.exported = before.exported;
  state_.directory = before.directory;
  state_.pushed = before.pushed;
  state_.previous = before.previous;
  state_.unset = before.unset;
  state_.all_exported = before.all_exported;
  state_.ended = before.ended;
  skip_rest_ = false;
  return {};
}

DriverReader::Why DriverReader::inherit(const std::string& name, const Term& value,
                                        ir::Submission& submission) const {
  submission.unset.erase(name);
  submission.environment.erase(name);
  submission.inherited.erase(name);
  submission.unknown.erase(name);
  if (value.is_secret()) {
    submission.secrets[name] = {value.parts[0].text, value.parts[1].text, submission.span};
    return {};
  }
  if (const Term* unknown = terms::first_unknown(value)) {
    return fmt::format("a variable of a job that is {}", unknown->text);
  }
  if (holds_job(value) || value.is_list()) {
    submission.unknown.insert(name);
    return {};
  }
  submission.environment[name] = value;
  submission.inherited.insert(name);
  return {};
}

DriverReader::Why DriverReader::inherited(const shell::SimpleCommand& command,
                                          ir::Submission& submission) {
  submission.unset = state_.unset;
  for (const std::string& name : state_.exported) {
    const auto now = state_.variables.find(name);
    if (now != state_.variables.end() && !inherit(name, now->second, submission).empty()) {
      submission.unknown.insert(name);
    }
  }
  for (const std::string& name : state_.maybe_exported) {
    if (!state_.exported.contains(name) || submission.environment.erase(name) > 0) {
      submission.unknown.insert(name);
    }
  }
  for (const shell::Assignment& each : command.assignments) {
    if (!each.value || each.append || each.subscript) {
      return "a variable of a job that grows";
    }
    if (Why why = inherit(each.name, value_of(*each.value), submission); !why.empty()) {
      return why;
    }
  }
  return {};
}

} // namespace s2f::passes
