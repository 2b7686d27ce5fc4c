// --array: the job runs once an index.
//
// before:  #SBATCH --array=0-63%8
// after:   array = {0..63, throttle 8}; $SLURM_ARRAY_TASK_ID becomes ArrayIndex in the body
//
// before:  python shard.py $SLURM_ARRAY_TASK_ID, without --array
// after:   array = {no indices, so that the caller gives one}, S2F305
#include <algorithm>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "passes/array_items.hpp"
#include "passes/pipeline.hpp"

namespace s2f::passes {

namespace {

// A script that reads what only an array has was submitted as one, by an option of the command
// line.
void array_of_the_command_line(PassContext& context) {
  std::string variable = "SLURM_ARRAY_TASK_ID";
  const auto reads = [&](const ir::Step& step) {
    if (step.statement == nullptr) {
      return false;
    }
    return analysis::effects_of(*step.statement).reads.contains(variable);
  };
  auto first = std::ranges::find_if(context.job.body, reads);
  if (first == context.job.body.end()) {
    variable = "SLURM_ARRAY_JOB_ID";
    first = std::ranges::find_if(context.job.body, reads);
  }
  if (first == context.job.body.end() || context.outer_ledger != nullptr) {
    return; // a driver's command line is known
  }
  review::Finding finding;
  finding.rule = "S2F305";
  finding.span = first->span;
  finding.message =
      fmt::format("The script reads ${}, and no directive makes it an array.", variable);
  finding.slurm_does =
      "The indices came with `sbatch --array=...`; without it the variable is unset.";
  const bool index = variable == "SLURM_ARRAY_TASK_ID";
  finding.output_does =
      index ? "One run of the task is one element: it takes the index as a parameter."
            : "The variable is unset, as in a job that is no array.";
  finding.choices = {index ? "give the index at each run" : "the job is no array",
                     "write the array into the script (#SBATCH --array=...) and convert it again"};
  finding.default_ = finding.choices[0];
  context.findings.add(std::move(finding));
  if (!index) {
    return;
  }
  ir::ArrayUse use;
  use.index_used = true;
  context.job.array = std::move(use);
}

// With %1 the elements run one after the other; people write that when each goes on where the one
// before has stopped.
void one_at_a_time(PassContext& context, const ir::ArrayUse& use) {
  review::Finding finding;
  finding.rule = "S2F304";
  if (!use.spans.empty()) {
    finding.span = use.spans.front();
  }
  finding.message = fmt::format("{} runs one element at a time, so that each can go on where the "
                                "one before has stopped.",
                                use.asked);
  finding.slurm_does = "All elements run in the same directory, in the order of their indices.";
  finding.output_does = "They run one at a time, each in a container of its own: what one leaves "
                        "on its disk the next does not find.";
  context.findings.add(std::move(finding));
}

} // namespace

void array(PassContext& context) {
  const auto& spec = context.component().array;
  if (!spec || spec->indices.empty()) {
    return array_of_the_command_line(context);
  }
  ir::ArrayUse use;
  use.spec = *spec;
  use.certain = context.outer_ledger == nullptr;
  use.asked = context.asked("array");
  use.spans = context.spans("array");
  review::Finding finding;
  finding.rule = "S2F301";
  if (!use.spans.empty()) {
    finding.span = use.spans.front();
  }
  const bool computed = use.asked.find_first_of("$`") != std::string::npos; // by the driver
  finding.message = computed
                        ? fmt::format("{} became a call of one task for each index.", use.asked)
                        : fmt::format("{} became {} call{} of one task.", use.asked,
                                      spec->indices.size(), spec->indices.size() == 1 ? "" : "s");
  finding.slurm_does =
      "It runs the script once for each index; one that fails does not stop the others.";
  finding.output_does = "All elements run to their end, then the run fails if one of them failed.";
  if (spec->throttle) {
    finding.output_does += fmt::format(" At most {} run at a time.", *spec->throttle);
  }
  const auto id = context.findings.add(std::move(finding));
  const auto count = static_cast<std::int64_t>(spec->indices.size());
  if (use.certain && count > actions_in_a_run()) { // of a driver all jobs are counted
    context.findings.add(too_many_actions(count, use.spans.empty() ? context.job.interpreter.span
                                                                   : use.spans.front()));
  }
  if (spec->throttle == 1 && spec->indices.size() > 1) {
    one_at_a_time(context, use);
  }
  context.job.array = std::move(use);
  context.settle("array", review::Disposition::converted, "a map over the indices", "S2F301", id);
}

} // namespace s2f::passes
