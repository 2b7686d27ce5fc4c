// A torch launcher in the text that `bash -c` runs on every node.
//
// before:  srun bash -c 'torchrun --nnodes 2 --node_rank $SLURM_PROCID train.py --lr $LR'
// after:   the launcher's own numbers, and the words train.py --lr 0.1
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "passes/rank_launcher.hpp"

namespace s2f::passes {

struct InnerLauncher {
  RankLauncher launcher;
  std::vector<std::string> words; // the program and its arguments
  std::set<std::string> names;    // variables in the text
  std::vector<std::pair<std::string, std::string>> environment;
};

// `shell` is the index of the word `bash`; `exported` are the names that programs of the script
// see. Nothing unless the text is one launcher; what is not known of it is its `why`.
[[nodiscard]] std::optional<InnerLauncher>
read_inner_launcher(const shell::SimpleCommand& command, std::size_t shell,
                    const ScriptValues& values, const std::set<std::string>& exported);

} // namespace s2f::passes
