// What a driver makes of how a job ended that it waited for: it goes on, or it does not.
//
// before:  srun ./prepare || exit 1; sbatch train.sh
// after:   Submitted{prepare}, Submitted{train}, which waits for prepare to succeed
//
// before:  sbatch --wait a.sh; if [ $? -eq 0 ]; then sbatch b.sh; fi; sbatch c.sh
// after:   Submitted{a}, Submitted{b} where a succeeded, Submitted{c} when a has ended
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "passes/driver_reader.hpp"

namespace s2f::passes {

namespace {

namespace terms = ir::terms;
using ir::Term;

bool reads_status(const shell::Statement& statement) {
  bool reads = false;
  analysis::Visitor visitor;
  visitor.part = [&](const shell::WordPart& part) {
    const auto* parameter = std::get_if<shell::Parameter>(&part.value);
    reads |= parameter != nullptr && parameter->name == "?";
  };
  analysis::walk(statement, visitor);
  return reads;
}

// Whether `[ $? -ne 0 ]` and the like hold where something failed; nothing for another test.
std::optional<bool> asks_for_failure(std::string_view text) {
  std::string bare;
  for (const char c : text) {
    if (!std::string_view(" \t\"'{}[]()").contains(c)) {
      bare += c;
    }
  }
  if (bare.starts_with("test")) {
    bare.erase(0, 4);
  }
  if (bare == "$?-ne0" || bare == "$?!=0" || bare == "$?-gt0" || bare == "$?>0") {
    return true;
  }
  if (bare == "$?-eq0" || bare == "$?==0" || bare == "$?=0") {
    return false;
  }
  return std::nullopt;
}

} // namespace

// { echo "it failed"; exit 1; }
bool DriverReader::gives_up(const std::vector<shell::Statement>& statements) const {
  if (statements.empty()) {
    return false;
  }
  if (const auto* group = std::get_if<shell::Group>(&statements.back().value);
      group != nullptr && statements.size() == 1) {
    return gives_up(group->body);
  }
  const auto* last = shell::as_simple(statements.back());
  const std::vector<shell::Statement> before(statements.begin(), statements.end() - 1);
  return last != nullptr && analysis::command_name(*last) == "exit" && only_prints(before);
}

// The statements whose status the next one reads.
void DriverReader::find_asked(const std::vector<shell::Statement>& statements) {
  for (std::size_t i = 0; i + 1 < statements.size(); ++i) {
    const shell::Statement& next = statements[i + 1];
    const bool chooses = std::holds_alternative<shell::If>(next.value) ||
                         std::holds_alternative<shell::AndOr>(next.value);
    if (chooses && reads_status(next)) { // else it only says it
      asked_for_.insert(statements[i].span.begin);
    }
  }
}

// What comes after it, comes where it succeeded.
void DriverReader::goes_on_after_success(const Term& job) {
  state_.unsure = false;
  std::erase(state_.waits_any, job);
  if (std::ranges::find(state_.waits_ok, job) == state_.waits_ok.end()) {
    state_.waits_ok.push_back(job);
  }
}

void DriverReader::goes_on_anyhow(const Term& job) {
  std::erase(state_.waits_ok, job);
  if (std::ranges::find(state_.waits_any, job) == state_.waits_any.end()) {
    state_.waits_any.push_back(job);
  }
}

// Submissions and steps that run only where a job succeeded. What it says in between is dropped.
DriverReader::Why DriverReader::where_it_worked(const Term& job,
                                                const std::vector<shell::Statement>& statements) {
  // A task that fails fails the run; a program in the middle of a driver does not.
  if (programs_.contains(job.text) &&
      !driver_.script->statements.back().span.contains(driver_.submissions.back().span)) {
    return "a command that runs only where a program succeeded";
  }
  const std::vector<Term> any = state_.waits_any;
  const std::vector<Term> ok = state_.waits_ok;
  goes_on_after_success(job);
  const auto inside = std::pair(state_.waits_any, state_.waits_ok);
  for (const shell::Statement& each : statements) {
    const auto* command = shell::as_simple(each);
    const auto name = command != nullptr ? analysis::command_name(*command) : std::nullopt;
    const bool submits = command != nullptr && command->assignments.empty() &&
                         (is_sbatch(*command) || name == "srun" || name == "salloc");
    if (!submits && !only_prints({each})) {
      return "a command that runs only where another succeeded";
    }
    if (Why why = statement(each); !why.empty()) {
      return why;
    }
  }
  // A step in it ran, or did not: what waits for it could not tell.
  state_.unsure = inside != std::pair(state_.waits_any, state_.waits_ok);
  if (!state_.unsure) {
    state_.waits_any = any;
    state_.waits_ok = ok;
    goes_on_anyhow(job);
  }
  ended_.reset();
  return {};
}

// if [ $? -ne 0 ]; then exit 1; fi; `failed` says what the condition holds for.
DriverReader::Why DriverReader::choose_by_end(const Term& job, bool failed,
                                              const std::vector<shell::Statement>& then,
                                              const std::vector<shell::Statement>* otherwise) {
  const std::vector<shell::Statement> nothing;
  const auto& worked = failed ? (otherwise == nullptr ? nothing : *otherwise) : then;
  const auto& not_worked = failed ? then : (otherwise == nullptr ? nothing : *otherwise);
  said_ = "what follows waits for how the job ends";
  if (gives_up(not_worked)) {
    goes_on_after_success(job);
    return block(worked);
  }
  if (!only_prints(not_worked)) {
    return "commands that run only where a job failed";
  }
  return where_it_worked(job, worked);
}

std::optional<DriverReader::Why>
DriverReader::chooses_by_end(const shell::Statement& condition,
                             const std::vector<shell::Statement>& then,
                             const std::vector<shell::Statement>* otherwise, bool swapped) {
  if (reads_status(condition)) {
    if (!asked_) {
      return std::nullopt;
    }
    const auto failed =
        condition.negated ? std::nullopt : asks_for_failure(context_.sources.text(condition.span));
    if (!failed) {
      return "a test of how a job ended";
    }
    if (driver_.errexit) { // what failed has ended the driver
      const std::vector<shell::Statement> nothing;
      said_ = "what follows waits for how the job ends";
      return block(*failed == swapped ? then : otherwise == nullptr ? nothing : *otherwise);
    }
    const Term asked = *asked_; // which the next statement forgets
    return choose_by_end(asked, *failed != swapped, then, otherwise);
  }
  const auto* command = shell::as_simple(condition);
  const auto name = command != nullptr ? analysis::command_name(*command) : std::nullopt;
  if (command == nullptr || swapped || condition.background || !condition.redirects.empty() ||
      (!is_sbatch(*command) && name != "srun" && name != "salloc")) {
    return std::nullopt;
  }
  shell::Statement plain = condition;
  plain.negated = false;
  if (Why why = statement(plain); !why.empty()) {
    return why;
  }
  if (!ended_) { // a submission does not fail here
    const std::vector<shell::Statement> nothing;
    const auto& never = condition.negated ? then : otherwise == nullptr ? nothing : *otherwise;
    const auto& always = !condition.negated ? then : otherwise == nullptr ? nothing : *otherwise;
    return gives_up(never) || only_prints(never) ? block(always)
                                                 : "a command that runs only where another fails";
  }
  const Term ended = *ended_;
  return choose_by_end(ended, condition.negated, then, otherwise);
}

} // namespace s2f::passes
