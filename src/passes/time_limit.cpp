// The time limit.
//
// before:  #SBATCH --time=04:00:00
// after:   time_minutes = 240, which is the limit of one attempt
#include <fmt/format.h>

#include "passes/pipeline.hpp"

namespace s2f::passes {

void time_limit(PassContext& context) {
  const auto& time = context.component().time;
  if (const auto queued = context.answers.number("timeout", "", "max_queued")) {
    context.job.max_queued_minutes = {queued->value, queued->place, {}, {}};
  }
  if (time && time->minutes) {
    ir::Sourced<std::int64_t> limit;
    limit.value = *time->minutes;
    limit.asked = context.asked("time");
    limit.spans = context.spans("time");
    context.job.time_minutes = std::move(limit);
    context.job.numbers.push_back(
        {context.asked("time"), fmt::format("timeout of {} minutes", *time->minutes), ""});
    context.settle("time", review::Disposition::converted, "the time limit of one attempt");
    return;
  }
  if (const auto answer = context.answers.number("timeout", "", "default")) {
    context.job.time_minutes = {answer->value,
                                fmt::format("none asked for ({})", answer->place),
                                context.spans("time"),
                                {}};
    context.settle("time", review::Disposition::converted,
                   fmt::format("no limit; the site's default stands, by {}", answer->place));
    return;
  }
  const auto spans = context.spans("time");
  if (context.job.submits && context.job.header.lines.empty()) {
    return; // a driver, which a shell runs
  }
  review::Finding finding;
  finding.rule = "S2F205";
  finding.span = spans.empty() ? context.job.interpreter.span : spans.front();
  finding.message =
      spans.empty() ? "The job names no time limit." : "The job asks for no time limit.";
  finding.slurm_does = spans.empty() ? "It applies the partition's default." : "It sets none.";
  finding.output_does = "The task has no timeout.";
  const auto id = context.findings.add(std::move(finding));
  context.settle("time", review::Disposition::dropped, "no limit, so no timeout", "S2F205", id);
}

} // namespace s2f::passes
