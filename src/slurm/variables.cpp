// The SLURM_* variables of the batch shell, as far as the header tells them.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "generated/tables/slurm_variables.hpp"
#include "slurm/header.hpp"
#include "slurm/text.hpp"

namespace s2f::slurm {

namespace {

constexpr auto infos = [] {
  std::array<VariableInfo, tables::slurm_variables.size()> out{};
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto& row = tables::slurm_variables[i];
    out[i] = {row.name, row.meaning, row.set_when, row.counterpart};
  }
  return out;
}();

VariableValue known(std::string value, std::string how) {
  return {.value = std::move(value), .unset = false, .how = std::move(how)};
}

VariableValue at_run_time() { return {}; }

// The value of an option in force, as Slurm shows it.
VariableValue of_option(const Component& component, std::string_view option) {
  const auto found = component.effective.find(std::string(option));
  if (found == component.effective.end())
    return {.value = {}, .unset = true, .how = fmt::format("no --{}", option)};
  return known(found->second, fmt::format("--{}={}", option, found->second));
}

VariableValue of_number(std::optional<std::int64_t> number, std::string_view option) {
  if (!number)
    return {.value = {}, .unset = true, .how = fmt::format("no --{}", option)};
  return known(std::to_string(*number), fmt::format("--{}", option));
}

VariableValue of_array(const Component& component, std::string_view name) {
  if (!component.array || component.array->indices.empty())
    return {.value = {}, .unset = true, .how = "not an array"};
  const auto& indices = component.array->indices;
  const auto how = fmt::format("--array={}", component.array->text);
  if (name == "SLURM_ARRAY_TASK_COUNT")
    return known(std::to_string(indices.size()), how);
  if (name == "SLURM_ARRAY_TASK_MIN")
    return known(std::to_string(indices.front()), how);
  if (name == "SLURM_ARRAY_TASK_MAX")
    return known(std::to_string(indices.back()), how);
  if (name == "SLURM_ARRAY_TASK_STEP") {
    // Slurm gives the step of an array that has one, and 1 otherwise.
    const auto step = indices.size() > 1 ? indices[1] - indices[0] : 1;
    bool even = true;
    for (std::size_t i = 1; i < indices.size(); ++i)
      even = even && indices[i] - indices[i - 1] == step;
    return known(std::to_string(even ? step : 1), how);
  }
  return at_run_time();
}

// "7" for 7, "4(x2)" for 4 on each of 2 nodes.
std::string on_each_node(std::int64_t count, std::int64_t nodes) {
  return nodes == 1 ? std::to_string(count) : fmt::format("{}(x{})", count, nodes);
}

VariableValue of_always(const Component& component, std::string_view name) {
  const auto& r = component.resolved;
  if (name == "SLURM_JOB_NAME")
    return r.job_name ? known(*r.job_name, "the name of the job") : at_run_time();
  if (name == "SLURM_JOB_NUM_NODES" || name == "SLURM_NNODES") {
    // A range of nodes is settled when the job starts.
    const bool fixed = r.nodes_max ? *r.nodes_max == r.nodes_min : r.ntasks <= 1;
    return fixed ? known(std::to_string(r.nodes_min), "--nodes") : at_run_time();
  }
  if (name == "SLURM_JOB_PARTITION")
    return r.partition && !r.partition->contains(',') ? known(*r.partition, "--partition")
                                                      : at_run_time();
  if (name == "SLURM_TASKS_PER_NODE") {
    const bool fixed = r.nodes_max && *r.nodes_max == r.nodes_min && r.ntasks_per_node &&
                       *r.ntasks_per_node * r.nodes_min == r.ntasks;
    return fixed ? known(on_each_node(*r.ntasks_per_node, r.nodes_min), "--ntasks-per-node")
                 : at_run_time();
  }
  if (name == "SLURM_CPUS_ON_NODE" || name == "SLURM_JOB_CPUS_PER_NODE") {
    // What was not asked for, and more than was, is for Slurm to say.
    if (!component.share.cpus || component.share.cpus_how.empty() || r.exclusive)
      return at_run_time();
    const bool all = name == "SLURM_JOB_CPUS_PER_NODE";
    return known(on_each_node(*component.share.cpus, all ? r.nodes_min : 1),
                 component.share.cpus_how);
  }
  if (name == "ENVIRONMENT")
    return known("BATCH", "always");
  if (name == "SLURM_PROCID" || name == "SLURM_LOCALID" || name == "SLURM_NODEID")
    return known("0", "always");
  return at_run_time();
}

} // namespace

std::span<const VariableInfo> variable_table() { return infos; }

VariableValue variable_value(const Component& component, std::string_view name) {
  const auto* row = tables::find_slurm_variables(name);
  if (row == nullptr)
    return at_run_time();
  const auto& r = component.resolved;
  if (row->set_when == "array")
    return of_array(component, name);
  if (row->set_when == "always")
    return of_always(component, name);
  if (row->set_when == "requeued" || row->set_when == "hetjob" || row->set_when == "site")
    return at_run_time();
  if (name == "SLURM_NTASKS" || name == "SLURM_NPROCS") {
    // -N alone gives a task to each node but sets no variable.
    const bool asked = component.effective.contains("ntasks") || r.ntasks_per_node.has_value();
    if (!asked)
      return {.value = {}, .unset = true, .how = "neither --ntasks nor --ntasks-per-node"};
    return known(std::to_string(r.ntasks),
                 component.effective.contains("ntasks") ? "--ntasks" : "--ntasks-per-node");
  }
  if (name == "SLURM_MEM_PER_NODE")
    return of_number(r.mem_per_node_mib, "mem");
  if (name == "SLURM_MEM_PER_CPU")
    return of_number(r.mem_per_cpu_mib, "mem-per-cpu");
  if (name == "SLURM_EXPORT_ENV") {
    auto value = of_option(component, "export");
    if (value.value && same_word(*value.value, "ALL"))
      return {.value = {}, .unset = true, .how = "--export=ALL"};
    return value;
  }
  const auto options = pieces(row->set_when, '|');
  if (options.size() == 1)
    return of_option(component, options.front());
  const bool any = std::ranges::any_of(options, [&component](std::string_view option) {
    return component.effective.contains(std::string(option));
  });
  return any ? at_run_time()
             : VariableValue{.value = {}, .unset = true, .how = "none of its options is given"};
}

} // namespace s2f::slurm
