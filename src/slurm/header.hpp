// What sbatch makes of a script: which lines are directives, the options in force, and what one
// node would get.
//
// The rules were found by running real Slurm 22.05.8 (docs/slurm.md). Nothing here knows of Flyte.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "source/source.hpp"

namespace s2f::slurm {

using source::Span;

// ---- values ------------------------------------------------------------------------------------

struct Minutes { // as Slurm rounds: seconds go up to the next minute; no value: no limit
                 // (UNLIMITED, 0, -1)
  std::optional<std::int64_t> minutes;
  friend bool operator==(const Minutes&, const Minutes&) = default;
};
struct Mebibytes {
  std::int64_t mib = 0; // 0 for --mem: the whole node
  friend auto operator<=>(const Mebibytes&, const Mebibytes&) = default;
};
struct NodeCount {
  std::int64_t min = 1;
  std::optional<std::int64_t> max; // nothing: no upper bound was given ("-N 2" gives min and max 2)
  friend bool operator==(const NodeCount&, const NodeCount&) = default;
};
enum class Per { node, job, task, socket };
struct GpuRequest {
  std::int64_t count = 1;
  Per per = Per::node;
  std::string type; // as written, "" when none
  friend bool operator==(const GpuRequest&, const GpuRequest&) = default;
};
struct ArraySpec {
  std::vector<std::int64_t> indices;    // sorted, without duplicates; steps written out
  std::optional<std::int64_t> throttle; // %k, k > 0
  std::string text;                     // as written
  friend bool operator==(const ArraySpec&, const ArraySpec&) = default;
};
enum class DependencyType {
  after,
  afterany,
  afterok,
  afternotok,
  aftercorr,
  afterburstbuffer,
  singleton,
  expand
};
struct Dependency {
  DependencyType type{};
  std::string job;                   // an id, or text that a driver expands; "" for singleton
  std::optional<std::int64_t> delay; // minutes, after:ID+MIN
  friend bool operator==(const Dependency&, const Dependency&) = default;
};
struct DependencyExpr {
  std::vector<Dependency> terms;
  bool any = false; // one `?` anywhere makes the whole list OR
};
struct SignalSpec {
  std::string signal; // without SIG, upper case, or a number as text
  std::int64_t seconds = 60;
  bool batch_shell = false; // B:
  bool reservation = false; // R
};
enum class Exclusive { no, node, user, mcs, topo, oversubscribe };

// ---- reading -----------------------------------------------------------------------------------

enum class Origin { script, pbs, environment, command_line };

// One option as it was given, in order, also those that a later one overrides.
struct OptionUse {
  std::string name;                 // canonical long name ("cpus-per-task")
  std::string spelling;             // as written ("-c", "--cpus-per-tas")
  std::optional<std::string> value; // after removal of quotes and escapes
  Span span{};                      // option and value; meaningless for the environment
  Span value_span{};
  Origin origin = Origin::script;
  std::uint32_t line = 0;      // 1-based line in the script; 0 elsewhere
  std::uint32_t component = 0; // of a heterogeneous job
  bool overridden = false;     // a later use, the environment or the command line wins over it
  // What an unquoted # inside the word cut off, with the #: --comment=run#7 leaves "run" and cuts
  // "#7" off.
  std::optional<std::string> cut_off;
};

// A line that looks like a directive and is none, or that Slurm does not read.
struct InertLine {
  std::uint32_t line = 0;
  std::string text;
  std::string why; // a sentence: "after the first command (line 5): Slurm does not read it"
  Span span{};
};

struct Rejection {
  std::uint32_t line = 0; // 0: not about one line
  std::string
      message; // Slurm's own reason in the words that sbatch prints, without "sbatch: error: "
  Span span{};
  bool by_controller = false; // refused by any controller for what it says (a reversed array
                              // range); sbatch itself accepts it
};

struct Warning { // accepted by Slurm, but worth a word (a value that is silently dropped, a name
                 // close to a known option)
  std::uint32_t line = 0;
  std::string message;
  Span span{};
  std::string instead = {}; // what would stand in the place of `span`, "" where that is not known
};

// The directive lines: each has at least one OptionUse, or nothing (an empty #SBATCH), or is
// `hetjob`.
struct DirectiveLine {
  std::uint32_t line = 0;
  Span span{};                 // the whole line without its newline
  std::string sentinel;        // "#SBATCH", "#PBS", "#BSUB"
  std::optional<Span> comment; // from an unquoted # to the end of the line
  bool hetjob = false;
  std::vector<std::size_t> uses; // indices into Header::uses
};

struct Resolved {
  std::optional<std::string> job_name, partition, qos, account, constraint, dependency, begin,
      signal, export_, stdout_, stderr_, chdir;
  std::int64_t nodes_min = 1;
  std::optional<std::int64_t> nodes_max;
  std::int64_t ntasks = 1;
  std::optional<std::int64_t> ntasks_per_node;
  std::int64_t cpus_per_task = 1;
  std::optional<std::int64_t> mem_per_node_mib, mem_per_cpu_mib, mem_per_gpu_mib;
  std::optional<std::int64_t> time_limit_minutes;
  std::optional<std::int64_t> gpus_per_node;
  std::optional<std::string> gpu_type;
  std::optional<std::int64_t> gpus_total;
  std::optional<std::int64_t> tmp_mib;
  std::optional<std::string> array;
  std::optional<std::int64_t> array_throttle;
  std::optional<bool> requeue;
  std::optional<std::string> exclusive;
};

// What one node of the job gets, by Slurm's arithmetic; `how` says how a number came about
// ("--mem-per-cpu=2G x 8 CPUs"), for people. Absent: the site's default.
struct Share {
  std::optional<std::int64_t> cpus;
  std::string cpus_how;
  std::optional<std::int64_t> memory_mib; // nothing when --mem=0: see whole_node_memory
  std::string memory_how;
  bool whole_node_memory = false;
  std::optional<std::int64_t> gpus;
  std::string gpus_how;
  std::string gpu_type;   // as written
  std::int64_t tasks = 1; // tasks on one node
};

// One component of a job (a plain job has one): the options in force.
struct Component {
  // canonical long name -> value, byte for byte as `sbatch -v` lists it under "defined options".
  std::map<std::string, std::string> effective;
  // canonical long name -> index into Header::uses of the use that won (the last of those that add
  // up).
  std::map<std::string, std::size_t> winner;
  Resolved resolved;
  Share share;
  std::optional<Minutes> time;
  std::optional<ArraySpec> array;
  std::optional<DependencyExpr> dependency;
  std::optional<SignalSpec> signal;
  std::optional<GpuRequest> gpus; // of the option that asks for GPUs
};

struct Header {
  std::string interpreter_line; // the first line, "#!/bin/bash -l"; "" if it is none
  std::vector<OptionUse> uses;
  std::vector<DirectiveLine> lines;
  std::vector<InertLine> inert;
  std::vector<Rejection> rejections;
  std::vector<Warning> warnings;
  std::vector<Component> components; // at least one
  // The first line (1-based) that ends the header: neither blank nor comment; line_count()+1 if
  // none.
  std::uint32_t end_line = 1;
  // What sbatch itself says: rejections that only a controller makes do not count.
  [[nodiscard]] bool accepted() const;
};

struct ReadOptions {
  std::vector<std::string> arguments; // sbatch's own command line, without the script
  std::vector<Span> argument_spans;   // of each argument, where they stand in a driver; or empty
  std::map<std::string, std::string>
      environment; // SBATCH_* only; nothing is taken from the caller's own
  std::optional<std::string>
      now;                 // ISO time; without it times of day stay relative ("NEXT 16:00:00")
  std::string script_name; // the base name that gives the job its name; "sbatch" for stdin, "wrap"
  // "22.05": only what that release of sbatch knows. "": options of newer releases and of plugins
  // are read too.
  std::string release;
  // "18.08": what that release knows, and plugins; options that were removed since mean what they
  // meant. "": as above.
  std::string site_release;
  // The site's GresTypes. Without them any name that could be one is taken.
  std::optional<std::vector<std::string>> gres_types;
};

// Never fails: what Slurm refuses stands in `rejections`, and what could be read is there all the
// same.
[[nodiscard]] Header read_header(const source::Source& script, const ReadOptions& options = {});

// The design's `inspect --json` (schema slurm2flyte-inspect/1), but for "kind", which needs the
// body.
enum class Kind { job, driver, both, template_, other };
[[nodiscard]] std::string inspect_json(const Header& header, Kind kind);

// Value grammars, by themselves; nothing when Slurm refuses the text.
[[nodiscard]] std::optional<Minutes> parse_time(std::string_view text);
[[nodiscard]] std::optional<Mebibytes> parse_memory(std::string_view text);
[[nodiscard]] std::optional<ArraySpec> parse_array(std::string_view text);
[[nodiscard]] std::optional<DependencyExpr> parse_dependency(std::string_view text);
[[nodiscard]] std::optional<NodeCount> parse_nodes(std::string_view text);
[[nodiscard]] std::optional<SignalSpec> parse_signal(std::string_view text);
// "gpu:a100:8", "gpu:2,shard:1": the GPU part; nothing if there is none or it is malformed.
[[nodiscard]] std::optional<GpuRequest> parse_gres(std::string_view text);

// The options table (grammar/sbatch-options.json): what becomes of an option in the output.
struct OptionInfo {
  std::string_view name;        // canonical long name
  std::string_view short_name;  // "c" or ""
  std::string_view argument;    // "none", "required", "optional"
  std::string_view environment; // "SBATCH_..." or ""
  std::string_view
      disposition; // "converted", "adjusted", "decision", "platform", "dropped", "kept", "inert"
  std::string_view rule; // "S2F..." that explains it
  std::string_view
      becomes; // a few words: "resources.cpu", "timeout max_runtime", "queue", "nothing: ..."
  std::string_view since, until; // Slurm versions, "" when always; `until` is the first without it
  std::string_view program; // "sbatch"; "plugin"; "srun" or "salloc" for what sbatch refuses; "pbs"
                            // for what it ignores
  std::string_view plugin;  // the plugin's name, else ""
  std::string_view same_as; // of an alias or a removed name: the option it stands for, else ""
};
[[nodiscard]] std::span<const OptionInfo> option_table();
[[nodiscard]] const OptionInfo* find_option(std::string_view canonical_name);

// The SLURM_* variables table (grammar/slurm-variables.json).
struct VariableInfo {
  std::string_view name;
  std::string_view meaning; // what Slurm puts there
  std::string_view
      set_when; // "always", "array", or the option(s) that it needs: "ntasks|ntasks-per-node"
  std::string_view counterpart; // Flyte's, or ""
};
[[nodiscard]] std::span<const VariableInfo> variable_table();
// The literal value that Slurm would have set in the batch shell of this job, where it is known
// from the header (SLURM_CPUS_PER_TASK=8); nothing when it is known only at run time. `unset` is
// true where Slurm leaves it unset.
struct VariableValue {
  std::optional<std::string> value;
  bool unset = false;
  std::string how; // "--cpus-per-task=8"
};
[[nodiscard]] VariableValue variable_value(const Component& component, std::string_view name);

} // namespace s2f::slurm
