// --requeue to retries.
//
// before:  #SBATCH --requeue
// after:   retries = 3, with S2F220: a retry also follows a failed command
#include <limits>

#include <fmt/format.h>

#include "passes/pipeline.hpp"
#include "passes/slurm_commands.hpp"

namespace s2f::passes {

namespace {
// The migration guide's number; Slurm itself has none.
constexpr std::int64_t default_retries = 3;

std::string again(const ir::Resume& resume) {
  return fmt::format("{} had the job start again before every time limit, without end; retries are "
                     "counted, and also follow a failed command.",
                     resume.requeued);
}

// What has the job start again, where that is no --requeue.
void starts_again(PassContext& context) {
  ir::Job& job = context.job;
  if (job.restarts.empty()) {
    if (job.resume) { // Slurm requeues a job that asks for it all the same
      job.retries = {default_retries,
                     fmt::format("{} asked for a requeue", job.resume->requeued),
                     {job.resume->span},
                     {review_comment("S2F608", again(*job.resume))}};
    }
    return;
  }
  const ir::Restart& restart = job.restarts.front();
  const std::string place = context.at(restart.span);
  if (restart.how == ir::Restart::How::chain) {
    if (job.resume) {
      job.retries = {restart.times - 1,
                     fmt::format("{}: {} runs in all", place, restart.times),
                     {restart.span},
                     {}};
      if (restart.whatever) {
        job.retries->reviews.push_back(review_comment(
            "S2F368", "each run began whatever became of the one before; here one that ended well "
                      "is the last."));
      }
    }
    return;
  }
  const auto answer = context.answers.number("requeue", "", "retries");
  if (answer && answer->value == 0) {
    return;
  }
  job.retries = {answer ? answer->value : default_retries,
                 answer ? fmt::format("{} starts it again ({})", place, answer->place)
                        : fmt::format("{} starts it again", place),
                 {restart.span},
                 {}};
  if (!answer) {
    job.retries->reviews.push_back(
        review_comment("S2F368", fmt::format("{} started the job again, as often as it took; "
                                             "attempts are counted.",
                                             place)));
  }
}

// The largest number where the product is larger.
std::int64_t product(std::int64_t left, std::int64_t right) {
  std::int64_t out = 0;
  return __builtin_mul_overflow(left, right, &out) ? std::numeric_limits<std::int64_t>::max() : out;
}

// What --requeue meant for a node that is taken away from under the ranks.
void host_maintenance(PassContext& context) {
  auto& cluster = context.job.cluster;
  const slurm::OptionUse* use = context.winner("requeue");
  const auto& components = context.job.header.components;
  const bool asked =
      use != nullptr && (components.empty() || components.front().resolved.requeue != false);
  const auto answer = context.answers.flag("requeue", "", "host_maintenance");
  if (!cluster || !cluster->ranks() || !(answer ? answer->value : asked)) {
    return;
  }
  auto& ranks = std::get<ir::Cluster::Ranks>(cluster->kind);
  ranks.restart_on_host_maintenance = true;
  ranks.restart_asked = answer ? answer->place : context.asked("requeue");
  if (answer) {
    return;
  }
  review::Finding finding;
  finding.rule = "S2F779";
  finding.span = use->span;
  finding.message = fmt::format("{}: the replicas start anew when a node is taken away.",
                                context.asked("requeue"));
  finding.slurm_does = "It starts the job anew, on all its nodes, after a node failure or a "
                       "preemption.";
  finding.output_does =
      "ClusterFailurePolicy.restart_on_host_maintenance starts all replicas anew, without end and "
      "without using up retries. ClusterFailurePolicy.max_restarts, for replicas that fail, is 0.";
  context.findings.add(std::move(finding));
}
} // namespace

void requeue(PassContext& context) {
  host_maintenance(context);
  context.settle("no-requeue", review::Disposition::platform,
                 "a task is not retried unless it says so");
  const slurm::OptionUse* use = context.winner("requeue");
  const auto& components = context.job.header.components;
  if (use != nullptr && !components.empty() && components.front().resolved.requeue == false) {
    context.settle("requeue", review::Disposition::dropped, "a --no-requeue behind it wins");
    use = nullptr;
  }
  if (use == nullptr) {
    starts_again(context);
    return;
  }
  const auto spans = context.spans("requeue");
  if (const auto spot = context.answers.flag("requeue", "", "interruptible"); spot && spot->value) {
    context.job.interruptible = {
        true, fmt::format("{} ({})", context.asked("requeue"), spot->place), spans, {}};
  }
  if (const auto answer = context.answers.number("requeue", "", "retries")) {
    if (answer->value > 0) {
      context.job.retries = {answer->value,
                             fmt::format("{} ({})", context.asked("requeue"), answer->place),
                             spans,
                             {}};
    }
    context.settle("requeue", review::Disposition::converted,
                   fmt::format("retries={}, by {}", answer->value, answer->place));
    return;
  }
  review::Finding finding;
  finding.rule = "S2F220";
  if (!spans.empty()) {
    finding.span = spans.front();
  }
  finding.message = fmt::format(
      "--requeue became retries={}: a retry also follows a command that failed.", default_retries);
  finding.slurm_does = "It permits a requeue after a node failure or a preemption, and never "
                       "reruns a job that failed or ran out of time.";
  finding.output_does =
      fmt::format("It runs the task again, up to {} times, whatever ended it.", default_retries);
  const auto& time = context.component().time;
  const auto nodes = context.job.cluster ? nodes_of(context.component()) : 1;
  const auto gpus = product(context.component().share.gpus.value_or(0), nodes);
  if (time && time->minutes) {
    const auto hours = [](std::int64_t minutes) {
      return minutes % 60 == 0 ? fmt::format("{}", minutes / 60)
                               : fmt::format("{:.1f}", static_cast<double>(minutes) / 60.0);
    };
    finding.slurm_does += " It ends the job at --time, once.";
    finding.output_does +=
        fmt::format(" The time limit holds for each attempt; at worst ({} + 1) x {} hours",
                    default_retries, hours(*time->minutes));
    const std::int64_t most = (default_retries + 1) * *time->minutes;
    finding.output_does += gpus > 0 ? fmt::format(" x {} GPU{} = {} GPU hours.", gpus,
                                                  gpus == 1 ? "" : "s", hours(product(most, gpus)))
                                    : fmt::format(" = {} hours.", hours(most));
  }
  finding.choices = {fmt::format("retries={}", default_retries), "no retries",
                     "interruptible=True and retries, where spot machines are allowed"};
  finding.default_ = finding.choices[0];
  finding.config_key = "requeue.retries";
  const auto id = context.findings.add(std::move(finding));
  ir::Sourced<std::int64_t> retries;
  retries.value = default_retries;
  retries.asked = context.asked("requeue");
  retries.spans = spans;
  retries.reviews.push_back(review_comment(
      "S2F220",
      context.job.resume && context.job.restarts.empty()
          ? again(*context.job.resume)
          : "Slurm requeues after a node failure; a retry also follows a failed command."));
  context.job.retries = std::move(retries);
  context.settle("requeue", review::Disposition::decision, "retries", "S2F220", id);
}

} // namespace s2f::passes
