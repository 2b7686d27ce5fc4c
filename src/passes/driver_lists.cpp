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

} // namespace s2f::passes
