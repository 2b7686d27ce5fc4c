// Lists of commands and pipelines of a driver.
//
// before:  [ -n "$x" ] && sbatch a.sh; sbatch b.sh || exit 1; echo "$script" | sbatch
// after:   Choice{x != "", {Submitted{0}}}, Submitted{1}, Submitted{2}
#include <algorithm>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "passes/driver_reader.hpp"

namespace s2f::passes {

namespace {

namespace terms = ir::terms;
using ir::Term;

} // namespace

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
    if (auto chosen = chooses_by_end(*both.left, branch.body, nullptr, !both.is_and)) {
      return *chosen;
    }
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
  const bool ends = gives_up({*both.right});
  const bool prints = only_prints({*both.right});
  if (!both.is_and && !ends && !prints) {
    return "a command that runs only where another fails";
  }
  const bool counts = std::exchange(status_counts_, ends || (both.is_and && !prints));
  Why why = this->statement(*both.left);
  status_counts_ = counts;
  const auto waited = ended_;
  if (!why.empty()) {
    return why;
  }
  if (both.is_and && waited && !prints) {
    why = where_it_worked(*waited, {*both.right});
    // It fails where either did.
    ended_ = !state_.unsure             ? waited
             : state_.waits_any.empty() ? state_.waits_ok.back()
                                        : state_.waits_any.back();
    return why;
  }
  if (both.is_and) {
    why = this->statement(*both.right);
    ended_ = prints ? waited : ended_;
    return why;
  }
  if (const auto* command = shell::as_simple(*both.left);
      ends && !waited && command != nullptr && command->words.size() > 1 &&
      analysis::command_name(*command) == "wait") {
    return "a test of how several jobs ended";
  }
  if (waited && ends) {
    goes_on_after_success(*waited);
  } else if (waited) {
    goes_on_anyhow(*waited);
  }
  ended_.reset();
  return {};
}

DriverReader::Why DriverReader::pipeline(const shell::Statement& statement,
                                         const shell::Pipeline& line) {
  const auto* first = shell::as_simple(line.commands.front());
  if (first != nullptr && is_sbatch(*first)) { // sbatch x.sh | tee log
    Why why = submit(line.commands.front(), "");
    if (ended_ && driver_.errexit) { // the status of the last counts
      return "a pipeline that waits for a job";
    }
    ended_.reset();
    return why;
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

} // namespace s2f::passes
