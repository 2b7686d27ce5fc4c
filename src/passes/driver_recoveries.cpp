// Checks of how a job ended that submit it again with more.
//
// before:  id=$(sbatch --parsable --wait a.sh); state=$(sacct -j $id -X -n -o State)
//          if [[ $state == OUT_OF_MEMORY* ]]; then sbatch --mem=64G a.sh; fi
// after:   submission 0 recovers from flyte.errors.OOMError by submission 1
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "generated/tables/sacct_states.hpp"
#include "passes/driver_reader.hpp"
#include "passes/pipeline.hpp"

namespace s2f::passes {

namespace {

namespace terms = ir::terms;
using ir::Term;

// The error that stands for a state of Slurm that the text names; "" for none, or several.
std::string error_in(std::string_view text) {
  std::string found;
  for (const auto& row : tables::sacct_states) {
    if (text.contains(row.begins)) {
      found = found.empty() ? std::string(row.error) : "several";
    }
  }
  return found == "several" ? "" : found;
}

std::string_view state_of(std::string_view error) {
  const auto row = std::ranges::find(tables::sacct_states, error,
                                     [](const auto& each) { return std::string_view(each.error); });
  return row == std::end(tables::sacct_states) ? error : row->state;
}

bool asks_slurm(const shell::Statement& statement) {
  static constexpr std::array programs{"sacct", "seff", "scontrol"};
  const auto* command = shell::as_simple(statement);
  const auto name = command == nullptr ? std::nullopt : analysis::command_name(*command);
  return name && std::ranges::find(programs, *name) != programs.end();
}

} // namespace

// The job whose state the statement asks for: sacct -j $id | head -n 1
std::optional<Term> DriverReader::asked_job(const shell::Statement& statement) const {
  const shell::Statement* first = &statement;
  if (const auto* line = std::get_if<shell::Pipeline>(&statement.value)) {
    first = &line->commands.front();
  }
  if (!asks_slurm(*first)) {
    return std::nullopt;
  }
  std::optional<Term> found;
  bool several = false;
  analysis::Visitor visitor;
  visitor.part = [&](const shell::WordPart& part) {
    const auto* parameter = std::get_if<shell::Parameter>(&part.value);
    const auto now = parameter == nullptr || ids_.find(parameter->name) == nullptr
                         ? state_.variables.end()
                         : state_.variables.find(parameter->name);
    if (now != state_.variables.end()) {
      several |= found.has_value() || !now->second.is_job();
      found = now->second;
    }
  };
  analysis::walk(*first, visitor);
  return several ? std::nullopt : found;
}

// state=$(sacct -j $id ...)
std::optional<Term> DriverReader::asked_job(const shell::Word& word) const {
  const shell::WordPart* part = word.parts.size() == 1 ? &word.parts.front() : nullptr;
  if (const auto* quoted =
          part == nullptr ? nullptr : std::get_if<shell::DoubleQuoted>(&part->value)) {
    part = quoted->parts.size() == 1 ? &quoted->parts.front() : nullptr;
  }
  const auto* substitution =
      part == nullptr ? nullptr : std::get_if<shell::CommandSubstitution>(&part->value);
  return substitution == nullptr || substitution->body.size() != 1
             ? std::nullopt
             : asked_job(substitution->body.front());
}

// The job and the error that a condition asks for.
std::optional<std::pair<Term, std::string>>
DriverReader::ended_as(const std::vector<shell::Statement>& condition) const {
  if (condition.size() != 1 || condition.front().negated) {
    return std::nullopt;
  }
  const shell::Statement& test = condition.front();
  const std::string_view text = context_.sources.text(test.span);
  const std::string error = error_in(text);
  if (error.empty() || text.contains("!=") || text.contains("||") || text.contains("&&")) {
    return std::nullopt;
  }
  std::optional<Term> job = asked_job(test); // sacct ... | grep -q OUT_OF_MEMORY
  const auto* command = shell::as_simple(test);
  const auto name = command == nullptr ? std::nullopt : analysis::command_name(*command);
  if (!job && (std::holds_alternative<shell::Test>(test.value) || name == "[" || name == "test")) {
    bool several = false;
    analysis::Visitor visitor;
    visitor.part = [&](const shell::WordPart& part) {
      if (const auto* parameter = std::get_if<shell::Parameter>(&part.value)) {
        const auto known = state_.states.find(parameter->name);
        several |= job.has_value() || known == state_.states.end();
        job = known == state_.states.end() ? std::nullopt : std::optional(known->second);
      } else if (const auto* substitution = std::get_if<shell::CommandSubstitution>(&part.value)) {
        job = substitution->body.size() == 1 ? asked_job(substitution->body.front()) : std::nullopt;
      }
    };
    analysis::walk(test, visitor);
    if (several) {
      return std::nullopt;
    }
  }
  return job ? std::optional(std::pair(*job, error)) : std::nullopt;
}

std::optional<DriverReader::Why> DriverReader::recover(const shell::Statement& statement,
                                                       const shell::If& choice) {
  std::vector<Check> checks;
  for (const shell::IfBranch& branch : choice.branches) {
    if (branch.condition.empty()) {
      if (!only_prints(branch.body)) {
        return std::nullopt;
      }
      continue;
    }
    auto ended = ended_as(branch.condition);
    if (!ended) {
      return std::nullopt;
    }
    checks.push_back({std::move(ended->first), std::move(ended->second), &branch.body});
  }
  return checks.empty() ? std::nullopt : std::optional(recover(checks, statement.span));
}

std::optional<DriverReader::Why> DriverReader::recover(const shell::Statement& statement,
                                                       const shell::Case& choice) {
  const auto* part = choice.subject.parts.size() == 1 ? &choice.subject.parts.front() : nullptr;
  if (const auto* quoted =
          part == nullptr ? nullptr : std::get_if<shell::DoubleQuoted>(&part->value)) {
    part = quoted->parts.size() == 1 ? &quoted->parts.front() : nullptr;
  }
  const auto* parameter = part == nullptr ? nullptr : std::get_if<shell::Parameter>(&part->value);
  const auto known =
      parameter == nullptr ? state_.states.end() : state_.states.find(parameter->name);
  if (known == state_.states.end()) {
    return std::nullopt;
  }
  std::vector<Check> checks;
  for (const shell::CaseItem& item : choice.items) {
    std::string text;
    for (const shell::Word& pattern : item.patterns) {
      text += context_.sources.text(pattern.span);
    }
    if (std::string error = item.patterns.size() == 1 ? error_in(text) : ""; !error.empty()) {
      checks.push_back({known->second, std::move(error), &item.body});
    } else if (!only_prints(item.body)) {
      return std::nullopt;
    }
  }
  return checks.empty() ? std::nullopt : std::optional(recover(checks, statement.span));
}

DriverReader::Why DriverReader::recover(const std::vector<Check>& checks, const Span& span) {
  for (const Check& check : checks) {
    const auto ended = std::find_if(out_->rbegin(), out_->rend(), [&](const ir::DriverStep& step) {
      const auto* submitted = std::get_if<ir::Submitted>(&step.value);
      return submitted != nullptr && submitted->name == check.job.text;
    });
    if (ended == out_->rend()) {
      return "a check of a job that it submitted elsewhere";
    }
    const std::size_t job = std::get<ir::Submitted>(ended->value).submission;
    std::vector<ir::DriverStep> inner;
    std::vector<ir::DriverStep>* outer = std::exchange(out_, &inner);
    const State before = state_;
    Why why = block(*check.body);
    out_ = outer;
    if (!why.empty()) {
      return why;
    }
    const auto* again =
        inner.size() == 1 ? std::get_if<ir::Submitted>(&inner.front().value) : nullptr;
    if (again == nullptr || state_.ended || skip_rest_) {
      return "a check of a job that does more than submit another";
    }
    const std::string name = again->name;
    const std::size_t place = again->submission;
    state_ = before;
    driver_.submissions[place].depends.clear(); // it runs in place of the other
    driver_.submissions[job].recoveries.push_back({check.error, place, span});
    if (ids_.find(name) != nullptr && name != check.job.text) {
      push(ir::Bind{name, check.job}, span);
      state_.variables[name] = check.job;
    }
    review::Finding finding;
    finding.rule = "S2F346";
    finding.span = driver_.submissions[place].span;
    finding.message =
        fmt::format("The driver submits another job where one ends in {}.", state_of(check.error));
    finding.slurm_does = "The driver asks for the job's state and submits.";
    finding.output_does = fmt::format(
        "`main` runs it in its place on `except {}`. A local run has no limits, and never does.",
        check.error);
    context_.findings.add(std::move(finding));
  }
  return {};
}

} // namespace s2f::passes
