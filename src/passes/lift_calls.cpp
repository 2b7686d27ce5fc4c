// Functions of the script that become functions of the task.
//
// before:  align() { local s=$1; bwa mem "$s.fq" || return 3; }   align a   align b
// after:   Function{align(s): If{bwa mem <s>.fq fails: Return{3}}}, Call{"a"}, Call{"b"}
//
// A function is made at its first call, in the light of what holds there; another call is one of it
// only where all that it reads is the same.
#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "ir/steps.hpp"
#include "passes/lifting.hpp"
#include "passes/names.hpp"

namespace s2f::passes {

namespace {

constexpr const char* why = "a call of a function";

template <class... Ts> struct Overload : Ts... {
  using Ts::operator()...;
};

// A value as a text that another one has only if it is the same.
std::string said(const ir::Value& value) {
  std::string text = value.unquoted ? "<" : "(";
  for (const ir::ValuePart& part : value.parts) {
    text += fmt::format("{}:", part.index());
    std::visit(
        Overload{[&](const ir::Text& each) { text += each.text; },
                 [&](const ir::ParameterRef& each) { text += each.name; },
                 [&](const ir::ItemOf& each) { text += each.list; },
                 [&](const ir::SlurmVariable& each) { text += each.name; },
                 [&](const ir::Variable& each) { text += each.name; },
                 [&](const ir::TaskPath& each) { text += each.name; },
                 [&](const ir::EnvironmentVariable& each) { text += each.name; },
                 [&](const ir::Status& each) { text += each.name; },
                 [&](const ir::Local& each) {
                   text += fmt::format("{} {}{}{}{}{}{}", each.name, each.one_word, each.once,
                                       each.splits, each.number, each.natural, each.digits);
                 },
                 [&](const ir::Computed& each) {
                   text += fmt::format("{} {}", static_cast<int>(each.operation), each.one_word);
                   for (const ir::Value& operand : each.operands) {
                     text += said(operand);
                   }
                 },
                 [&](const ir::ArtifactRef& each) { text += fmt::format("{}", each.artifact); },
                 [&](const ir::SubmissionId& each) { text += fmt::format("{}", each.submission); },
                 [](const auto&) {}},
        part);
    text += ';';
  }
  return text + ")";
}

// The N of a word that is $N and nothing else, quoted or not; 0 for another.
std::size_t position_of(const shell::Word& word) {
  const shell::WordPart* part = word.parts.size() == 1 ? word.parts.data() : nullptr;
  if (part != nullptr) {
    if (const auto* quoted = std::get_if<shell::DoubleQuoted>(&part->value)) {
      part = quoted->parts.size() == 1 ? quoted->parts.data() : nullptr;
    }
  }
  const auto* parameter = part == nullptr ? nullptr : std::get_if<shell::Parameter>(&part->value);
  if (parameter == nullptr || !parameter->op.empty() || parameter->length || parameter->indirect ||
      parameter->subscript) {
    return 0;
  }
  std::size_t number = 0;
  const std::string& name = parameter->name;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc{} && end == name.data() + name.size() ? number : 0;
}

const std::vector<shell::Statement>& statements_of(const shell::Statement& definition) {
  const auto& function = std::get<shell::Function>(definition.value);
  return std::get<shell::Group>(function.body->value).body;
}

// What its statements do themselves, without the functions that they call.
analysis::Effects own_effects(const shell::Statement& definition) {
  analysis::Effects result;
  for (const shell::Statement& statement : statements_of(definition)) {
    analysis::merge(result, analysis::effects_of(statement));
  }
  return result;
}

// How often a function assigns a variable, and whether anything else gives it a value.
std::size_t assignments_of(const shell::Statement& definition, const std::string& name) {
  std::size_t count = 0;
  analysis::Visitor visitor;
  visitor.assignment = [&](const shell::Assignment& each) {
    count += each.name == name ? (each.append || each.subscript ? 2 : 1) : 0;
  };
  visitor.statement = [&](const shell::Statement& inner) {
    static constexpr std::array readers{"read", "mapfile", "readarray", "printf", "getopts", "let"};
    const auto* loop = std::get_if<shell::For>(&inner.value);
    const auto* command = shell::as_simple(inner);
    const auto called = command == nullptr ? std::nullopt : analysis::command_name(*command);
    const bool reads = called && std::ranges::find(readers, *called) != readers.end() &&
                       analysis::effects_of(inner).writes.contains(name);
    count += (loop != nullptr && loop->variable == name) || reads ? 2 : 0;
  };
  analysis::walk(definition, visitor);
  return count;
}

// The variable that a function gives the argument, where that is all it does with it: `local s=$1`.
std::string variable_of(const shell::Statement& definition, std::size_t position) {
  for (const shell::Statement& statement : statements_of(definition)) {
    const auto* command = shell::as_simple(statement);
    const bool plain = command != nullptr &&
                       (command->words.empty() || analysis::command_name(*command) == "local");
    for (const auto* list :
         {plain ? &command->assignments : nullptr, plain ? &command->declared : nullptr}) {
      for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
        const shell::Assignment& each = (*list)[i];
        if (each.value && position_of(*each.value) == position &&
            assignments_of(definition, each.name) == 1) {
          return each.name;
        }
      }
    }
  }
  return {};
}

// ${2-x}, ${2?no}: it asks whether there is such an argument.
bool asks_for_argument(const shell::Statement& definition) {
  bool found = false;
  analysis::Visitor visitor;
  visitor.part = [&](const shell::WordPart& part) {
    const auto* parameter = std::get_if<shell::Parameter>(&part.value);
    found = found || (parameter != nullptr && !parameter->name.empty() &&
                      parameter->name[0] >= '0' && parameter->name[0] <= '9' &&
                      (parameter->op == "-" || parameter->op == "+" ||
                       parameter->op.find('?') != std::string::npos));
  };
  analysis::walk(definition, visitor);
  return found;
}

bool written_number(std::string_view text) {
  return !text.empty() && text.size() < 10 && (text == "0" || text[0] != '0') &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Nothing, or what the shell makes several words of.
bool blank_or_empty(std::string_view text) {
  return text.empty() || text.find_first_of(" \t\n*?[") != std::string_view::npos;
}

bool is_digits(const ir::Value& value) {
  if (const auto text = value.text()) {
    return written_number(*text);
  }
  const auto* local =
      value.parts.size() == 1 ? std::get_if<ir::Local>(&value.parts.front()) : nullptr;
  return local != nullptr && (local->number || local->digits);
}

} // namespace

// Python's name for what is no variable of the script: a function, an argument.
static std::string name_of(ir::Job& job, const std::string& what, const std::string& wanted) {
  if (const auto known = job.locals.find(what); known != job.locals.end()) {
    return known->second;
  }
  const std::set<std::string> taken = taken_names(job);
  std::string name = python_name(wanted);
  while (taken.contains(name)) {
    name += "_";
  }
  job.locals[what] = name;
  return name;
}

std::vector<const shell::SimpleCommand*> Lifting::calls_of(const std::string& name) const {
  std::vector<const shell::SimpleCommand*> calls;
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& inner) {
    const auto* command = shell::as_simple(inner);
    if (command != nullptr && analysis::command_name(*command) == name) {
      calls.push_back(command);
    }
  };
  for (const ir::Step& step : job_.body) {
    if (step.statement != nullptr) {
      analysis::walk(*step.statement, visitor);
    }
  }
  return calls;
}

