// A job that has itself started again becomes a task that is tried again.
//
// before:  python train.py --ckpt-dir checkpoints
//          if [ ! -f checkpoints/DONE ]; then sbatch $0; fi
// after:   the same with `exit 1`; resume = {checkpoints}, retries, S2F368
// before:  python train.py || scontrol requeue $SLURM_JOB_ID
// after:   python train.py || exit 1; retries, S2F368
#include "passes/restarts.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "generated/tables/checkpoint_flags.hpp"
#include "passes/driver.hpp"
#include "passes/pipeline.hpp"

namespace s2f::passes {

namespace {

using Statements = std::vector<shell::Statement>;
using How = ir::Restart::How;

std::string unquoted(std::string_view word) {
  std::string plain;
  for (const char c : word) {
    if (c != '"' && c != '{' && c != '}') {
      plain += c;
    }
  }
  return plain;
}

bool is_own_id(std::string_view word) {
  const std::string plain = unquoted(word);
  return plain == "$SLURM_JOB_ID" || plain == "$SLURM_JOBID" ||
         plain == "$SLURM_ARRAY_JOB_ID_$SLURM_ARRAY_TASK_ID";
}

class Taker {
public:
  Taker(shell::Script& script, const source::Source& source) : script_(script), source_(source) {
    const auto slash = source.path.find_last_of('/');
    name_ = source.path.substr(slash == std::string::npos ? 0 : slash + 1);
  }

  std::vector<ir::Restart> run() {
    has_checkpoints_ = std::ranges::any_of(script_.statements, [](const shell::Statement& each) {
      const auto* command = shell::as_simple(each);
      return command != nullptr && !each.background && !checkpoint_directory(*command).empty();
    });
    requeues(script_.statements, false);
    submits_in_traps();
    if (has_checkpoints_) {
      submits_behind_failure();
      submits_at_the_end(script_.statements, false);
    }
    return std::move(found_);
  }

private:
  [[nodiscard]] std::string_view text(const source::Span& span) const {
    return std::string_view(source_.text).substr(span.begin, span.end - span.begin);
  }

  [[nodiscard]] bool plain(const shell::Statement& statement) const {
    return !statement.background && !statement.negated;
  }

  // `scontrol requeue $SLURM_JOB_ID`, which ends the job at once, under a condition; else it would
  // run without end. Not where a shell of its own would end instead, nor in a function, which may
  // be a trap's.
  void requeues(Statements& list, bool asked) {
    for (shell::Statement& each : list) {
      if (!plain(each)) {
        continue;
      }
      if (auto* both = std::get_if<shell::AndOr>(&each.value)) {
        requeue(*both->right);
        if (auto* group = std::get_if<shell::Group>(&both->right->value)) {
          requeues(group->body, true);
        }
      } else if (auto* branches = std::get_if<shell::If>(&each.value)) {
        for (shell::IfBranch& branch : branches->branches) {
          requeues(branch.body, true);
        }
      } else if (auto* group = std::get_if<shell::Group>(&each.value)) {
        requeues(group->body, asked);
      } else if (asked) {
        requeue(each);
      }
    }
  }

  void requeue(shell::Statement& statement) {
    const auto* command = shell::as_simple(statement);
    if (command != nullptr && command->words.size() == 3 &&
        command->words[0].literal() == "scontrol" && command->words[1].literal() == "requeue" &&
        is_own_id(text(command->words[2].span))) {
      take(statement, How::requeued);
    }
  }

  // sbatch $0, sbatch "$0" "$@", with no option but a dependency of that kind on this very job.
  [[nodiscard]] bool submits_itself(const shell::Statement& statement,
                                    std::string_view dependency) const {
    const auto* command = shell::as_simple(statement);
    if (command == nullptr || !command->assignments.empty() || command->words.empty() ||
        command->words[0].literal() != "sbatch" || !plain(statement)) {
      return false;
    }
    std::size_t at = 1;
    bool depends = false;
    if (at < command->words.size()) {
      std::string option = unquoted(text(command->words[at].span));
      if (option == "-d" || option == "--dependency") {
        ++at;
        option = at < command->words.size() ? unquoted(text(command->words[at].span)) : "";
        depends = true;
      } else if (option.starts_with("--dependency=")) {
        option.erase(0, std::string_view("--dependency=").size());
        depends = true;
      }
      if (depends) {
        const auto colon = option.find(':');
        if (option.substr(0, colon) != dependency || colon == std::string::npos ||
            !is_own_id(option.substr(colon + 1))) {
          return false;
        }
        ++at;
      }
    }
    const bool all =
        at + 2 == command->words.size() && unquoted(text(command->words[at + 1].span)) == "$@";
    return at < command->words.size() && (all || at + 1 == command->words.size()) &&
           depends == !dependency.empty() && names_itself(text(command->words[at].span), name_);
  }

