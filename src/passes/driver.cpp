// Reads a driver, statement by statement.
//
// before:  PREP=$(sbatch --parsable prep.sh)
//          sbatch --dependency=afterok:$PREP train.sh
// after:   Submitted{0, PREP}, Submitted{1}; submission 1 waits for PREP, ok
#include "passes/driver.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "generated/tables/driver_programs.hpp"
#include "passes/driver_reader.hpp"

namespace s2f::passes {

namespace {

namespace terms = ir::terms;
using ir::Term;
using Kind = Term::Kind;
using Type = Term::Type;
using review::Disposition;

using Role = tables::DriverProgramsRole;

const auto* program(std::string_view name) {
  const auto found =
      std::ranges::find(tables::driver_programs, name, [](const auto& row) { return row.name; });
  return found == std::end(tables::driver_programs) ? nullptr : &*found;
}

// The names that a step, a submission or a term reads.
class Reads {
public:
  explicit Reads(const ir::Workload& workload) : workload_(workload), driver_(*workload.driver) {
    steps(driver_.steps);
  }
  [[nodiscard]] bool contains(const std::string& name) const { return names_.contains(name); }

private:
  void term(const Term& each) {
    if (each.kind == Kind::name) {
      names_.insert(each.text);
    }
    std::ranges::for_each(each.parts, [this](const Term& part) { term(part); });
  }
  void steps(const std::vector<ir::DriverStep>& list) {
    for (const ir::DriverStep& step : list) {
      if (const auto* bind = std::get_if<ir::Bind>(&step.value)) {
        term(bind->value);
      } else if (const auto* extend = std::get_if<ir::Extend>(&step.value)) {
        term(extend->value);
      } else if (const auto* put = std::get_if<ir::PutItem>(&step.value)) {
        term(put->key);
        term(put->value);
      } else if (const auto* each = std::get_if<ir::Each>(&step.value)) {
        term(each->over);
        steps(each->body);
      } else if (const auto* choice = std::get_if<ir::Choice>(&step.value)) {
        for (const auto& branch : choice->branches) {
          if (branch.condition) {
            term(*branch.condition);
          }
          steps(branch.body);
        }
      } else if (const auto* submitted = std::get_if<ir::Submitted>(&step.value)) {
        const ir::Submission& submission = driver_.submissions[submitted->submission];
        std::ranges::for_each(submission.arguments, [this](const Term& each) { term(each); });
        for (const ir::Dependency& dependency : submission.depends) {
          term(dependency.jobs);
        }
        for (const ir::Parameter& parameter : workload_.jobs[submission.job].parameters) {
          const auto given = submission.environment.find(
              parameter.origin.substr(parameter.origin.starts_with('$') ? 1 : 0));
          if (given != submission.environment.end()) {
            term(given->second);
          }
        }
        if (submission.indices) {
          term(*submission.indices);
        }
      }
    }
  }

