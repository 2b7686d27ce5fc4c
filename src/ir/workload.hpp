// The typed IR: what the user meant, independent of the scheduler: jobs, submissions, steps, and
// what they touch.
//
// Every node has the span that it came from. Passes (src/passes) replace what they understand by
// what it means; the lowering (src/lower) reads nothing else.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ir/term.hpp"
#include "ir/value.hpp"
#include "review/finding.hpp"
#include "review/ledger.hpp"
#include "shell/tree.hpp"
#include "slurm/header.hpp"

namespace s2f::ir {

// A value, the text of the script that asked for it ("--mem=64G"), and what a reviewer should see
// beside it.
template <typename T> struct Sourced {
  T value{};
  std::string asked; // "--mem-per-cpu=2G x 8 CPUs"
  std::vector<Span> spans;
  std::vector<std::string> reviews; // "REVIEW S2F210: ..." comments, in the order raised
};

struct Interpreter {
  std::string path = "/bin/bash"; // "/bin/bash", "/usr/bin/env" resolved to its argument: "bash"
  std::vector<std::string> arguments; // "-l", "-e"
  enum class Language { bash, sh, zsh, ksh, csh, python, r, perl, other } language = Language::bash;
  bool errexit = false; // -e on the first line
  bool pipefail = false;
  bool login = false;
  Span span{};
};

struct Gpus {
  std::int64_t count = 0;
  std::string type; // Slurm's name, "" for any
};
// What one container is given.
struct Resources {
  std::optional<Sourced<std::int64_t>> cpus;
  std::optional<Sourced<std::int64_t>> memory_mib;
  std::optional<Sourced<std::int64_t>> disk_mib;
  std::optional<Sourced<Gpus>> gpus;
  bool shm = false; // where there are no GPUs: a program hands over data in /dev/shm
};

struct ModuleUse {
  std::string name;    // "cuda"
  std::string version; // "12.1", "" when none
  std::string text;    // "module load cuda/12.1", as written
  Span span{};
};
struct Activation {
  enum class Kind { venv, conda, other } kind = Kind::venv;
  std::string target; // "~/venvs/train", "myenv"
  std::string text;   // as written
  Span span{};
};
// Packages that pip installs in one go.
struct PipLayer {
  std::vector<Sourced<std::string>> packages; // "torch==2.1.0", as written
  std::vector<Sourced<std::string>> files;    // requirement files, relative to the submit directory
  std::string index_url;
  std::vector<std::string> extra_index_urls, find_links;
  bool pre = false;
};
// A file beside the script that lists packages.
struct ProjectFile {
  enum class Kind { uv, requirements, conda, poetry, pixi } kind = Kind::requirements;
  std::string file; // "pyproject.toml", relative to the submit directory
  std::string lock; // "uv.lock", "" for none
  std::vector<Span> spans;
};
// What the script sets up before it works; becomes an image.
// A comment that the compiler writes, and the statement that it speaks of, where that is one.
struct Remark {
  std::string text;
  std::optional<Span> of;
};

struct Environment {
  std::vector<ModuleUse> modules;
  std::vector<Activation> activations;
  std::set<std::string> made;                         // environments that the script makes itself
  std::optional<Sourced<std::pair<int, int>>> python; // 3, 11
  std::optional<ProjectFile> project;
  std::vector<PipLayer> pip;
  std::vector<Sourced<std::string>> apt;
  std::optional<Sourced<std::string>> container;  // an image by its reference
  std::optional<Sourced<std::string>> base_image; // the same, where a site file names it
  std::vector<std::string> local_modules;         // the payload's own modules, which it imports
  std::vector<Comment> said;                      // by the script, of what the image stands for
  std::vector<Remark> comments;                   // what stands above the image, in order
  std::vector<Span> spans;

