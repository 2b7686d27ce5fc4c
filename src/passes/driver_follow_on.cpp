// A job that submits others when its work is done: they follow it in `main`.
//
// before:  python train.py; sbatch -d afterany:$SLURM_JOB_ID eval.sh
// after:   Submitted{the job without its last line, "this job"}, Submitted{eval, after it, any}
//
// What it submits by loops and branches, or by values of its own, is known only when it runs: such
// a job notes what it submits (driver_plan.cpp).
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "passes/driver_reader.hpp"

namespace s2f::passes {

// $1, "$@", $#: what is given to the script itself.
static bool reads_arguments(const shell::Script& script) {
  return std::ranges::any_of(script.statements, [](const shell::Statement& statement) {
    const auto effects = analysis::effects_of(statement);
    return effects.all_positionals || !effects.positionals.empty();
  });
}

namespace {

namespace terms = ir::terms;
using ir::Term;

constexpr const char* itself = "this job";

bool has(const shell::Statement& statement,
         const std::function<bool(const shell::SimpleCommand&)>& wanted) {
  bool found = false;
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& inner) {
    const auto* command = shell::as_simple(inner);
    found |= command != nullptr && wanted(*command);
  };
  analysis::walk(statement, visitor);
  return found;
}

bool leaves(const shell::SimpleCommand& command) {
  const auto name = analysis::command_name(command);
  return name == "exit" || name == "exec" || name == "return" || name == "trap" ||
         name == "export" || name == "eval" || name == "source" || name == ".";
}

bool sets_errexit(const shell::SimpleCommand& command) {
  const auto name = analysis::command_name(command);
  return name == "set" && std::ranges::any_of(command.words, [](const shell::Word& word) {
           const auto text = word.literal().value_or("");
           return text == "errexit" ||
                  (text.starts_with('-') && !text.starts_with("--") && text.contains('e'));
         });
}

// A statement of the set-up: nothing that takes time or may fail.
bool sets_up(const shell::Statement& statement) {
  const auto* command = shell::as_simple(statement);
  if (command == nullptr) {
    return false;
  }
  const auto name = analysis::command_name(*command);
  return command->words.empty() || name == "module" || name == "set" || name == "echo" ||
         name == "date" || name == "hostname" || name == "cd" || name == "ulimit";
}

} // namespace

bool DriverReader::follow_on() {
  struct Next {
    const shell::Statement* statement = nullptr;
    review::EntryId entry{};
    bool at_start = false;
  };
  std::vector<Next> found;
  bool begun = false;
  bool errexit = driver_.errexit;
  for (const ir::Step& step : driver_.body) {
    if (step.statement == nullptr) {
      continue;
    }
    const shell::Statement& statement = *step.statement;
    if (!has(statement, [](const auto& each) { return sbatch_in(each).has_value(); })) {
      if (has(statement, leaves) || std::holds_alternative<shell::Function>(statement.value)) {
        return false;
      }
      errexit |= has(statement, sets_errexit);
      const bool works = !sets_up(statement) && !only_prints({statement});
      if (works && std::ranges::any_of(found, [](const Next& next) { return !next.at_start; })) {
        return false; // it goes on
      }
      begun |= works;
      continue;
    }
    const auto* command = shell::as_simple(statement);
    if (command == nullptr || !is_sbatch(*command) || statement.background || statement.negated ||
        !statement.redirects.empty() || !command->assignments.empty()) {
      return false;
    }
    found.push_back({&statement, step.entry, !begun});
  }
  if (found.empty() || reads_arguments(*driver_.script)) {
    return false; // main would have to hand the job's own arguments on
  }
  const Mark before = mark();
  const auto reason = std::exchange(driver_.not_lifted, std::nullopt);
  if (submit_following(*reason, errexit, [&](auto&& each) {
        for (const Next& next : found) {
          each(*next.statement, next.entry, next.at_start);
        }
      })) {
    return true;
  }
  back_to(before);
  driver_.parameters.clear();
  driver_.not_carried.clear();
  driver_.not_lifted = reason;
  return false;
}

bool DriverReader::submit_following(
    const ir::Reason& reason, bool errexit,
    const std::function<
        void(const std::function<void(const shell::Statement&, review::EntryId, bool)>&)>& each) {
  const Term own = terms::name(itself, Term::Type::job);
  state_.variables["SLURM_JOB_ID"] = own;
  state_.variables["SLURM_JOBID"] = own;
  ir::Submission first;
  first.span = reason.span;
  push(ir::Submitted{0, itself}, reason.span);
  driver_.submissions.push_back(std::move(first));
  const std::string& source = context_.sources[driver_.source].text;
  const std::string name = driver_.path.substr(driver_.path.find_last_of('/') + 1);
  std::string text;
  std::vector<source::Run> runs;
  std::uint32_t at = 0;
  bool fine = true;
  std::string next;
  each([&](const shell::Statement& statement, review::EntryId entry, bool at_start) {
    const auto& command = std::get<shell::SimpleCommand>(statement.value);
    fine = fine && std::ranges::none_of(command.words, [&](const shell::Word& word) {
             const std::string_view written = context_.sources.text(word.span);
             return written.contains("$0") || written.contains("BASH_SOURCE") ||
                    written.ends_with(name);
           });
    entry_ = entry;
    const std::size_t settled = settlements_.size();
    if (!fine || !submit(statement, "").empty() || wait_) {
      fine = false;
      return;
    }
    for (std::size_t i = settled; i < settlements_.size(); ++i) {
      settlements_[i].parent = entry;
    }
    ir::Submission& submission = driver_.submissions.back();
    if (!at_start) { // it is submitted only where the job comes to that line
      for (ir::Dependency& dependency : submission.depends) {
        fine = fine && !(errexit && dependency.kind == ir::Dependency::Kind::not_ok);
        dependency.kind = errexit ? ir::Dependency::Kind::ok : dependency.kind;
      }
      if (submission.depends.empty()) {
        submission.depends.push_back(
            {errexit ? ir::Dependency::Kind::ok : ir::Dependency::Kind::any, own});
      }
    }
    runs.push_back({static_cast<std::uint32_t>(text.size()), at});
    text.append(source, at, statement.span.begin - at);
    runs.push_back({static_cast<std::uint32_t>(text.size()), statement.span.begin});
    text += ":";
    at = statement.span.end;
    next +=
        (next.empty() ? "" : ", ") + std::string(context_.sources.text(command.words.back().span));
  });
  if (!fine || !driver_.parameters.empty()) {
    return false;
  }
  runs.push_back({static_cast<std::uint32_t>(text.size()), at});
  text.append(source, at);
  slurm::ReadOptions read;
  read.script_name = name;
  context_.follows = true;
  const Span whole{driver_.source, 0, static_cast<std::uint32_t>(source.size())};
  const auto job = context_.load_driver(text, {whole, std::move(runs)}, read);
  context_.follows = false;
  if (!job) {
    return false;
  }
  driver_.submissions.front().job = *job;
  review::Finding finding;
  finding.rule = "S2F373";
  finding.span = driver_.submissions.back().span;
  finding.message = fmt::format("The job submits others: {}.", next);
  finding.slurm_does =
      "They wait in the queue from the moment that it comes to that line. A job that "
      "is killed before does not come to it.";
  finding.output_does =
      "`main` runs the job, and then what follows it, also where the job was stopped.";
  context_.findings.add(std::move(finding));
  number_dependencies();
  return true;
}

} // namespace s2f::passes
