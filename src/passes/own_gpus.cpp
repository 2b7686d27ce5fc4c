// Reads --gpus-per-task, --gpu-bind and --ntasks-per-gpu of a job and of its step.
#include "passes/own_gpus.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include <fmt/format.h>

namespace s2f::passes {

namespace {

std::int64_t number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error != std::errc{} || end != text.data() + text.size() ? 0 : value;
}

// per_task:2, single:1, map_gpu:0,1,2,3
std::int64_t bound(std::string_view bind, std::int64_t gpus) {
  for (const std::string_view loud : {"verbose,", "v,"}) {
    if (bind.starts_with(loud)) {
      bind.remove_prefix(loud.size());
    }
  }
  const auto colon = bind.find(':');
  const std::string_view how = bind.substr(0, colon);
  const std::string_view what = colon == std::string_view::npos ? "" : bind.substr(colon + 1);
  if (how == "per_task") {
    return number(what);
  }
  if (how == "single") { // several tasks to a GPU are not told apart by a number of GPUs
    return number(what) == 1 ? 1 : 0;
  }
  if (how != "map_gpu" && how != "map") {
    return 0;
  }
  std::int64_t next = 0;
  for (std::size_t at = 0; at <= what.size() && !what.empty();) {
    const std::size_t end = std::min(what.find(',', at), what.size());
    if (number(what.substr(at, end - at)) != next || what[at] == '-') {
      return 0;
    }
    ++next;
    at = end + 1;
  }
  return next >= gpus && next > 0 ? 1 : 0;
}

} // namespace

OwnGpus own_gpus(const PassContext& context, const StepOptions& step) {
  const auto gpus = context.component().share.gpus.value_or(0);
  OwnGpus own;
  const auto of_job = [&](std::string_view name) -> std::string {
    const slurm::OptionUse* use = context.winner(name);
    if (use == nullptr || use->origin == slurm::Origin::environment) {
      return "";
    }
    own.span = use->span;
    own.by = context.asked(name);
    return use->value.value_or("");
  };
  if (step.gpu_bind) {
    own.by = "srun --gpu-bind=" + *step.gpu_bind;
    own.each = bound(*step.gpu_bind, gpus);
  } else if (const std::string bind = of_job("gpu-bind"); !bind.empty()) {
    own.each = bound(bind, gpus);
  } else if (step.tasks_per_gpu) {
    own.by = fmt::format("srun --ntasks-per-gpu={}", *step.tasks_per_gpu);
    own.each = *step.tasks_per_gpu == 1 ? 1 : 0;
  } else if (step.gpus_per_task) {
    own.each = step.gpus_each.value_or(0);
    own.by = fmt::format("srun --gpus-per-task={}", own.each);
  } else if (const std::string tasks = of_job("ntasks-per-gpu"); !tasks.empty()) {
    own.each = number(tasks) == 1 ? 1 : 0;
  } else if (const auto& asked = context.component().gpus;
             asked && asked->per == slurm::Per::task) {
    own.each = asked->count;
    (void)of_job("gpus-per-task");
    if (own.by.empty()) {
      own.by = fmt::format("--gpus-per-task={}", own.each);
    }
  }
  if (own.each < 0 || own.each >= gpus) { // all that there are
    own.each = 0;
  }
  return own;
}

void say_own_gpus(PassContext& context, const OwnGpus& own, const Span& where) {
  review::Finding finding;
  finding.rule = "S2F778";
  finding.span = own.span.end > own.span.begin ? own.span : where;
  finding.message =
      fmt::format("{}: each rank sees {}.", own.by,
                  own.each == 1 ? std::string("one GPU, as its device 0")
                                : fmt::format("{} GPUs, as its devices from 0 on", own.each));
  finding.slurm_does = "srun sets CUDA_VISIBLE_DEVICES for each rank.";
  finding.output_does = "The task sets it, by LOCAL_RANK. A program that takes LOCAL_RANK, which "
                        "torchrun sets, for the number of its device finds none of that number.";
  finding.choices = {"each rank sees its own, as under srun",
                     "each sees all of the node's and chooses by LOCAL_RANK: take out own_gpus",
                     "keep the job on Slurm"};
  finding.default_ = finding.choices[0];
  context.findings.add(std::move(finding));
}

} // namespace s2f::passes
