// Statements whose meaning is certain, one after another, each in the light of those before it.
//
// before:  export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK
// after:   Assign{OMP_NUM_THREADS = "8", exported}
// before:  for i in 1 2; do ./run $i; done
// after:   Opaque, as it was
//
// The kinds of statement are in lift_*.cpp.
#include <algorithm>
#include <array>
#include <functional>
#include <map>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "generated/tables/builtins.hpp"
#include "passes/launch_counts.hpp"
#include "passes/lifting.hpp"
#include "passes/pipeline.hpp"
#include "passes/refused_text.hpp"
#include "passes/region.hpp"

namespace s2f::passes {

std::string Lifting::kind_of(const shell::Statement& statement) {
  if (statement.background) {
    return "a command in the background";
  }
  if (statement.negated) {
    return "a negated command";
  }
  if (statement.timed) {
    return "a timed command";
  }
  if (std::holds_alternative<shell::Pipeline>(statement.value)) {
    return "a pipeline";
  }
  if (std::holds_alternative<shell::AndOr>(statement.value)) {
    return "a list with && or ||";
  }
  if (std::holds_alternative<shell::If>(statement.value)) {
    return "an if";
  }
  if (std::holds_alternative<shell::Case>(statement.value)) {
    return "a case";
  }
  if (std::holds_alternative<shell::Function>(statement.value)) {
    return "a function";
  }
  if (std::holds_alternative<shell::Unparsed>(statement.value)) {
    return "text that could not be read";
  }
  if (std::holds_alternative<shell::For>(statement.value) ||
      std::holds_alternative<shell::While>(statement.value) ||
      std::holds_alternative<shell::ArithmeticFor>(statement.value)) {
    return "a loop";
  }
  return "a compound command";
}

// Which variables the body reads, and which of them it sets once.
// Variables that the script itself gives several words, a pattern or nothing: OPTS="$OPTS --half".
void Lifting::note_lists(const shell::Statement& statement) {
  // A pattern of a loop gives names, each of which is one word.
  const auto several = [](const shell::Word& word, bool loop) {
    const std::function<bool(const shell::WordPart&)> within = [&](const shell::WordPart& part) {
      const auto splits = [](std::string_view text) {
        return text.find_first_of(" \t\n*?[") != std::string_view::npos;
      };
      if (const auto* literal = std::get_if<shell::Literal>(&part.value)) {
        return !loop && splits(literal->value);
      }
      if (const auto* single = std::get_if<shell::SingleQuoted>(&part.value)) {
        return splits(single->value);
      }
      const auto* doubled = std::get_if<shell::DoubleQuoted>(&part.value);
      return doubled != nullptr && std::ranges::any_of(doubled->parts, within);
    };
    return std::ranges::any_of(word.parts, within);
  };
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& inner) {
    if (const auto* command = shell::as_simple(inner)) {
      for (const auto* list : {&command->assignments, &command->declared}) {
        for (const shell::Assignment& assignment : *list) {
          const bool empty = assignment.value && assignment.value->literal() == "";
          if (assignment.value && (empty || several(*assignment.value, false))) {
            lists_.insert(assignment.name);
          }
        }
      }
    } else if (const auto* loop = std::get_if<shell::For>(&inner.value);
               loop != nullptr && std::ranges::any_of(loop->words, [&](const shell::Word& word) {
                 return several(word, true);
               })) {
      lists_.insert(loop->variable);
    }
  };
  analysis::walk(statement, visitor);
}

bool Lifting::names_list(const shell::Word& word) const {
  return std::ranges::any_of(word.parts, [&](const shell::WordPart& part) {
    const auto* parameter = std::get_if<shell::Parameter>(&part.value);
    return parameter != nullptr && lists_.contains(parameter->name);
  });
}

void Lifting::count_uses() {
  for (const ir::Step& step : job_.body) {
    if (step.statement == nullptr) {
      continue;
    }
    const analysis::Effects effects = effects_of(*step.statement);
    for (const auto* names : {&effects.reads, &effects.reads_defaulted}) {
      for (const std::string& name : *names) {
        readers_[name].insert(step.statement);
      }
    }
    analysis::Visitor visitor; // `export NAME` reads it as well
    visitor.assignment = [&](const shell::Assignment& assignment) {
      if (!assignment.value && !assignment.array) {
        readers_[assignment.name].insert(step.statement);
      }
    };
    analysis::walk(*step.statement, visitor);
    const bool plain = shell::as_simple(*step.statement) != nullptr;
    for (const std::string& name : effects.writes) {
      writes_[name] += plain ? 1 : 2;
    }
    note_lists(*step.statement);
  }
  std::set<std::string> once;
  for (const auto& [name, count] : writes_) {
    if (count == 1) {
      once.insert(name);
    }
  }
  scope_.set_once(std::move(once));
  if (job_.script) {
    scope_.set_numbers(number_variables(*job_.script, job_.array.has_value()));
  }
}