  const ir::Workload& workload_;
  const ir::Driver& driver_;
  std::set<std::string> names_;
};

bool sweep(std::vector<ir::DriverStep>& steps, const Reads& reads) {
  const std::size_t before = steps.size();
  bool changed = false;
  for (ir::DriverStep& step : steps) {
    if (auto* each = std::get_if<ir::Each>(&step.value)) {
      changed |= sweep(each->body, reads);
    } else if (auto* choice = std::get_if<ir::Choice>(&step.value)) {
      for (auto& branch : choice->branches) {
        changed |= sweep(branch.body, reads);
      }
    } else if (auto* submitted = std::get_if<ir::Submitted>(&step.value);
               submitted != nullptr && !submitted->name.empty() &&
               !reads.contains(submitted->name)) {
      submitted->name.clear();
      changed = true;
    }
  }
  std::erase_if(steps, [&](const ir::DriverStep& step) {
    if (const auto* bind = std::get_if<ir::Bind>(&step.value)) {
      return !reads.contains(bind->name);
    }
    if (const auto* extend = std::get_if<ir::Extend>(&step.value)) {
      return !reads.contains(extend->name);
    }
    if (const auto* put = std::get_if<ir::PutItem>(&step.value)) {
      return !reads.contains(put->name);
    }
    if (const auto* each = std::get_if<ir::Each>(&step.value)) {
      return each->body.empty();
    }
    if (const auto* choice = std::get_if<ir::Choice>(&step.value)) {
      return std::ranges::all_of(choice->branches,
                                 [](const auto& branch) { return branch.body.empty(); });
    }
    return false;
  });
  return changed || steps.size() != before;
}

} // namespace

DriverReader::DriverReader(DriverContext& context)
    : context_(context), driver_(*context.workload.driver), ids_(*driver_.script) {
  std::map<std::string, bool> integers;
  analysis::Visitor visitor;
  visitor.part = [&](const shell::WordPart& part) {
    if (const auto* parameter = std::get_if<shell::Parameter>(&part.value)) {
      reads_[parameter->name].push_back(part.span.begin);
    } else if (const auto* arithmetic = std::get_if<shell::Arithmetic>(&part.value)) {
      for (const std::string& name : arithmetic->variables) {
        reads_[name].push_back(part.span.begin);
      }
    }
  };
  visitor.assignment = [&](const shell::Assignment& assignment) {
    writes_[assignment.name].push_back(assignment.span.end);
    const bool number =
        assignment.value && !assignment.append &&
        ((assignment.value->parts.size() == 1 &&
          std::holds_alternative<shell::Arithmetic>(assignment.value->parts.front().value)) ||
         terms::constant_integer(terms::text(assignment.value->literal().value_or("x"))));
    const auto [known, first] = integers.try_emplace(assignment.name, number);
    known->second = known->second && number;
  };
  visitor.statement = [&](const shell::Statement& statement) {
    if (const auto* loop = std::get_if<shell::For>(&statement.value)) {
      writes_[loop->variable].push_back(loop->variable_span.end);
      loop_variables_.insert(loop->variable);
    }
    if (const auto* command = std::get_if<shell::ArithmeticCommand>(&statement.value)) {
      for (const std::string& name : command->arithmetic.variables) {
        reads_[name].push_back(statement.span.begin);
      }
    }
  };
  for (const shell::Statement& statement : driver_.script->statements) {
    analysis::walk(statement, visitor);
  }
  for (const auto& [name, number] : integers) {
    loop_variables_.erase(name);
    if (number) {
      integers_.insert(name);
    }
  }
}

void DriverReader::run() {
  driver_.errexit = driver_.interpreter.errexit;
  out_ = &driver_.steps;
  for (ir::Step& step : driver_.body) {
    if (step.statement == nullptr || driver_.not_lifted) {
      continue;
    }
    if (state_.ended) {
      context_.ledger.settle(step.entry, Disposition::inert, "stands behind the driver's exit");
      continue;
    }
    entry_ = step.entry;
    const std::size_t settled = settlements_.size();
    const std::size_t steps = driver_.steps.size();
    dropped_.clear();
    said_.clear();
    if (Why why = statement(*step.statement); !why.empty()) {
      give_up(step, why);
      break;
    }
    if (driver_.steps.size() > steps) {
      driver_.steps[steps].comments.insert(driver_.steps[steps].comments.begin(),
                                           step.comments.begin(), step.comments.end());
    }
    for (std::size_t i = settled; i < settlements_.size(); ++i) {
      settlements_[i].parent = step.entry;
    }
    skip_rest_ = false;
    if (!dropped_.empty() && settled == settlements_.size()) {
      outcomes_.push_back({step.entry, Disposition::dropped, dropped_});
    } else {
      if (settled == settlements_.size()) { // else its parts say what became of it
        outcomes_.push_back({step.entry, Disposition::converted,
                             said_.empty() ? "its value stands where it was used" : said_});
      }
    }
  }
  number_dependencies();
  if (driver_.not_lifted) {
    driver_.steps.clear();
    driver_.submissions.clear();
    driver_.parameters.clear();
    driver_.not_carried.clear();
    load_the_rest();
  } else {
    unused_files();
    for (const Settlement& each : settlements_) {
      if (!context_.ledger.find(each.span)) {
        context_.ledger.settle(context_.ledger.open(each.span,
                                                    std::string(context_.sources.text(each.span)),
                                                    each.parent),
                               each.disposition, each.why, each.rule);
      }
    }
    for (const auto& [entry, disposition, why] : outcomes_) {
      context_.ledger.settle(entry, disposition, why);
    }
  }
  for (ir::Step& step : driver_.body) {
    if (driver_.not_lifted && !context_.ledger.settled(step.entry)) {
      note_submissions(step);
      context_.ledger.settle(step.entry, Disposition::kept,
                             "stands in the driver, which was not converted", "S2F430", finding_);
    }
  }
}

// An entry for each submission of a statement that was not lifted.
void DriverReader::note_submissions(const ir::Step& step) {
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& inner) {
    const auto* command = shell::as_simple(inner);
    if (command != nullptr && is_sbatch(*command)) {
      const Span& word = command->words.front().span;
      if (!context_.ledger.find(word)) {
        context_.ledger.open(word, "sbatch", step.entry);
      }
    }
  };
  if (step.statement != nullptr) {
    analysis::walk(*step.statement, visitor);
  }
}

