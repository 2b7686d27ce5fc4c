// --output, --error, --open-mode: Flyte keeps each task's log.
//
// before:  #SBATCH --output=logs/%j.out
// after:   nothing; the docstring says where the log is
#include <fmt/format.h>

#include "passes/pipeline.hpp"

namespace s2f::passes {

void output_files(PassContext& context) {
  std::vector<std::string> asked;
  std::vector<Span> spans;
  for (const std::string_view option : {"output", "error", "open-mode"}) {
    const slurm::OptionUse* use = context.winner(option);
    if (use == nullptr || use->origin == slurm::Origin::environment) {
      continue;
    }
    asked.push_back(context.asked(option));
    spans.push_back(use->span);
  }
  if (asked.empty()) {
    return;
  }
  review::Finding finding;
  finding.rule = "S2F102";
  finding.span = spans.front();
  finding.message = fmt::format("{} {} not carried over.", fmt::join(asked, ", "),
                                asked.size() == 1 ? "is" : "are");
  finding.slurm_does = "It writes both streams of the job to files on the cluster.";
  finding.output_does = "Flyte keeps the log of each task: flyte get logs RUN.";
  const auto id = context.findings.add(std::move(finding));
  for (const std::string_view option : {"output", "error", "open-mode"}) {
    const slurm::OptionUse* use = context.winner(option);
    if (use == nullptr || use->origin == slurm::Origin::environment) {
      continue;
    }
    context.job.not_carried.push_back(
        {fmt::format("{} {}: each task has its own log (flyte get logs)", context.at(use->span),
                     context.asked(option)),
         use->span});
    context.settle(option, review::Disposition::platform, "Flyte keeps each task's log", "S2F102",
                   id);
  }
}

} // namespace s2f::passes
