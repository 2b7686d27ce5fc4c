// Whether several copies of a program that srun starts belong together by MPI.
//
// before:  srun -n 4 python train.py, train.py beside the script
// after:   separate, since neither train.py nor a module beside it imports mpi4py and its like
#pragma once

#include <optional>
#include <string>

#include "passes/context.hpp"
#include "passes/wrappers.hpp"

namespace s2f::passes {

struct Ranks {
  enum class Kind { separate, shows, once, mpi, unknown } kind = Kind::unknown;
  std::string why; // of mpi and unknown
};

// `program` is the index of srun's first word that is no option.
[[nodiscard]] Ranks ranks_of(const PassContext& context, const PlainWords& words,
                             std::size_t program);

// Whether a program of that name is one of MPI by the table: lmp_gpu, simpleFoam.
[[nodiscard]] bool is_mpi_program(const std::string& name);

// The file beside the script that the Python interpreter at `program` runs: train.py, or
// pkg/train.py of `-m pkg.train`.
[[nodiscard]] std::optional<std::string>
python_payload(const PassContext& context, const PlainWords& words, std::size_t program);

} // namespace s2f::passes
