// The one command of a job that starts the ranks of a program on its nodes.
//
// before:  srun --jobid $SLURM_JOBID bash -c '$LAUNCHER --node_rank $SLURM_PROCID $CMD' | tee log
// after:   the step, srun's options, the launcher's numbers, the words of the program, the tail
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "passes/context.hpp"
#include "passes/rank_launcher.hpp"
#include "passes/srun.hpp"

namespace s2f::passes {

struct RankStart {
  ir::Step* step = nullptr;
  const shell::Statement* statement = nullptr; // srun's own
  StepOptions options;
  RankLauncher launcher; // "srun" by name, where srun itself starts the ranks
  // The program and its arguments, where they are not words of the script one by one.
  std::optional<std::vector<std::string>> words;
  std::vector<std::pair<std::string, std::string>> environment; // before the program in `bash -c`
  std::set<std::string> names;          // variables that only the text of `bash -c` reads
  Span tail{};                          // `| tee log`, behind the command
  std::string log;                      // "log", a file that all ranks wrote to
  std::optional<std::size_t> container; // the word that runs the program in a container
  std::size_t inner = 0;                // the word of the launcher, behind the container's
  // The launcher's words in a text of `bash -c` that stands, and what the rest of it reads.
  std::optional<Span> own;
  std::set<std::string> needed;
  std::uint32_t text_end = 0;        // where the words of the program end in it
  std::vector<std::string> left_out; // `source env.sh` in the text of a shell
  std::string file;                  // the script beside this one that starts them on a node
  std::string why;                   // why the ranks can't be told, "" for nothing
  // What says that the ranks are those of torch, where the program is not there to say so.
  std::vector<std::string> signs;
  std::vector<std::string> against; // a library of MPI, which says less
  std::string unread;               // that program
  const ir::Step* config = nullptr; // writes the launcher's configuration
  bool jax = false;                 // its ranks are processes of JAX
  bool loop = false;                // the step is a loop that starts one launcher a node

  [[nodiscard]] const shell::SimpleCommand& command() const {
    return *shell::as_simple(*statement);
  }
};

// "2 nodes with 4 processes each"
[[nodiscard]] std::string shape_of(std::int64_t nodes, std::int64_t processes);

// Nothing where no command starts ranks of a program that is no MPI program.
[[nodiscard]] std::optional<RankStart> find_rank_start(PassContext& context,
                                                       const ScriptValues& values);

// A statement that does nothing but give variables values, and whether it exports them.
[[nodiscard]] const std::vector<shell::Assignment>*
assignments_of(const shell::Statement& statement);
[[nodiscard]] bool exports(const shell::Statement& statement);
// A plain `wait`.
[[nodiscard]] bool waits_for_all(const shell::Statement& statement);

} // namespace s2f::passes
