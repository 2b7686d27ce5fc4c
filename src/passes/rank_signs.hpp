// What a script says of ranks whose program is not there to be read.
//
// before:  export MASTER_ADDR=...; srun python /home/me/train.py --num_nodes 2
// after:   torch {"MASTER_ADDR", "--num_nodes"}, other {}
#pragma once

#include <string>
#include <vector>

#include "passes/context.hpp"

namespace s2f::passes {

struct RankSigns {
  std::vector<std::string> torch; // as written, each once
  std::vector<std::string> other; // of MPI, Horovod, TensorFlow, ...

  [[nodiscard]] bool only_torch() const { return !torch.empty() && other.empty(); }
};

// `start` is the command that starts the ranks: its own words may be options of the program.
[[nodiscard]] RankSigns rank_signs(const PassContext& context, const shell::SimpleCommand& start);

} // namespace s2f::passes