// Whether nothing but this function knows a variable. Of one that is local, whether no other
// function may be given it.
bool Lifting::private_to(const std::string& name, const shell::Statement& definition) const {
  const bool local = locals_of(definition).contains(name);
  return std::ranges::all_of(job_.body, [&](const ir::Step& step) {
    if (step.statement == nullptr || step.statement == &definition) {
      return true;
    }
    const bool function = std::holds_alternative<shell::Function>(step.statement->value);
    const analysis::Effects effects = analysis::effects_of(*step.statement);
    const bool unread = effects.anything && std::holds_alternative<ir::Opaque>(step.value);
    if (local) {
      return !function || locals_of(*step.statement).contains(name) ||
             (!effects.reads.contains(name) && !effects.reads_defaulted.contains(name) &&
              !effects.writes.contains(name));
    }
    return (!effects.reads.contains(name) && !effects.reads_defaulted.contains(name) &&
            !effects.writes.contains(name) && !unread);
  });
}

// What a function does that no function of Python could do as it does.
std::string Lifting::why_no_function(const shell::Statement& definition) const {
  const analysis::Effects effects = own_effects(definition);
  static constexpr std::array others{"getopts",  "set",    "unset",     "declare", "typeset",
                                     "readonly", "export", "readarray", "mapfile"};
  if (effects.anything || effects.unparsed || effects.traps || effects.background ||
      effects.options || effects.changes_directory || effects.functions || effects.writes_match ||
      std::ranges::any_of(others,
                          [&](const char* each) { return effects.commands.contains(each); })) {
    return why;
  }
  for (const std::string& name : effects.writes) {
    if (!private_to(name, definition)) {
      return fmt::format("{} that sets what others read", why);
    }
    if (!locals_of(definition).contains(name) &&
        read_before_written(statements_of(definition), name)) {
      return fmt::format("{} that goes on with what it has set", why);
    }
  }
  return {};
}