  // The image that the task's own is built on, where one is named.
  [[nodiscard]] const std::optional<Sourced<std::string>>& reference() const {
    return container ? container : base_image;
  }
};

// A file that may not be there, and several: what earlier jobs hand on.
// The origin of a parameter that says where the job was submitted from.
constexpr const char* submit_directory = "the submit directory";

enum class Type {
  text,
  integer,
  real,
  text_list,
  file,
  directory,
  maybe_file,
  files,
  maybe_directory,
  directories
};
struct Parameter {
  std::string name;
  Type type = Type::text;
  std::optional<std::string>
      default_;       // for text the text itself, for numbers as Python writes them
  std::string origin; // "$1", "--lr", "$DATA"
  Span span{};
  std::vector<std::string> reviews;
  std::int32_t position = 0;   // of $N: N; 0 otherwise
  bool of_whole_array = false; // of what runs the elements, not of one element
  bool may_be_unset = false;   // None where nothing gives it
  // It is no parameter: the task reads this secret of its environment. What it is without one
  // stands in `default_`.
  std::string secret;
  // It is a file of a directory that `main` walks: what the task takes in its place, a File, and
  // puts where the value says. With a `folder` it takes that directory, and the file's name in it.
  std::string taken_as, folder;
};

// ---- the body
// ------------------------------------------------------------------------------------

struct Redirection {
  enum class Stream { out, err, both } stream = Stream::out;
  bool append = false;
  bool to_stdout = false; // 2>&1 without a file, before any redirection of 1
  bool to_stderr = false; // >&2
  Value file;
  Span span{};

  [[nodiscard]] bool to_file() const {
    return !to_stdout && !to_stderr && file.text() != "/dev/null";
  }
};

// NAME=value
struct NamedValue {
  std::string name;
  Value value;
};

// What a program reads: a file, or a text (<<EOF, <<<).
struct Input {
  Value value;
  bool text = false;
  Span span{};
};

// What a step of srun takes of its job while it runs.
struct StepSize {
  std::int64_t cpus = 1;
  std::optional<std::int64_t> gpus; // nothing: all of the job's
  bool exact = false;               // no more than that; else all of the job
  bool overlap = false;             // nothing that another step could not take as well
};

// One program, started and waited for.
struct Launch {
  std::vector<Value> words;            // program and arguments
  std::vector<NamedValue> environment; // before it
  std::vector<Redirection> redirections;
  std::optional<Input> input; // nothing to read without
  std::string launcher;       // "srun" where one was removed, "" otherwise
  // A failure ends the job here (set by the failure pass, for what $( ) runs by the assignment).
  bool status_matters = true;
  bool or_exit = false;       // command || exit
  bool rank = false;          // one rank of Job::cluster
  std::string directory;      // in the container, "" where it is the task's own
  std::int64_t copies = 1;    // side by side, each with its number, as srun starts them
  std::int64_t gpus_each = 0; // of several copies or ranks, the GPUs that each sees; 0: all
  std::size_t program = 0;    // index of the program behind `env`, `nice`, `timeout` ...
  // Python payloads: the index of the script among `words`, and the file as named.
  std::optional<std::size_t> payload;
  std::optional<StepSize> size; // of a step of one process on the job's one node
};
// One variable's new value. With a `local` it becomes an assignment of Python; without one its
// value stands wherever the variable is used.
struct Binding {
  std::string variable;
  Value value;
  std::string local;
  bool exported = false;                   // programs started from here on see it
  std::optional<std::vector<Value>> items; // of a list, in place of the value
  bool appends = false;                    // to the list
  bool unset = false;                      // programs started from here on do not see it
};
// name=value: what later words refer to.
struct Assign {
  std::vector<Binding> bindings;
  bool declared = false; // by export, which succeeds whatever $( ) did