bool Lifting::read_elsewhere(const std::string& name, const shell::Statement& statement) const {
  const auto found = readers_.find(name);
  if (found == readers_.end()) {
    return false;
  }
  return scope_.is_local(name) || found->second.size() > 1 || !found->second.contains(&statement);
}

static bool refused(const PassContext& context, const shell::Statement& statement) {
  bool found = false;
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& inner) {
    found = found || (std::holds_alternative<shell::Unparsed>(inner.value) &&
                      shell_refuses(context.text(inner.span)));
  };
  analysis::walk(statement, visitor);
  return found;
}

static void note_refused(PassContext& context, const ir::Step& step) {
  review::Finding finding;
  finding.rule = "S2F481";
  finding.span = step.span;
  finding.message = "The shell refuses this text.";
  finding.slurm_does = "The job runs what stands before it, and ends there with status 2.";
  finding.output_does = "The same: from there on the text is kept, and nothing of it runs.";
  context.findings.add(std::move(finding));
}

bool Lifting::run() {
  std::vector<const shell::Statement*> list;
  analysis::Visitor functions;
  functions.statement = [&](const shell::Statement& statement) {
    if (const auto* function = std::get_if<shell::Function>(&statement.value)) {
      functions_[function->name].push_back(&statement);
      by_functions_.merge(analysis::effects_of(statement).writes);
    }
  };
  for (const ir::Step& step : job_.body) {
    list.push_back(step.statement);
    if (step.statement != nullptr) {
      analysis::walk(*step.statement, functions);
    }
  }
  errexit_ = job_.errexit;
  count_uses();
  const Later later(*this, list);
  for (std::size_t i = 0; i < job_.body.size(); ++i) {
    ir::Step& step = job_.body[i];
    if (const auto* assign = std::get_if<ir::Assign>(&step.value)) { // a search path
      for (const ir::Binding& binding : assign->bindings) {
        (void)scope_.set(binding.variable, binding.value);
        exported_.insert(binding.variable);
      }
    }
    if (step.statement == nullptr || !std::holds_alternative<ir::Opaque>(step.value)) {
      continue;
    }
    later_.back().at = i;
    previous_ = i > 0 ? &job_.body[i - 1] : nullptr;
    const bool last =
        std::all_of(job_.body.begin() + static_cast<std::ptrdiff_t>(i) + 1, job_.body.end(),
                    [](const ir::Step& s) { return std::holds_alternative<ir::Nothing>(s.value); });
    std::string why = lift_whole(step, last);
    if (!why.empty() && refused(context_, *step.statement)) {
      note_refused(context_, step);
      why = refused_by_the_shell;
    }
    if (!why.empty()) {
      step.value = ir::Opaque{std::move(why)};
      if (std::holds_alternative<shell::Function>(step.statement->value)) {
        continue; // only a call does anything
      }
      behind_kept(step);
    }
  }
  if (!keeps_sources_ && !left_out_.empty() && needs_left_out() &&
      job_.interpreter.language == ir::Interpreter::Language::bash) {
    return true;
  }
  settle_left_out();
  note_left_running();
  return false;
}

// All of it or nothing: what an attempt that came to nothing has noted is taken back.
std::string Lifting::lift_whole(ir::Step& step, bool last) {
  if (!attributes_.empty()) {
    for (const std::string& name : effects_of(*step.statement).writes) {
      if (attributes_.contains(name)) {
        return fmt::format("an assignment to {}, which is declared", name);
      }
    }
  }
  const auto* command = shell::as_simple(*step.statement);
  if (command != nullptr && !functions_.contains(analysis::command_name(*command).value_or(""))) {
    return lift_statement(step, last);
  }
  const Attempt attempt(*this);
  const auto take_back = [&] {
    attempt.undo();
    std::erase_if(left_out_, [&](const auto& each) { return step.span.contains(each.second); });
    loops_ = 0;
    depth_ = 0;
    calls_ = 0;
    active_locals_.clear();
    (void)scope_.give_arguments(std::nullopt);
    later_.resize(1);
  };
  std::string why = lift_statement(step, last);
  if (why.empty()) {
    return why;
  }
  take_back();
  if (lift_mixed(step, last).empty()) {
    return {};
  }
  take_back();
  return why;
}