// What holds of all that a function reads, and of where it runs.
std::string Lifting::known_to(const shell::Statement& definition) const {
  const analysis::Effects effects = effects_of(definition);
  const analysis::Effects own = own_effects(definition);
  std::set<std::string> names = effects.reads;
  names.insert(effects.reads_defaulted.begin(), effects.reads_defaulted.end());
  std::string text = fmt::format("{} {} {} {}", directory_, elsewhere_, errexit_, nounset_);
  for (const std::string& name : names) {
    if (own.writes.contains(name)) {
      continue;
    }
    const Scope::List* list = scope_.list(name);
    const ir::Value* value = scope_.find(name);
    text += fmt::format("\n{}={}", name,
                        list != nullptr
                            ? fmt::format("{} {} {} {}", list->python, list->size.value_or(-1),
                                          list->one_word, list->splits)
                        : value != nullptr   ? said(*value)
                        : scope_.unset(name) ? "unset"
                                             : "unknown");
  }
  return text;
}

std::string Lifting::arguments_of(const shell::SimpleCommand& command,
                                  std::vector<ir::Value>& arguments) {
  for (std::size_t i = 1; i < command.words.size(); ++i) {
    for (ir::Value& value : scope_.words_of(command.words[i])) {
      if (!value.known() || value.many() || value.runs_program()) {
        return value.known() ? std::string(why) : why_unknown(value);
      }
      note_splitting(value);
      value.unquoted = false;
      arguments.push_back(std::move(value));
    }
  }
  return {};
}

