// What a torch launcher's command line says: how many ranks, and what each runs.
//
// before:  torchrun --nnodes=4 --nproc_per_node=8 --rdzv_endpoint=$H:29500 train.py --lr 1
// after:   nodes 4, processes 8, the program begins at train.py
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "passes/srun.hpp"

namespace s2f::passes {

struct RankLauncher {
  std::string name; // "torchrun", "accelerate"
  std::optional<std::int64_t> nodes, processes, total, restarts;
  std::optional<std::int64_t> nodes_max; // of --nnodes=2:4, where `nodes` is the least
  bool all_gpus = false;                 // as many processes as GPUs
  std::string backend;                   // "c10d"
  bool module = false, no_python = false;
  std::string precision;               // "bf16"
  bool local_rank = false;             // the program is told its local rank: --local-rank=N
  std::optional<std::string> hostfile; // names a list of the nodes, as a shape
  std::size_t list = 0;                // the word of the script that names it
  std::optional<std::string> config;   // names a file of these numbers, as a shape
  std::vector<std::string> dropped;    // options without a counterpart, as written
  bool shared = false;                 // the program's word holds others, too: "$LAUNCHER $CMD"
  std::vector<StepWord> rest;          // the program and its arguments
  std::size_t program = 0;             // the word of the script that names the program or module
  std::vector<std::size_t> own;        // the words of the script that only the launcher reads
  std::string why;                     // why it can't be told, "" for nothing
};

// `from` is the word of the command that names the launcher; nothing if it names none.
[[nodiscard]] std::optional<RankLauncher> read_rank_launcher(const shell::SimpleCommand& command,
                                                             std::size_t from,
                                                             const ScriptValues& values);

// The words behind the launcher, each as the shell makes it; nothing if one is not known. Where
// `exported` is given, a shell on each node makes them, which has these variables only.
[[nodiscard]] std::optional<std::vector<std::string>>
known_words(const shell::SimpleCommand& command, const RankLauncher& launcher,
            const std::set<std::string>* exported);

} // namespace s2f::passes
