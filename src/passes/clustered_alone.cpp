// What a clustered job does besides starting its ranks must do no harm in every rank.
//
// before:  mkdir -p out; Launch{rank train.py}; Launch{tar -xf data.tar}
// after:   stays_on_slurm, S2F706: each rank would unpack it
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "passes/pipeline.hpp"
#include "passes/rank_start.hpp"

namespace s2f::passes {

namespace {

// A builtin that changes nothing but the shell of the rank itself.
bool sets_the_shell(const shell::Statement& statement) {
  static constexpr std::array builtins{"cd",    "popd",   "pushd", "set",
                                       "shopt", "ulimit", "umask", "unset"};
  const auto* command = shell::as_simple(statement);
  const auto name = command == nullptr ? std::nullopt : analysis::command_name(*command);
  return name && statement.redirects.empty() && !statement.background &&
         std::ranges::find(builtins, *name) != builtins.end();
}

// Whether no program runs to make it, and it is not another one each time.
bool fixed(const shell::WordPart& part) {
  static constexpr std::array varying{"RANDOM", "SECONDS", "EPOCHSECONDS", "BASHPID", "SRANDOM"};
  const auto* parameter = std::get_if<shell::Parameter>(&part.value);
  return !std::holds_alternative<shell::CommandSubstitution>(part.value) &&
         !std::holds_alternative<shell::ProcessSubstitution>(part.value) &&
         (parameter == nullptr || std::ranges::find(varying, parameter->name) == varying.end());
}

// An `if`, a `case` or a loop that sets variables by what variables are, and no more.
bool only_sets(const shell::Statement& statement) {
  static constexpr std::array harmless{"[",     "test",  ":",      "true",
                                       "false", "shift", "export", "echo"};
  if (shell::as_simple(statement) != nullptr) {
    return false; // what is dealt with by itself
  }
  const analysis::Effects effects = analysis::effects_of(statement);
  bool sets = !effects.exits && !effects.anything && !effects.unparsed && !effects.background &&
              !effects.traps && !effects.functions;
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& inner) {
    const auto* command = shell::as_simple(inner);
    sets &= inner.redirects.empty();
    if (command != nullptr && !command->words.empty()) {
      const auto name = analysis::command_name(*command);
      sets &= name && std::ranges::find(harmless, *name) != harmless.end();
    }
  };
  visitor.part = [&](const shell::WordPart& part) { sets &= fixed(part); };
  analysis::walk(statement, visitor);
  return sets;
}

// Whether it does the same in every rank, and no harm.
bool same_in_every_rank(const ir::Job& job, const ir::Step& step) {
  if (step.statement != nullptr && only_sets(*step.statement)) {
    return true;
  }
  const auto* launch = std::get_if<ir::Launch>(&step.value);
  if (launch != nullptr && !launch->rank) {
    const auto name = launch->words.empty() ? std::nullopt : launch->words[0].text();
    return (launch->words.size() > 2 && name == "mkdir" && launch->words[1].text() == "-p") ||
           name == "touch";
  }
  if (std::holds_alternative<ir::ShellOptions>(step.value) ||
      std::holds_alternative<ir::ChangeDirectory>(step.value) ||
      std::holds_alternative<ir::Nothing>(step.value)) {
    return true;
  }
  if (launch == nullptr && !std::holds_alternative<ir::Opaque>(step.value) &&
      !std::holds_alternative<ir::Assign>(step.value)) {
    return false;
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

} // namespace

void clustered_alone(PassContext& context) {
  ir::Job& job = context.job;
  if (!job.cluster || !job.cluster->ranks()) {
    return;
  }
  for (const ir::Step& step : job.body) {
    if (!same_in_every_rank(job, step)) {
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
