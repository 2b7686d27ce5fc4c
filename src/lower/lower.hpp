// IR to target model: which environments, tasks, parameters and statements a workload becomes.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "flyte/program.hpp"
#include "ir/schedule.hpp"
#include "ir/workload.hpp"
#include "review/finding.hpp"
#include "source/source.hpp"

namespace s2f::lower {

struct LowerContext {
  const source::Sources& sources;
  review::Findings& findings; // what only the target's tables can tell (S2F204, S2F504)
  // Of a driver: the jobs whose task is that of another, overridden, by index (overrides.cpp).
  std::map<std::size_t, std::size_t> shared = {};
  // Whether a `main` gives the jobs that stay on Slurm what their sbatch was given.
  bool main_gives = false;
  // Of a driver: jobs whose task stands in the module of their own script (Job::module), as that
  // script alone describes it, by their index.
  std::map<std::size_t, const ir::Job*> own_modules = {};
  std::set<std::size_t> imported = {}; // those of them that are taken from there
  std::string file = {};               // of the module, "" for the usual one
};

// A script that is a job by itself: one task, or a task and the `main` that maps it over the
// indices of an array.
[[nodiscard]] flyte::Module lower_job(LowerContext& context, const ir::Job& job);

// A driver and the jobs that it submits. A driver that could not be lifted gives its jobs' tasks
// and no `main`.
[[nodiscard]] flyte::Module lower_driver(LowerContext& context, const ir::Workload& workload);

// Triggers that start the module's task of that name. What they cannot give it is said of the
// schedule's own place.
void add_schedules(LowerContext& context, flyte::Module& module, const std::string& function,
                   const std::vector<ir::Parameter>& parameters, const std::string& stem,
                   const std::vector<ir::Schedule>& schedules);

// "64 GiB" and the like for the report's numbers table, once the target's words are known.
[[nodiscard]] std::vector<ir::NumberRow> numbers_of(const ir::Job& job);

} // namespace s2f::lower
