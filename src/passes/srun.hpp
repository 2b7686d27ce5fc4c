// What an srun command line asks for.
//
// before:  srun -n $N --exact $OPTS python train.py
// after:   StepOptions{program = python's word, ntasks = 1, ...}
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "passes/context.hpp"
#include "passes/script_values.hpp"

namespace s2f::passes {

struct StepOptions {
  // Index of the first word of the program; words.size() if there is none.
  std::size_t program = 0;
  std::optional<std::int64_t> ntasks, nodes, per_node;
  std::string unknown;       // what keeps the number of copies from being known, "" for nothing
  std::string unknown_nodes; // the same, where --ntasks does not say it anyway
  std::string mpi;           // what makes it one MPI program: "--mpi"
  bool interactive = false, container = false, directory = false;
  bool gpus_per_task = false;
  std::optional<std::int64_t> gpus_each;     // of --gpus-per-task
  std::optional<std::int64_t> tasks_per_gpu; // of --ntasks-per-gpu
  std::optional<std::string> gpu_bind;
  bool placed = false; // --nodelist, --relative: it may be another node than the first
  std::vector<std::pair<std::string, std::string>> environment; // --export=ALL,NAME=VALUE
  std::optional<std::string> output, error;                     // files of --output and --error
  std::vector<std::string> placement; // --cpu-bind, --distribution: how the step lies on its nodes
  bool exact = false;   // --exact, --exclusive, --cpus-per-task: it takes no more than it asks for
  bool overlap = false; // it takes nothing away from other steps
  std::optional<std::int64_t> cpus; // of --cpus-per-task
  bool asks_gpus = false;           // --gres=gpu:1, --gpus, --gpus-per-node, --gpus-per-task
  std::optional<std::int64_t> gpus; // of all these but the last, where the number is known
  bool gpus_by_node = false;        // it names them by one of the first and the third
  // --time=10, --epilog=x: an option, by name, and what is given to it.
  std::vector<std::pair<std::string, std::string>> left_out;
  bool streams = false; // --input, or a file whose name is known only when the job runs
  bool input = false;   // --input
  std::string log;      // the file of --output or --error as written, whatever its name
};

// One word as the shell hands it to srun.
struct StepWord {
  std::optional<std::string> text;  // nothing where several texts are possible
  std::string start;                // what it begins with in any case
  std::size_t word = 0;             // index of the word of the script
  bool last_of_word = true;         // of those that the shell splits the word into
  bool program = false;             // whatever it is, it is no option
  std::string why;                  // why neither can be told
  std::vector<std::string> choices; // of a word that is one of several texts
  std::string shape; // what is known of it, with "${NAME}" for what is not; "" for nothing
};
// With `parts`, an unquoted variable of which only a part is known ("torchrun --rdzv_endpoint
// $HOST:29500") is split as well: what is not known of it is taken to be no more than one word.
[[nodiscard]] std::vector<StepWord> step_words(const shell::SimpleCommand& command,
                                               std::size_t from, const ScriptValues& values,
                                               bool parts = false);

// `first` is the index of the word srun.
[[nodiscard]] StepOptions read_step(const shell::SimpleCommand& command, std::size_t first,
                                    const ScriptValues& values);

// The same of words that are known already, from the one behind srun on; `program` is the index of
// the word among these.
[[nodiscard]] StepOptions read_step(std::vector<StepWord> words);

// The GPUs that a step of one process names; nothing where it names none, or the number is not
// known.
[[nodiscard]] std::optional<std::int64_t> gpus_of_step(const StepOptions& step);

// Says of a step that leaves srun what became of those that place it, and of those that are left
// out.
void say_placement(PassContext& context, const StepOptions& step, const Span& span);

// How many copies of its program the step starts; nothing if it can't be told.
[[nodiscard]] std::optional<std::int64_t> copies_of(const StepOptions& step,
                                                    const slurm::Component& component);

} // namespace s2f::passes
