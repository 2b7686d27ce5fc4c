// A script that submits jobs: its statements read as submissions with dependencies.
#pragma once

#include <expected>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ir/workload.hpp"
#include "passes/driver_order.hpp"
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
  // The same for a script whose text stands in the driver.
  std::function<std::expected<std::size_t, std::string>(
      const std::string& text, source::Origin origin, const std::string& name,
      const slurm::ReadOptions& read)>
      load_text;
  // The same for the driver itself, where it runs as it was but for its submissions; why it cannot.
  std::function<std::expected<std::size_t, std::string>(
      const std::string& text, source::Origin origin, const slurm::ReadOptions& read)>
      load_driver;
  // Whether a path, relative to the driver's directory, is a script that can be submitted.
  std::function<bool(const std::string& path)> is_job_script;
  // The entries beside the driver that a pattern matches: "run*/", "*.fa".
  std::function<std::vector<std::string>(const std::string& pattern)> beside;
  std::string directory;         // that the next script is submitted from, below the driver's
  bool follows = false;          // the driver's own text is a job, which others follow
  bool job = false;              // it is a job, which submits others while it runs
  std::set<std::size_t> missing; // jobs whose script was not found
  std::map<std::string, source::Span> cluster_patterns; // that it looks for files with
  std::vector<source::Span> secrets;                    // values that must not be shown
};

// Which word is sbatch, if the command is that or starts it: nohup sbatch train.sh
[[nodiscard]] std::optional<std::size_t> sbatch_in(const shell::SimpleCommand& command);

// Whether any command of the script is sbatch.
[[nodiscard]] bool submits(const shell::Script& script);

// Whether it has salloc run something: salloc -N1 ... program.
[[nodiscard]] bool allocates(const shell::Script& script);
// Whether `at` is to submit something: at 22:00 <<< "sbatch job.sh".
[[nodiscard]] bool starts_later(const shell::Script& script);
[[nodiscard]] inline bool is_later(std::string_view command) {
  return command == "at" || command == "batch";
}
// Why a driver of them is not written.
inline constexpr const char* once_later =
    "it starts jobs at another time (at), once, which no trigger does";

// Reads the driver's steps. What it cannot lift makes the driver `not_lifted` (S2F430); the jobs
// are loaded all the same.
void read_driver(DriverContext& context);
// The variables and arguments ("1") of a submission that may be several words, or none.
[[nodiscard]] std::set<std::string> several_words(const ir::Driver& driver, std::size_t submission);
// After the jobs were made: says what became of a driver that was not lifted.
void settle_driver(DriverContext& context);
// After the jobs were made: removes what nothing of `main` needs. S2F403, of variables that it is
// given.
void sweep_driver(ir::Workload& workload, review::Findings& findings);
// After that: `text` is the driver's, `masked` the same without its secrets.
void driver_comments(ir::Driver& driver, const review::Ledger& ledger, std::string_view text,
                     std::string_view masked);

// A script that the driver submits again and again, each run behind the one before.
struct RestartChain {
  std::size_t first = 0;           // index into Driver::submissions
  std::string name;                // the variable that holds the id of the last
  std::vector<std::size_t> places; // of the others, or of their loop, in Driver::steps
  bool in_order = false;           // each waits for the one before to succeed
  ir::Restart restart;
};
[[nodiscard]] std::vector<RestartChain> restart_chains(const ir::Workload& workload);
// One run is left, whose task is tried again.
void fold_chain(ir::Workload& workload, const RestartChain& chain);
// S2F369, of one that stays.
void say_chain(const RestartChain& chain, const std::string& script, review::Findings& findings);

// What the jobs write that a job waits for, and that can be handed to it.
struct Provided {
  std::set<std::string> paths;     // files, relative to the submit directory or of the cluster
  std::set<std::string> collected; // directories in which every run of them writes its own file
};
// Of the jobs before it the passes have run.
[[nodiscard]] Provided provided_to(const ir::Workload& workload, const DriverOrder& order,
                                   std::size_t job);

// After that: loops over the files of a directory of the cluster, which is an input of `main`
// (S2F370). `own_modules` are jobs whose task another module has.
void driver_folders(ir::Workload& workload, const std::set<std::size_t>& own_modules,
                    std::map<std::string, source::Span>& patterns, review::Findings& findings);
// S2F601, of the patterns that stay.
void say_cluster_patterns(const DriverContext& context);

// After that: arrays whose elements are waited for one by one, as far as they can be.
void driver_elements(ir::Workload& workload, review::Findings& findings);

// After the jobs' own passes: fills Submission::handed, and raises S2F360.
void hand_on(ir::Workload& workload, const DriverOrder& order,
             const std::function<review::Findings&(const ir::Job&)>& findings_of);

// After that: S2F605 for what they hand to each other by a file's name.
void shared_files(const ir::Workload& workload, const DriverOrder& order,
                  const std::function<review::Findings&(const ir::Job&)>& findings_of);

} // namespace s2f::passes
