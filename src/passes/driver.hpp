// A script that submits jobs: its statements read as submissions with dependencies.
#pragma once

#include <expected>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "ir/workload.hpp"
#include "source/source.hpp"

namespace s2f::passes {

struct DriverContext {
  ir::Workload& workload; // its driver; jobs are added by `load`
  const source::Sources& sources;
  review::Ledger& ledger;
  review::Findings& findings;
  // Loads the script named (relative to the driver's directory) as submitted with these sbatch
  // options; the job's index, or why not.
  std::function<std::expected<std::size_t, std::string>(const std::string& script,
                                                        const slurm::ReadOptions& read)>
      load;
};

// Whether any command of the script is sbatch.
[[nodiscard]] bool submits(const shell::Script& script);

// Reads the driver's steps. What it cannot lift makes the driver `not_lifted` (S2F430); the jobs
// are loaded all the same.
void read_driver(DriverContext& context);

// The files, relative to the submit directory, that the jobs write which this one waits for, and
// that can be handed to it. Of the jobs before it the passes have run.
[[nodiscard]] std::set<std::string> provided_to(const ir::Workload& workload, std::size_t job);

// After the jobs' own passes: fills Submission::handed.
void hand_on(ir::Workload& workload);

// After that: S2F605 for what they hand to each other by a file's name.
void shared_files(const ir::Workload& workload,
                  const std::function<review::Findings&(const ir::Job&)>& findings_of);

} // namespace s2f::passes
