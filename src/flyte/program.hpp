// The target model: Flyte 2 modules, their images, environments and tasks, as typed values.
//
// What Flyte accepts for a field is in grammar/flyte-2.json and checked by `check`; how it looks is
// the emitter's business. Nothing here knows of Slurm.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "flyte/python.hpp"

namespace s2f::flyte {

template <typename T> struct Noted {
  T value{};
  Notes notes;
  friend bool operator==(const Noted&, const Noted&) = default;
};

// flyte.Resources(...): quantities in Kubernetes' words ("64Gi"); what is absent is not written.
struct Resources {
  std::optional<Noted<Expr>> cpu;    // 16
  std::optional<Noted<Expr>> memory; // "64Gi"
  std::optional<Noted<Expr>> gpu;    // "A100:8", 1 or flyte.Device(...)
  std::optional<Noted<Expr>> disk;   // "100Gi"
  std::optional<Noted<Expr>> shm;    // "auto"
  [[nodiscard]] bool empty() const { return !cpu && !memory && !gpu && !disk && !shm; }
  friend bool operator==(const Resources&, const Resources&) = default;
};

// name = <expr>: an image that more than one environment uses, or that has comments above it.
struct Image {
  std::string variable; // "image"
  Expr value;           // flyte.Image.from_debian_base(...).with_requirements(...)
  Notes notes;
  friend bool operator==(const Image&, const Image&) = default;
};

struct Environment {
  std::string variable;             // "train_env"
  Noted<std::string> name;          // ^[a-z0-9]+([_-][a-z0-9]+)*$, at most 63
  std::optional<Noted<Expr>> image; // name("image") or an expression
  Resources resources;
  std::optional<Noted<std::string>> queue;
  std::optional<Noted<Expr>> env_vars;
  std::optional<Noted<Expr>> secrets;
  std::optional<Noted<Expr>> interruptible;
  std::vector<std::string> include;    // relative to the module; a tuple
  std::vector<std::string> depends_on; // variables of environments
  std::vector<Arg> more; // further keyword arguments, after the others (clustered environments)
  std::string type = "flyte.TaskEnvironment";
  Notes notes;
  friend bool operator==(const Environment&, const Environment&) = default;
};

struct Parameter {
  std::string name;
  std::string type; // "float", "str", "list[File]"
  std::optional<Expr> default_;
  Notes notes;
  friend bool operator==(const Parameter&, const Parameter&) = default;
};

struct Task {
  std::string environment; // variable
  std::string function;
  std::vector<Parameter> parameters;
  std::string returns = "None";
  std::optional<Noted<Expr>> retries;
  std::optional<Noted<Expr>> timeout; // timedelta(hours=4)
  std::optional<Noted<Expr>> triggers;
  bool entrypoint = false;
  std::string docstring; // first line a sentence; further paragraphs after a blank line; the
                         // printer wraps it
  std::vector<Stmt> body;
  Notes notes; // above the decorator
  friend bool operator==(const Task&, const Task&) = default;
};

// NAME = r"""...""": text of the script that runs as it was, and is never parsed again.
struct KeptText {
  std::string variable; // "POSTPROC"
  std::string text; // the printer chooses raw or escaped, so that any bytes come back as they are
  Notes notes;      // "job.sh:16-27, as it was"
  // Where each line of the text stood, an empty span for one that is not the script's; no spans:
  // each line stands for what `notes` say.
  std::vector<Span> lines = {};
  friend bool operator==(const KeptText&, const KeptText&) = default;
};

// name = expression at module level, after HERE (EXPORTED, SUBMIT_DIR) or between environments and
// tasks.
struct Constant {
  std::string variable;
  Expr value;
  Notes notes;
  friend bool operator==(const Constant&, const Constant&) = default;
};

// A task that stays on Slurm: flyteplugins.slurm.SlurmScriptTask, and the environment made of it.
struct SlurmTask {
  std::string variable;         // "lammps"
  std::vector<Arg> arguments;   // of SlurmScriptTask(...)
  std::string environment;      // "lammps_env"
  std::string environment_name; // "lammps"
  Notes notes;
};

// The fixed helper functions of templates/helpers/; `options` are the keyword parameters that are
// used. run:   cwd, stdout, stderr, env, check        bash: env, check, cwd, argv        scratch,
// fetch, all_ok, highest, rank, stage, after
using Helpers = std::map<std::string, std::set<std::string>>;

struct CommandLine {
  std::string command; // "flyte run --local train_flyte.py train"
  std::string comment; // "this machine, no cluster"
};

struct NotCarried {
  std::string text; // "sweep.sh:8 --output=logs/%A.out: each task has its own log (flyte get logs)"
  std::vector<Span> spans;
};

// from train_flyte import train, train_env
struct ModuleImport {
  std::string module;
  std::vector<std::string> names;
};

struct Module {
  std::string file;     // "train_flyte.py"
  std::string summary;  // the docstring's first line
  std::string migrated; // `Migrated from train.sh. What used to be "sbatch train.sh" is now:`
  std::vector<CommandLine> commands;
  std::vector<NotCarried> not_carried;
  std::vector<ModuleImport> imports; // of other modules that are made
  std::optional<int>
      here_parent; // HERE = Path(__file__).resolve().parent (0) or .parents[k]; nothing: no HERE
  Notes here_notes;
  std::vector<Constant> constants; // after HERE
  std::vector<Image> images;
  std::vector<Constant> between; // after the images, before the environments
  std::vector<Environment> environments;
  std::vector<Constant> triggers;
  std::vector<KeptText> kept;
  std::vector<SlurmTask> slurm_tasks;
  std::vector<Task> tasks;
  Helpers helpers;
  std::string entry;              // the task that stands for running the script
  bool entry_needs_input = false; // __main__ then prints a hint instead of running it
  std::string entry_arguments;    // " --data DATA": what `flyte run` must be given
  std::vector<Arg> labels;        // of the run that __main__ starts: a text each, under its key
  Notes label_notes;
  std::string notifications;  // the constant that __main__ passes to flyte.with_runcontext, or ""
  std::string generated_from; // "train.sh"
};

// What is wrong with a module by Flyte's own rules (names, quantities, GPU strings, duplicates,
// orphans); empty when all is well.
[[nodiscard]] std::vector<std::string> check(const Module& module);

// ---- the table of what Flyte 2 accepts (grammar/flyte-2.json, grammar/gpus.json)
// -----------------
[[nodiscard]] bool valid_environment_name(std::string_view name);
// A name for a task function or a parameter: a Python identifier that is no keyword, no builtin in
// use and no name of the module; "eval" -> "evaluate" or "eval_job".
[[nodiscard]] bool reserved_python_name(std::string_view name);
[[nodiscard]] bool valid_quantity(std::string_view quantity);
// "64Gi", "1536Mi": the largest unit that is exact.
[[nodiscard]] std::string quantity_of_mib(long long mib);

// What to write for `count` GPUs that Slurm calls `slurm_type` ("" when it names none).
struct GpuChoice {
  Expr value;          // "A100:8", 8 or flyte.Device(2, "GPU", "P100")
  bool known = true;   // the type is in the table
  bool on_list = true; // in Flyte's closed list with that count
  std::string why;     // when not
};
[[nodiscard]] GpuChoice gpu_choice(std::string_view slurm_type, long long count);

} // namespace s2f::flyte