// Dependencies by index, where each variable stands for one submission.
void DriverReader::number_dependencies() {
  std::map<std::string, std::vector<std::size_t>> held;
  const auto jobs_of = [&](const Term& term, const auto& self) -> std::vector<std::size_t> {
    std::vector<std::size_t> found;
    if (const auto known = held.find(term.text); term.kind == Kind::name && known != held.end()) {
      found = known->second;
    }
    for (const Term& part : term.parts) {
      const auto more = self(part, self);
      found.insert(found.end(), more.begin(), more.end());
    }
    return found;
  };
  const bool straight = std::ranges::none_of(driver_.steps, [](const ir::DriverStep& step) {
    return std::holds_alternative<ir::Each>(step.value) ||
           std::holds_alternative<ir::Choice>(step.value) ||
           std::holds_alternative<ir::PutItem>(step.value);
  });
  for (const ir::DriverStep& step : straight ? driver_.steps : std::vector<ir::DriverStep>{}) {
    if (const auto* bind = std::get_if<ir::Bind>(&step.value)) {
      held[bind->name] = jobs_of(bind->value, jobs_of);
    } else if (const auto* extend = std::get_if<ir::Extend>(&step.value)) {
      const auto more = jobs_of(extend->value, jobs_of);
      held[extend->name].insert(held[extend->name].end(), more.begin(), more.end());
    } else if (const auto* submitted = std::get_if<ir::Submitted>(&step.value)) {
      ir::Submission& submission = driver_.submissions[submitted->submission];
      for (const ir::Dependency& dependency : submission.depends) {
        auto& list = dependency.kind == ir::Dependency::Kind::ok    ? submission.ok
                     : dependency.kind == ir::Dependency::Kind::any ? submission.any
                                                                    : submission.not_ok;
        const auto jobs = jobs_of(dependency.jobs, jobs_of);
        list.insert(list.end(), jobs.begin(), jobs.end());
      }
      held[submitted->name] = {submitted->submission};
    }
  }
}

void DriverReader::give_up(ir::Step& step, const std::string& why) {
  step.value = ir::Opaque{why};
  review::Finding finding;
  finding.rule = "S2F430";
  finding.span = step.span;
  finding.message = fmt::format("The driver cannot be converted yet: {}.", why);
  finding.slurm_does = "The shell runs it and submits the jobs.";
  finding.output_does = "The jobs that it names became tasks; nothing calls them in its place.";
  finding_ = context_.findings.add(std::move(finding));
  driver_.not_lifted = ir::Reason{"S2F430", why, step.span};
}

std::string DriverReader::at(const Span& span) const {
  const std::string& path = context_.sources[span.source].path;
  return fmt::format("{}:{}", path.substr(path.find_last_of('/') + 1),
                     context_.sources.begin(span).line);
}

DriverReader::Mark DriverReader::mark() const {
  return {state_, driver_.submissions.size(), settlements_.size(), driver_.not_carried.size(),
          out_->size()};
}

