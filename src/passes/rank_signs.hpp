// What a script says of ranks whose program is not there to be read.
//
// before:  export MASTER_ADDR=...; srun python /home/me/train.py --num_nodes 2
// after:   torch {"MASTER_ADDR", "--num_nodes"}, other {}
#pragma once

#include <set>
#include <string>
#include <vector>

#include "passes/context.hpp"

namespace s2f::passes {

struct RankSigns {
  std::vector<std::string> torch;                  // as written, each once
  std::vector<std::string> other;                  // of MPI, Horovod, TensorFlow, ...
  std::vector<std::string> sure_torch, sure_other; // of these, what nothing else would say
  std::vector<std::string> mpi;         // of other, and what is built upon a library of MPI
  std::vector<std::string> program_mpi; // of these, what stands among the program's own words

  // A library of MPI that is loaded says little beside what only torch reads.
  [[nodiscard]] bool only_torch() const {
    return sure_other.empty() && !torch.empty() && (other.empty() || !sure_torch.empty());
  }
};

// `start` is the command that starts the ranks, its words from `program` on those of the program;
// `also_sets` are names that the text of its shell gives a value.
[[nodiscard]] RankSigns rank_signs(const PassContext& context, const shell::SimpleCommand& start,
                                   std::size_t program,
                                   const std::set<std::string>& also_sets = {});

} // namespace s2f::passes
