// A job's environment: name, resources, queue, files.
#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "lower/parts.hpp"
#include "site/site.hpp"

namespace s2f::lower {

namespace {

template <typename T> flyte::Notes notes_of(const ir::Sourced<T>& sourced) {
  flyte::Notes notes;
  notes.trailing = sourced.asked;
  notes.spans = sourced.spans;
  return notes;
}

flyte::Noted<flyte::Expr> noted(flyte::Expr value, flyte::Notes notes) {
  return {std::move(value), std::move(notes)};
}

flyte::Resources resources(LowerContext& context, const ir::Job& job) {
  flyte::Resources result;
  const ir::Resources& asked = job.resources;
  const auto notes_of = [&](const auto& sourced) {
    flyte::Notes notes = lower::notes_of(sourced);
    add_comments(context.sources, job, sourced.spans, notes);
    return notes;
  };
  if (asked.cpus) {
    result.cpu = noted(flyte::number(fmt::format("{}", asked.cpus->value)), notes_of(*asked.cpus));
  }
  if (asked.memory_mib) {
    result.memory = noted(flyte::str(flyte::quantity_of_mib(asked.memory_mib->value)),
                          notes_of(*asked.memory_mib));
  }
  if (asked.gpus) {
    const auto& gpus = asked.gpus->value;
    flyte::GpuChoice choice = flyte::gpu_choice(gpus.type, gpus.count);
    flyte::Notes notes = notes_of(*asked.gpus);
    if (!choice.on_list) {
      review::Finding finding;
      finding.rule = "S2F204";
      if (!notes.spans.empty()) {
        finding.span = notes.spans.front();
      }
      finding.message = fmt::format("{}: {}", asked.gpus->asked, choice.why);
      finding.slurm_does = "The site gives its GPUs their names.";
      finding.output_does = "The module asks for it as the table of GPUs says; the name must be "
                            "one that your cluster's nodes carry.";
      finding.choices = {"as written", "another GPU",
                         "any GPU: gpu=" + fmt::format("{}", gpus.count)};
      finding.default_ = finding.choices[0];
      finding.config_key = site::key_of("gpus", gpus.type);
      context.findings.add(std::move(finding));
      notes.above.push_back(fmt::format("REVIEW S2F204: {}: {}", asked.gpus->asked, choice.why));
    }
    result.gpu = noted(std::move(choice.value), std::move(notes));
    flyte::Notes shared;
    shared.trailing = "/dev/shm was the node's; a container's is 64 MB";
    result.shm = noted(flyte::str("auto"), std::move(shared));
  }
  if (asked.shm && !asked.gpus) {
    flyte::Notes shared;
    shared.trailing = "for a DataLoader; a container's /dev/shm is 64 MB";
    result.shm = noted(flyte::str("auto"), std::move(shared));
  }
  if (asked.disk_mib) {
    result.disk =
        noted(flyte::str(flyte::quantity_of_mib(asked.disk_mib->value)), notes_of(*asked.disk_mib));
  }
  return result;
}

// replicas=4, nproc_per_node=8, runtime=..., failure_policy=...
void clustered(const ir::Cluster& cluster, const ir::Cluster::Ranks& ranks,
               flyte::Environment& environment) {
  const auto add = [&](std::string keyword, flyte::Expr value, flyte::Notes notes) {
    flyte::Arg argument = flyte::arg(std::move(keyword), std::move(value));
    argument.notes = std::move(notes);
    environment.more.push_back(std::move(argument));
  };
  const auto number = [](std::int64_t value) { return flyte::number(fmt::format("{}", value)); };
  environment.type = "ClusteredTaskEnvironment";
  add("replicas", number(cluster.replicas.value), notes_of(cluster.replicas));
  add("nproc_per_node", number(cluster.processes.value), notes_of(cluster.processes));
  std::vector<flyte::Arg> runtime;
  flyte::Notes notes;
  notes.spans = {cluster.span};
  if (!ranks.backend.empty()) {
    runtime.push_back(flyte::arg("rdzv_backend", flyte::str(ranks.backend)));
    notes.trailing = ranks.backend_asked.empty()
                         ? fmt::format("{} --rdzv_backend={}", ranks.launcher, ranks.backend)
                         : ranks.backend_asked;
  }
  if (ranks.restarts > 0) {
    runtime.push_back(flyte::arg("max_restarts", number(ranks.restarts)));
    notes.trailing +=
        fmt::format("{}--max_restarts={}", notes.trailing.empty() ? "" : ", ", ranks.restarts);
  }
  if (ranks.jax()) {
    add("runtime", flyte::call("JaxRun", {}), {});
  } else if (!runtime.empty()) {
    add("runtime", flyte::call("TorchRun", std::move(runtime)), std::move(notes));
  }
  if (ranks.restart_on_host_maintenance) {
    flyte::Notes asked;
    asked.trailing = ranks.restart_asked;
    add("failure_policy",
        flyte::call("ClusterFailurePolicy",
                    {flyte::arg("restart_on_host_maintenance", flyte::name("True"))}),
        std::move(asked));
  }
}

// The node of a Ray cluster, and the cluster: a head and as many workers as there are other nodes.
void ray(const ir::Cluster& cluster, const std::string& node, flyte::Environment& environment) {
  const auto resources = [&] {
    return std::vector<flyte::Arg>{flyte::arg("requests", flyte::name(node)),
                                   flyte::arg("limits", flyte::name(node))};
  };
  std::vector<flyte::Arg> worker{flyte::arg("group_name", flyte::str("workers"))};
  flyte::Arg replicas =
      flyte::arg("replicas", flyte::number(fmt::format("{}", cluster.replicas.value)));
  replicas.notes = notes_of(cluster.replicas);
  worker.push_back(std::move(replicas));
  for (flyte::Arg& each : resources()) {
    worker.push_back(std::move(each));
  }
  flyte::ListExpr groups;
  groups.elements.push_back(flyte::arg(flyte::call("WorkerNodeConfig", std::move(worker))));
  flyte::Arg plugin = flyte::arg(
      "plugin_config",
      flyte::call("RayJobConfig",
                  {flyte::arg("head_node_config", flyte::call("HeadNodeConfig", resources())),
                   flyte::arg("worker_node_config", flyte::Expr{std::move(groups)}),
                   flyte::arg("shutdown_after_job_finishes", flyte::name("True"))}));
  plugin.notes.spans = {cluster.span};
  environment.more.push_back(std::move(plugin));
}

// The workers of a Dask cluster, and a scheduler like one of them.
void dask(const ir::Cluster& cluster, const std::string& worker, flyte::Environment& environment) {
  flyte::Arg count =
      flyte::arg("number_of_workers", flyte::number(fmt::format("{}", cluster.replicas.value)));
  count.notes = notes_of(cluster.replicas);
  flyte::Arg plugin = flyte::arg(
      "plugin_config",
      flyte::call(
          "Dask",
          {flyte::arg("scheduler",
                      flyte::call("Scheduler", {flyte::arg("resources", flyte::name(worker))})),
           flyte::arg("workers", flyte::call("WorkerGroup",
                                             {std::move(count),
                                              flyte::arg("resources", flyte::name(worker))}))}));
  plugin.notes.spans = {cluster.span};
  environment.more.push_back(std::move(plugin));
}

// The executors, each with what a node had, and the driver, which is the task itself.
void spark(const ir::Cluster& cluster, const ir::Cluster::Spark& spark,
           flyte::Environment& environment) {
  flyte::DictExpr conf;
  flyte::Arg instances = flyte::arg(flyte::str(fmt::format("{}", cluster.replicas.value)));
  instances.key = flyte::str("spark.executor.instances");
  instances.notes = notes_of(cluster.replicas);
  conf.elements.push_back(std::move(instances));
  for (const auto& [key, value] : spark.conf) {
    flyte::Arg element = flyte::arg(flyte::str(value));
    element.key = flyte::str(key);
    conf.elements.push_back(std::move(element));
  }
  flyte::Arg plugin =
      flyte::arg("plugin_config",
                 flyte::call("Spark", {flyte::arg("spark_conf", flyte::Expr{std::move(conf)})}));
  plugin.notes.spans = {cluster.span};
  environment.more.push_back(std::move(plugin));
}

// A part of what a node has.
template <typename T> void divide(std::optional<ir::Sourced<T>>& value, std::int64_t parts) {
  if (value) {
    value->value /= parts;
    value->asked += fmt::format(", a {} of it", parts == 2 ? "half" : fmt::format("{}th", parts));
  }
}

} // namespace

flyte::Resources worker_resources(LowerContext& context, const ir::Job& job) {
  ir::Job worker;
  worker.resources = job.resources;
  const std::int64_t parts = job.cluster->processes.value;
  if (parts > 1) {
    divide(worker.resources.cpus, parts);
    divide(worker.resources.memory_mib, parts);
    divide(worker.resources.disk_mib, parts);
    if (worker.resources.gpus) {
      worker.resources.gpus->value.count /= parts;
    }
  }
  return resources(context, worker);
}

std::string ray_node(const ir::Job& job) {
  std::string name = job.function + (job.cluster->dask() != nullptr ? "_WORKER" : "_NODE");
  std::ranges::transform(name, name.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return name;
}

flyte::Environment environment(LowerContext& context, const ir::Job& job,
                               flyte::Noted<flyte::Expr> image) {
  flyte::Environment result;
  result.variable = job.function + "_env";
  result.name.value = job.environment_name;
  result.name.notes.trailing = job.name_asked;
  result.name.notes.spans = job.name_spans;
  add_comments(context.sources, job, job.name_spans, result.name.notes);
  result.image = std::move(image);
  result.resources = resources(context, job);
  if (job.queue) {
    flyte::Notes notes;
    notes.spans = job.queue->spans;
    // The review's words say what was asked, so nothing else need stand there.
    notes.trailing = job.queue->reviews.empty() ? job.queue->asked : job.queue->reviews.front();
    add_comments(context.sources, job, job.queue->spans, notes);
    result.queue = flyte::Noted<std::string>{job.queue->value, std::move(notes)};
  }
  if (job.interruptible) {
    result.interruptible = noted(flyte::name("True"), notes_of(*job.interruptible));
  }
  if (job.pod_template) {
    flyte::Arg argument = flyte::arg("pod_template", flyte::str(job.pod_template->value));
    argument.notes = notes_of(*job.pod_template);
    result.more.push_back(std::move(argument));
  }
  if (job.replicas) {
    flyte::Arg argument = flyte::arg(
        "reusable",
        flyte::call(
            "flyte.ReusePolicy",
            {flyte::arg("replicas", flyte::number(fmt::format("{}", job.replicas->value)))}));
    argument.notes = notes_of(*job.replicas);
    result.more.push_back(std::move(argument));
  }
  if (job.cached) {
    flyte::Arg argument = flyte::arg("cache", flyte::str("auto"));
    argument.notes = notes_of(*job.cached);
    result.more.push_back(std::move(argument));
  }
  if (!job.secrets.empty()) {
    flyte::Notes notes;
    std::vector<flyte::Arg> secrets;
    for (const ir::Secret& secret : job.secrets) {
      secrets.push_back(flyte::arg(
          flyte::call("flyte.Secret", {flyte::arg(flyte::str(secret.key)),
                                       flyte::arg("as_env_var", flyte::str(secret.variable))})));
      notes.spans.push_back(secret.span);
      if (secret.answered) {
        continue;
      }
      const bool in_script = secret.value_span.end != 0;
      notes.above.push_back(
          in_script ? fmt::format("REVIEW S2F801: {} held a secret in plain text. Revoke it, "
                                  "then put the new one in place: flyte create secret {}",
                                  at(context.sources, secret.span), secret.key)
                    : fmt::format("REVIEW S2F802: {} took ${} from the submitting shell. Put it in "
                                  "place: flyte create secret {}",
                                  at(context.sources, secret.span), secret.variable, secret.key));
    }
    flyte::Expr value = secrets.size() == 1 ? std::move(secrets.front().value)
                                            : flyte::Expr{flyte::ListExpr{std::move(secrets)}};
    result.secrets = noted(std::move(value), std::move(notes));
  }
  result.include = job.include;
  for (const std::string& module : job.environment.local_modules) {
    const auto holds = [&](const std::string& each) {
      return each == module || module.starts_with(each + "/");
    };
    if (std::ranges::none_of(result.include, holds)) {
      result.include.push_back(module);
    }
  }
  if (job.cluster && job.cluster->ray()) {
    ray(*job.cluster, ray_node(job), result);
  } else if (job.cluster && job.cluster->dask() != nullptr) {
    dask(*job.cluster, ray_node(job), result);
  } else if (const auto* of_spark = job.cluster ? job.cluster->spark() : nullptr) {
    spark(*job.cluster, *of_spark, result);
  } else if (const auto* ranks = job.cluster ? job.cluster->ranks() : nullptr) {
    clustered(*job.cluster, *ranks, result);
  }
  std::vector<ir::Comment> comments = job.comments;
  std::erase_if(comments, [&](const ir::Comment& each) {
    return stands_with_setting(context.sources, job, each);
  });
  result.notes.above = paragraphs(comments);
  result.notes.above.insert(result.notes.above.end(), job.reviews.begin(), job.reviews.end());
  return result;
}

} // namespace s2f::lower