  [[nodiscard]] bool exports() const {
    return std::ranges::any_of(
        bindings, [](const Binding& binding) { return binding.exported || binding.unset; });
  }
};
// set -e, set -o pipefail, set -u, set -x; set -a and set +a.
struct ShellOptions {
  bool errexit = false, pipefail = false, nounset = false, xtrace = false;
  bool allexport = false; // it begins or ends there
};
struct ChangeDirectory {
  Value directory;                  // as `cd` is given it
  std::optional<std::string> below; // where that is, below the submit directory: "", "a/b"
  bool certain = true;              // it is there
  bool status_matters = false;      // where it is not, the job ends (set by the failure pass)
  std::string saves;                // Python's variable that gets where it was before
  std::string back;                 // the same, of where it goes: popd, cd -
};
// cp INPUT... DIRECTORY: inputs that the task downloads to where the job copied them.
struct Stage {
  struct Input {
    std::string parameter, leaf, was;
  };
  std::vector<Input> inputs;
  Value directory;
};
struct Echo {
  std::vector<Value> words; // joined by a space
  bool newline = true;
  bool escapes = false; // -e, of words that are known only when the job runs
  bool errors = false;  // >&2
};
// Understood, and nothing is left of it in the output: a module, an activation, a last `exit 0`.
struct Nothing {
  bool keeps_status = false; // `$?` after it is what it was before (`exit $?`)
};
// ulimit: what the programs behind it may use.
struct Limit {
  std::string resource;              // RLIMIT_STACK
  std::optional<std::int64_t> value; // in the system's units; nothing for no limit
  bool status_matters = false;       // where it is refused, the job ends (set by the failure pass)
};
// umask: what files made from here on may not be.
struct FileMask {
  std::uint32_t mode = 0;
};
// sbatch, in a driver.
struct Submit {
  std::size_t submission = 0;
};
// Not understood by any pass: exact Bash.
struct Opaque {
  std::string why; // what kept it from being lifted
};

struct Step;
struct Condition;

// Programs, the output of each the input of the next; each stage is a Launch.
struct Pipeline {
  std::vector<Step> stages;
  bool pipefail = false;
  bool status_matters = true; // a failure ends the job here (set by the failure pass)
  bool or_exit = false;       // pipeline || exit
};

// [ -f path ]: a file, a directory, something, something that is not empty, a link, what may be
// read, written or run; what `cd` can go to.
struct FileTest {
  enum class Kind {
    file,
    directory,
    exists,
    not_empty,
    link,
    readable,
    writable,
    executable,
    enter
  } kind = Kind::exists;
  Value path;
};
// [ left = right ]; without a right side [ -z left ].
struct TextTest {
  Value left, right;
};
// [ left -lt right ], of whole numbers; op as Python writes it.
struct NumberTest {
  std::string op;
  Value left, right;
};
// What `case` and [[ = ]] compare with: `*`, `?` and [ ] in it mean what fnmatch takes them for.
struct PatternTest {
  Value left;
  std::string pattern;
};
// [[ left =~ pattern ]], the pattern as Python's `re` has it.
struct RegexTest {
  Value left;
  std::string pattern;
};
// Commands, of which the last succeeds: one step. What no expression can do (ir::needs_statement)
// stands where nothing else is asked before it.
struct Succeeds {
  std::vector<Step> steps;
};
struct Not {
  std::vector<Condition> operand; // one
};
struct AllOf {
  std::vector<Condition> operands;
};
struct AnyOf {
  std::vector<Condition> operands;
};
struct Always {
  bool value = true;
};
struct Condition {
  std::variant<Always, FileTest, TextTest, NumberTest, PatternTest, RegexTest, Succeeds, Not, AllOf,
               AnyOf>
      value;
};

struct Branch {
  Condition condition;
  std::vector<Step> steps;
  Span span{};
};
// `if`, `case`, and lists with && and ||.
struct If {
  std::vector<Binding> before; // locals that the branches may change
  std::vector<Branch> branches;
  std::optional<std::vector<Step>> otherwise;
  bool list = false; // `a && b` or `a || b`, with one branch
  bool is_and = false;
  // Of `a && b`, set by the failure pass. Where the condition is false its status is the list's:
  // the task ends with it, or this variable of Python gets it.
  bool ends = false;
  std::string status;
  std::vector<Step> after; // what stands behind it, where no branch has left
};
// The lines of a file, one at a time: while read line; do ...; done < file
struct LinesOf {
  Value file;
  bool printed = false; // it is what a program prints, not a file
  bool blanks = false;  // IFS=: those at the ends stay
  bool escapes = false; // without -r
  bool rest = false;    // a last line without its newline, too
  // Of `read a b c` Python's variables, each with a word, the last with what is left.
  std::vector<std::string> names;
  std::string separator; // IFS=,; "" for blanks
};
// for ((i = FIRST; i < END; i += BY))
struct Range {
  Value first, end;
  std::int64_t by = 1;
};
// for variable in items; the variable is a local of the task. `while` where there is a condition.
struct For {
  std::vector<Binding> before;
  std::string variable; // Python's
  std::vector<Value> items;
  std::optional<Condition> condition;
  std::optional<LinesOf> lines;
  std::optional<Range> range;
  std::vector<Step> steps;
};
struct LeaveLoop {
  bool again = false; // continue
};
// exit: ends the job.
struct Exit {
  int status = 0;
  std::string variable; // Python's variable that holds the status, or ""
  bool at_end = false;  // nothing stands behind it, so that 0 needs no return
  bool text = false;    // the variable is the script's own, and holds the status as text
};

// command &: it runs beside what follows.
struct Background {
  std::vector<Step> steps; // one: a Launch or a Pipeline
  std::string task;        // Python's variable for it, where the script takes its $!
  bool queues = false;     // it waits for a place: Job::room
};
// wait, for all that run in the background; wait $pid, for one.
struct Wait {
  std::vector<std::string> tasks; // as above, none for all
};

// trap ... EXIT: what runs when the script ends, however it does.
struct AtExit {
  std::vector<Binding> before; // locals that what follows may change
  std::vector<Step> steps;
};

// A function of the script that is one of the task, too.
struct Function {
  struct Parameter {
    std::string name;      // Python's
    bool optional = false; // "" where a call does not give it
  };
  std::string name; // Python's
  std::vector<Parameter> parameters;
  std::vector<Step> steps;
  bool gives_status = false; // set by the failure pass
};
// A call of one.
struct Call {
  std::string function; // Python's name for it
  std::vector<Value> arguments;
  bool condition = false; // what fails in it does not end the script, whatever errexit says
};
// return: ends a function, with this status.
struct Return {
  int status = 0;
  std::string variable; // Python's variable that holds the status, or ""
  bool text = false;    // the variable is the script's own, and holds the status as text
  bool bare = false;    // nothing asks for the status (set by the failure pass)
};

struct Step {
  std::variant<Opaque, Launch, Assign, ShellOptions, ChangeDirectory, Echo, Nothing, Submit, If,
               For, Pipeline, LeaveLoop, Exit, Limit, FileMask, Stage, Background, Wait, AtExit,
               Function, Call, Return>
      value;
  const shell::Statement* statement = nullptr;
  Span span{};
  review::EntryId entry{};
  std::vector<Comment> comments;    // of the script, above it or behind it on its line
  std::vector<Comment> below;       // of the script, behind a block or where no statement follows
  std::vector<std::string> reviews; // "REVIEW ..." above it
  bool in_region = false;           // stands in the kept region
  std::string status;               // Python's variable that gets its status, or ""
};

// A run of text that must not stand in kept Bash: a module line, `srun`, a secret.
struct Removal {
  Span span{};
  std::string replacement; // "" or what stands for it ("$WANDB_API_KEY")
  std::string what;        // "line 11, the module"
};

// The words of an srun before its program, and what they mean for it in one container.
struct SrunStep {
  Span prefix{};
  std::int64_t copies = 1;
  std::int64_t gpus_each = 0;
  std::optional<StepSize> size; // of one process on the job's one node
  std::vector<std::pair<std::string, std::string>> environment; // --export=ALL,NAME=VALUE
  std::optional<std::string> output, error;                     // files of --output and --error
  bool ranks = false;                 // Flyte starts the program, once a rank: Job::cluster
  bool in_text = false;               // the text of a shell holds the words of the program
  std::vector<std::string> instead;   // words that take the place of the prefix: python -m
  std::optional<std::size_t> program; // which of them is the program, where one is
  std::string
      local_rank; // "--local-rank": an argument behind it with the rank's number on the node
};

// What Flyte starts on several nodes: the ranks of a program, one of which the task is; or workers
// that the task has at its disposal.
namespace clusters {
struct Ranks {
  std::string launcher;      // "torchrun", "accelerate", "srun", "jax"
  std::string backend;       // "c10d"; "" for Flyte's own choice
  std::string backend_asked; // by the site file: "c10d (slurm2flyte.toml:3)"
  std::int64_t restarts = 0;
  bool restart_on_host_maintenance = false;
  std::string restart_asked; // "--requeue"