void DriverReader::back_to(Mark mark) {
  state_ = std::move(mark.state);
  driver_.submissions.resize(mark.submissions);
  settlements_.resize(mark.settlements);
  driver_.not_carried.resize(mark.notes);
  out_->resize(mark.steps);
  skip_rest_ = false;
}

void DriverReader::settle(const Span& span, Disposition disposition, std::string why,
                          std::string rule) {
  settlements_.push_back({span, disposition, std::move(why), std::move(rule), entry_});
}

DriverReader::Why DriverReader::block(const std::vector<shell::Statement>& statements) {
  for (const shell::Statement& each : statements) {
    if (Why why = statement(each); !why.empty()) {
      return why;
    }
    if (skip_rest_) {
      break;
    }
  }
  return {};
}

DriverReader::Why DriverReader::statement(const shell::Statement& statement) {
  if (auto written = writes_file(statement)) {
    return *written;
  }
  if (statement.negated) {
    return "a statement that is negated";
  }
  return value_statement(statement);
}

DriverReader::Why DriverReader::value_statement(const shell::Statement& statement) {
  if (const auto* command = std::get_if<shell::SimpleCommand>(&statement.value)) {
    return simple(statement, *command);
  }
  if (const auto* function = std::get_if<shell::Function>(&statement.value)) {
    functions_[function->name] = &*function->body;
    return {};
  }
  if (const auto* loop_ = std::get_if<shell::For>(&statement.value)) {
    return loop(statement, *loop_);
  }
  if (const auto* loop_ = std::get_if<shell::ArithmeticFor>(&statement.value)) {
    return loop(statement, *loop_);
  }
  if (const auto* loop_ = std::get_if<shell::While>(&statement.value)) {
    return loop(statement, *loop_);
  }
  if (const auto* choice = std::get_if<shell::If>(&statement.value)) {
    return only_prints({statement}) ? printed(statement) : choose(statement, *choice);
  }
  if (const auto* choice = std::get_if<shell::Case>(&statement.value)) {
    return choose(statement, *choice);
  }
  if (const auto* both = std::get_if<shell::AndOr>(&statement.value)) {
    return and_or(statement, *both);
  }
  if (const auto* group = std::get_if<shell::Group>(&statement.value)) {
    return block(group->body);
  }
  if (const auto* line = std::get_if<shell::Pipeline>(&statement.value)) {
    return pipeline(statement, *line);
  }
  if (std::holds_alternative<shell::ArithmeticCommand>(statement.value)) {
    const auto& command = std::get<shell::ArithmeticCommand>(statement.value);
    return counted(command.arithmetic.expression, statement.span);
  }
  if (const auto* shell = std::get_if<shell::Subshell>(&statement.value)) {
    const State before = state_;
    Why why = block(shell->body);
    for (const auto& [name, value] : state_.variables) { // what a subshell sets is gone
      const auto was = before.variables.find(name);
      if (why.empty() && (was == before.variables.end() || !(was->second == value)) &&
          read_outside(name, statement.span)) {
        why = "a variable that a subshell sets";
      }
    }
    return why;
  }
  return "a statement that is not read here";
}

// (( i++ )), let i+=1
DriverReader::Why DriverReader::counted(std::string text, const Span& span) {
  std::erase_if(text, [](unsigned char c) { return std::isspace(c) != 0; });
  std::string name;
  while (name.size() < text.size() &&
         (std::isalnum(static_cast<unsigned char>(text[name.size()])) != 0 ||
          text[name.size()] == '_')) {
    name += text[name.size()];
  }
  const std::string rest = text.substr(name.size());
  std::string expression;
  if (rest == "++" || rest == "--") {
    expression = name + rest.substr(1) + "1";
  } else if (rest.size() > 2 && rest[1] == '=' && rest[0] != '=' && rest[0] != '!') {
    expression = name + rest.substr(0, 1) + "(" + rest.substr(2) + ")";
  } else if (rest.size() > 1 && rest[0] == '=' && rest[1] != '=') {
    expression = rest.substr(1);
  } else {
    return "arithmetic that is not read here";
  }
  set(name, arithmetic_text(expression), span);
  return {};
}