// Its parameters: what the calls of the script give it, and what is known of that.
std::string Lifting::parameters_of(const std::string& name, const shell::Statement& definition,
                                   const std::vector<ir::Value>& given, Made& made,
                                   ir::Function& function) {
  const analysis::Effects own = own_effects(definition);
  const auto calls = calls_of(name);
  std::size_t most = given.size();
  std::size_t least = given.size();
  for (const shell::SimpleCommand* call : calls) {
    most = std::max(most, call->words.size() - 1);
    least = std::min(least, call->words.size() - 1);
  }
  made.exact = own.all_positionals;
  if (made.exact && (most != least || own.commands.contains("shift"))) {
    return fmt::format("{} that looks at all of its arguments", why);
  }
  std::size_t count = made.exact ? most : 0;
  for (const int position : own.positionals) {
    count = std::max(count, static_cast<std::size_t>(position));
  }
  constexpr std::size_t highest = 9;
  if (count > highest || (count > least && (nounset_ || asks_for_argument(definition)))) {
    return fmt::format("{} that may lack an argument", why);
  }
  for (std::size_t i = 1; i <= count; ++i) {
    const std::string variable = variable_of(definition, i);
    ir::Function::Parameter& parameter = function.parameters.emplace_back();
    parameter.name = variable.empty()
                         ? name_of(job_, fmt::format("argument {}", i), fmt::format("arg{}", i))
                         : local_name(job_, variable);
    parameter.optional = i > least;
    Made::Argument& argument = made.arguments.emplace_back();
    for (const shell::SimpleCommand* call : calls) {
      const auto text = i < call->words.size() ? call->words[i].literal() : std::string();
      argument.splits = argument.splits || (text && blank_or_empty(*text));
    }
    argument.splits = argument.splits || parameter.optional;
    if (i > given.size() || parameter.optional) {
      continue;
    }
    argument.splits = argument.splits || Scope::splits_apart(given[i - 1]);
    argument.one_word = Scope::one_word(given[i - 1]);
    argument.digits = true;
    for (const shell::SimpleCommand* call : calls) {
      const auto text = call->words[i].literal();
      argument.digits = argument.digits && text && written_number(*text);
      argument.one_word = argument.one_word && (!text || !blank_or_empty(*text));
    }
  }
  return {};
}

std::string Lifting::make(const std::string& name, const shell::Statement& definition,
                          const std::vector<ir::Value>& given) {
  if (std::string reason = why_no_function(definition); !reason.empty()) {
    return reason;
  }
  Made made;
  ir::Function function;
  const Attempt attempt(*this);
  made.asked = errexit_ && (depth_ > 0 || asked_);
  made.python = name_of(job_, name + "()", name);
  if (std::string reason = parameters_of(name, definition, given, made, function);
      !reason.empty()) {
    attempt.undo();
    return reason;
  }
  made.known = known_to(definition);
  std::vector<ir::Value> arguments;
  for (std::size_t i = 0; i < made.arguments.size(); ++i) {
    ir::Local local{function.parameters[i].name};
    local.one_word = made.arguments[i].one_word;
    local.once = true;
    local.splits = made.arguments[i].splits && !local.one_word;
    local.digits = made.arguments[i].digits;
    arguments.emplace_back().append(std::move(local));
  }
  const State before = state();
  const Scope::Arguments outer = scope_.give_arguments(std::move(arguments));
  making_.insert(name);
  const bool asked = std::exchange(asked_, made.asked);
  const std::size_t level = std::exchange(function_level_, later_.size() + 1);
  const std::size_t loops = std::exchange(loops_, 0);
  const std::size_t depth = std::exchange(depth_, 0);
  const std::size_t calls = std::exchange(calls_, 0);
  const std::set<std::string> locals = std::exchange(active_locals_, locals_of(definition));
  std::string reason = lift_all(statements_of(definition), definition.span.begin, function.steps);
  active_locals_ = locals;
  calls_ = calls;
  depth_ = depth;
  loops_ = loops;
  function_level_ = level;
  asked_ = asked;
  making_.erase(name);
  (void)scope_.give_arguments(outer);
  if (reason.empty() && (directory_ != before.directory || elsewhere_ != before.elsewhere ||
                         exported_ != before.exported)) {
    reason = why;
  }
  if (reason.empty() && ir::any_step(function.steps, [](const ir::Step& each) {
        const auto* exit = std::get_if<ir::Exit>(&each.value);
        return exit != nullptr && (exit->status == 0 || !exit->variable.empty());
      })) {
    reason = "an exit that may succeed";
  }
  if (!reason.empty()) {
    attempt.undo();
    return reason.starts_with(why) ? reason : fmt::format("{} with {}", why, reason);
  }
  restore(before);
  launched_ = true;
  function.name = made.python;
  made.place = static_cast<std::size_t>(
      std::ranges::find(job_.body, &definition, &ir::Step::statement) - job_.body.begin());
  job_.body.at(made.place).value = std::move(function);
  made_functions_[name] = std::move(made);
  return {};
}