  [[nodiscard]] bool jax() const { return launcher == "jax"; }
};
struct Ray {};
struct Dask {
  std::string scheduler_file; // which the program is told
};
struct Spark {
  std::vector<std::pair<std::string, std::string>> conf; // as spark-submit was told
};
} // namespace clusters

struct Cluster {
  using Ranks = clusters::Ranks;
  using Ray = clusters::Ray;
  using Dask = clusters::Dask;
  using Spark = clusters::Spark;
  Sourced<std::int64_t> replicas, processes;
  std::variant<Ranks, Ray, Dask, Spark> kind;
  Span span{};

  [[nodiscard]] const Ranks* ranks() const { return std::get_if<Ranks>(&kind); }
  [[nodiscard]] const Dask* dask() const { return std::get_if<Dask>(&kind); }
  [[nodiscard]] const Spark* spark() const { return std::get_if<Spark>(&kind); }
  [[nodiscard]] bool ray() const { return std::holds_alternative<Ray>(kind); }
};

// What srun has of the job's one node for the steps that run side by side: one that finds no place
// waits.
struct Room {
  std::int64_t places = 1;
  std::int64_t gpus = 0; // of each place; 0: each step sees what the job sees
  std::string how;       // "--ntasks=4"
};

// A program whose ranks the script starts several times, one after the other: `main` calls the
// task, which is one rank of one start, for each.
struct Starts {
  struct Run {
    std::vector<std::string> values; // of the variables
    bool must = false;               // where it fails, the job ends: `|| exit 1`, `A && B`
    Span span{};
  };
  std::vector<std::string> variables; // of the script's shell, which the task has as parameters
  std::vector<Run> runs;
  bool loop = false; // the script has a loop of them
};

// Words before a program that a task does without: `apptainer exec ... IMAGE`, `poetry run`.
struct Prefix {
  Span span{};                                                  // up to the program's first word
  std::vector<std::pair<std::string, std::string>> environment; // --env NAME=VALUE
  std::string directory;                                        // --pwd, "" for none
  std::vector<std::string> words;                               // what stands in its place
  std::string why;                                              // what keeps it from being lifted
};

struct Secret {
  std::string variable;  // WANDB_API_KEY
  std::string key;       // wandb-api-key
  Span span{};           // of the statement
  Span value_span{};     // what must never be shown
  bool answered = false; // a site file names the key
};

// What Python takes over of the shell of a region, beside values.
struct ShellLeft {
  bool ends = false;    // an exit in it ends the script
  bool moves = false;   // the directory
  bool exports = false; // the variables that programs see

