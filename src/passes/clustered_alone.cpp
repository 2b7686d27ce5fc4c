// What a clustered job does besides starting its ranks must do no harm in every rank.
//
// before:  mkdir -p out; Launch{tar -xf data.tar}; Launch{rank train.py}; Launch{report.py}
// after:   the same, S2F773: once on each node; S2F774: by the first rank
// before:  python a.py > log; Launch{rank train.py}
// after:   stays_on_slurm, S2F706: each rank would run it
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "ir/rank_steps.hpp"
#include "passes/file_of_ranks.hpp"
#include "passes/pipeline.hpp"
#include "passes/rank_start.hpp"
#include "passes/wrappers.hpp"

namespace s2f::passes {

namespace {

// A builtin that changes nothing but the shell of the rank itself.
bool sets_the_shell(const shell::Statement& statement) {
  // What `source` sets, the shell of each rank needs; srun would have handed it on.
  static constexpr std::array builtins{".",     "cd",     "popd",   "pushd", "set",  "shift",
                                       "shopt", "source", "ulimit", "umask", "unset"};
  const auto* command = shell::as_simple(statement);
  const auto name = command == nullptr ? std::nullopt : analysis::command_name(*command);
  return name && statement.redirects.empty() && !statement.background &&
         std::ranges::find(builtins, *name) != builtins.end();
}

// An `if`, a `case` or a loop that sets variables by what variables are, or ends the job, and no
// more.
bool only_sets(const shell::Statement& statement) {
  static constexpr std::array harmless{"[",     "test",   ":",    "true", "false",
                                       "shift", "export", "echo", "exit", "mkdir"};
  if (shell::as_simple(statement) != nullptr) {
    return false; // what is dealt with by itself
  }
  const analysis::Effects effects = analysis::effects_of(statement);
  bool sets = !effects.anything && !effects.unparsed && !effects.background && !effects.traps &&
              !effects.functions;
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& inner) {
    const auto* command = shell::as_simple(inner);
    sets &= inner.redirects.empty();
    if (command != nullptr && !command->words.empty()) {
      const auto name = analysis::command_name(*command);
      sets &= name && std::ranges::find(harmless, *name) != harmless.end() &&
              (*name != "mkdir" ||
               (command->words.size() > 2 && command->words[1].literal() == std::string("-p")));
    }
  };
  visitor.part = [&](const shell::WordPart& part) { sets &= fixed(part); };
  analysis::walk(statement, visitor);
  return sets;
}

// LOG=$(date +%F).log, which no other statement reads any more.
bool unread(const ir::Job& job, const ir::Step& step) {
  const auto* list = assignments_of(*step.statement);
  if (list == nullptr || list->empty() || exports(*step.statement)) {
    return false;
  }
  bool quiet = true;
  analysis::Visitor visitor;
  visitor.part = [&](const shell::WordPart& part) {
    const auto* inner = std::get_if<shell::CommandSubstitution>(&part.value);
    quiet &= inner == nullptr || same_everywhere(*inner, true);
  };
  analysis::walk(*step.statement, visitor);
  return quiet && std::ranges::none_of(job.body, [&](const ir::Step& other) {
           if (&other == &step || other.statement == nullptr ||
               std::holds_alternative<ir::Nothing>(other.value)) {
             return false;
           }
           const auto effects = analysis::effects_of(*other.statement);
           return std::ranges::any_of(*list, [&](const shell::Assignment& each) {
             return effects.reads.contains(each.name) ||
                    effects.reads_defaulted.contains(each.name);
           });
         });
}

bool stays_bash(const ir::Step& step) {
  return step.statement != nullptr &&
         (step.in_region || std::holds_alternative<ir::Opaque>(step.value));
}

// Whether it does the same in every rank, and no harm.
bool same_in_every_rank(const ir::Job& job, const ir::Step& step) {
  if (step.statement != nullptr && only_sets(*step.statement)) {
    return true;
  }
  const auto* launch = std::get_if<ir::Launch>(&step.value);
  if (stays_bash(step) && written_whole(job, *step.statement)) {
    return true;
  }
  if (launch != nullptr && !launch->rank) {
    return ir::guard_of(job, step) == ir::Guard::none;
  }
  if (std::holds_alternative<ir::ShellOptions>(step.value) ||
      std::holds_alternative<ir::ChangeDirectory>(step.value) ||
      std::holds_alternative<ir::Exit>(step.value) ||
      std::holds_alternative<ir::Nothing>(step.value)) {
    return true;
  }
  if (launch == nullptr && !std::holds_alternative<ir::Opaque>(step.value) &&
      !std::holds_alternative<ir::Assign>(step.value)) {
    return false;
  }
  if (step.statement != nullptr && unread(job, step)) {
    return true;
  }
  const auto start =
      *std::ranges::find_if(job.srun_steps, [](const ir::SrunStep& each) { return each.ranks; });
  if (assignments_of(*step.statement) == nullptr && !step.span.contains(start.prefix) &&
      !sets_the_shell(*step.statement)) {
    return false;
  }
  bool same = true;
  analysis::Visitor visitor;
  visitor.part = [&](const shell::WordPart& part) {
    if (start.prefix.contains(part.span)) {
      return;
    }
    same &= fixed(part);
  };
  analysis::walk(*step.statement, visitor);
  return same;
}

// What the script runs once, and what becomes of it where each replica has a disk of its own.
void say_guarded(PassContext& context, const ir::Step& step, ir::Guard guard) {
  const bool before = guard == ir::Guard::once_a_node;
  review::Finding finding;
  finding.rule = before ? "S2F773" : "S2F774";
  finding.span = step.span;
  finding.message = before ? fmt::format("`{}` is done once on each replica, before its ranks.",
                                         context.text(step.span))
                           : fmt::format("`{}` is done by the first rank, behind its program.",
                                         context.text(step.span));
  finding.slurm_does = before
                           ? "The first node does it, on a disk that all nodes see."
                           : "The first node does it when all ranks have ended, and sees what any "
                             "of them wrote to the shared disk.";
  finding.output_does = before
                            ? "Each replica has a disk of its own: its first rank does it there, "
                              "and the others wait."
                            : "The first rank does it when its own program has ended, and sees "
                              "what the ranks of the first replica wrote.";
  finding.choices = {before ? "once on each replica is right" : "the first rank is right",
                     "a task of its own, which hands over files", "keep the job on Slurm"};
  finding.default_ = finding.choices[0];
  context.findings.add(std::move(finding));
}

} // namespace

void clustered_alone(PassContext& context) {
  ir::Job& job = context.job;
  if (!job.cluster || !job.cluster->ranks()) {
    return;
  }
  for (const ir::Step& step : job.body) {
    const ir::Guard guard = ir::guard_of(job, step);
    if (stays_bash(step) && written_whole(job, *step.statement)) {
      say_written_whole(context, step);
    }
    if (guard == ir::Guard::once_a_node || guard == ir::Guard::first_rank) {
      say_guarded(context, step, guard);
    } else if (!same_in_every_rank(job, step)) {
      job.stays_on_slurm = ir::Reason{
          "S2F706",
          fmt::format("it starts the ranks of a torch program on {}, and this part of the script "
                      "would run once in every rank",
                      shape_of(job.cluster->replicas.value, job.cluster->processes.value)),
          step.span};
      return;
    }
  }
}

} // namespace s2f::passes