  // restart() { sbatch $0; exit; }; trap restart USR1: the job submits nothing but itself.
  void submits_in_traps() {
    for (shell::Statement& each : script_.statements) {
      auto* function = std::get_if<shell::Function>(&each.value);
      const bool traps =
          function != nullptr &&
          std::ranges::any_of(script_.statements, [&](const shell::Statement& other) {
            const auto* trap = shell::as_simple(other);
            return trap != nullptr && trap->words.size() > 2 &&
                   trap->words[0].literal() == "trap" && trap->words[1].literal() == function->name;
          });
      auto* group = traps ? std::get_if<shell::Group>(&function->body->value) : nullptr;
      for (std::size_t i = 0; group != nullptr && i < group->body.size(); ++i) {
        shell::Statement& inner = group->body[i];
        if (submits_itself(inner, "")) { // `resume` takes it for the same
          inner.value = shell::SimpleCommand{{}, {word("scontrol", inner.span)}, {}};
        }
      }
    }
  }

  // sbatch -d afternotok:$SLURM_JOB_ID $0: it runs again if it fails.
  void submits_behind_failure() {
    for (shell::Statement& each : script_.statements) {
      if (submits_itself(each, "afternotok")) {
        found_.push_back({How::after_failure, each.span, 0});
        each.value = shell::SimpleCommand{{}, {word("true", each.span)}, {}};
        each.redirects.clear();
      }
    }
  }

  // The last that it does, under a condition; else it would run without end.
  void submits_at_the_end(Statements& list, bool asked) {
    const auto harmless = [](const shell::Statement& each) {
      const auto* command = shell::as_simple(each);
      const auto name = command == nullptr || command->words.empty()
                            ? std::nullopt
                            : analysis::command_name(*command);
      return name && (name == "echo" || name == "exit" || name == "date" || name == "true");
    };
    const auto last = std::find_if_not(list.rbegin(), list.rend(), harmless);
    if (last == list.rend() || !plain(*last)) {
      return;
    }
    if (auto* branches = std::get_if<shell::If>(&last->value)) {
      for (shell::IfBranch& branch : branches->branches) {
        submits_at_the_end(branch.body, true);
      }
    } else if (auto* both = std::get_if<shell::AndOr>(&last->value)) {
      if (auto* group = std::get_if<shell::Group>(&both->right->value)) {
        submits_at_the_end(group->body, true);
      } else if (submits_itself(*both->right, "")) {
        take(*both->right, How::submitted);
      }
    } else if (asked && submits_itself(*last, "")) {
      take(*last, How::submitted);
    }
  }

  static shell::Word word(std::string text, const source::Span& span) {
    return {{{shell::Literal{std::move(text)}, span}}, span};
  }

  void take(shell::Statement& statement, How how) {
    found_.push_back({how, statement.span, 0});
    statement.value =
        shell::SimpleCommand{{}, {word("exit", statement.span), word("1", statement.span)}, {}};
    statement.redirects.clear();
  }