  [[nodiscard]] bool any() const { return ends || moves || exports; }
};

// Text of the body, from the first of statements that stay Bash together to the last, with the
// removals applied.
struct KeptRegion {
  std::size_t first_step = 0, last_step = 0; // inclusive
  Span span{};
  std::string text;
  std::vector<std::string> removed; // "line 11, the module"
  bool status_matters = true;       // its failure ends the job
  bool uses_arguments = false;      // reads $1, $@ ...
  std::vector<Span> before;         // statements before it whose text it begins with
  // Variables that Python gives it, and such that it sets and Python reads behind it: the shell's
  // name, Python's.
  std::map<std::string, std::string> takes, returns;
  ShellLeft left;
  bool sees_exports = false; // what programs see is not in its text

  [[nodiscard]] bool holds(std::size_t step) const {
    return step >= first_step && step <= last_step;
  }
};

// Why a job, or a driver, is not (wholly) a Flyte task.
struct Reason {
  std::string rule;
  std::string text;
  Span span{};
};

// What an element of an array takes from a list or a file by its index: a parameter of the task.
struct ArrayItem {
  // Of a line the words, as `awk` (without a separator) or `cut` count them.
  struct Field {
    std::string program; // "awk", "cut"
    std::string separator;
    std::int64_t number = 1;
  };
  // A line of a file, counted from 1.
  struct Line {
    std::string file;       // below the submit directory; of an input: its parameter
    bool input = false;     // it is fetched
    bool words = false;     // the words of the file in place of its lines
    bool or_last = false;   // of a line behind the end: the last (head | tail)
    bool no_return = false; // without a carriage return
    std::string pattern;    // of files: `file` is a directory, and the item one of them
    std::optional<Field> field;
    Value number;
  };
  Parameter parameter;
  std::variant<Value, Line> from; // a value of the index alone
  std::string asked;              // "sweep.sh:11"
  Span span{};
  std::vector<Span> also; // where the same item stands
};
// A list of the script's that items are taken from: a constant of the module.
struct ArrayList {
  std::string constant; // Python's name
  std::vector<std::string> items;
  Span span{};
};

struct ArrayUse {
  slurm::ArraySpec spec;
  std::string asked; // "--array=0-63%8"
  std::vector<Span> spans;
  std::string index_parameter = "index";
  bool index_used = false;
  bool certain = false; // no driver may give it other indices
  std::vector<ArrayItem> items;
  std::vector<ArrayList> lists;
  std::vector<std::string> files; // that lines are taken from, below the submit directory
  std::string count_parameter;    // what stands for $SLURM_ARRAY_TASK_COUNT, and how many run