std::string Lifting::lift_statement(ir::Step& step, bool last) {
  if (is_removed(step)) { // a module within another command
    step.value = ir::Nothing{};
    return {};
  }
  const shell::Statement& statement = *step.statement;
  const auto* command = shell::as_simple(statement);
  if (allexport_ && shows_other(statement)) {
    return "a variable that set -a shows to programs";
  }
  if (const auto* sum = std::get_if<shell::ArithmeticCommand>(&statement.value);
      sum != nullptr && !statement.background && !statement.negated && !statement.timed &&
      statement.redirects.empty()) {
    return compute(step, {sum->arithmetic}, last);
  }
  if (command == nullptr) {
    return compound(step);
  }
  const bool sh = job_.interpreter.language == ir::Interpreter::Language::sh;
  const bool resumed = job_.resume && job_.resume->statement == &statement;
  if (statement.background && !resumed && !statement.negated && !statement.timed) {
    return background(step);
  }
  if ((statement.background && !resumed) || statement.negated ||
      (statement.timed && (sh || command->words.empty()))) {
    return kind_of(statement);
  }
  std::string why = lift(step, *command, last && !statement.timed);
  if (why.empty() && statement.timed) {
    note_time(step);
  }
  return why;
}

// Under set -a: whether it sets a variable by other means than an assignment.
bool Lifting::shows_other(const shell::Statement& statement) const {
  const auto* command = shell::as_simple(statement);
  const bool plain = command != nullptr &&
                     (command->words.empty() || analysis::command_name(*command) == "export");
  return !plain && !effects_of(statement).writes.empty();
}

bool Lifting::is_removed(const ir::Step& step) const {
  return std::ranges::any_of(job_.removals, [&](const ir::Removal& removal) {
    return removal.replacement == ":" && removal.span == step.span;
  });
}

std::string Lifting::lift(ir::Step& step, const shell::SimpleCommand& command, bool last) {
  if (command.words.empty()) {
    if (takes_task(step, command)) {
      return {};
    }
    return assign(step, command.assignments, false);
  }
  const auto name = analysis::command_name(command);
  if (!name) {
    return launch(step, command);
  } // a program named by a variable
  if (functions_.contains(*name)) {
    return call(step, command, functions_.at(*name));
  }
  if (!command.assignments.empty() && *name != "export") {
    return launch(step, command);
  }
  if (*name == "export") {
    return export_(step, command);
  }
  if (*name == "cd") {
    return change_directory(step, command);
  }
  if (*name == "pushd") {
    return push_directory(step, command);
  }
  if (*name == "popd") {
    return pop_directory(step, command);
  }
  if (*name == "set") {
    return options(step, command);
  }
  if (*name == "shopt") {
    return shell_option(step, command);
  }
  if (*name == "echo") {
    return echo(step, command);
  }
  if (*name == "printf" && command.words.size() > 1 && command.words[1].literal() == "-v") {
    return print_to(step, command);
  }
  if (*name == "declare" || *name == "typeset" || *name == "readonly") {
    return declare(step, command);
  }
  if (*name == "eval" && command.words.size() > 1) {
    return eval(step, command);
  }
  if (*name == "return") {
    return return_(step, command);
  }
  if (*name == "shift" && (calls_ > 0 || !making_.empty())) {
    return shift(step, command);
  }
  if (*name == "local" && (calls_ > 0 || !making_.empty())) {
    return local(step, command);
  }
  if (*name == "let") {
    return let(step, command, last);
  }
  if (*name == "mapfile" || *name == "readarray") {
    return mapfile(step, command);
  }
  if (*name == "ulimit") {
    return limit(step, command);
  }
  if (*name == "umask") {
    return mask(step, command);
  }
  if (*name == "unset") {
    return unset(step, command);
  }
  if (*name == ":" && command.words.size() > 1) {
    return colon(step, command);
  }
  if (*name == "trap") {
    return trap(step, command);
  }
  if (*name == "exit") {
    return exit(step, command, last);
  }
  if (*name == "source" || *name == ".") {
    return source(step, command);
  }
  if (*name == "wait") {
    return wait(step, command);
  }
  if (*name == "break" || *name == "continue") {
    return leave_loop(step, command);
  }
  const auto* builtin =
      std::ranges::find_if(tables::builtins, [&](const auto& row) { return row.name == *name; });
  if (builtin != std::end(tables::builtins)) {
    const bool plain = std::ranges::all_of(
        command.words, [](const shell::Word& word) { return word.literal().has_value(); });
    if (builtin->as == tables::BuiltinsAs::nothing && step.statement->redirects.empty() && plain) {
      step.value = ir::Nothing{};
      return {};
    }
    if (builtin->as != tables::BuiltinsAs::program) {
      return fmt::format("the shell's own {}", *name);
    }
  }
  return launch(step, command);
}

void statements(PassContext& context) {
  if (context.job.submits) { // what it submits follows from all of it
    for (ir::Step& step : context.job.body) {
      if (step.statement != nullptr && std::holds_alternative<ir::Opaque>(step.value)) {
        step.value = ir::Opaque{std::string(driver_as_it_was)};
      }
    }
    return;
  }
  const ir::Job before = context.job;
  const std::size_t findings = context.findings.all().size();
  if (Lifting(context).run()) {
    context.job = before;
    context.findings.keep_first(findings);
    (void)Lifting(context, true).run();
  }
}

} // namespace s2f::passes
