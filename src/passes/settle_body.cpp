// Settles the ledger's entries of the body by what became of each step.
#include <algorithm>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "ir/conditions.hpp"
#include "ir/inner_text.hpp"
#include "passes/errexit.hpp"
#include "passes/pipeline.hpp"
#include "passes/uses.hpp"

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
          [&step](const ir::ShellOptions& options) {
            if (options.errexit) {
              return Account{Disposition::converted, "a command that fails ends the task"};
            }
            if (options.pipefail) {
              return Account{Disposition::converted, "no pipeline is left in Python"};
            }
            if (turns_off_errexit(step)) {
              return Account{Disposition::converted,
                             "from here on a command may fail and the task goes on"};
            }
            const auto* command =
                step.statement != nullptr ? shell::as_simple(*step.statement) : nullptr;
            if (command != nullptr && analysis::command_name(*command) == "shopt") {
              return Account{Disposition::converted,
                             "holds where Bash runs; no pattern of files is Python's behind it"};
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
                       ? Account{Disposition::platform,
                                 "the task ends here with the last status by itself"}
                       : Account{Disposition::dropped, "succeeds and does nothing"};
          },
          [](const ir::Limit&) {
            return Account{Disposition::converted, "a limit of the task's process"};
          },
          [](const ir::FileMask&) {
            return Account{Disposition::converted, "a mask of the task's process"};
          },
          [](const ir::Submit&) { return Account{Disposition::converted, "a call of the task"}; },
          [](const ir::If& command) {
            if (std::ranges::all_of(command.branches,
                                    [](const ir::Branch& branch) {
                                      return never(branch.condition) ||
                                             (always(branch.condition) && branch.steps.empty());
                                    }) &&
                !command.list && (!command.otherwise || command.otherwise->empty())) {
              return Account{Disposition::dropped,
                             "does nothing, by what the script and its header say"};
            }
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
          [](const ir::AtExit& exits) {
            const bool nothing = std::ranges::all_of(exits.steps, [](const ir::Step& each) {
              return std::holds_alternative<ir::Nothing>(each.value);
            });
            return nothing ? Account{Disposition::dropped, "does nothing"}
                           : Account{Disposition::converted,
                                     "what the task does in any case, at its end"};
          },
          [](const ir::Function&) {
            return Account{Disposition::converted, "a function of the task"};
          },
          [](const ir::Call&) { return Account{Disposition::converted, "the task calls it"}; },
          [](const ir::Return&) {
            return Account{Disposition::converted, "ends the function with this status"};
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

// The variables of an assignment of which another pass has left nothing.
std::vector<std::string> only_assigns(const ir::Step& step) {
  const auto* command = step.statement == nullptr ? nullptr : shell::as_simple(*step.statement);
  std::vector<std::string> names;
  if (std::holds_alternative<ir::Nothing>(step.value) && command != nullptr &&
      command->words.empty()) {
    for (const shell::Assignment& assignment : command->assignments) {
      names.push_back(assignment.name);
    }
  }
  return names;
}

// Settles what stands within a step by entries of its own below the step's.
class Accounts {
public:
  explicit Accounts(PassContext& context) : context_(context), uses_(context.job) {}

  void settle(const ir::Step& step, review::EntryId entry) {
    inside(step, entry);
    take_citations(entry);
    if (const auto* command = std::get_if<ir::If>(&step.value)) {
      for (const ir::Branch& branch : command->branches) {
        for (const ir::Step& part : branch.steps) {
          if (!step.span.contains(part.span)) { // of a function that is called here
            context_.ledger.cite(entry, part.span);
          }
        }
      }
    }
    if (const auto* at_exit = std::get_if<ir::AtExit>(&step.value)) {
      for (const ir::Step& part : at_exit->steps) {
        if (!step.span.contains(part.span)) { // of a function that it calls
          context_.ledger.cite(entry, part.span);
        }
      }
    }
    auto [disposition, why] = account(step);
    if (!ir::inner_launches(step).empty()) {
      context_.ledger.settle(entry, Disposition::kept, "runs as exact Bash", "S2F406");
      return;
    }
    if (const auto names = only_assigns(step); !names.empty()) { // an input of the task, now
      for (const std::string& name : names) {
        for (const Span& span : uses_.of(step, name)) {
          context_.ledger.cite(entry, span);
        }
      }
      const bool read = !context_.ledger[entry].stands_in.empty();
      disposition = read ? Disposition::converted : Disposition::dropped;
      why = read ? "its value stands where it was used" : "nothing that is left reads it";
    } else if (disposition == Disposition::converted && !cite(step, entry)) {
      disposition = Disposition::dropped;
      why = nobody(step);
    }
    context_.ledger.settle(entry, disposition, std::move(why));
  }

private:
  // Of a statement that leaves no line of its own: those in which its meaning stands. False where
  // there is none.
  bool cite(const ir::Step& step, review::EntryId entry) {
    std::vector<Span> found;
    if (const auto* assign = std::get_if<ir::Assign>(&step.value)) {
      const auto region = std::ranges::find_if(context_.job.kept, [&](const auto& each) {
        return std::ranges::find(each.before, step.span) != each.before.end();
      });
      if (region != context_.job.kept.end()) {
        context_.ledger.cite(entry, region->span); // whose text it stands before
        return true;
      }
      for (const ir::Binding& binding : assign->bindings) {
        if (!binding.local.empty() && context_.job.kept.empty() &&
            context_.job.cluster_paths.empty()) {
          return true; // an assignment of Python
        }
        if (binding.exported || binding.unset) {
          const auto seen = uses_.seen_by(step, binding.variable);
          found.insert(found.end(), seen.begin(), seen.begin() + (seen.empty() ? 0 : 1));
        }
        const auto readers = uses_.of(step, binding.variable);
        found.insert(found.end(), readers.begin(), readers.end());
      }
    } else if (const auto* change = std::get_if<ir::ChangeDirectory>(&step.value)) {
      found = uses_.started_after(step);
      if (found.size() > 1 && change->below != "") {
        found.resize(1); // the first that is started there
      }
    } else if (std::holds_alternative<ir::ShellOptions>(step.value)) {
      found = uses_.started_after(step);
    } else if (std::holds_alternative<ir::If>(step.value)) {
      const auto& parts = context_.ledger[entry].children;
      return parts.empty() || std::ranges::any_of(parts, [&](review::EntryId part) {
               return context_.ledger[part].disposition != Disposition::dropped;
             });
    } else {
      return true;
    }
    for (const Span& span : found) {
      context_.ledger.cite(entry, span);
    }
    return !found.empty();
  }

  // A branch that is always taken stands in the output as what is in it.
  void take_citations(review::EntryId entry) {
    std::vector<Span> found;
    for (const review::EntryId child : context_.ledger[entry].children) {
      const auto& spans = context_.ledger[child].stands_in;
      found.insert(found.end(), spans.begin(), spans.end());
    }
    for (const Span& span : found) {
      context_.ledger.cite(entry, span);
    }
  }

  static std::string nobody(const ir::Step& step) {
    if (const auto* assign = std::get_if<ir::Assign>(&step.value)) {
      return assign->exports() ? "no command behind it sees it" : "nothing that is left reads it";
    }
    return std::holds_alternative<ir::If>(step.value)
               ? "nothing is left of it, by what the script and its header say"
               : "no command stands behind it";
  }

  review::EntryId open(const Span& span, review::EntryId parent) {
    const std::string text = context_.text(span);
    return context_.ledger.open(span, text.substr(0, text.find('\n')), parent);
  }

  void inside(const std::vector<ir::Step>& steps, review::EntryId parent) {
    for (const ir::Step& step : steps) {
      if (step.statement == nullptr) {
        inside(step, parent);
      } else if (const auto entry = open(step.span, parent); reads_file(step)) {
        inside(step, entry);
        context_.ledger.settle(entry, Disposition::decision,
                               "left out: the image must have what it sets up", "S2F433");
      } else {
        settle(step, entry);
      }
    }
  }

  // The steps of a branch that is never taken.
  void drop(const std::vector<ir::Step>& steps, review::EntryId parent) {
    for (const ir::Step& step : steps) {
      if (step.statement != nullptr) {
        context_.ledger.settle(open(step.span, parent), Disposition::dropped,
                               "stands in a branch that is never taken");
      }
    }
  }

  void branches(const ir::Step& step, const ir::If& command, review::EntryId parent) {
    bool taken = false; // by one before
    for (const ir::Branch& branch : command.branches) {
      if (branch.span == step.span) { // { } and ( )
        inside(branch.steps, parent);
        continue;
      }
      const auto entry = context_.ledger.open(branch.span, context_.text(branch.span), parent);
      const ir::Step* first = ir::asked_first(branch.condition);
      if (!taken && first != nullptr && ir::always_succeeds(*first)) { // echo a || echo b
        const ir::Condition rest =
            ir::with_answer(branch.condition, ir::Condition{ir::Always{true}});
        context_.ledger.settle(entry, Disposition::converted,
                               "the task does the same, which succeeds");
        taken = always(rest);
        if (never(rest)) {
          drop(branch.steps, parent);
        } else {
          inside(branch.steps, parent);
        }
        continue;
      }
      if (taken || never(branch.condition)) {
        context_.ledger.settle(entry, Disposition::dropped,
                               taken ? "an earlier branch is always taken"
                                     : "never true, by what the script and its header say");
        drop(branch.steps, parent);
        continue;
      }
      taken = always(branch.condition);
      context_.ledger.settle(entry, taken ? Disposition::dropped : Disposition::converted,
                             taken ? "always true, by what the script and its header say"
                                   : "the task asks the same");
      inside(branch.steps, parent);
    }
    if (command.otherwise && taken) {
      drop(*command.otherwise, parent);
    } else if (command.otherwise) {
      inside(*command.otherwise, parent);
    }
  }

  void inside(const ir::Step& step, review::EntryId parent) {
    if (const auto* command = std::get_if<ir::If>(&step.value)) {
      branches(step, *command, parent);
    } else if (const auto* loop = std::get_if<ir::For>(&step.value)) {
      inside(loop->steps, parent);
    } else if (const auto* beside = std::get_if<ir::Background>(&step.value)) {
      inside(beside->steps.front(), parent);
    } else if (const auto* function = std::get_if<ir::Function>(&step.value)) {
      inside(function->steps, parent);
    }
  }

  PassContext& context_;
  Uses uses_;
};

} // namespace

void settle_body(PassContext& context) {
  Accounts accounts(context);
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
    accounts.settle(step, step.entry);
  }
}

} // namespace s2f::passes
