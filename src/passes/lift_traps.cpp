// trap: what runs when the script ends, and what waits for signals.
//
// before:  trap 'rm -rf "$TMP"' EXIT
// after:   AtExit{Launch{rm -rf <tmp>}}
// before:  trap cleanup TERM
// after:   Nothing{signals "TERM"}, S2F471: nothing sends the task's commands a signal
#include <algorithm>
#include <array>
#include <iterator>

#include "analysis/walk.hpp"
#include "ir/steps.hpp"
#include "passes/lifting.hpp"
#include "passes/traps.hpp"
#include "shell/parse.hpp"

namespace s2f::passes {

namespace {

constexpr const char* general = "the shell's own trap";

// The text of a trap and where it begins, as far as the script's own bytes are that text.
struct Handler {
  std::string text;
  std::uint32_t begin = 0;
  bool expanded = false; // by the trap itself: "..."
};

std::optional<Handler> handler_of(const shell::Word& word, const source::Sources& sources) {
  if (word.parts.size() != 1) {
    return std::nullopt;
  }
  const shell::WordPart& part = word.parts.front();
  const std::string_view written = sources.text(part.span);
  const auto* literal = std::get_if<shell::Literal>(&part.value);
  if (literal != nullptr && literal->value == written && !literal->globs) {
    return Handler{literal->value, part.span.begin, false};
  }
  const auto* doubled = std::get_if<shell::DoubleQuoted>(&part.value);
  const bool plain = doubled != nullptr &&
                     written.find_first_of("\\`'") == std::string_view::npos &&
                     std::ranges::all_of(doubled->parts, [](const shell::WordPart& each) {
                       const auto* parameter = std::get_if<shell::Parameter>(&each.value);
                       return std::holds_alternative<shell::Literal>(each.value) ||
                              (parameter != nullptr && parameter->op.empty() &&
                               !parameter->length && !parameter->indirect && !parameter->subscript);
                     });
  if ((!plain && !std::holds_alternative<shell::SingleQuoted>(part.value)) || written.size() < 2 ||
      (written.front() != '\'' && written.front() != '"')) {
    return std::nullopt;
  }
  return Handler{std::string(written.substr(1, written.size() - 2)), part.span.begin + 1, plain};
}

// Its statements, at their places in the script.
std::shared_ptr<const shell::Statement> statements_of(const Handler& handler,
                                                      const shell::Statement& trap) {
  source::Source source;
  source.id = trap.span.source;
  source.text = std::string(handler.begin, ' ') + handler.text;
  source.line_starts = {0};
  shell::Script script = shell::parse(source);
  if (script.statements.empty() || !script.unparsed.empty()) {
    return nullptr;
  }
  shell::Statement group;
  group.span = {source.id, handler.begin,
                handler.begin + static_cast<std::uint32_t>(handler.text.size())};
  group.value = shell::Group{std::move(script.statements)};
  return std::make_shared<const shell::Statement>(std::move(group));
}

// Whether a command may change what a failing command ends: set -e, set +o errexit.
bool sets_errexit(const shell::Statement& statement) {
  bool found = false;
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& inner) {
    const auto* command = shell::as_simple(inner);
    if (command == nullptr || analysis::command_name(*command) != "set") {
      return;
    }
    for (std::size_t i = 1; i < command->words.size(); ++i) {
      const std::string word = command->words[i].literal().value_or("e");
      found = found || word == "errexit" ||
              ((word[0] == '-' || word[0] == '+') && word.find('e') != std::string::npos);
    }
  };
  analysis::walk(statement, visitor);
  return found;
}

// An exit that may succeed: what the task returns is made before what the trap does.
bool leaves_early(const shell::Statement& statement) {
  bool found = false;
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& inner) {
    const auto* command = shell::as_simple(inner);
    if (command != nullptr && analysis::command_name(*command) == "exit") {
      const auto status =
          command->words.size() == 2 ? command->words[1].literal().value_or("0") : "0";
      found = found || status.find_first_not_of('0') == std::string::npos;
    }
  };
  analysis::walk(statement, visitor);
  return found;
}

// Whether all that it starts takes files away, or waits.
bool only_removes(const analysis::Effects& effects, const std::set<std::string>& functions) {
  static constexpr std::array removers{"rm", "rmdir", "unlink", "echo",  "printf", "date",
                                       "[",  "test",  "true",   "sleep", "local",  ":"};
  return std::ranges::all_of(effects.commands, [&](const std::string& name) {
    return functions.contains(name) || std::ranges::find(removers, name) != removers.end();
  });
}

} // namespace

// Whether a command of the script may send a signal to the script itself.
bool Lifting::signals_itself() const {
  bool found = false;
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& inner) {
    const auto* command = shell::as_simple(inner);
    if (command == nullptr || analysis::command_name(*command) != "kill") {
      return;
    }
    for (std::size_t i = 1; i < command->words.size(); ++i) {
      const auto text = command->words[i].literal();
      found = found || text == "0" || text == "-1";
      analysis::Visitor words;
      words.part = [&](const shell::WordPart& part) {
        const auto* parameter = std::get_if<shell::Parameter>(&part.value);
        found = found ||
                (parameter != nullptr && (parameter->name == "$" || parameter->name == "PPID" ||
                                          parameter->name == "BASHPID"));
      };
      analysis::walk(command->words[i], words);
    }
  };
  for (const ir::Step& step : job_.body) {
    if (step.statement != nullptr) {
      analysis::walk(*step.statement, visitor);
    }
  }
  return found;
}

