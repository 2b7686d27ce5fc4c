// Reads a driver, statement by statement.
//
// before:  PREP=$(sbatch --parsable prep.sh)
//          sbatch --dependency=afterok:$PREP train.sh
// after:   Submitted{0, PREP}, Submitted{1}; submission 1 waits for PREP, ok
#include "passes/driver.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "generated/tables/driver_programs.hpp"
#include "passes/driver_plan.hpp"

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

constexpr const char* passed_on = "its value stands where it was used";

// The statements behind it in which the values stand that it assigns, of those that leave
// something; false where there is none.
bool cite_readers(review::Ledger& ledger, const ir::Driver& driver, const ir::Step& step,
                  const std::set<review::EntryId>& dropped) {
  auto names = analysis::effects_of(*step.statement).writes;
  bool found = names.empty();
  for (const ir::Step& other : driver.body) {
    if (other.statement == nullptr || other.span.begin <= step.span.begin ||
        dropped.contains(other.entry)) {
      continue;
    }
    const auto effects = analysis::effects_of(*other.statement);
    const bool reads =
        effects.anything || std::ranges::any_of(names, [&](const std::string& name) {
          return effects.reads.contains(name) || effects.reads_defaulted.contains(name);
        });
    if (reads) {
      ledger.cite(step.entry, other.span);
      names.insert(effects.writes.begin(), effects.writes.end());
      found = true;
    }
  }
  return found;
}

// The statements behind it that submit a job which inherits what it assigns; false where there is
// none. What stands in --export=NAME=VALUE is another value.
bool cite_heirs(review::Ledger& ledger, const source::Sources& sources, const ir::Driver& driver,
                const ir::Step& step) {
  const auto names = analysis::effects_of(*step.statement).writes;
  bool found = false;
  for (const ir::Submission& submission : driver.submissions) {
    const std::string_view text = sources.text(submission.span);
    const bool heir = std::ranges::any_of(names, [&](const std::string& name) {
      return submission.environment.contains(name) && !text.contains(name + "=");
    });
    if (heir && submission.span.begin > step.span.begin) {
      ledger.cite(step.entry, submission.span);
      found = true;
    }
  }
  return found;
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
  find_asked(driver_.script->statements);
  if (context_.job) { // what it does itself is no driver's business
    driver_.not_lifted = ir::Reason{"S2F327", "it submits others while it runs",
                                    context_.sources[driver_.source].line_span(1)};
  }
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
    wrote_.clear();
    said_.clear();
    if (Why why = statement(*step.statement); !why.empty()) {
      give_up(step, why);
      break;
    }
    for (std::size_t i = settled; i < settlements_.size(); ++i) {
      settlements_[i].parent = step.entry;
    }
    skip_rest_ = false;
    if (!dropped_.empty() && settled == settlements_.size()) {
      outcomes_.push_back({step.entry, Disposition::dropped, dropped_, wrote_});
    } else {
      if (settled == settlements_.size()) { // else its parts say what became of it
        const bool leaves = said_.empty() || driver_.steps.size() > steps;
        outcomes_.push_back({step.entry, leaves ? Disposition::converted : Disposition::platform,
                             said_.empty() ? passed_on : said_});
      }
    }
  }
  number_dependencies();
  if (driver_.not_lifted && ((context_.job && follow_on()) || DriverPlanner(*this).run())) {
    open_settlements();
  } else if (driver_.not_lifted) {
    driver_.steps.clear();
    driver_.submissions.clear();
    driver_.parameters.clear();
    driver_.not_carried.clear();
    driver_.plan.reset();
  } else {
    unused_files();
    open_settlements();
    context_.cluster_patterns = cluster_patterns_;
    std::set<review::EntryId> dropped;
    for (auto outcome = outcomes_.rbegin(); outcome != outcomes_.rend(); ++outcome) {
      auto& [entry, disposition, why, file] = *outcome;
      if (submitted_files_.contains(file)) {
        disposition = Disposition::converted;
        why = "the text of a job's script";
      }
      const auto step = std::ranges::find(driver_.body, entry, &ir::Step::entry);
      if (why == passed_on && step != driver_.body.end() &&
          !cite_readers(context_.ledger, driver_, *step, dropped)) {
        const bool heirs = cite_heirs(context_.ledger, context_.sources, driver_, *step);
        disposition = heirs ? Disposition::converted : Disposition::dropped;
        why = heirs ? "what the jobs inherit, as far as they read it"
                    : "nothing that is left reads it";
      }
      if (disposition == Disposition::dropped) {
        dropped.insert(entry);
      }
    }
    for (const auto& [entry, disposition, why, file] : outcomes_) {
      context_.ledger.settle(entry, disposition, why);
    }
  }
  for (const ir::Step& step : driver_.body) {
    if (driver_.not_lifted && !driver_.plan) {
      note_submissions(step);
    }
  }
}