  // Whether the indices are known; else each is for the caller to give.
  [[nodiscard]] bool mapped() const { return !spec.indices.empty(); }
};

// A SLURM_* variable that the body reads: its literal value where the header tells it, else known
// at run time only.
struct SlurmRead {
  std::string name;
  std::optional<std::string> value;
  std::string how; // "--cpus-per-task=8"
};

// A file that the job leaves, below the directory of the command that writes it.
struct OutputFile {
  Value path;
  std::string directory; // "" or "sub", below the submit directory
  Span span{};
  bool handed_on = false; // another job of the driver takes it, so that it has to be there
  bool taken = false;     // the same, if it is there
};

// A path of the cluster that the job only reads (an input: the parameter of the task, fetched), or
// only writes (an output: a place of the task's own, handed over at the end).
struct ClusterPath {
  std::string was;       // as the script names it: "/scratch/$USER/prepared"
  std::string name;      // Python's: of the local path, what a TaskPath refers to
  std::string parameter; // of an input
  // Of an output its name below the place, "" for a directory that is the place; of an input the
  // name that it must have, "" for any.
  std::string leaf;
  std::optional<Value> computed_leaf; // of an output whose name the task's parameters make
  bool written = false;
  bool directory = false;
  bool collected = false;  // an input: the files that several jobs wrote into the directory
  bool staged = false;     // an input that a Stage puts where it is read
  bool of_main = false;    // an input whose lines `main` gives to the elements of an array
  bool handed_on = false;  // as above
  std::vector<Span> spans; // of every word that names it
};

// What an earlier job of the driver wrote, put where this one looks for it.
struct Placed {
  std::string parameter;
  Value path; // below the submit directory; of several files the directory, "" for itself
  bool several = false;
  std::string writer;     // "count.sh"
  bool as_it_lay = false; // directories of files under their names below the submit directory
};

// Files whose names only a run of the job makes and another job of the driver looks for: all that
// fit are handed over in one directory, under their names below the submit directory.
struct LeftFiles {
  std::vector<std::string> patterns;
  std::vector<Span> spans; // of the words that make the names
};

// A program that goes on from its checkpoints when the job is started again.
struct Resume {
  const shell::Statement* statement = nullptr; // its `&` is there so that a trap can run
  std::string directory;                       // of the checkpoints, below the submit directory
  std::string requeued;                        // "train.sh:8", which asked Slurm to start it again
  Span span{};
};

// What has the job start again: another attempt of its task.
struct Restart {
  enum class How {
    requeued,      // scontrol requeue $SLURM_JOB_ID
    submitted,     // sbatch $0, at its end
    after_failure, // sbatch -d afternotok:$SLURM_JOB_ID $0
    chain          // its driver submits it so many times
  } how{};
  Span span{};
  std::int64_t times = 0; // of a chain
  bool whatever = false;  // and each run begins whatever became of the one before
};

// A secret of the submitting shell that a driver hands to a job: ${TOKEN:-none}.
struct SecretWord {
  std::string variable;  // TOKEN
  std::string otherwise; // none
  Span span{};
  friend bool operator==(const SecretWord& one, const SecretWord& other) {
    return one.variable == other.variable && one.otherwise == other.otherwise;
  }
};

struct Note {       // one thing that is not carried over
  std::string text; // "train.sh:8 --output=...: each task has its own log (flyte get logs)"
  Span span{};
};

struct NumberRow {
  std::string asked, given, how;
};

// How Flyte reaches Slurm, for a job that stays there; what a site file says.
struct SlurmAccess {
  std::optional<Sourced<std::string>> host, username, ssh_key_secret, submit_dir;
};

// What a run of the job is marked with: the account that Slurm charged.
struct Label {
  std::string name, value; // "slurm-account", "proj42"
  std::string asked;       // "--account=proj42"
  Span span{};
};

// A variable that --export=NAME=VALUE gives the job, over what its own statements say of it.
struct GivenVariable {
  std::string name, value;
  std::string asked; // "--export=ALL,LR=0.1"
  Span span{};
};

struct Mail {
  std::vector<std::string> events; // FAIL, END, ...
  std::string user;
  std::vector<Span> spans;
  std::string answered; // "slurm2flyte.toml:12" where a site file wants them
};

struct Job {
  source::SourceId source{};
  std::string path;     // of the script, as named
  std::string stem;     // "train"
  slurm::Header header; // as submitted (script, command line)
  const shell::Script* script = nullptr;
  Interpreter interpreter;
  std::string slurm_name;       // what Slurm would call it
  std::string function;         // Python's name for the task
  std::string environment_name; // Flyte's name for the environment
  std::string name_asked;       // "--job-name=train", "" when it comes from the file's name
  std::vector<Span> name_spans;

