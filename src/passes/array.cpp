// --array: the job runs once an index.
//
// before:  #SBATCH --array=0-63%8
// after:   array = {0..63, throttle 8}; $SLURM_ARRAY_TASK_ID becomes ArrayIndex in the body
#include <fmt/format.h>

#include "passes/pipeline.hpp"

namespace s2f::passes {

void array(PassContext& context) {
  const auto& spec = context.component().array;
  if (!spec || spec->indices.empty()) {
    return;
  }
  ir::ArrayUse use;
  use.spec = *spec;
  use.asked = context.asked("array");
  use.spans = context.spans("array");
  review::Finding finding;
  finding.rule = "S2F301";
  if (!use.spans.empty()) {
    finding.span = use.spans.front();
  }
  finding.message = fmt::format("{} became {} call{} of one task.", use.asked, spec->indices.size(),
                                spec->indices.size() == 1 ? "" : "s");
  finding.slurm_does =
      "It runs the script once for each index; one that fails does not stop the others.";
  finding.output_does = "All elements run to their end, then the run fails if one of them failed.";
  if (spec->throttle) {
    finding.output_does += fmt::format(" At most {} run at a time.", *spec->throttle);
  }
  const auto id = context.findings.add(std::move(finding));
  context.job.array = std::move(use);
  context.settle("array", review::Disposition::converted, "a map over the indices", "S2F301", id);
}

} // namespace s2f::passes
