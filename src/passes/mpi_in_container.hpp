// MPI on one node: whether the site file wants it within one task.
//
// before:  mpi.one_node = "container"; mpirun ./solver            (one node, four tasks)
// after:   mpirun -np 4 ./solver, S2F766: the image has to have it
#pragma once

#include "passes/context.hpp"

namespace s2f::passes {

[[nodiscard]] bool mpi_in_container(const PassContext& context);

// Whether the command at words[at] can run there, and has been seen to; it says so once.
[[nodiscard]] bool start_mpi(PassContext& context, const shell::SimpleCommand& command,
                             std::size_t at, const shell::Statement& statement);
// The same of an srun of several copies, whose program begins at words[program].
void start_copies_by_mpi(PassContext& context, const shell::SimpleCommand& command, std::size_t at,
                         std::size_t program, std::int64_t copies,
                         const shell::Statement& statement);

} // namespace s2f::passes