  Resources resources;
  std::optional<Sourced<std::int64_t>> time_minutes;
  std::optional<Sourced<std::string>> queue;
  std::optional<Sourced<std::int64_t>> retries;
  std::optional<Sourced<std::int64_t>> max_queued_minutes;
  std::optional<Sourced<bool>> interruptible;
  std::optional<Sourced<std::int64_t>> replicas; // containers that the elements of an array share
  std::optional<Sourced<bool>> cached;
  std::optional<Sourced<std::string>> pod_template;
  SlurmAccess slurm;
  std::optional<Mail> mail;
  std::vector<Label> labels;
  std::vector<GivenVariable> exported; // by --export: to every program, from the start
  Environment environment;
  std::vector<Parameter> parameters;
  std::map<std::string, std::string> locals; // of a shell variable: its name in the task's Python
  std::set<std::string> number_locals;       // of which Python holds the number
  std::vector<Span> number_reads;            // where a text must be a number
  std::vector<Span> pattern_reads;           // where a value must be no pattern
  std::set<std::string> changing_locals;     // Python's names of those that get a value twice
  std::vector<Secret> secrets;               // one for each variable
  std::vector<Span> secret_spans;            // every place where the value of one stands
  std::vector<Comment> comments;             // of the script, where its options stand
  std::vector<Step> body;
  std::vector<std::shared_ptr<const shell::Statement>> made; // statements that passes made of them
  std::vector<Removal> removals;
  std::vector<SrunStep> srun_steps;
  std::vector<Prefix> prefixes;
  std::vector<KeptRegion> kept; // in the order of the script
  bool errexit = false;
  bool pipefail = false;
  std::optional<ArrayUse> array;
  std::vector<OutputFile> outputs;
  std::vector<ClusterPath> cluster_paths;
  std::vector<Placed> placed;
  std::optional<LeftFiles> left;
  std::vector<std::pair<std::string, Span>> opens; // what its programs open by names of their own
  std::string temporary; // Python's variable for $TMPDIR, "" where it needs none
  std::string started;   // Python's variable for when $SECONDS was 0, if that is the task's begin
  std::vector<std::string> include; // files beside the script that the task needs
  std::vector<std::string> reviews; // for the environment as a whole
  std::vector<Note> not_carried;
  std::vector<NumberRow> numbers;
  std::set<std::string> slurm_payload; // SLURM_* names that stand in what the job starts
  std::vector<SlurmRead> slurm_reads;  // SLURM_* that the body reads and Slurm would have set
  std::optional<Cluster> cluster;
  std::optional<Starts> starts;
  std::optional<Room> room;  // of steps that wait for a place: Background::queues
  bool unread_ranks = false; // their program is not there to say which variables it reads
  std::optional<Resume> resume;
  std::vector<Restart> restarts;
  std::optional<Reason> stays_on_slurm;
  bool missing = false; // its script was not found
  // Where the driver submits it from, below HERE; of several directories a parameter holds which.
  std::string starts_in;
  bool submits = false; // it is a driver, which notes what it submits
  std::set<std::string>
      inlined; // functions of the script whose statements stand where it calls them
  std::set<std::string> wanted;        // variables that it hands on to what it submits
  std::set<std::string> given;         // variables that the driver gives it
  std::set<std::string> inherited;     // those of them that its programs see too
  std::set<std::string> always_given;  // those that every submission gives it
  std::set<std::string> unknown_given; // those whose values only the running driver knows
  std::map<std::string, SecretWord> given_secrets; // secrets, by the "1" or "TOKEN" they come as
  std::string module;  // Python's name of the module that has its task, "" for its own
  std::string summary; // the module's first line

