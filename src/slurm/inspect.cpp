// The answer of `inspect --json` (schema slurm2flyte-inspect/1).
#include <nlohmann/json.hpp>

#include "slurm/header.hpp"

namespace s2f::slurm {

namespace {

using Json = nlohmann::ordered_json;

template <class T> Json value_or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

std::string_view to_string(Kind kind) {
  switch (kind) {
  case Kind::job:
    return "job";
  case Kind::driver:
    return "driver";
  case Kind::both:
    return "both";
  case Kind::template_:
    return "template";
  case Kind::other:
    return "other";
  }
  return "";
}

Json resolved_json(const Resolved& r) {
  Json out = Json::object();
  out["job_name"] = value_or_null(r.job_name);
  out["partition"] = value_or_null(r.partition);
  out["qos"] = value_or_null(r.qos);
  out["account"] = value_or_null(r.account);
  out["nodes_min"] = r.nodes_min;
  out["nodes_max"] = value_or_null(r.nodes_max);
  out["ntasks"] = r.ntasks;
  out["ntasks_per_node"] = value_or_null(r.ntasks_per_node);
  out["cpus_per_task"] = r.cpus_per_task;
  out["mem_per_node_mib"] = value_or_null(r.mem_per_node_mib);
  out["mem_per_cpu_mib"] = value_or_null(r.mem_per_cpu_mib);
  out["mem_per_gpu_mib"] = value_or_null(r.mem_per_gpu_mib);
  out["time_limit_minutes"] = value_or_null(r.time_limit_minutes);
  out["gpus_per_node"] = value_or_null(r.gpus_per_node);
  out["gpu_type"] = value_or_null(r.gpu_type);
  out["gpus_total"] = value_or_null(r.gpus_total);
  out["tmp_mib"] = value_or_null(r.tmp_mib);
  out["array"] = value_or_null(r.array);
  out["array_throttle"] = value_or_null(r.array_throttle);
  out["dependency"] = value_or_null(r.dependency);
  out["begin"] = value_or_null(r.begin);
  out["requeue"] = value_or_null(r.requeue);
  out["exclusive"] = value_or_null(r.exclusive);
  out["constraint"] = value_or_null(r.constraint);
  out["signal"] = value_or_null(r.signal);
  out["export"] = value_or_null(r.export_);
  out["stdout"] = value_or_null(r.stdout_);
  out["stderr"] = value_or_null(r.stderr_);
  out["chdir"] = value_or_null(r.chdir);
  return out;
}

Json component_json(const Component& component) {
  Json options = Json::object();
  for (const auto& [name, value] : component.effective)
    options[name] = value;
  return Json{{"effective_options", std::move(options)},
              {"resolved", resolved_json(component.resolved)}};
}

} // namespace

std::string inspect_json(const Header& header, Kind kind) {
  auto rejections = Json::array();
  for (const auto& rejection : header.rejections)
    // What only a controller refuses does not make sbatch refuse: `accepted` is about sbatch.
    if (!rejection.by_controller)
      rejections.push_back({{"line", rejection.line}, {"message", rejection.message}});
  auto inert = Json::array();
  for (const auto& line : header.inert)
    inert.push_back({{"line", line.line}, {"text", line.text}, {"why", line.why}});
  auto components = Json::array();
  if (header.components.size() > 1)
    for (const auto& component : header.components)
      components.push_back(component_json(component));
  auto first = component_json(header.components.front());
  Json out = Json::object();
  out["schema"] = "slurm2flyte-inspect/1";
  out["kind"] = to_string(kind);
  out["accepted"] = header.accepted();
  out["rejections"] = std::move(rejections);
  out["effective_options"] = std::move(first["effective_options"]);
  out["resolved"] = std::move(first["resolved"]);
  out["components"] = std::move(components);
  out["inert_directives"] = std::move(inert);
  // Bytes that are no text are replaced, so that the answer is always JSON.
  return out.dump(2, ' ', false, Json::error_handler_t::replace);
}

} // namespace s2f::slurm