// Whether the statements do nothing but print and look.
bool DriverReader::only_prints(const std::vector<shell::Statement>& statements) const {
  bool plain = true;
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& each) {
    const auto* command = shell::as_simple(each);
    if (command == nullptr) {
      return;
    }
    if (command->words.empty()) {
      plain = false;
      return;
    }
    const auto name = analysis::command_name(*command);
    const auto* row = name ? program(*name) : nullptr;
    plain &= (row != nullptr && (row->role == Role::prints || row->role == Role::dropped ||
                                 row->role == Role::filter)) ||
             name == "[" || name == "test" || name == "usage" || name == "help";
    plain &= std::ranges::all_of(each.redirects, [](const shell::Redirect& redirect) {
      return redirect.kind == shell::RedirectKind::duplicate_output ||
             redirect.kind == shell::RedirectKind::heredoc ||
             redirect.kind == shell::RedirectKind::herestring ||
             redirect.target.literal() == "/dev/null";
    });
  };
  for (const shell::Statement& statement : statements) {
    analysis::walk(statement, visitor);
  }
  return plain;
}

DriverReader::Why DriverReader::printed(const shell::Statement& statement) {
  drop(statement, "messages", "flyte run prints the run's address instead");
  return {};
}

void DriverReader::drop(const shell::Statement& statement, const std::string& what,
                        const std::string& why) {
  if (dropped_.empty()) {
    dropped_ = why;
  }
  std::string text = fmt::format("{} {}: {}", at(statement.span), what, why);
  const bool known = std::ranges::any_of(driver_.not_carried, [&](const ir::Note& note) {
    return note.span == statement.span || note.text == text;
  });
  if (!known) {
    driver_.not_carried.push_back({std::move(text), statement.span});
  }
}

std::string DriverReader::says(const std::vector<shell::Statement>& statements) const {
  for (const shell::Statement& statement : statements) {
    const auto* command = shell::as_simple(statement);
    if (command == nullptr || analysis::command_name(*command) != "echo") {
      continue;
    }
    std::string text;
    for (std::size_t i = 1; i < command->words.size(); ++i) {
      const auto word = command->words[i].literal();
      if (!word) {
        return "";
      }
      text += (text.empty() ? "" : " ") + *word;
    }
    return text;
  }
  return "";
}

DriverReader::Why DriverReader::simple(const shell::Statement& statement,
                                       const shell::SimpleCommand& command) {
  if (command.words.empty()) {
    for (const shell::Assignment& each : command.assignments) {
      if (Why why = assign(each, statement.span); !why.empty()) {
        return why;
      }
    }
    return {};
  }
  if (is_sbatch(command)) {
    return submit(statement, "");
  }
  const auto name = analysis::command_name(command);
  if (!name) {
    return "a program whose name is known only when the driver runs";
  }
  return command_by_name(statement, command, *name);
}

