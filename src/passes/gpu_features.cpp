// A feature of --constraint that is a kind of GPU.
//
// before:  #SBATCH --gres=gpu:2 --constraint=a100
// after:   gpus = 2 of the kind a100, with S2F212: the site may mean something else
#include "passes/gpu_features.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "flyte/program.hpp"
#include "passes/site_answers.hpp"

namespace s2f::passes {

bool gpu_feature(PassContext& context, const slurm::OptionUse& use) {
  const std::string feature = use.value.value_or("");
  auto& gpus = context.job.resources.gpus;
  const bool word = !feature.empty() && std::isalpha(static_cast<unsigned char>(feature[0])) != 0 &&
                    feature.find_first_of("&,") == std::string::npos;
  if (!word || !gpus || gpus->value.count <= 0 || !gpus->value.type.empty()) {
    return false;
  }
  const flyte::GpuChoice choice = flyte::gpu_choice(feature, gpus->value.count);
  if (!choice.known || !choice.on_list) {
    return false;
  }
  const std::string asked = context.asked("constraint");
  gpus->value.type = feature;
  gpus->asked += " " + asked;
  for (const Span& span : context.spans("constraint")) {
    gpus->spans.push_back(span);
  }
  review::Finding finding;
  finding.rule = "S2F212";
  finding.span = use.span;
  finding.message = fmt::format("{} names a kind of GPU, which the task asks for.", asked);
  finding.slurm_does = "It runs the job only on nodes to which the site gave that feature.";
  finding.output_does = fmt::format("The task asks for {} GPU{} of that kind.", gpus->value.count,
                                    gpus->value.count == 1 ? "" : "s");
  finding.choices = {"GPUs of that kind", fmt::format("any GPU: gpu={}", gpus->value.count),
                     "a pod template that asks for it: pod_template=\"NAME\" on the environment"};
  finding.default_ = finding.choices[0];
  finding.config_key = site::key_of("constraints", first_feature(feature), "gpu");
  const auto id = context.findings_of(use).add(std::move(finding));
  context.settle("constraint", review::Disposition::decision, "the kind of GPU", "S2F212", id);
  return true;
}

} // namespace s2f::passes
