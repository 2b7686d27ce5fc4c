// Jobs of which nothing is left to run.
//
// before:  module load fold; conda activate fold      (and no command)
// after:   the same, and S2F526
#include "passes/nothing_left.hpp"

#include <variant>

#include "ir/build.hpp"
#include "ir/steps.hpp"

namespace s2f::passes {

namespace {

// Whether something happens when the step is run.
bool does_something(const ir::Step& step) {
  return step.in_region || !(std::holds_alternative<ir::Nothing>(step.value) ||
                             std::holds_alternative<ir::Assign>(step.value) ||
                             std::holds_alternative<ir::ShellOptions>(step.value) ||
                             std::holds_alternative<ir::ChangeDirectory>(step.value));
}

} // namespace

void nothing_left(PassContext& context) {
  const ir::Job& job = context.job;
  if (!ir::is_shell(job.interpreter) || job.missing || job.submits || job.cluster) {
    return;
  }
  bool works = false;
  ir::for_each_step(job.body, [&](const ir::Step& step) { works = works || does_something(step); });
  if (works) {
    return;
  }
  review::Finding finding;
  finding.rule = "S2F526";
  finding.span = job.interpreter.span;
  finding.message = job.body.empty() ? "The script has no command."
                                     : "Nothing that the script does is left for the task to run.";
  finding.slurm_does =
      job.body.empty() ? "The job ends at once." : "The job sets things up, and ends.";
  finding.output_does = "The task does nothing, and succeeds.";
  context.findings.add(std::move(finding));
}

} // namespace s2f::passes
