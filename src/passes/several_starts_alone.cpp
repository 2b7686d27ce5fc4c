// Whether the one start that is left of several can be called for each, once the parameters of the
// task are known; and what that changes.
//
// before:  starts = {fold: 0, 1}, Launch{rank train.py --fold <fold>}, parameter fold
// after:   the same, S2F716
// before:  the same in a job that a driver submits, or whose launch stays Bash
// after:   stays_on_slurm, S2F708
#include <algorithm>

#include <fmt/format.h>

#include "passes/errexit.hpp"
#include "passes/pipeline.hpp"
#include "passes/rank_start.hpp"
#include "passes/slurm_commands.hpp"

namespace s2f::passes {

void several_starts_alone(PassContext& context) {
  ir::Job& job = context.job;
  if (!job.starts || job.stays_on_slurm) {
    return;
  }
  const Span first = job.starts->runs.front().span;
  const auto stay = [&](const char* why) {
    job.stays_on_slurm =
        ir::Reason{"S2F708",
                   fmt::format("it starts ranks on {} more than once, and {}",
                               job.cluster ? shape_of(job.cluster->replicas.value,
                                                      job.cluster->processes.value)
                                           : fmt::format("{} nodes", nodes_of(context.component())),
                               why),
                   first};
  };
  const auto rank = std::ranges::find_if(job.body, [](const ir::Step& step) {
    const auto* launch = std::get_if<ir::Launch>(&step.value);
    return launch != nullptr && launch->rank && !step.in_region;
  });
  const bool given = std::ranges::all_of(job.starts->variables, [&](const std::string& name) {
    return std::ranges::any_of(job.parameters, [&](const ir::Parameter& parameter) {
      return parameter.origin == "$" + name;
    });
  });
  if (!job.cluster || job.cluster->ranks() == nullptr || rank == job.body.end()) {
    return stay("what starts them stays Bash");
  }
  if (!given) {
    return stay("a word that differs is no argument of the program");
  }
  if (job.returned() > 0) {
    return stay("the task of each hands files over");
  }
  if (job.array) {
    return stay("each element of the array does");
  }
  if (context.outer_ledger != nullptr) {
    return stay("a driver submits the job");
  }
  const auto answer = context.answers.text("errors", "", "errexit");
  const auto at = static_cast<std::size_t>(rank - job.body.begin());
  const bool errexit = errexit_at(job)[at] || (answer && answer->value == "strict");
  for (ir::Starts::Run& run : job.starts->runs) {
    run.must |= errexit;
  }
  review::Finding finding;
  finding.rule = "S2F716";
  finding.span = first;
  const std::size_t count = job.starts->runs.size();
  finding.message = fmt::format("The job starts its ranks {} times, one after the other; `main` "
                                "calls the task {} times.",
                                count, count);
  finding.slurm_does = fmt::format(
      "All starts have the same nodes, one --time, and a disk that keeps what an earlier one "
      "wrote. {}",
      errexit ? "`set -e`: one that fails ends the job."
              : "Without `set -e` the next begins though one failed; the last decides.");
  finding.output_does = fmt::format(
      "Each call has replicas of its own, with a disk that begins empty, and the whole time limit. "
      "{}",
      errexit ? "One that fails ends the run."
              : "One that fails is shown as failed, and the next begins; the last decides.");
  finding.choices = {"the starts need nothing of each other's files",
                     "hand the files over, as what the task returns and is given",
                     "keep the job on Slurm"};
  finding.default_ = finding.choices[0];
  context.findings.add(std::move(finding));
}

} // namespace s2f::passes
