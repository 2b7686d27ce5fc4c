// CPUs, memory, GPUs and scratch space of one container.
//
// before:  #SBATCH --cpus-per-task=8 --mem-per-cpu=2G
// after:   cpus = 8 (--cpus-per-task=8), memory = 16384 MiB (--mem-per-cpu=2G x 8 CPUs)
#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "ir/steps.hpp"
#include "passes/pipeline.hpp"
#include "passes/slurm_commands.hpp"

namespace s2f::passes {

namespace {

using review::Disposition;

template <typename T>
ir::Sourced<T> sourced(const PassContext& context, T value, std::string asked,
                       std::initializer_list<std::string_view> options) {
  ir::Sourced<T> result;
  result.value = std::move(value);
  result.asked = std::move(asked);
  for (const std::string_view option : options) {
    for (const Span& span : context.spans(option)) {
      result.spans.push_back(span);
    }
  }
  return result;
}

// --ntasks=8, and nothing starts eight of anything.
bool tasks_run_once(const PassContext& context) {
  const bool started = std::ranges::any_of(
      context.job.srun_steps, [](const ir::SrunStep& step) { return step.copies > 1; });
  const slurm::Component& component = context.component();
  return component.share.tasks > 1 && has_one_node(component) && !context.job.cluster && !started;
}

void cpus(PassContext& context) {
  const slurm::Share& share = context.component().share;
  if (share.cpus && !share.cpus_how.empty()) {
    context.job.resources.cpus =
        sourced(context, *share.cpus, share.cpus_how,
                {"cpus-per-task", "ntasks", "ntasks-per-node", "nodes", "cpus-per-gpu", "mincpus"});
    context.job.numbers.push_back(
        {share.cpus_how, fmt::format("cpu={}", *share.cpus), share.cpus_how});
  }
  std::optional<review::FindingId> id;
  const bool told = tasks_run_once(context); // by S2F704
  if (share.cpus && share.cpus_how.find(" x ") != std::string::npos && !context.job.cluster &&
      !told) {
    review::Finding finding;
    finding.rule = "S2F202";
    for (const std::string_view option : {"cpus-per-gpu", "tres-per-task", "cpus-per-task"}) {
      for (const Span& span : context.spans(option)) {
        finding.span = span;
      }
    }
    finding.message = fmt::format("{} CPUs: {}.", *share.cpus, share.cpus_how);
    finding.slurm_does = "It holds that many on the node.";
    finding.output_does = fmt::format("One container has them all: cpu={}.", *share.cpus);
    if (const auto* use = context.winner("cpus-per-task"); use != nullptr) {
      id = context.findings_of(*use).add(std::move(finding));
    } else {
      id = context.findings.add(std::move(finding));
    }
  }
  for (const std::string_view option : {"cpus-per-task", "cpus-per-gpu", "mincpus"}) {
    context.settle(option, Disposition::converted, "CPUs of the container", id ? "S2F202" : "", id);
  }
}

// --nodes=4 --ntasks=1: Slurm gives one node.
void fewer_nodes(PassContext& context) {
  const slurm::OptionUse* use = context.winner("nodes");
  const std::string value = use == nullptr ? "" : use->value.value_or("");
  std::int64_t asked = 0;
  std::from_chars(value.data(), value.data() + value.size(), asked);
  const std::int64_t given = nodes_of(context.component());
  if (asked <= given || context.job.cluster) {
    return;
  }
  review::Finding finding;
  finding.rule = "S2F201";
  finding.span = use->span;
  finding.message = fmt::format("The job asks for {} nodes, but for fewer tasks than that.", asked);
  finding.slurm_does = fmt::format("It gives the job {} node{}: no more nodes than tasks.", given,
                                   given == 1 ? "" : "s");
  finding.output_does = given == 1 ? "One container stands for that node."
                                   : "One container stands for the first of them.";
  finding.choices = {"as Slurm does it", "the job was meant to run on all of them: ask for a task "
                                         "on each, --ntasks-per-node=1, and convert it again"};
  finding.default_ = finding.choices[0];
  const auto id = context.findings_of(*use).add(std::move(finding));
  context.settle("nodes", Disposition::decision, "one container stands for the first node",
                 "S2F201", id);
}

// --ntasks=1 --ntasks-per-node=24: one task.
void fewer_tasks(PassContext& context) {
  const slurm::Resolved& r = context.component().resolved;
  const slurm::OptionUse* use = context.winner("ntasks-per-node");
  if (use == nullptr || r.ntasks_per_node.value_or(0) <= r.ntasks || context.job.cluster) {
    return;
  }
  review::Finding finding;
  finding.rule = "S2F704";
  finding.span = use->span;
  finding.message = fmt::format("{} asks for {} tasks a node, but the job has {}.",
                                context.text(use->span), *r.ntasks_per_node, r.ntasks);
  finding.slurm_does = "--ntasks wins: it holds the CPUs of that many tasks.";
  finding.output_does =
      fmt::format("The same: cpu={}.", context.component().share.cpus.value_or(1));
  context.findings_of(*use).add(std::move(finding));
}

void tasks_in_one(PassContext& context) {
  const slurm::Component& component = context.component();
  review::Finding finding;
  finding.rule = "S2F704";
  for (const std::string_view option : {"ntasks", "ntasks-per-node", "ntasks-per-gpu"}) {
    if (const auto* use = context.winner(option); use != nullptr && finding.span.end == 0) {
      finding.span = use->span;
    }
  }
  finding.message =
      fmt::format("The job asks for {} tasks on one node, and starts each of its programs once.",
                  component.share.tasks);
  finding.slurm_does = "It holds the CPUs of all tasks for the script, which runs once.";
  const std::string& how = component.share.cpus_how;
  const bool counted = how.find(" x ") != std::string::npos;
  finding.output_does =
      fmt::format("One container has the CPUs of all {}: cpu={}{}.", component.share.tasks,
                  component.share.cpus.value_or(1), counted ? fmt::format(" ({})", how) : "");
  context.findings.add(std::move(finding));
}

void shape(PassContext& context) {
  const slurm::Component& component = context.component();
  if (nodes_of(component) > 1 && !context.job.stays_on_slurm && !context.job.cluster) {
    review::Finding finding;
    finding.rule = "S2F201";
    // Without --nodes it is the tasks that do not fit on one.
    for (const std::string_view option : {"nodes", "ntasks-per-node", "ntasks"}) {
      const slurm::OptionUse* use = context.winner(option);
      if (use != nullptr && use->origin != slurm::Origin::environment && finding.span.end == 0) {
        finding.span = use->span;
      }
    }
    using Language = ir::Interpreter::Language;
    const Language language = context.job.interpreter.language;
    const bool read =
        language == Language::bash || language == Language::sh || language == Language::ksh;
    finding.message = fmt::format(
        "The job asks for {} nodes; {}.", nodes_of(component),
        read ? "no srun or launcher in it starts anything on more than the first"
             : "what it starts on them is not read, as it is no script of a Bourne shell");
    finding.slurm_does = "It holds all the nodes and runs the script on the first one.";
    finding.output_does = "One container stands for that first node.";
    finding.choices = {
        "one container is enough",
        "the program starts processes on the other nodes by itself: keep it on Slurm"};
    finding.default_ = finding.choices[0];
    const auto id = context.findings.add(std::move(finding));
    context.settle("nodes", Disposition::decision, "one container stands for the first node",
                   "S2F201", id);
  }
  fewer_nodes(context);
  const bool several = component.share.tasks > 1;
  fewer_tasks(context);
  if (tasks_run_once(context)) {
    tasks_in_one(context);
  }
  for (const std::string_view option :
       {"nodes", "ntasks", "ntasks-per-node", "ntasks-per-gpu", "ntasks-per-tres"}) {
    context.settle(option, several ? Disposition::converted : Disposition::platform,
                   several ? "counted into the CPUs of one container"
                           : "one container is one node with one task");
  }
}

void memory(PassContext& context) {
  const slurm::Share& share = context.component().share;
  if (share.whole_node_memory) {
    review::Finding finding;
    finding.rule = "S2F230";
    finding.span = context.spans("mem").empty() ? Span{} : context.spans("mem").front();
    finding.message = "--mem=0 asks for all the memory of a node, which is no number until a kind "
                      "of node is chosen.";
    finding.slurm_does = "It grants the whole memory of the node.";
    finding.output_does = "It asks for no amount, so the deployment's default applies.";
    finding.choices = {"name an amount: memory=\"...Gi\"", "leave it to the deployment's default"};
    finding.default_ = finding.choices[1];
    const auto id = context.findings.add(std::move(finding));
    context.settle("mem", Disposition::decision, "the whole node's memory has no number in Flyte",
                   "S2F230", id);
    context.job.reviews.push_back(review_comment(
        "S2F230", fmt::format("{}: all the memory of a node; name an amount, memory=\"...Gi\".",
                              context.asked("mem"))));
  } else if (share.memory_mib && !share.memory_how.empty()) {
    context.job.resources.memory_mib = sourced(context, *share.memory_mib, share.memory_how,
                                               {"mem", "mem-per-cpu", "mem-per-gpu"});
    context.job.numbers.push_back(
        {share.memory_how, fmt::format("{} MiB", *share.memory_mib), share.memory_how});
  } else if (!context.job.submits || !context.job.header.lines.empty()) { // not of a driver
    review::Finding finding;
    finding.rule = "S2F203";
    finding.span = context.job.interpreter.span;
    finding.message = "The job asks for no memory.";
    finding.slurm_does = "It grants the partition's default.";
    finding.output_does =
        "It asks for none either: the deployment's default applies, which may be small.";
    context.findings.add(std::move(finding));
  }
  for (const std::string_view option : {"mem", "mem-per-cpu", "mem-per-gpu"}) {
    context.settle(option, Disposition::converted, "memory of the container");
  }
}

// The GPU that the site file names for Slurm's name of it, or for the partition.
std::optional<site::Answer<std::string>> site_gpu(const PassContext& context,
                                                  const std::string& type) {
  if (!type.empty()) {
    return context.answers.text("gpus", type, "");
  }
  const slurm::OptionUse* partition = context.winner("partition");
  const std::string list = partition != nullptr ? partition->value.value_or("") : "";
  return context.answers.text("partitions", list.substr(0, list.find(',')), "gpu");
}

// Whether one of the list is no GPU: gpu:2,tmpdisk:100.
bool names_another(std::string_view list) {
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    std::string_view one = list.substr(at, end - at);
    if (one.starts_with("gres:")) {
      one.remove_prefix(std::string_view("gres:").size());
    }
    if (!one.empty() && one != "gpu" && !one.starts_with("gpu:")) {
      return true;
    }
    at = end + 1;
  }
  return false;
}

void gpus(PassContext& context) {
  const slurm::Share& share = context.component().share;
  if (share.gpus && *share.gpus > 0) {
    context.job.resources.gpus =
        sourced(context, ir::Gpus{*share.gpus, share.gpu_type}, share.gpus_how,
                {"gres", "gpus", "gpus-per-node", "gpus-per-task", "gpus-per-socket",
                 "tres-per-task", "ntasks-per-gpu", "ntasks-per-tres"});
    if (const auto answer = site_gpu(context, share.gpu_type)) {
      auto& given = *context.job.resources.gpus;
      given.value.type = answer->value == "any" ? "" : answer->value;
      given.asked += fmt::format(" ({})", answer->place);
    }
  }
  // A gres that is no GPU has nothing to stand for it.
  const slurm::OptionUse* gres = context.winner("gres");
  if (gres != nullptr && gres->value && *gres->value != "none" &&
      (!slurm::parse_gres(*gres->value) || names_another(*gres->value))) {
    review::Finding finding;
    finding.rule = "S2F204";
    finding.span = gres->span;
    finding.message =
        fmt::format("{} asks for something other than a GPU; nothing in Flyte stands for it.",
                    context.asked("gres"));
    finding.slurm_does = "It grants the node's generic resource.";
    finding.output_does = "It asks for nothing in its place.";
    finding.choices = {"not needed", "pod_template=\"NAME\" of a template that asks for it"};
    finding.default_ = finding.choices[0];
    const auto id = context.findings.add(std::move(finding));
    context.settle("gres", Disposition::decision, "no counterpart for a resource that is no GPU",
                   "S2F204", id);
  }
  for (const std::string_view option :
       {"gres", "gpus", "gpus-per-node", "gpus-per-task", "gpus-per-socket", "tres-per-task"}) {
    context.settle(option, share.gpus == 0 ? Disposition::dropped : Disposition::converted,
                   share.gpus == 0 ? "asks for no GPU" : "GPUs of the container");
  }
}

void disk(PassContext& context) {
  const auto mib = context.component().resolved.tmp_mib;
  const slurm::OptionUse* use = context.winner("tmp");
  if (!mib || use == nullptr) {
    context.settle("tmp", Disposition::converted, "disk of the container");
    return;
  }
  context.job.resources.disk_mib = sourced(context, *mib, context.asked("tmp"), {"tmp"});
  review::Finding finding;
  finding.rule = "S2F206";
  if (use->origin != slurm::Origin::environment) {
    finding.span = use->span;
  }
  finding.message = fmt::format("{} became the disk of the container.", context.asked("tmp"));
  finding.slurm_does = "It chooses a node whose /tmp is at least as large, and reserves nothing.";
  finding.output_does = fmt::format("The container is given {} MiB of its own.", *mib);
  const auto id = context.findings_of(*use).add(std::move(finding));
  context.settle("tmp", Disposition::converted, "disk of the container", "S2F206", id);
}

// train.py has DataLoader(..., num_workers=8), whose workers hand batches over in /dev/shm.
void shared_memory(PassContext& context) {
  std::string program;
  Span where;
  ir::for_each_step(std::as_const(context.job.body), [&](const ir::Step& step) {
    const auto* launch = std::get_if<ir::Launch>(&step.value);
    const auto path = launch != nullptr && launch->payload ? launch->words[*launch->payload].text()
                                                           : std::nullopt;
    const std::string text =
        program.empty() && path && context.read_file ? context.read_file(*path).value_or("") : "";
    if (text.find("DataLoader(") != std::string::npos &&
        text.find("num_workers") != std::string::npos) {
      program = *path;
      where = step.span;
    }
  });
  if (program.empty()) {
    return;
  }
  context.job.resources.shm = true;
  review::Finding finding;
  finding.rule = "S2F770";
  finding.span = where;
  finding.message = fmt::format("{} loads its data with workers of a DataLoader, which need shared "
                                "memory; shm=\"auto\" is added.",
                                program);
  finding.slurm_does = "The workers hand batches over in /dev/shm, as a rule half of the node's "
                       "memory.";
  finding.output_does = "A container's /dev/shm has 64 MB; by shm=\"auto\" it may grow as the "
                        "task's memory allows.";
  context.findings.add(std::move(finding));
}

} // namespace

void resources(PassContext& context) {
  cpus(context);
  shape(context);
  memory(context);
  gpus(context);
  disk(context);
  shared_memory(context);
}

} // namespace s2f::passes