std::string Lifting::made_call(ir::Step& step, const shell::SimpleCommand& command,
                               const shell::Statement& definition) {
  const shell::Statement& statement = *step.statement;
  const std::string& name = std::get<shell::Function>(definition.value).name;
  if (!statement.redirects.empty() || statement.background || (statement.negated && depth_ == 0) ||
      statement.timed || !command.assignments.empty() || making_.contains(name) || job_.cluster ||
      job_.body[later_.front().at].statement == nullptr ||
      definition.span.end > job_.body[later_.front().at].statement->span.begin) {
    return why;
  }
  std::vector<ir::Value> arguments;
  if (std::string reason = arguments_of(command, arguments); !reason.empty()) {
    return reason.starts_with(why) ? reason : fmt::format("{} with {}", why, reason);
  }
  if (!made_functions_.contains(name)) {
    if (std::string reason = make(name, definition, arguments); !reason.empty()) {
      return reason;
    }
  }
  const Made& made = made_functions_.at(name);
  const bool asked = errexit_ && (depth_ > 0 || asked_);
  if (made.known != known_to(definition) || made.asked != asked ||
      (made.exact && arguments.size() != made.arguments.size())) {
    return fmt::format("{} that finds other things here", why);
  }
  if (arguments.size() > made.arguments.size()) {
    arguments.resize(made.arguments.size());
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if ((made.arguments[i].one_word && !Scope::one_word(arguments[i])) ||
        (made.arguments[i].digits && !is_digits(arguments[i])) ||
        (!made.arguments[i].splits && Scope::splits_apart(arguments[i]))) {
      return fmt::format("{} that is given another kind of text here", why);
    }
  }
  launched_ = true;
  step.value = ir::Call{made.python, std::move(arguments), asked};
  return {};
}

// return, return N, return $?, return $rc
std::string Lifting::return_(ir::Step& step, const shell::SimpleCommand& command) {
  const std::string general = "the shell's own return";
  if (making_.empty() || calls_ > 0 || !step.statement->redirects.empty() ||
      command.words.size() > 2) {
    return general;
  }
  if (command.words.size() == 1) {
    const ir::Value status = last_status();
    const auto* last =
        status.parts.empty() ? nullptr : std::get_if<ir::Status>(&status.parts.front());
    if (last == nullptr) {
      return general;
    }
    step.value = ir::Return{0, last->name};
    return {};
  }
  ir::Step exits = make_step(*step.statement);
  if (std::string reason = exit_with(exits, command.words[1], false); !reason.empty()) {
    return reason;
  }
  const auto& exit = std::get<ir::Exit>(exits.value);
  step.value = ir::Return{exit.status, exit.variable, exit.text};
  return {};
}

// shift, in a function: the arguments behind the first ones.
std::string Lifting::shift(ir::Step& step, const shell::SimpleCommand& command) {
  const std::string general = "the shell's own shift";
  if ((calls_ == 0 && making_.empty()) || later_.size() != function_level_ ||
      !step.statement->redirects.empty() || command.words.size() > 2) {
    return general;
  }
  const std::string text =
      command.words.size() == 2 ? command.words[1].literal().value_or("") : std::string("1");
  auto arguments = scope_.give_arguments(std::nullopt);
  const bool fits = arguments && written_number(text) && std::stoul(text) <= arguments->size();
  if (fits) {
    arguments->erase(arguments->begin(),
                     arguments->begin() + static_cast<std::ptrdiff_t>(std::stoul(text)));
    step.value = ir::Nothing{};
  }
  (void)scope_.give_arguments(std::move(arguments));
  return fits ? "" : general;
}

} // namespace s2f::passes
