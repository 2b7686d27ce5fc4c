// Answers of the site file that are no option's own: modules, environments, features, accounts, the
// default image, and how many GPUs there are.
//
// before:  module load gromacs/2024       with [modules."gromacs*"] image = "ghcr.io/lab/gromacs:1"
// after:   the image is that one, and nothing is left to decide
#include "passes/site_answers.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "passes/gpu_features.hpp"
#include "passes/pipeline.hpp"

namespace s2f::passes {

namespace {

using review::Disposition;
using Text = std::optional<site::Answer<std::string>>;

void add_packages(std::vector<ir::Sourced<std::string>>& to,
                  const site::Answer<std::vector<std::string>>& from, const Span& span) {
  for (const std::string& package : from.value) {
    const bool there =
        std::ranges::any_of(to, [&](const auto& one) { return one.value == package; });
    if (!there) {
      to.push_back({package, from.place, {span}, {}});
    }
  }
}

void add_pip(ir::Environment& environment, const site::Answer<std::vector<std::string>>& from,
             const Span& span) {
  ir::PipLayer layer;
  add_packages(layer.packages, from, span);
  environment.pip.push_back(std::move(layer));
}

// "3.11", which the site file's reader has checked.
std::optional<std::pair<int, int>> version_of(const std::string& text) {
  int minor = 0;
  const auto dot = text.find('.');
  if (dot == std::string::npos) {
    return std::nullopt;
  }
  std::from_chars(text.data() + dot + 1, text.data() + text.size(), minor);
  return std::pair{3, minor};
}

void base_image(PassContext& context, const site::Answer<std::string>& image,
                std::vector<Span> spans) {
  if (!context.job.environment.base_image) {
    context.job.environment.base_image = {image.value, image.place, std::move(spans), {}};
  }
}

std::vector<std::string> features_of(const std::string& constraint) {
  std::vector<std::string> features;
  for (std::size_t begin = 0; begin <= constraint.size();) {
    const auto end = std::min(constraint.find('&', begin), constraint.size());
    features.push_back(constraint.substr(begin, end - begin));
    begin = end + 1;
  }
  return features;
}

// What one feature means; nothing where the site file does not say.
std::optional<std::string> answered_feature(PassContext& context, const std::string& feature) {
  if (const auto ignore = context.answers.flag("constraints", feature, "ignore");
      ignore && ignore->value) {
    return fmt::format("{} does not matter, by {}", feature, ignore->place);
  }
  if (const auto gpu = context.answers.text("constraints", feature, "gpu")) {
    auto& gpus = context.job.resources.gpus;
    if (gpus && gpus->value.type.empty()) {
      gpus->value.type = gpu->value == "any" ? "" : gpu->value;
      gpus->asked += fmt::format(" and {} ({})", context.asked("constraint"), gpu->place);
    }
    return fmt::format("{} is the GPU {}, by {}", feature, gpu->value, gpu->place);
  }
  if (const auto name = context.answers.text("constraints", feature, "pod_template")) {
    if (use_pod_template(context, *name, context.asked("constraint"),
                         context.spans("constraint"))) {
      return fmt::format("{} is what the pod template {} asks for, by {}", feature, name->value,
                         name->place);
    }
  }
  return std::nullopt;
}

} // namespace

std::string first_feature(const std::string& constraint) {
  const auto begin = std::min(constraint.find_first_not_of("[("), constraint.size());
  const auto end = std::min(constraint.find_first_of("&|*,])", begin), constraint.size());
  return constraint.substr(begin, end - begin);
}

bool use_pod_template(PassContext& context, const site::Answer<std::string>& name,
                      const std::string& asked, std::vector<Span> spans) {
  auto& current = context.job.pod_template;
  if (!current) {
    current = {name.value, fmt::format("{} ({})", asked, name.place), std::move(spans), {}};
  }
  return current->value == name.value;
}

std::optional<std::string> answered_module(PassContext& context, const std::string& full,
                                           const Span& span) {
  ir::Environment& environment = context.job.environment;
  const std::string bare = full.substr(0, full.find('/'));
  for (const std::string& name : {full, bare}) {
    const auto& answers = context.answers;
    const auto ignore = answers.flag("modules", name, "ignore");
    const auto packages = answers.texts("modules", name, "packages");
    const auto apt = answers.texts("modules", name, "apt");
    const auto image = answers.text("modules", name, "image");
    const auto python = answers.text("modules", name, "python");
    std::string place;
    if (packages) {
      add_pip(environment, *packages, span);
      place = packages->place;
    }
    if (apt) {
      add_packages(environment.apt, *apt, span);
      place = apt->place;
    }
    if (image) {
      base_image(context, *image, {span});
      place = image->place;
    }
    if (python) {
      environment.python = {
          *version_of(python->value), fmt::format("{} ({})", full, python->place), {span}, {}};
      place = python->place;
    }
    if (!place.empty()) {
      return fmt::format("{} is in the image, by {}", full, place);
    }
    if (ignore && ignore->value) {
      return fmt::format("{} is not needed, by {}", full, ignore->place);
    }
  }
  return std::nullopt;
}

std::optional<std::string> answered_environment(PassContext& context, const std::string& target,
                                                const Span& span) {
  ir::Environment& environment = context.job.environment;
  const auto packages = context.answers.texts("environments", target, "packages");
  const auto requirements = context.answers.text("environments", target, "requirements");
  const auto image = context.answers.text("environments", target, "image");
  std::string place;
  if (packages) {
    add_pip(environment, *packages, span);
    place = packages->place;
  }
  if (requirements) {
    ir::PipLayer layer;
    layer.files.push_back({requirements->value, requirements->place, {span}, {}});
    environment.pip.push_back(std::move(layer));
    place = requirements->place;
  }
  if (image) {
    base_image(context, *image, {span});
    place = image->place;
  }
  if (place.empty()) {
    return std::nullopt;
  }
  return fmt::format("the image stands for it, by {}", place);
}

// --account to a Flyte project; a queue for it is the queue pass's business.
void account(PassContext& context) {
  const slurm::OptionUse* use = context.winner("account");
  if (use == nullptr) {
    return;
  }
  const auto project = context.answers.text("accounts", use->value.value_or(""), "project");
  if (!project) {
    return;
  }
  context.settle("account", Disposition::converted,
                 fmt::format("run it in the project {}, by {}", project->value, project->place));
  if (use->origin != slurm::Origin::environment) {
    context.job.not_carried.push_back(
        {fmt::format("{} {}: run it in the project {} (flyte run --project {})",
                     context.at(use->span), context.asked("account"), project->value,
                     project->value),
         use->span});
  }
}

// --constraint whose features all have an answer.
void constraint(PassContext& context) {
  const slurm::OptionUse* use = context.winner("constraint");
  if (use == nullptr || use->value.value_or("").find_first_of("|*[]()") != std::string::npos) {
    return;
  }
  const ir::Job before = context.job;
  std::vector<std::string> said;
  for (const std::string& feature : features_of(use->value.value_or(""))) {
    auto answer = answered_feature(context, feature);
    if (!answer) {
      context.job = before;
      (void)gpu_feature(context, *use);
      return;
    }
    said.push_back(std::move(*answer));
  }
  context.settle("constraint", Disposition::converted, fmt::format("{}", fmt::join(said, "; ")));
}

void default_image(PassContext& context) {
  ir::Environment& environment = context.job.environment;
  if (const auto python = context.answers.text("image", "", "python");
      python && !environment.python) {
    environment.python = {*version_of(python->value), python->place, {}, {}};
  }
  if (const auto image = context.answers.text("image", "", "default")) {
    base_image(context, *image, {});
  }
}

// An array that could hold more GPUs at once than there are.
void gpu_limit(PassContext& context) {
  const auto limit = context.answers.number("limits", "", "cluster_gpus");
  const auto& gpus = context.job.resources.gpus;
  if (!limit || !gpus) {
    return;
  }
  std::int64_t tasks = 1;
  if (context.job.array) {
    const auto& spec = context.job.array->spec;
    tasks = static_cast<std::int64_t>(spec.indices.size());
    tasks = spec.throttle ? std::min(tasks, *spec.throttle) : tasks;
  }
  if (gpus->value.count <= 0 || tasks <= limit->value / gpus->value.count) {
    return;
  }
  review::Finding finding;
  finding.rule = "S2F904";
  finding.span = gpus->spans.empty() ? context.job.interpreter.span : gpus->spans.front();
  finding.message =
      fmt::format("{} task{} of {} GPUs at once, and {} says that there are {}.", tasks,
                  tasks == 1 ? "" : "s", gpus->value.count, limit->place, limit->value);
  finding.slurm_does = "It starts what fits, and lets the others wait.";
  finding.output_does = "It starts all that may run at once; what does not fit waits for a node.";
  context.findings.add(std::move(finding));
}

} // namespace s2f::passes
