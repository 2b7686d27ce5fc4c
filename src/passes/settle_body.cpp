// Settles the ledger's entries of the body by what became of each step.
#include <algorithm>

#include <fmt/format.h>

#include "passes/pipeline.hpp"

namespace s2f::passes {

namespace {

using review::Disposition;

template <class... Ts> struct Overload : Ts... {
  using Ts::operator()...;
};

std::pair<Disposition, std::string> account(const ir::Step& step) {
  using Account = std::pair<Disposition, std::string>;
  return std::visit(
      Overload{
          [](const ir::Launch& launch) {
            if (launch.rank) {
              return Account{Disposition::converted, "every rank of the task runs this program"};
            }
            return Account{Disposition::converted,
                           launch.launcher.empty() ? "the task runs this command"
                           : launch.copies > 1
                               ? "the task runs these copies side by side"
                               : "the task runs this command; srun of one process is not "
                                 "needed"};
          },
          [](const ir::Assign& assign) {
            if (std::ranges::any_of(assign.bindings, &ir::Binding::unset)) {
              return Account{Disposition::converted, "the commands behind it do not see it"};
            }
            if (assign.bindings.empty()) {
              return Account{Disposition::dropped, "a list that nothing reads"};
            }
            return assign.exports()
                       ? Account{Disposition::converted, "an environment variable of the commands"}
                   : std::ranges::none_of(assign.bindings,
                                          [](const ir::Binding& b) { return b.local.empty(); })
                       ? Account{Disposition::converted, "a variable of the task"}
                       : Account{Disposition::converted, "its value stands where it was used"};
          },
          [](const ir::ShellOptions& options) {
            if (options.errexit) {
              return Account{Disposition::converted, "a command that fails ends the task"};
            }
            if (options.pipefail) {
              return Account{Disposition::converted, "no pipeline is left in Python"};
            }
            return options.nounset ? Account{Disposition::converted, "every variable is known"}
                                   : Account{Disposition::dropped,
                                             "traces the shell's commands; Python starts them now"};
          },
          [](const ir::ChangeDirectory& change) {
            const bool submit = change.below == "";
            return submit
                       ? Account{Disposition::converted,
                                 "commands run in HERE, the directory the job was submitted from"}
                       : Account{Disposition::converted, "the directory of the commands after it"};
          },
          [](const ir::Echo&) { return Account{Disposition::converted, "the task prints it"}; },
          [](const ir::Nothing& nothing) {
            return nothing.keeps_status
                       ? Account{Disposition::converted,
                                 "ends the job with the last status, as the task does"}
                       : Account{Disposition::converted, "succeeds and does nothing"};
          },
          [](const ir::Limit&) {
            return Account{Disposition::converted, "a limit of the task's process"};
          },
          [](const ir::Submit&) { return Account{Disposition::converted, "a call of the task"}; },
          [](const ir::If& command) {
            return Account{Disposition::converted,
                           command.list ? "the same, as an if of the task" : "an if of the task"};
          },
          [](const ir::For&) { return Account{Disposition::converted, "a loop of the task"}; },
          [](const ir::Pipeline&) {
            return Account{Disposition::converted, "the task runs these commands, piped"};
          },
          [](const ir::Stage&) {
            return Account{Disposition::converted, "the task downloads its inputs there"};
          },
          [](const ir::Background&) {
            return Account{Disposition::converted, "the task runs it beside what follows"};
          },
          [](const ir::Wait&) {
            return Account{Disposition::converted, "the task waits for what it started"};
          },
          [](const ir::LeaveLoop&) { return Account{Disposition::converted, "leaves the loop"}; },
          [](const ir::Exit&) {
            return Account{Disposition::converted, "ends the task with this status"};
          },
          [](const ir::Opaque&) { return Account{Disposition::kept, "runs as exact Bash"}; },
      },
      step.value);
}

// `source`, which leaves nothing (the statements pass).
bool reads_file(const ir::Step& step) {
  const auto* command = step.statement == nullptr ? nullptr : shell::as_simple(*step.statement);
  const auto name = command == nullptr || command->words.empty() ? std::nullopt
                                                                 : command->words.front().literal();
  return std::holds_alternative<ir::Nothing>(step.value) && (name == "source" || name == ".");
}

// What stands within a step gets entries of its own below the step's.
void settle_inside(PassContext& context, const ir::Step& step, review::EntryId parent);

void settle_steps(PassContext& context, const std::vector<ir::Step>& steps,
                  review::EntryId parent) {
  for (const ir::Step& step : steps) {
    if (step.statement == nullptr) {
      settle_inside(context, step, parent);
      continue;
    }
    const std::string text = context.text(step.span);
    const auto entry = context.ledger.open(step.span, text.substr(0, text.find('\n')), parent);
    settle_inside(context, step, entry);
    auto [disposition, why] = account(step);
    if (reads_file(step)) {
      context.ledger.settle(entry, Disposition::decision,
                            "left out: the image must have what it sets up", "S2F433");
      continue;
    }
    context.ledger.settle(entry, disposition, std::move(why));
  }
}

// The steps of a branch that is never taken.
void drop_steps(PassContext& context, const std::vector<ir::Step>& steps, review::EntryId parent) {
  for (const ir::Step& step : steps) {
    if (step.statement == nullptr) {
      continue;
    }
    const std::string text = context.text(step.span);
    const auto entry = context.ledger.open(step.span, text.substr(0, text.find('\n')), parent);
    context.ledger.settle(entry, Disposition::dropped, "stands in a branch that is never taken");
  }
}

void settle_inside(PassContext& context, const ir::Step& step, review::EntryId parent) {
  if (const auto* command = std::get_if<ir::If>(&step.value)) {
    for (const ir::Branch& branch : command->branches) {
      if (branch.span == step.span) { // { } and ( )
        settle_steps(context, branch.steps, parent);
        continue;
      }
      const auto* always = std::get_if<ir::Always>(&branch.condition.value);
      if (always != nullptr && !always->value) {
        const auto never = context.ledger.open(branch.span, context.text(branch.span), parent);
        context.ledger.settle(never, Disposition::dropped,
                              "never true, by what the script and its header say");
        drop_steps(context, branch.steps, parent);
        continue;
      }
      const auto entry = context.ledger.open(branch.span, context.text(branch.span), parent);
      context.ledger.settle(entry, Disposition::converted, "the task asks the same");
      settle_steps(context, branch.steps, parent);
    }
    if (command->otherwise) {
      settle_steps(context, *command->otherwise, parent);
    }
  } else if (const auto* loop = std::get_if<ir::For>(&step.value)) {
    settle_steps(context, loop->steps, parent);
  } else if (const auto* beside = std::get_if<ir::Background>(&step.value)) {
    settle_inside(context, beside->steps.front(), parent);
  }
}

} // namespace

void settle_body(PassContext& context) {
  for (const ir::Step& step : context.job.body) {
    if (step.statement == nullptr || context.ledger.settled(step.entry)) {
      continue;
    }
    if (context.job.stays_on_slurm) {
      context.ledger.settle(step.entry, Disposition::kept,
                            "stands in the script that stays on Slurm",
                            context.job.stays_on_slurm->rule);
      continue;
    }
    settle_inside(context, step, step.entry);
    auto [disposition, why] = account(step);
    context.ledger.settle(step.entry, disposition, std::move(why));
  }
}

} // namespace s2f::passes
