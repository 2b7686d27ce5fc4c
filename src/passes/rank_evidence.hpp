// What a script says of copies of a program that srun starts, where neither the table of programs
// nor the program itself tells what they are.
//
// before:  module load openmpi; srun -n 64 ./solver
// after:   mpi, "solver is an MPI program, as openmpi in the script says"
#pragma once

#include "passes/rank_programs.hpp"
#include "shell/tree.hpp"

namespace s2f::passes {

// `words` are those of `command`, or what its variables make of them; `program` is the first of
// them that is no option of srun.
[[nodiscard]] Ranks told_ranks(const PassContext& context, const shell::SimpleCommand& command,
                               const PlainWords& words, std::size_t program);

} // namespace s2f::passes