std::string Lifting::trap(ir::Step& step, const shell::SimpleCommand& command) {
  const auto asked = trap_of(command);
  if (!asked || asked->other || !step.statement->redirects.empty() ||
      !command.assignments.empty()) {
    return general;
  }
  if (!asked->signals.empty() && signals_itself()) {
    return "a trap of a signal that the script may send";
  }
  if (asked->exit && asked->reset()) {
    return general;
  }
  if (asked->exit && asked->handler->literal() != "") {
    return at_exit(step, *asked->handler);
  }
  step.value = ir::Nothing{};
  return {};
}

std::string Lifting::at_exit(ir::Step& step, const shell::Word& word) {
  const auto handler = handler_of(word, context_.sources);
  if (later_.size() != 1 || calls_ > 0 || at_exit_ || job_.cluster || !handler) {
    return general;
  }
  auto made = statements_of(*handler, *step.statement);
  if (made == nullptr) {
    return general;
  }
  const auto& statements = std::get<shell::Group>(made->value).body;
  const analysis::Effects effects = effects_of(*made);
  if (effects.anything || effects.exits || effects.traps || effects.background || effects.options ||
      effects.functions || effects.commands.contains("exec")) {
    return general;
  }
  std::set<std::string> names;
  for (const auto& [name, places] : functions_) {
    names.insert(name);
  }
  std::set<std::string> read = effects.reads;
  read.insert(effects.reads_defaulted.begin(), effects.reads_defaulted.end());
  std::set<std::string> changed;
  bool moves = false;
  for (std::size_t i = later_.front().at + 1; i < job_.body.size(); ++i) {
    const ir::Step& behind = job_.body[i];
    if (behind.statement == nullptr || !std::holds_alternative<ir::Opaque>(behind.value) ||
        std::holds_alternative<shell::Function>(behind.statement->value)) {
      continue;
    }
    const analysis::Effects later = effects_of(*behind.statement);
    bool again = false;
    analysis::Visitor visitor;
    visitor.statement = [&](const shell::Statement& inner) {
      const auto* each = shell::as_simple(inner);
      const auto other = each == nullptr ? std::nullopt : trap_of(*each);
      again = again || (other && (other->exit || other->other));
    };
    analysis::walk(*behind.statement, visitor);
    if (again || sets_errexit(*behind.statement) || (later.anything && !read.empty())) {
      return "a trap that does not stay as it is";
    }
    if (leaves_early(*behind.statement) && !only_removes(effects, names)) {
      return "a trap behind an early exit";
    }
    moves = moves || later.changes_directory;
    std::ranges::set_intersection(read, later.writes, std::inserter(changed, changed.end()));
  }
  if (handler->expanded && !changed.empty()) {
    return "a trap of what a variable holds by then";
  }
  ir::AtExit result;
  if (!changed.empty()) {
    for (const std::string& name : changed) {
      if (scope_.list(name) != nullptr || (nounset_ && scope_.unset(name))) {
        return general;
      }
      if (scope_.unset(name)) {
        lists_.insert(name); // without quotes it may be no word at all
      }
    }
    auto before = scope_.make_locals(changed, {});
    if (!before) {
      return "a trap that reads what is not known";
    }
    result.before = std::move(*before);
  }
  if (handler->expanded && !reads_plainly(statements)) {
    return "a trap of what a variable holds by then";
  }
  const State now = state();
  if (moves) {
    elsewhere_ = true;
    scope_.set_directory(std::nullopt);
  }
  ir::Step* const before = std::exchange(previous_, nullptr);
  std::string why = lift_all(statements, made->span.begin, result.steps);
  previous_ = before;
  restore(now);
  if (!why.empty()) {
    return "a trap with " + why;
  }
  if (ir::any_step(result.steps, [](const ir::Step& each) {
        return std::holds_alternative<ir::Exit>(each.value);
      })) {
    return "a trap that exits";
  }
  at_exit_ = true;
  for (const std::string& name : read) {
    at_exit_reads_.insert(name);
    readers_[name].insert(step.statement);
  }
  job_.made.push_back(std::move(made));
  step.value = std::move(result);
  return {};
}

// Whether the variables of what the trap has expanded are words that the shell, which reads them
// once more, leaves as they are.
bool Lifting::reads_plainly(const std::vector<shell::Statement>& statements) {
  bool plain = true;
  analysis::Visitor visitor;
  visitor.word = [&](const shell::Word& word) {
    for (const shell::WordPart& part : word.parts) {
      if (!std::holds_alternative<shell::Parameter>(part.value)) {
        continue;
      }
      shell::Word alone;
      alone.parts.push_back(part);
      alone.span = part.span;
      plain = plain && Scope::one_word(scope_.value_of(alone));
    }
  };
  for (const shell::Statement& statement : statements) {
    analysis::walk(statement, visitor);
  }
  return plain;
}

} // namespace s2f::passes