// The entries of a statement's parts, each with what became of it.
void DriverReader::open_settlements() {
  for (const Settlement& each : settlements_) {
    if (!context_.ledger.find(each.span)) {
      context_.ledger.settle(context_.ledger.open(each.span,
                                                  std::string(context_.sources.text(each.span)),
                                                  each.parent),
                             each.disposition, each.why, each.rule);
    }
  }
}

void DriverReader::give_up(ir::Step& step, const std::string& why) {
  step.value = ir::Opaque{why};
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
  asked_ = std::exchange(ended_, std::nullopt);
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
    return in_subshell(statement, *shell);
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
    plain &= std::ranges::all_of(each.redirects, [](const shell::Redirect& redirect) {
      return redirect.kind == shell::RedirectKind::duplicate_output ||
             redirect.kind == shell::RedirectKind::input ||
             redirect.kind == shell::RedirectKind::heredoc ||
             redirect.kind == shell::RedirectKind::herestring ||
             redirect.target.literal() == "/dev/null";
    });
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
  tear_within(statement);
  if (command.words.empty()) {
    for (const shell::Assignment& each : command.assignments) {
      if (Why why = assign(each, statement.span); !why.empty()) {
        return why;
      }
      note_assigned(each.name);
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

void read_driver(DriverContext& context) { DriverReader(context).run(); }

bool allocates(const shell::Script& script) {
  return std::ranges::any_of(script.statements, [](const shell::Statement& statement) {
    const auto* command = shell::as_simple(statement);
    if (command == nullptr || command->words.size() < 3 ||
        analysis::command_name(*command) != "salloc") {
      return false;
    }
    const auto last = command->words.back().literal();
    return !last || !last->starts_with('-');
  });
}

bool starts_later(const shell::Script& script) {
  bool later = false;
  bool submits = false;
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& inner) {
    const auto* command = shell::as_simple(inner);
    const auto name = command == nullptr ? std::nullopt : analysis::command_name(*command);
    later |= name && is_later(*name);
    for (const shell::Redirect& redirect : inner.redirects) {
      for (const shell::WordPart& part : redirect.heredoc_parts) {
        const auto* text = std::get_if<shell::Literal>(&part.value);
        submits |= text != nullptr && text->value.find("sbatch") != std::string::npos;
      }
    }
  };
  visitor.word = [&](const shell::Word& word) {
    submits |= word.literal().value_or("").find("sbatch") != std::string::npos;
  };
  for (const shell::Statement& statement : script.statements) {
    analysis::walk(statement, visitor);
  }
  return later && submits;
}

bool submits(const shell::Script& script) {
  bool found = false;
  for (const shell::Statement& statement : script.statements) {
    analysis::Visitor visitor;
    visitor.statement = [&](const shell::Statement& inner) {
      const auto* command = shell::as_simple(inner);
      found |= command != nullptr && sbatch_in(*command).has_value();
    };
    analysis::walk(statement, visitor);
  }
  return found;
}

void say_cluster_patterns(const DriverContext& context) {
  for (const auto& [pattern, span] : context.cluster_patterns) {
    review::Finding finding;
    finding.rule = "S2F601";
    finding.span = span;
    finding.message =
        fmt::format("{}: a path of the cluster, which a container does not see.", pattern);
    finding.slurm_does = "The driver runs where the cluster's file systems are mounted.";
    finding.output_does = "`main` looks for the files in its own container, and finds none.";
    finding.choices = {"a flyte.io.Dir that `main` takes, and a task for each file of it",
                       "a mounted volume: pod_template=\"NAME\""};
    context.findings.add(std::move(finding));
  }
}

} // namespace s2f::passes
