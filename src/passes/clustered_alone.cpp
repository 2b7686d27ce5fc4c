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

// Whether it does the same in every rank, and no harm.
bool same_in_every_rank(const ir::Job& job, const ir::Step& step) {
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
    static constexpr std::array varying{"RANDOM", "SECONDS", "EPOCHSECONDS", "BASHPID", "SRANDOM"};
    const auto* parameter = std::get_if<shell::Parameter>(&part.value);
    same &= !std::holds_alternative<shell::CommandSubstitution>(part.value) &&
            !std::holds_alternative<shell::ProcessSubstitution>(part.value) &&
            (parameter == nullptr || std::ranges::find(varying, parameter->name) == varying.end());
  };
  analysis::walk(*step.statement, visitor);
  return same;
}

} // namespace

void clustered_alone(PassContext& context) {
  ir::Job& job = context.job;
  if (!job.cluster || job.cluster->launcher == "ray") {
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