  shell::Script& script_;
  const source::Source& source_;
  std::string name_;
  bool has_checkpoints_ = false;
  std::vector<ir::Restart> found_;
};

std::string said(const ir::Restart& restart) {
  switch (restart.how) {
  case How::requeued:
    return "The job has itself requeued here: another attempt of the task.";
  case How::submitted:
    return "The job submits itself again here: another attempt of the task.";
  case How::after_failure:
    return "The job submits itself for the case that it fails: another attempt of the task.";
  case How::chain:
    break;
  }
  return fmt::format("The driver submits the job {} times, each run behind the one before: "
                     "attempts of one task.",
                     restart.times);
}

} // namespace

std::string checkpoint_directory(const shell::SimpleCommand& command) {
  for (std::size_t i = 1; i < command.words.size(); ++i) {
    const auto text = command.words[i].literal();
    if (!text || !text->starts_with("--")) {
      continue;
    }
    const auto equals = text->find('=');
    const std::string flag = text->substr(2, equals == std::string::npos ? equals : equals - 2);
    const bool known = std::ranges::any_of(tables::checkpoint_flags, [&](const auto& row) {
      return row.flag == flag && row.is == tables::CheckpointFlagsIs::directory;
    });
    if (!known) {
      continue;
    }
    std::optional<std::string> value;
    if (equals != std::string::npos) {
      value = text->substr(equals + 1);
    } else if (i + 1 < command.words.size()) {
      value = command.words[i + 1].literal();
    }
    while (value && (value->starts_with("./") || value->ends_with('/'))) {
      value->starts_with("./") ? value->erase(0, 2) : value->erase(value->size() - 1);
    }
    if (value && !value->empty() && *value != "." &&
        value->find_first_of("*?[$~") == std::string::npos && !value->starts_with('/') &&
        !value->starts_with('-') && value->find("..") == std::string::npos) {
      return *value;
    }
    return {};
  }
  return {};
}

bool names_itself(std::string_view word, std::string_view script) {
  const std::string plain = unquoted(word);
  if (plain == "$0" || plain == "$BASH_SOURCE" || plain == "$BASH_SOURCE[0]") {
    return true;
  }
  std::string_view path = plain;
  for (const std::string_view here : {"./", "$SLURM_SUBMIT_DIR/", "$PWD/"}) {
    if (path.starts_with(here)) {
      path.remove_prefix(here.size());
      break;
    }
  }
  return path == script;
}

std::vector<ir::Restart> take_restarts(shell::Script& script, const source::Source& source) {
  return Taker(script, source).run();
}

// Before the body is lifted: the program that goes on from its checkpoints.
void restarts(PassContext& context) {
  ir::Job& job = context.job;
  for (const ir::Restart& restart : job.restarts) {
    const auto line = context.sources.begin(restart.span).line;
    if (restart.how == How::requeued || restart.how == How::submitted) {
      job.removals.push_back({restart.span, "exit 1", fmt::format("line {}, the restart", line)});
    } else if (restart.how == How::after_failure) {
      const auto step = std::ranges::find(job.body, restart.span, &ir::Step::span);
      if (step != job.body.end()) {
        context.ledger.settle(step->entry, review::Disposition::adjusted,
                              "retries: the task runs again where it failed", "S2F368");
        job.removals.push_back({restart.span, "", fmt::format("line {}, the restart", line)});
        step->value = ir::Nothing{true};
      }
    }
  }
  if (job.restarts.empty() || job.resume) {
    return;
  }
  for (const ir::Step& step : job.body) {
    const auto* command = step.statement == nullptr ? nullptr : shell::as_simple(*step.statement);
    const std::string directory =
        command == nullptr || step.statement->background ? "" : checkpoint_directory(*command);
    if (!directory.empty()) {
      const ir::Restart& first = job.restarts.front();
      job.resume = ir::Resume{step.statement, directory, context.at(first.span), first.span};
      return;
    }
  }
}

// How often the task is tried again, and what that leaves out.
void restarted(PassContext& context) {
  ir::Job& job = context.job;
  for (const ir::Restart& restart : job.restarts) {
    if (restart.how == How::chain && !job.resume) {
      continue; // its driver's loop stays
    }
    const bool chain = restart.how == How::chain;
    review::Finding finding;
    finding.rule = "S2F368";
    finding.span = restart.span;
    finding.message = said(restart);
    finding.slurm_does =
        chain ? fmt::format("{} runs, {}; all find the directory as it was left.", restart.times,
                            restart.whatever ? "whatever became of the one before"
                                             : "each if the one before failed")
              : "It starts the job again, as often as it takes, in the directory "
                "that it left.";
    finding.output_does =
        job.resume ? fmt::format("{} is saved every minute and loaded by the next attempt.",
                                 job.resume->directory)
                   : "The next attempt begins in an empty container, without what this one wrote.";
    finding.output_does +=
        chain && restart.whatever
            ? " Another attempt begins where one failed or ran out of time; after one that ended "
              "well there is none, though it may have left work."
            : " Attempts are counted, and follow a lost node, too.";
    finding.choices = {job.resume ? "checkpoints and retries" : "retries"};
    if (chain) {
      finding.choices.emplace_back("a loop in `main`, each turn with what the one before returned");
    } else {
      finding.choices.emplace_back("keep the job on Slurm");
    }
    finding.default_ = finding.choices[0];
    finding.config_key = chain ? "" : "requeue.retries";
    context.findings.add(std::move(finding));
  }
}

} // namespace s2f::passes
