// The names that a module defines at its top level.
#include "flyte/names.hpp"

namespace s2f::flyte {

std::set<std::string, std::less<>> defined_names(const Module& module) {
  std::set<std::string, std::less<>> names;
  for (const auto* list : {&module.constants, &module.between, &module.triggers}) {
    for (const Constant& each : *list) {
      names.insert(each.variable);
    }
  }
  for (const ModuleImport& each : module.imports) {
    names.insert(each.names.begin(), each.names.end());
  }
  for (const Image& each : module.images) {
    names.insert(each.variable);
  }
  for (const Environment& each : module.environments) {
    names.insert(each.variable);
  }
  for (const KeptText& each : module.kept) {
    names.insert(each.variable);
  }
  for (const SlurmTask& each : module.slurm_tasks) {
    names.insert(each.variable);
    names.insert(each.environment);
  }
  for (const Task& each : module.tasks) {
    names.insert(each.function);
  }
  for (const auto& [helper, options] : module.helpers) {
    names.insert(helper);
  }
  if (module.here_parent) {
    names.insert("HERE");
  }
  return names;
}

} // namespace s2f::flyte
