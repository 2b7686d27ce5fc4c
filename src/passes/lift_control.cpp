// Commands that hold others: if, case, lists, groups, for; and exit, break, continue.
//
// before:  for i in 1 2 3; do [ -f done.$i ] || ./run $i; done
// after:   For{i in "1", "2", "3": If{Not{FileTest{done.<i>}}: Launch{./run <i>}}}
//
// A command is lifted with everything in it, or not at all.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "ir/conditions.hpp"
#include "passes/lifting.hpp"
#include "passes/names.hpp"

namespace s2f::passes {

namespace {

constexpr std::size_t deepest = 24;

// let x-=1 || exit: what it comes to is its status.
bool asks_of_let(const shell::Statement& statement) {
  if (const auto* list = std::get_if<shell::AndOr>(&statement.value)) {
    return asks_of_let(*list->left) || asks_of_let(*list->right);
  }
  const auto* command = shell::as_simple(statement);
  return command != nullptr && analysis::command_name(*command) == "let";
}

} // namespace

ir::Step Lifting::make_step(const shell::Statement& statement) {
  ir::Step step;
  step.value = ir::Opaque{};
  step.statement = &statement;
  step.span = statement.span;
  return step;
}

// Lifts the statements of a branch or a loop, one after another.
std::string Lifting::lift_all(const std::vector<shell::Statement>& statements, std::uint32_t begin,
                              std::vector<ir::Step>& steps) {
  std::vector<const shell::Statement*> list;
  list.reserve(statements.size());
  for (const shell::Statement& statement : statements) {
    list.push_back(&statement);
  }
  const Later later(*this, list);
  for (std::size_t i = 0; i < statements.size(); ++i) {
    later_.back().at = i;
    if (const auto* group = std::get_if<shell::Group>(&statements[i].value);
        group != nullptr && statements[i].redirects.empty() && !statements[i].negated &&
        !statements[i].background && !statements[i].timed) {
      if (std::string why = lift_all(group->body, begin, steps); !why.empty()) {
        return why;
      }
      begin = statements[i].span.end;
      continue;
    }
    ir::Step step = make_step(statements[i]);
    begin = statements[i].span.end;
    previous_ = steps.empty() ? nullptr : &steps.back();
    if (std::string why = lift_within(step, i + 1 == statements.size()); !why.empty()) {
      return why;
    }
    steps.push_back(std::move(step));
  }
  const auto* assign = steps.empty() ? nullptr : std::get_if<ir::Assign>(&steps.back().value);
  if (assign != nullptr && !assign->declared && !errexit_ && !ir::is_output(*assign) &&
      std::ranges::any_of(assign->bindings, [](const ir::Binding& binding) {
        return binding.value.runs_program();
      })) {
    return "a block that ends with the output of a command";
  }
  return {};
}

// for NAME in ..., while read NAME, also behind a pipe: whatever it reads of the variable, it has
// set itself.
static bool sets_first(const shell::Statement& statement, const std::string& name) {
  const auto reads = [&](const analysis::Effects& effects) {
    return effects.reads.contains(name) || effects.reads_defaulted.contains(name);
  };
  if (const auto* piped = std::get_if<shell::Pipeline>(&statement.value)) {
    return !piped->commands.empty() &&
           std::all_of(piped->commands.begin(), piped->commands.end() - 1,
                       [&](const auto& each) { return !reads(analysis::effects_of(each)); }) &&
           sets_first(piped->commands.back(), name);
  }
  if (const auto* loop = std::get_if<shell::For>(&statement.value)) {
    return loop->variable == name && loop->in &&
           std::ranges::all_of(loop->words, [&](const shell::Word& word) {
             bool read = false;
             analysis::Visitor visitor;
             visitor.part = [&](const shell::WordPart& part) {
               const auto* parameter = std::get_if<shell::Parameter>(&part.value);
               read = read || (parameter != nullptr && parameter->name == name);
             };
             analysis::walk(word, visitor);
             return !read;
           });
  }
  const auto* loop = std::get_if<shell::While>(&statement.value);
  const shell::Statement* asked =
      loop == nullptr || loop->condition.size() != 1 ? nullptr : &loop->condition.front();
  const auto* list = asked == nullptr ? nullptr : std::get_if<shell::AndOr>(&asked->value);
  asked = list == nullptr ? asked : &*list->left;
  const auto* command = asked == nullptr ? nullptr : shell::as_simple(*asked);
  return command != nullptr && analysis::command_name(*command) == "read" &&
         std::ranges::any_of(command->words,
                             [&](const shell::Word& word) { return word.literal() == name; }) &&
         statement.redirects.size() < 2;
}

bool Lifting::ends_with_its_shell(const shell::Statement& statement) const {
  const analysis::Effects effects = effects_of(statement);
  const bool stays = effects.exits || effects.traps || effects.options || effects.anything ||
                     effects.background || effects.functions || effects.unparsed ||
                     effects.commands.contains("export") || effects.commands.contains("umask") ||
                     effects.commands.contains("ulimit") || effects.commands.contains("shift") ||
                     effects.commands.contains("declare") ||
                     effects.commands.contains("readonly") || effects.commands.contains("return");
  return !stays && std::ranges::none_of(effects.writes, [&](const std::string& name) {
    return read_later(name) || exported_.contains(name) || maybe_exported_.contains(name) ||
           analysis::ambient_variable(name) || scope_.list(name) != nullptr;
  });
}

// ( cd build && make ): { back = here; cd build && make; cd back }
std::string Lifting::comes_back(ir::Step& step,
                                const std::function<std::string(ir::Step&)>& inner) {
  if (status_asked() || at_exit_) {
    return "a shell of its own that goes elsewhere";
  }
  Place from = *place();
  from.name = local_name(job_, fmt::format(" outside{}", later_.size() > 1
                                                             ? fmt::format(" {}", later_.size())
                                                             : std::string()));
  const State before = state();
  ir::Step leaves = make_step(*step.statement);
  leaves.statement = nullptr;
  ir::ChangeDirectory stays;
  stays.directory = ir::Value::of(".", step.span);
  stays.saves = from.name;
  leaves.value = std::move(stays);
  ir::Step does = make_step(*step.statement);
  old_.reset();
  if (std::string why = inner(does); !why.empty()) {
    return why;
  }
  ir::Step returns = make_step(*step.statement);
  returns.statement = nullptr;
  go_back(returns, from, "");
  old_ = before.old;
  pushed_ = before.pushed;
  ir::If block;
  block.branches.push_back({ir::Condition{ir::Always{true}}, {}, step.span});
  std::vector<ir::Step>& steps = block.branches.front().steps;
  steps.push_back(std::move(leaves));
  steps.push_back(std::move(does));
  steps.push_back(std::move(returns));
  step.value = std::move(block);
  return {};
}

// What stands in { } or, where a shell of its own makes no difference, in ( ).
static const std::vector<shell::Statement>* harmless_block(const shell::Statement& statement) {
  if (const auto* group = std::get_if<shell::Group>(&statement.value)) {
    return &group->body;
  }
  const auto* subshell = std::get_if<shell::Subshell>(&statement.value);
  if (subshell == nullptr) {
    return nullptr;
  }
  const analysis::Effects effects = analysis::effects_of(statement);
  const bool own = !effects.writes.empty() || effects.changes_directory || effects.exits ||
                   effects.options || effects.traps || effects.anything || effects.background ||
                   effects.functions || effects.commands.contains("export") ||
                   effects.commands.contains("return");
  return own ? nullptr : &subshell->body;
}

std::string Lifting::compound(ir::Step& step) {
  const shell::Statement& statement = *step.statement;
  if (statement.background && !statement.negated && !statement.timed) {
    return background(step);
  }
  const auto* piped = std::get_if<shell::Pipeline>(&statement.value);
  const bool sh = job_.interpreter.language == ir::Interpreter::Language::sh;
  if (piped != nullptr && !statement.background && !statement.negated && !(statement.timed && sh)) {
    const auto loop = piped_loop(step, *piped);
    std::string why = loop ? *loop : pipeline(step, *piped);
    if (why.empty() && statement.timed) {
      note_time(step);
    }
    return why;
  }
  if (const auto* loop = std::get_if<shell::While>(&statement.value);
      loop != nullptr && statement.redirects.size() == 1 && !statement.negated &&
      !statement.timed) {
    return read_loop(step, *loop);
  }
  if (statement.background || statement.negated || statement.timed ||
      !statement.redirects.empty()) {
    return statement.redirects.empty() ? kind_of(statement)
                                       : kind_of(statement) + " with a redirection";
  }
  if (later_.size() > deepest) {
    return "commands within commands";
  }
  if (const auto* command = std::get_if<shell::If>(&statement.value)) {
    return if_(step, *command);
  }
  if (const auto* list = std::get_if<shell::AndOr>(&statement.value)) {
    return list_(step, *list);
  }
  if (const auto* loop = std::get_if<shell::For>(&statement.value)) {
    return for_(step, *loop);
  }
  if (const auto* loop = std::get_if<shell::ArithmeticFor>(&statement.value)) {
    return counted(step, *loop);
  }
  if (const auto* loop = std::get_if<shell::While>(&statement.value)) {
    return while_(step, *loop);
  }
  if (const auto* command = std::get_if<shell::Case>(&statement.value)) {
    return case_(step, *command);
  }
  const auto* subshell = std::get_if<shell::Subshell>(&statement.value);
  const auto block_of = [&](const std::vector<shell::Statement>& body, ir::Step& does) {
    // `continue` in ( ) ends the shell that it stands in.
    const std::size_t loops = subshell != nullptr ? std::exchange(loops_, 0) : loops_;
    ir::If block;
    block.branches.push_back({ir::Condition{ir::Always{true}}, {}, step.span});
    std::string why = lift_all(body, step.span.begin, block.branches.front().steps);
    loops_ = loops;
    does.value = std::move(block);
    return why;
  };
  if (const auto* body = harmless_block(statement)) {
    return block_of(*body, step);
  }
  if (subshell != nullptr && ends_with_its_shell(statement)) {
    return effects_of(statement).changes_directory
               ? comes_back(step, [&](ir::Step& does) { return block_of(subshell->body, does); })
               : block_of(subshell->body, step);
  }
  return kind_of(statement);
}

// Whether the body of a loop, run again, may read what it gave a variable the last time.
bool Lifting::read_before_written(const std::vector<shell::Statement>& body,
                                  const std::string& name) const {
  for (const shell::Statement& statement : body) {
    const analysis::Effects effects = effects_of(statement);
    if (effects.reads.contains(name) || effects.reads_defaulted.contains(name)) {
      return true;
    }
    const auto* command = shell::as_simple(statement);
    if (command != nullptr && command->words.empty() && effects.writes.contains(name)) {
      return false;
    }
  }
  return false;
}

// Whether all that a loop assigns to a variable is a number.
bool Lifting::stays_number(const shell::Statement& loop, const std::string& name) const {
  const analysis::Effects effects = effects_of(loop);
  static constexpr std::array others{"read",    "printf", "mapfile", "readarray",
                                     "getopts", "unset",  "let",     ""};
  if (std::ranges::any_of(others,
                          [&](const char* each) { return effects.commands.contains(each); })) {
    return false;
  }
  // Nor by a function that it calls.
  bool numbers = effects.writes.contains(name) == analysis::effects_of(loop).writes.contains(name);
  for (const std::string& command : effects.commands) {
    const auto function = functions_.find(command);
    numbers = numbers && (function == functions_.end() ||
                          !effects_of(*function->second.front()).writes.contains(name));
  }
  analysis::Visitor visitor;
  visitor.assignment = [&](const shell::Assignment& assignment) {
    if (assignment.name != name) {
      return;
    }
    const bool one = assignment.value && assignment.value->parts.size() == 1;
    const shell::WordPart* part = one ? &assignment.value->parts.front() : nullptr;
    const auto* literal = one ? std::get_if<shell::Literal>(&part->value) : nullptr;
    const bool digits = literal != nullptr && !literal->value.empty() &&
                        literal->value.find_first_not_of("0123456789") == std::string::npos;
    numbers = numbers && !assignment.append && !assignment.subscript && one &&
              (digits || std::holds_alternative<shell::Arithmetic>(part->value));
  };
  visitor.statement = [&](const shell::Statement& inner) {
    const auto* each = std::get_if<shell::For>(&inner.value);
    numbers = numbers && (each == nullptr || each->variable != name);
  };
  analysis::walk(loop, visitor);
  return numbers;
}

// What stands before a command that may or may not assign: each variable of it that is read later
// becomes a local with the value that it has now.
std::string Lifting::open_variables(const shell::Statement& statement,
                                    std::vector<ir::Binding>& before) {
  const auto* loop = std::get_if<shell::For>(&statement.value);
  const auto* again = std::get_if<shell::While>(&statement.value);
  const auto* counts = std::get_if<shell::ArithmeticFor>(&statement.value);
  std::set<std::string> asked; // by the condition, each time
  std::set<std::string> given; // `while read name`: it has a value wherever the body reads it
  const std::vector<shell::Statement>* body = nullptr;
  if (loop != nullptr) {
    body = &loop->body;
  } else if (counts != nullptr) {
    body = &counts->body;
  } else if (again != nullptr) {
    body = &again->body;
    for (const shell::Statement& condition : again->condition) {
      analysis::Effects effects = effects_of(condition);
      asked.merge(effects.reads);
      asked.merge(effects.reads_defaulted);
      given.merge(effects.writes);
    }
    std::erase_if(asked, [&](const std::string& name) { return given.contains(name); });
  }
  std::set<std::string> needed;
  for (const std::string& name : effects_of(statement).writes) {
    if (name == "SECONDS") {
      continue; // Python's variable says since when it counts, whatever branch is taken
    }
    if (const Scope::List* list = scope_.list(name)) { // it stays one, of whatever items
      scope_.set_list(name, {list->python, std::nullopt, false, list->splits});
      continue;
    }
    const bool by_loop = (loop != nullptr && name == loop->variable) || given.contains(name) ||
                         (counts != nullptr && counts->init.starts_with(name));
    if (read_later(name) || asked.contains(name) ||
        (body != nullptr && !by_loop && read_before_written(*body, name))) {
      needed.insert(name);
      if (scope_.unset(name)) {
        lists_.insert(name); // without quotes it may be no word at all
      }
    }
  }
  if (nounset_ &&
      std::ranges::any_of(needed, [&](const std::string& name) { return scope_.unset(name); })) {
    return "a variable that may stay unset under set -u";
  }
  if (!needed.empty()) {
    std::set<std::string> numbers;
    for (const std::string& name : needed) {
      if (body == nullptr || stays_number(statement, name)) {
        numbers.insert(name);
      }
    }
    before = scope_.make_locals(needed, numbers).value_or(std::vector<ir::Binding>{});
  }
  return {};
}

static bool mentions(const ir::Value& value, const std::string& local) {
  return std::ranges::any_of(value.parts, [&](const ir::ValuePart& part) {
    const auto* variable = std::get_if<ir::Local>(&part);
    return variable != nullptr && variable->name == local;
  });
}

// Whether the steps assign to a local first of all.
static bool begin_by_assigning(const std::vector<ir::Step>& steps, const std::string& local) {
  for (const ir::Step& step : steps) {
    const auto* assign = std::get_if<ir::Assign>(&step.value);
    if (assign == nullptr) {
      return false;
    }
    for (const ir::Binding& binding : assign->bindings) {
      if (mentions(binding.value, local)) {
        return false;
      }
      if (binding.local == local) {
        return true;
      }
    }
  }
  return false;
}

// A variable that every branch assigns needs no value before them.
static void drop_needless(ir::If& result, const shell::If& command) {
  if (!result.otherwise) {
    return;
  }
  std::erase_if(result.before, [&](const ir::Binding& binding) {
    const bool asked = std::ranges::any_of(command.branches, [&](const shell::IfBranch& branch) {
      return std::ranges::any_of(branch.condition, [&](const shell::Statement& condition) {
        const analysis::Effects effects = analysis::effects_of(condition);
        return effects.reads.contains(binding.variable) ||
               effects.reads_defaulted.contains(binding.variable);
      });
    });
    return !asked && !binding.exported && begin_by_assigning(*result.otherwise, binding.local) &&
           std::ranges::all_of(result.branches, [&](const ir::Branch& branch) {
             return begin_by_assigning(branch.steps, binding.local);
           });
  });
}

// A branch whose question is a statement stands in an `else` of those before it.
static void nest_statements(ir::If& command, const ir::Step& step) {
  for (std::size_t i = command.branches.size(); i-- > 1;) {
    if (ir::asked_first(command.branches[i].condition) == nullptr) {
      continue;
    }
    ir::If inner;
    const auto from = command.branches.begin() + static_cast<std::ptrdiff_t>(i);
    inner.branches.assign(std::make_move_iterator(from),
                          std::make_move_iterator(command.branches.end()));
    command.branches.erase(from, command.branches.end());
    inner.otherwise = std::exchange(command.otherwise, std::nullopt);
    ir::Step nested;
    nested.span = step.span;
    nested.value = std::move(inner);
    command.otherwise.emplace();
    command.otherwise->push_back(std::move(nested));
  }
}

static bool asks_later(const ir::If& command) {
  return std::ranges::any_of(
      command.branches, [](const ir::Branch& branch) { return ir::asks_later(branch.condition); });
}

constexpr const char* asked_late = "a condition of several, of which a later one is no program";

std::string Lifting::if_(ir::Step& step, const shell::If& command) {
  ir::If result;
  if (std::string why = open_variables(*step.statement, result.before); !why.empty()) {
    return why;
  }
  const State before = state();
  std::vector<State> ends;
  for (const shell::IfBranch& branch : command.branches) {
    restore(before);
    if (&branch != command.branches.data()) {
      previous_ = nullptr; // $? is what the condition before it left
    }
    std::uint32_t begin = branch.span.begin;
    if (branch.condition.empty()) {
      result.otherwise.emplace();
      if (std::string why = lift_all(branch.body, begin, *result.otherwise); !why.empty()) {
        return why;
      }
    } else {
      if (branch.condition.size() != 1) {
        return "an if with several commands as its condition";
      }
      std::string why;
      auto asked = condition(branch.condition.front(), why);
      if (!asked) {
        return why;
      }
      ir::Branch& made = result.branches.emplace_back();
      made.condition = std::move(*asked);
      made.span = branch.condition.front().span;
      if (why = lift_all(branch.body, branch.condition.front().span.end, made.steps);
          !why.empty()) {
        return why;
      }
    }
    ends.push_back(state());
  }
  if (!command.has_else) {
    ends.push_back(before);
  }
  if (asks_later(result)) {
    return asked_late;
  }
  nest_statements(result, step);
  join(before, ends, *step.statement);
  drop_needless(result, command);
  step.value = std::move(result);
  return {};
}

// The command whose status a condition is, where it is one.
static ir::Step* asked_command(ir::Condition& condition) {
  auto* succeeds = std::get_if<ir::Succeeds>(&condition.value);
  return succeeds == nullptr ? nullptr : &succeeds->steps.front();
}

// left && right, left || right.
std::string Lifting::list_(ir::Step& step, const shell::AndOr& list) {
  if (asks_of_let(*list.left)) {
    return "the shell's own let";
  }
  if (const auto* enters = shell::as_simple(*list.left);
      enters != nullptr && analysis::command_name(*enters) == "cd" && !list.left->negated &&
      !list.left->background && !list.left->timed && list.left->redirects.empty()) {
    return enter_list(step, list, *list.left);
  }
  if (auto why = either_(step, list)) {
    return std::move(*why);
  }
  ir::If result;
  result.list = true;
  std::string why = open_variables(*step.statement, result.before);
  if (!why.empty()) {
    return why;
  }
  const State before = state();
  // a && b && c: only where a and b succeed
  std::vector<const shell::Statement*> conditions{&*list.left};
  while (list.is_and) {
    if (conditions.size() > deepest) {
      return "a long list with &&";
    }
    const auto* inner = std::get_if<shell::AndOr>(&conditions.back()->value);
    if (inner == nullptr || !inner->is_and || conditions.back()->negated) {
      break;
    }
    const shell::Statement* right = &*inner->right;
    const shell::Statement* left = &*inner->left;
    conditions.back() = right;
    conditions.push_back(left);
  }
  std::vector<ir::Condition> asked;
  std::vector<std::optional<ir::Step>> enters; // a `cd` that was asked, for what stands behind it
  std::vector<State> left{before};             // where the list may end
  for (auto each = conditions.rbegin(); each != conditions.rend(); ++each) {
    enters.emplace_back();
    auto one = list.is_and ? entered(**each, enters.back(), why) : condition(**each, why);
    previous_ = nullptr;
    if (!one) {
      return why;
    }
    left.push_back(state());
    asked.push_back(std::move(*one));
  }
  if (std::ranges::none_of(enters, [](const auto& enter) { return enter.has_value(); })) {
    left = {state()};
  }
  if (asked.size() == 1 && or_exit(step, list, asked.front())) {
    return {};
  }
  std::vector<ir::Step> steps;
  const State inside = state();
  previous_ = list.is_and || asked.size() > 1 ? nullptr : asked_command(asked.front());
  if (why = lift_one(*list.right, steps); !why.empty()) {
    return why;
  }
  const State end = state();
  restore(inside);
  if (!list.is_and) {
    ir::Not negation;
    negation.operand.push_back(std::move(asked.front()));
    ir::Condition condition{std::move(negation)};
    if (auto* inner =
            std::get_if<ir::Not>(&std::get<ir::Not>(condition.value).operand.front().value)) {
      ir::Condition operand = std::move(inner->operand.front());
      condition = std::move(operand);
    }
    asked.front() = std::move(condition);
  }
  for (std::size_t i = asked.size(); i-- > 0;) {
    if (enters[i]) {
      steps.insert(steps.begin(), std::move(*enters[i]));
    }
    if (i == 0) {
      break;
    }
    ir::If inner;
    inner.list = true;
    inner.is_and = true;
    inner.branches.push_back(
        {std::move(asked[i]), std::move(steps), conditions[asked.size() - 1 - i]->span});
    ir::Step nested = make_step(*step.statement);
    nested.statement = nullptr;
    nested.value = std::move(inner);
    steps.clear();
    steps.push_back(std::move(nested));
  }
  result.is_and = list.is_and;
  result.branches.push_back({std::move(asked.front()), std::move(steps), conditions.back()->span});
  if (asks_later(result) ||
      std::ranges::any_of(result.branches.front().steps, [](const ir::Step& each) {
        const auto* inner = std::get_if<ir::If>(&each.value);
        return inner != nullptr && asks_later(*inner);
      })) {
    return asked_late;
  }
  left.insert(left.begin(), end);
  join(before, left, *step.statement);
  step.value = std::move(result);
  return {};
}

// `cd directory` among the commands of a list with &&; any other as it is.
std::optional<ir::Condition> Lifting::entered(const shell::Statement& statement,
                                              std::optional<ir::Step>& enter, std::string& why) {
  const auto* command = shell::as_simple(statement);
  if (command == nullptr || analysis::command_name(*command) != "cd" || statement.negated ||
      statement.background || statement.timed || !statement.redirects.empty()) {
    return condition(statement, why);
  }
  enter = make_step(statement);
  why = change_directory(*enter, *command);
  if (!why.empty()) {
    return std::nullopt;
  }
  auto& change = std::get<ir::ChangeDirectory>(enter->value);
  elsewhere_ = !change.below; // what follows runs where it succeeded
  scope_.set_directory(change.below);
  ir::Condition there{ir::Always{true}};
  if (!change.certain) {
    there.value = ir::FileTest{ir::FileTest::Kind::enter, change.directory};
  }
  change.certain = true;
  return there;
}

// a && b || c, where b always succeeds: if a: b else: c. Nothing for any other list.
std::optional<std::string> Lifting::either_(ir::Step& step, const shell::AndOr& list) {
  const auto* both = std::get_if<shell::AndOr>(&list.left->value);
  if (list.is_and || both == nullptr || !both->is_and || list.left->negated ||
      list.left->background || list.left->timed || !list.left->redirects.empty()) {
    return std::nullopt;
  }
  const State start = state();
  const auto locals = job_.locals;
  const std::size_t findings = context_.findings.all().size();
  const auto give_up = [&] {
    restore(start);
    job_.locals = locals;
    context_.findings.keep_first(findings);
    return std::nullopt; // the list says why
  };
  ir::If result;
  std::string why = open_variables(*step.statement, result.before);
  const State before = state();
  auto asked = why.empty() ? condition(*both->left, why) : std::nullopt;
  if (!asked) {
    return give_up();
  }
  const State inside = state();
  previous_ = nullptr;
  std::vector<ir::Step> steps;
  why = lift_one(*both->right, steps);
  if (!why.empty() || steps.empty() || !std::ranges::all_of(steps, ir::always_succeeds)) {
    return give_up();
  }
  const State first = state();
  restore(inside);
  previous_ = nullptr;
  std::vector<ir::Step> others;
  if (why = lift_one(*list.right, others); !why.empty()) {
    return why;
  }
  const State second = state();
  result.branches.push_back({std::move(*asked), std::move(steps), both->left->span});
  result.otherwise = std::move(others);
  if (asks_later(result)) {
    return asked_late;
  }
  join(before, {first, second}, *step.statement);
  step.value = std::move(result);
  return std::string();
}

// The command on the right of a list: alone, or a group.
std::string Lifting::lift_one(const shell::Statement& statement, std::vector<ir::Step>& steps) {
  if (const auto* group = std::get_if<shell::Group>(&statement.value);
      group != nullptr && statement.redirects.empty() && !statement.negated) {
    return lift_all(group->body, statement.span.begin, steps);
  }
  ir::Step step = make_step(statement);
  if (std::string why = lift_within(step, true); !why.empty()) {
    return why;
  }
  steps.push_back(std::move(step));
  return {};
}

std::string Lifting::leave_loop(ir::Step& step, const shell::SimpleCommand& command) const {
  if (loops_ == 0 || command.words.size() != 1 || !step.statement->redirects.empty()) {
    return fmt::format("the shell's own {}", command.words.front().literal().value_or(""));
  }
  step.value = ir::LeaveLoop{command.words.front().literal() == "continue"};
  return {};
}

// ---- what holds behind a command that may go several ways

Lifting::State Lifting::state() const {
  return {scope_,          directory_, elsewhere_, made_, exported_,
          maybe_exported_, tasks_,     launched_,  old_,  pushed_};
}

void Lifting::restore(const State& state) {
  scope_ = state.scope;
  directory_ = state.directory;
  elsewhere_ = state.elsewhere;
  made_ = state.made;
  exported_ = state.exported;
  maybe_exported_ = state.maybe_exported;
  tasks_ = state.tasks;
  launched_ = state.launched;
  old_ = state.old;
  pushed_ = state.pushed;
}

void Lifting::join(const State& before, const std::vector<State>& ends,
                   const shell::Statement& statement) {
  restore(before);
  if (effects_of(statement).changes_directory) {
    old_.reset();
  }
  std::set<std::string> everywhere = ends.empty() ? before.exported : ends.front().exported;
  std::vector<const Scope*> scopes;
  for (const State& end : ends) {
    launched_ = launched_ || end.launched;
    elsewhere_ = elsewhere_ || end.elsewhere || end.directory != before.directory;
    if (end.pushed.size() != before.pushed.size()) {
      pushed_.clear();
    }
    if (elsewhere_) {
      scope_.set_directory(std::nullopt);
    }
    std::erase_if(made_, [&](const std::string& path) { return !end.made.contains(path); });
    scopes.push_back(&end.scope);
    std::erase_if(everywhere, [&](const auto& name) { return !end.exported.contains(name); });
    maybe_exported_.insert(end.exported.begin(), end.exported.end());
    maybe_exported_.insert(end.maybe_exported.begin(), end.maybe_exported.end());
  }
  exported_ = everywhere;
  std::erase_if(maybe_exported_, [&](const auto& name) { return exported_.contains(name); });
  for (const std::string& name : effects_of(statement).writes) {
    if (scope_.list(name) != nullptr) {
      const bool stays =
          std::ranges::all_of(scopes, [&](const Scope* end) { return end->list(name) != nullptr; });
      const bool splits = std::ranges::any_of(scopes, [&](const Scope* end) {
        return end->list(name) != nullptr && end->list(name)->splits;
      });
      const std::string python = scope_.list(name)->python;
      scope_.set_list(name, {python, std::nullopt, false, splits});
      if (!stays) {
        scope_.forget(name);
      }
    } else if (!scope_.is_local(name)) {
      scope_.forget(name);
    } else if (!scopes.empty()) {
      scope_.join(name, scopes);
    }
  }
}

bool Lifting::read_later(const std::string& name) const {
  const auto reads = [&](const Reads& list) {
    const auto last = list.last.find(name);
    return last != list.last.end() && (list.loops || last->second > list.at);
  };
  if (at_exit_reads_.contains(name) || std::any_of(later_.begin() + 1, later_.end(), reads)) {
    return true;
  }
  // Of the script's own statements it is known which they are.
  const auto begin = job_.body.begin() + static_cast<std::ptrdiff_t>(later_.front().at) + 1;
  return reads(later_.front()) && std::any_of(begin, job_.body.end(), [&](const ir::Step& each) {
           if (each.statement == nullptr) {
             return false;
           }
           const analysis::Effects effects = effects_of(*each.statement);
           return (effects.reads.contains(name) || effects.reads_defaulted.contains(name)) &&
                  !sets_first(*each.statement, name);
         });
}

Lifting::Later::Later(Lifting& lifting, const std::vector<const shell::Statement*>& statements)
    : lifting_(lifting) {
  Reads reads;
  reads.loops = lifting.loops_ > 0;
  reads.size = statements.size();
  for (std::size_t i = 0; i < statements.size(); ++i) {
    if (statements[i] == nullptr) {
      continue;
    }
    const analysis::Effects effects = lifting.effects_of(*statements[i]);
    for (const auto* names : {&effects.reads, &effects.reads_defaulted}) {
      for (const std::string& name : *names) {
        reads.last[name] = i;
      }
    }
  }
  lifting.later_.push_back(std::move(reads));
}
Lifting::Later::~Later() { lifting_.later_.pop_back(); }

} // namespace s2f::passes
