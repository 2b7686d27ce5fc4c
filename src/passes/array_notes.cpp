// What Flyte has for an array beyond a map.
//
// before:  array = {0..499}, time_minutes = 5
// after:   S2F344; with [arrays] replicas = 10 in the site file: replicas = 10
//
// Nothing of it is done unasked.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "passes/pipeline.hpp"

namespace s2f::passes {

namespace {

constexpr std::size_t many_elements = 100;
constexpr std::int64_t few_minutes = 10;

Span span_of(const PassContext& context) {
  const auto& spans = context.job.array->spans;
  return spans.empty() ? context.job.interpreter.span : spans.front();
}

// Many elements of a few minutes each, each of which starts a container.
void shared_containers(PassContext& context) {
  ir::Job& job = context.job;
  if (job.array->spec.indices.size() < many_elements || !job.time_minutes ||
      job.time_minutes->value > few_minutes || job.cluster) {
    return;
  }
  if (const auto replicas = context.answers.number("arrays", "", "replicas")) {
    if (replicas->value > 0) {
      job.replicas = {replicas->value, replicas->place, {}, {}};
      ir::PipLayer layer;
      layer.packages.push_back({"unionai-reuse", replicas->place, {}, {}});
      job.environment.pip.push_back(std::move(layer));
    }
    return;
  }
  review::Finding finding;
  finding.rule = "S2F344";
  finding.span = span_of(context);
  finding.message = fmt::format("{} elements of at most {} minutes each start as many containers.",
                                job.array->spec.indices.size(), job.time_minutes->value);
  finding.slurm_does = "It starts each on a node that runs already.";
  finding.output_does =
      "Each element starts a container of its own. With flyte.ReusePolicy they share some: that "
      "saves the start of the pod, not what the program loads; globals of the module survive from "
      "one element to the next, the image must hold unionai-reuse, and concurrency above 1 is for "
      "async tasks.";
  finding.config_key = "arrays.replicas";
  context.findings.add(std::move(finding));
}

// Whether all that an element depends on is among its parameters and bundled files.
bool all_declared(const PassContext& context) {
  static constexpr std::array others{"S2F403", "S2F601", "S2F603", "S2F604",
                                     "S2F605", "S2F612", "S2F801"};
  const ir::Job& job = context.job;
  return job.kept.empty() && !job.cluster && job.secrets.empty() && job.temporary.empty() &&
         job.array->index_used + job.array->items.size() > 0 &&
         std::ranges::none_of(context.findings.all(), [](const review::Finding& finding) {
           return std::ranges::find(others, finding.rule) != others.end();
         });
}

void cached(PassContext& context) {
  ir::Job& job = context.job;
  if (job.array->spec.indices.size() < 2 || !all_declared(context)) {
    return;
  }
  if (const auto cache = context.answers.flag("arrays", "", "cache")) {
    if (cache->value) {
      job.cached = {true, cache->place, {}, {}};
    }
    return;
  }
  review::Finding finding;
  finding.rule = "S2F345";
  finding.span = span_of(context);
  finding.message = "All that an element is given is a parameter or lies beside the script.";
  finding.slurm_does = "Whoever submits the array again runs every element again.";
  finding.output_does = "The same. With cache=\"auto\" a run after a failed one runs only what did "
                        "not succeed; that is right for programs that give the same for the same.";
  finding.config_key = "arrays.cache";
  context.findings.add(std::move(finding));
}

} // namespace

void array_notes(PassContext& context) {
  if (!context.job.array || !context.job.array->mapped() || context.job.stays_on_slurm) {
    return;
  }
  shared_containers(context);
  cached(context);
}

} // namespace s2f::passes
