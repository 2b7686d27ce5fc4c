// What happens when a command fails, as Bash has it.
//
// before:  python a.py; python b.py           (no set -e)
// after:   a's status does not matter (S2F410), b's is the job's
#include <fmt/format.h>

#include "passes/pipeline.hpp"

namespace s2f::passes {

void failure(PassContext& context) {
  ir::Job& job = context.job;
  if (const auto answer = context.answers.text("errors", "", "errexit");
      answer && answer->value == "strict") {
    job.errexit = true;
  }
  // The last step that has a status of its own decides; what keeps the status is passed over.
  std::optional<std::size_t> last;
  for (std::size_t i = job.body.size(); i-- > 0;) {
    const auto* nothing = std::get_if<ir::Nothing>(&job.body[i].value);
    if (nothing != nullptr && nothing->keeps_status && !job.body[i].in_region) {
      continue;
    }
    last = i;
    break;
  }
  if (!last) {
    return;
  }
  const bool region_last =
      job.kept && *last >= job.kept->first_step && *last <= job.kept->last_step;
  if (job.kept) {
    job.kept->status_matters = job.errexit || region_last;
  }
  const ir::Step* ignored = nullptr;
  std::size_t launches = 0;
  for (std::size_t i = 0; i < job.body.size(); ++i) {
    auto* launch = std::get_if<ir::Launch>(&job.body[i].value);
    if (launch == nullptr || job.body[i].in_region) {
      continue;
    }
    ++launches;
    launch->status_matters = job.errexit || (i == *last && !region_last);
    if (!launch->status_matters && ignored == nullptr) {
      ignored = &job.body[i];
    }
  }
  if (ignored == nullptr) {
    return;
  }
  review::Finding finding;
  finding.rule = "S2F410";
  finding.span = ignored->span;
  finding.message = fmt::format("{} has no `set -e`: when this command fails, the job goes on.",
                                job.path.substr(job.path.find_last_of('/') + 1));
  finding.slurm_does = "The job's state is the status of its last command.";
  finding.output_does = "The same: check=False lets the task go on.";
  context.findings.add(std::move(finding));
  for (ir::Step& step : job.body) {
    if (&step == ignored) {
      step.reviews.push_back(review_comment(
          "S2F410", fmt::format("no `set -e`: when this fails ({}), the job goes on, and its last "
                                "command decides. check=True would end it here.",
                                context.at(step.span))));
    }
  }
  (void)launches;
}

} // namespace s2f::passes
