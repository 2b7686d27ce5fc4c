// The launcher, or the rank itself, in the text that srun has a shell run on each node.
//
// before:  srun bash -c 'export A=1; torchrun --nnodes=2 --nproc_per_node=4 train.py'
//          srun bash launch.sh train.py, launch.sh beside the script with torchrun in it
// after:   the launcher's numbers, the words of the program, A=1
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "passes/context.hpp"
#include "passes/rank_launcher.hpp"
#include "passes/wrappers.hpp"

namespace s2f::passes {

struct InnerLauncher {
  RankLauncher launcher; // "srun" by name, where the shell starts the rank itself
  PlainWords program;    // of the rank itself
  // The program and its arguments; nothing where they are not all known, and the text stands.
  std::optional<std::vector<std::string>> words;
  std::set<std::string> names;  // variables that only the launcher reads
  std::set<std::string> needed; // those that the text reads, where it stands
  std::vector<std::pair<std::string, std::string>> environment;
  std::vector<std::string> left_out; // `source env.sh`, which a container does without
  std::set<std::string> sets;        // names that the text exports
  std::string file;                  // the script beside this one whose text it is
  std::string text;                  // of that script
  std::optional<Span> own;           // the launcher's words in a text that stands
  std::uint32_t text_end = 0;        // where the words of the program end in it
};

[[nodiscard]] std::optional<InnerLauncher>
read_inner_launcher(const PassContext& context, const shell::SimpleCommand& command,
                    std::size_t shell, const ScriptValues& values,
                    const std::set<std::string>& exported);

} // namespace s2f::passes
