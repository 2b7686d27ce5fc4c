// The files that one run of a job writes and those that it names, so that two jobs can be compared.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ir/workload.hpp"

namespace s2f::passes {

// A path as both jobs of a driver would call it: below the directory that they are submitted from,
// or absolute. What the driver computes stands in it as the driver names it, what only the job
// knows as "*".
struct JobPath {
  std::string name;
  bool fixed = true; // nothing of it is known to the job alone
  ir::Value value;   // the same, of nothing but text and parameters; no parts where that is not so
  source::Span span{};
  bool own = false; // the job writes it, and may do nothing else with it
};

struct JobOutput {
  JobPath path;
  std::size_t index = 0; // of what the task returns
  bool cluster = false;  // one of the job's cluster_paths
  bool directory = false;
  bool varies = false; // each run that a loop or an array makes has a path of its own
  std::size_t at = 0;  // in cluster_paths or outputs
};

// The driver's variables that get a value more than once: one of that name is not always the same.
[[nodiscard]] std::set<std::string> changing_names(const ir::Driver& driver);

// `submission` is one of the job's.
[[nodiscard]] std::vector<JobOutput> outputs_of(const ir::Job& job,
                                                const ir::Submission& submission,
                                                const std::set<std::string>& changing);
// Those that it names; where it sends what a program prints is none of them, but for `>>`.
[[nodiscard]] std::vector<JobPath> paths_of(const ir::Job& job, const ir::Submission& submission,
                                            const std::set<std::string>& changing);

// What the driver calls the job by: its script, or its task where that stands in the driver.
[[nodiscard]] std::string script_name_of(const ir::Workload& workload, const ir::Job& job);

// What a path that a job names has to do with one that another writes.
enum class Same {
  no,
  yes,
  within, // it is a directory that holds it
  maybe   // a pattern, or a name that only the job knows
};
[[nodiscard]] Same same(const JobPath& named, const JobPath& written);

} // namespace s2f::passes
