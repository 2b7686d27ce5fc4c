// Answers many inspect requests in one process: JSON lines in, JSON lines out, for the Python
// tests.
//
// A request: {"script": TEXT, "argv": [...], "env": {...}, "name": "script.sbatch", "now": TIME,
// "release": "22.05", "gres_types": ["gpu"]}; all but the script may be left out. The answer is
// that of `inspect --json` with, besides, the controller's refusals, the warnings and what
// variables hold.
#include <cstdio>
#include <iostream>
#include <string>

#include <nlohmann/json.hpp>

#include "slurm/header.hpp"
#include "source/source.hpp"

namespace {

using Json = nlohmann::ordered_json;
using namespace s2f;

slurm::ReadOptions read_options(const Json& request) {
  slurm::ReadOptions options;
  options.arguments = request.value("argv", std::vector<std::string>{});
  options.environment = request.value("env", std::map<std::string, std::string>{});
  options.script_name = request.value("name", "script.sbatch");
  options.release = request.value("release", "");
  if (request.contains("now"))
    options.now = request["now"].get<std::string>();
  if (request.contains("gres_types"))
    options.gres_types = request["gres_types"].get<std::vector<std::string>>();
  return options;
}

Json share_json(const slurm::Share& share) {
  Json out = Json::object();
  out["tasks"] = share.tasks;
  if (share.cpus)
    out["cpus"] = *share.cpus;
  if (share.memory_mib)
    out["memory_mib"] = *share.memory_mib;
  if (share.gpus)
    out["gpus"] = *share.gpus;
  out["cpus_how"] = share.cpus_how;
  out["memory_how"] = share.memory_how;
  out["gpus_how"] = share.gpus_how;
  return out;
}

Json answer(const Json& request) {
  source::Sources sources;
  const auto options = read_options(request);
  const auto& script =
      sources[sources.add(options.script_name, request.value("script", std::string{}))];
  const auto header = slurm::read_header(script, options);
  auto out = Json::parse(slurm::inspect_json(header, slurm::Kind::job));
  out["controller"] = Json::array();
  for (const auto& rejection : header.rejections)
    if (rejection.by_controller)
      out["controller"].push_back(rejection.message);
  out["warnings"] = Json::array();
  for (const auto& warning : header.warnings)
    out["warnings"].push_back({{"line", warning.line}, {"message", warning.message}});
  out["uses"] = Json::array();
  for (const auto& use : header.uses)
    out["uses"].push_back({{"name", use.name},
                           {"spelling", use.spelling},
                           {"value", use.value ? Json(*use.value) : Json(nullptr)},
                           {"line", use.line},
                           {"text", use.line != 0 ? Json(sources.text(use.span)) : Json(nullptr)},
                           {"overridden", use.overridden}});
  out["share"] = share_json(header.components.front().share);
  out["variables"] = Json::object();
  for (const auto& variable : slurm::variable_table()) {
    const auto value = slurm::variable_value(header.components.front(), variable.name);
    if (value.value)
      out["variables"][variable.name] = *value.value;
    else if (value.unset)
      out["variables"][variable.name] = nullptr;
  }
  if (request.contains("id"))
    out["id"] = request["id"];
  return out;
}

} // namespace

int main() {
  std::string line;
  while (std::getline(std::cin, line))
    std::cout << answer(Json::parse(line)).dump(-1, ' ', false, Json::error_handler_t::replace)
              << '\n';
  return 0;
}