  // Whether a place of the script stays Bash.
  [[nodiscard]] bool keeps(const Span& span) const {
    const auto next = std::ranges::partition_point(
        kept, [&](const KeptRegion& region) { return region.span.begin <= span.begin; });
    return next != kept.begin() && std::prev(next)->span.contains(span);
  }
  // How many files and directories its task returns; those of a region are not among them.
  [[nodiscard]] std::size_t returned() const {
    const auto files = std::ranges::count_if(
        outputs, [this](const OutputFile& output) { return !keeps(output.span); });
    const auto places = std::ranges::count_if(cluster_paths, &ClusterPath::written);
    return static_cast<std::size_t>(files + places) + (resume ? 1 : 0) + (left ? 1 : 0);
  }
  // The region that a step of the body stands in.
  [[nodiscard]] const KeptRegion* region_of(std::size_t step) const {
    const auto next = std::ranges::partition_point(
        kept, [step](const KeptRegion& region) { return region.first_step <= step; });
    return next != kept.begin() && std::prev(next)->holds(step) ? &*std::prev(next) : nullptr;
  }
};

// A parameter of a submitted job that takes what the task of an earlier submission returns: the
// output with that index, those in cluster_paths before those in outputs.
struct Handed {
  std::string parameter;
  std::size_t from = 0; // index into Driver::submissions
  std::size_t output = 0;
  bool each = false;      // of every run of it, in a list, those that are there
  bool all_turns = false; // of those that every turn of a loop submits
};

struct Dependency {
  enum class Kind { ok, any, not_ok } kind = Kind::ok;
  Term jobs;                   // one, or a list
  std::optional<Term> element; // of an array: the index of the one that it waits for
  bool each = false;           // element i waits for element i
};

// What the driver submits in place of a job that ended so.
struct Recovery {
  std::string error;          // flyte.errors.OOMError
  std::size_t submission = 0; // index into Driver::submissions
  Span span{};                // of the check
};

// One `sbatch ...` in a driver.
struct Submission {
  std::size_t job = 0;         // index into Workload::jobs
  std::vector<Term> arguments; // positional arguments for the script
  std::vector<Dependency> depends;
  // The same by index into Driver::submissions, where the driver has neither loops nor choices.
  std::vector<std::size_t> ok, any, not_ok;
  std::map<std::string, Term> environment; // variables that the job inherits, as far as known
  // Those of them that its programs see too; the others stand in its text alone.
  std::set<std::string> inherited;
  std::set<std::string> unset;               // those that it does not inherit
  std::set<std::string> unknown;             // those whose values only the running driver knows
  std::map<std::string, SecretWord> secrets; // arguments ("1") and variables that are secrets
  std::optional<Term> indices;               // of --array, where the driver computes it
  std::string asked_indices;
  Span span{};
  std::string directory;        // that it is submitted from, below the driver's; "" for that itself
  std::string asked_dependency; // "afterok:$PREP"
  std::vector<Handed> handed;
  std::vector<Recovery> recoveries;
  bool by_element = false; // an array whose elements others wait for one by one
};

// A driver that runs as it was, in a task that notes each sbatch in place of submitting anything.
struct Plan {
  // What an sbatch turns out to be: the text of which `text` is the place, the script `script`, or
  // whatever it is where both are empty.
  struct Candidate {
    std::string text, script;
    std::size_t submission = 0;                // index into Driver::submissions
    std::map<std::string, std::string> values; // what its text is given: by name, as written
  };
  struct Site {
    std::string place; // "12": the line, what the driver's text calls it by
    Span span{};
    std::vector<Candidate> candidates;
    bool computed_indices = false; // --array with what only the driver knows
  };
  std::size_t submission = 0; // of the task that runs the driver
  std::vector<Site> sites;
};

// A directory of the cluster whose files the driver goes through: an input of `main`.
struct Folder {
  struct Listing {
    std::string variable; // of `main`, which holds the files
    std::string pattern;  // "*.fastq"
    bool required = true; // the pattern itself stands where nothing matches it, and is no file
    bool deep = false;    // find: in the directories below, too
  };
  std::string parameter; // of `main`
  std::string was;       // "/scratch/project/data", "$1"
  Span span{};
  std::vector<Listing> listings;
};

struct Driver {
  source::SourceId source{};
  std::string path, stem;
  const shell::Script* script = nullptr;
  Interpreter interpreter;
  std::vector<Step> body;
  std::vector<DriverStep> steps;
  std::vector<Submission> submissions;
  std::vector<Parameter> parameters; // of `main`
  std::vector<Folder> folders;
  std::optional<Reason> not_lifted;
  std::optional<Plan> plan; // where it was not lifted
  std::vector<Note> not_carried;
  bool errexit = false;
};

struct Workload {
  std::vector<Job> jobs;
  std::optional<Driver> driver;
};

} // namespace s2f::ir