DriverReader::Why DriverReader::command_by_name(const shell::Statement& statement,
                                                const shell::SimpleCommand& command,
                                                const std::string& name) {
  if (const auto function = functions_.find(name); function != functions_.end()) {
    if (only_prints({*function->second})) {
      return printed(statement);
    }
    return call(command, *function->second);
  }
  if (name == "exit" || name == "return") {
    said_ = "the end of the driver";
    return leave(command, name == "return");
  }
  if (name == "continue" || name == "break") {
    if (command.words.size() > 1 || loops_ == 0) {
      return "a jump out of several loops";
    }
    push(ir::LeaveEach{name == "continue"}, statement.span);
    skip_rest_ = true;
    return {};
  }
  if (name == "shift") {
    if (!frames_.empty()) {
      if (!frames_.back().empty()) {
        frames_.back().erase(frames_.back().begin());
      }
      return {};
    }
    if (command.words.size() > 1 || loops_ > 0 || choices_ > 0) {
      return "arguments that it shifts in a loop";
    }
    ++driver_shift_;
    return {};
  }
  if (name == "export" || name == "declare" || name == "typeset" || name == "local" ||
      name == "readonly") {
    for (const shell::Assignment& each : command.declared) {
      if (each.value || each.array) {
        if (Why why = assign(each, statement.span); !why.empty()) {
          return why;
        }
      }
      const bool exports =
          name == "export" || std::ranges::any_of(command.words, [](const shell::Word& word) {
            return word.literal() == "-x";
          });
      if (exports) {
        state_.exported.insert(each.name);
      }
    }
    return {};
  }
  if (name == "set") {
    for (std::size_t i = 1; i < command.words.size(); ++i) {
      const auto word = command.words[i].literal();
      if (word == "--") {
        return "arguments that it sets anew";
      }
      if (word && word->starts_with('-') && !word->starts_with("--") &&
          (word->find('e') != std::string::npos || (*word == "-o" && i + 1 < command.words.size() &&
                                                    command.words[i + 1].literal() == "errexit"))) {
        driver_.errexit = true;
        said_ = "a submission that fails ends the driver";
      }
    }
    return {};
  }
  if (name == "unset") {
    for (std::size_t i = 1; i < command.words.size(); ++i) {
      if (const auto word = command.words[i].literal(); word && !word->starts_with('-')) {
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
    return {};
  }
  if (name == "let") {
    for (std::size_t i = 1; i < command.words.size(); ++i) {
      std::string text(context_.sources.text(command.words[i].span));
      std::erase(text, '"');
      std::erase(text, '\'');
      if (Why why = counted(std::move(text), statement.span); !why.empty()) {
        return why;
      }
    }
    return {};
  }
  if (name == "cd" && loops_ == 0 && choices_ == 0 && driver_.submissions.empty() &&
      command.words.size() == 2) {
    return start_directory(statement, command.words[1]);
  }
  if (name == "cd" || name == "pushd" || name == "popd") {
    return "a change of directory before it submits";
  }
  if (name == "wait" && !background_.empty()) {
    for (const Term& each : background_) {
      state_.waits_any.push_back(each);
    }
    background_.clear();
    return {};
  }
  if (const auto* row = program(name); row != nullptr && row->role != Role::filter) {
    drop(statement, name, std::string(row->why));
    return {};
  }
  return run_between(statement, name);
}

// A program that the driver runs between submissions: a task of its own, that what comes after it
// waits for.
DriverReader::Why DriverReader::run_between(const shell::Statement& statement,
                                            const std::string& name) {
  static constexpr std::array of_the_shell{
      "read", "eval", "mapfile", "readarray", "getopts", "exec",    "kill", "trap",     "fg",
      "bg",   "srun", "salloc",  "mpirun",    "mpiexec", "scancel", "sudo", "snakemake"};
  if (std::ranges::find(of_the_shell, name) != of_the_shell.end() || loops_ > 0 || choices_ > 0 ||
      !frames_.empty() || statement.background) {
    return fmt::format("it runs {} between submissions", name);
  }
  ir::Submission submission;
  submission.span = statement.span;
  bool known = true;
  analysis::Visitor visitor;
  visitor.part = [&](const shell::WordPart& part) {
    const auto* parameter = std::get_if<shell::Parameter>(&part.value);
    if (parameter == nullptr || parameter->name.empty()) {
      return;
    }
    const auto now = state_.variables.find(parameter->name);
    if (std::isalpha(static_cast<unsigned char>(parameter->name[0])) == 0 &&
        parameter->name[0] != '_') {
      known = false; // $1, $? and the like are not the task's
    } else if (now != state_.variables.end()) {
      known &= terms::first_unknown(now->second) == nullptr && !now->second.is_list() &&
               !now->second.holds_jobs();
      submission.environment[parameter->name] = now->second;
    }
  };
  analysis::walk(statement, visitor);
  if (!known) {
    return fmt::format("it runs {} between submissions", name);
  }
  slurm::ReadOptions read;
  read.script_name = name.substr(name.find_last_of('/') + 1);
  const std::string text =
      "#!/bin/bash\n" + std::string(context_.sources.text(statement.span)) + "\n";
  std::vector<source::Run> runs{
      {static_cast<std::uint32_t>(text.find('\n') + 1), statement.span.begin}};
  submission.job =
      context_.load_text(text, {statement.span, std::move(runs)}, read.script_name, read);
  for (const Term& each : state_.waits_any) {
    submission.depends.push_back({ir::Dependency::Kind::any, each});
  }
  for (const Term& each : state_.waits_ok) {
    submission.depends.push_back({ir::Dependency::Kind::ok, each});
  }
  review::Finding finding;
  finding.rule = "S2F324";
  finding.span = statement.span;
  finding.message = fmt::format("The driver runs {} between submissions.", name);
  finding.slurm_does = "It runs where the driver was started, before what is submitted after it.";
  finding.output_does =
      "It is a task of its own, without resources, that the later tasks wait for. "
      "What it leaves on disk is in its own container.";
  finding.choices = {"give the task its resources", "run it by hand before"};
  finding.default_ = finding.choices[0];
  context_.findings.add(std::move(finding));
  said_ = "a task of its own";
  const std::string job_name = fmt::format("job {}", ++temporaries_);
  push(ir::Submitted{driver_.submissions.size(), job_name}, statement.span);
  driver_.submissions.push_back(std::move(submission));
  std::vector<Term>& waits = driver_.errexit ? state_.waits_ok : state_.waits_any;
  waits.assign(1, terms::name(job_name, Type::job));
  return {};
}

DriverReader::Why DriverReader::leave(const shell::SimpleCommand& command, bool function) {
  skip_rest_ = true;
  if (function && !frames_.empty()) {
    return choices_ > call_choices_ ? "a function that returns in the middle" : "";
  }
  const auto status = command.words.size() > 1 ? terms::constant(value_of(command.words[1]))
                                               : std::optional<std::string>("0");
  if (!status) {
    return "an exit with a status that is computed";
  }
  if (loops_ > 0 || choices_ > 0) {
    push(ir::Finish{*status != "0", message_}, command.words.front().span);
  } else if (*status != "0") {
    push(ir::Finish{true, message_}, command.words.front().span);
  }
  state_.ended = true;
  return {};
}

// cd before the first submission: where the jobs are submitted from.
DriverReader::Why DriverReader::start_directory(const shell::Statement& statement,
                                                const shell::Word& word) {
  const std::string_view text = context_.sources.text(word.span);
  const bool own = text.find("dirname") != std::string_view::npos ||
                   text.find("BASH_SOURCE") != std::string_view::npos ||
                   text.find("SLURM_SUBMIT_DIR") != std::string_view::npos || text == "." ||
                   text.find("PWD") != std::string_view::npos;
  if (own && text.find("..") == std::string_view::npos) {
    said_ = "the directory of the driver, which is HERE";
    return {};
  }
  const auto constant = terms::constant(value_of(word));
  if (constant && !constant->starts_with('/')) {
    return "a change of directory before it submits";
  }
  review::Finding finding;
  finding.rule = "S2F602";
  finding.span = statement.span;
  finding.message = fmt::format("The driver goes to {} before it submits.", text);
  finding.slurm_does = "The jobs start there, and relative paths are meant from there.";
  finding.output_does = "Commands run in HERE, the driver's own directory.";
  finding.choices = {"HERE is that directory", "HERE = Path(__file__).resolve().parents[...]"};
  finding.default_ = finding.choices[0];
  context_.findings.add(std::move(finding));
  drop(statement, "cd", "HERE is taken for that directory");
  return {};
}

// A function, with the words as its arguments.
DriverReader::Why DriverReader::call(const shell::SimpleCommand& command,
                                     const shell::Statement& body) {
  constexpr std::size_t deepest = 8;
  if (frames_.size() >= deepest) {
    return "a function that calls itself";
  }
  frames_.push_back(fields_of(command.words, 1));
  for (const Term& each : frames_.back()) {
    if (each.is_list() && !each.holds_jobs()) {
      frames_.pop_back();
      return "a function that is given a list";
    }
  }
  const std::size_t choices = std::exchange(call_choices_, choices_);
  Why why = value_statement(body);
  call_choices_ = choices;
  skip_rest_ = state_.ended;
  frames_.pop_back();
  return why;
}

DriverReader::Why DriverReader::and_or(const shell::Statement& statement,
                                       const shell::AndOr& both) {
  if (only_prints({*both.left}) && only_prints({*both.right})) {
    return printed(statement);
  }
  // [ test ] && command
  const bool tests = std::holds_alternative<shell::Test>(both.left->value) ||
                     std::holds_alternative<shell::ArithmeticCommand>(both.left->value) || [&] {
                       const auto* command = shell::as_simple(*both.left);
                       const auto name =
                           command != nullptr ? analysis::command_name(*command) : std::nullopt;
                       return name == "[" || name == "test";
                     }();
  if (tests) {
    shell::IfBranch branch;
    branch.condition.push_back(*both.left);
    branch.body.push_back(*both.right);
    branch.span = statement.span;
    if (!both.is_and && frames_.empty() && checks_usage(branch)) {
      return {};
    }
    Term test = condition(*both.left);
    if (!both.is_and) {
      test = terms::negated(std::move(test));
    }
    const auto value = terms::constant_boolean(test);
    if (value && !*value) {
      return {};
    }
    return branches(statement.span,
                    {{value ? std::nullopt : std::optional(std::move(test)), &branch.body}});
  }
  // command || { echo failed; exit 1; }: a submission does not fail here.
  const auto ends = [](const shell::Statement& each) {
    const auto* command = shell::as_simple(each);
    return command != nullptr && analysis::command_name(*command) == "exit";
  };
  bool handles = ends(*both.right) || only_prints({*both.right});
  if (const auto* group = std::get_if<shell::Group>(&both.right->value);
      group != nullptr && !group->body.empty()) {
    std::vector<shell::Statement> before(group->body.begin(), group->body.end() - 1);
    handles |= ends(group->body.back()) && only_prints(before);
  }
  if (both.is_and) {
    if (Why why = this->statement(*both.left); !why.empty()) {
      return why;
    }
    return this->statement(*both.right);
  }
  if (handles) {
    return this->statement(*both.left);
  }
  return "a command that runs only where another fails";
}

DriverReader::Why DriverReader::pipeline(const shell::Statement& statement,
                                         const shell::Pipeline& line) {
  const auto* first = shell::as_simple(line.commands.front());
  if (first != nullptr && is_sbatch(*first)) { // sbatch x.sh | tee log
    return submit(line.commands.front(), "");
  }
  if (only_prints({statement})) {
    return printed(statement);
  }
  const auto* last = shell::as_simple(line.commands.back());
  if (last != nullptr && is_sbatch(*last) && line.commands.size() == 2 && first != nullptr) {
    const auto name = analysis::command_name(*first);
    if (name == "echo" || name == "printf" || name == "cat") {
      if (auto text = printed_text(line.commands.front())) {
        return submit(line.commands.back(), "", &*text);
      }
    }
    return "a job script that a program prints";
  }
  return "a pipeline that does more than print";
}

void read_driver(DriverContext& context) { DriverReader(context).run(); }

void sweep_driver(ir::Workload& workload) {
  while (sweep(workload.driver->steps, Reads(workload))) {
  }
}

bool submits(const shell::Script& script) {
  bool found = false;
  for (const shell::Statement& statement : script.statements) {
    analysis::Visitor visitor;
    visitor.statement = [&](const shell::Statement& inner) {
      const auto* command = shell::as_simple(inner);
      found |= command != nullptr && is_sbatch(*command);
    };
    analysis::walk(statement, visitor);
  }
  return found;
}

// Scripts that a driver which was not lifted submits by a plain name.
void DriverReader::load_the_rest() {
  for (const ir::Step& step : driver_.body) {
    if (step.statement == nullptr) {
      continue;
    }
    analysis::Visitor visitor;
    visitor.statement = [&](const shell::Statement& inner) {
      const auto* command = shell::as_simple(inner);
      if (command == nullptr || !is_sbatch(*command)) {
        return;
      }
      for (std::size_t i = 1; i < command->words.size(); ++i) {
        const auto word = command->words[i].literal();
        if (!word || word->starts_with('-')) {
          continue;
        }
        slurm::ReadOptions read;
        read.script_name = word->substr(word->find_last_of('/') + 1);
        if (context_.load(*word, read)) {
          return;
        }
      }
    };
    analysis::walk(*step.statement, visitor);
  }
}

} // namespace s2f::passes
