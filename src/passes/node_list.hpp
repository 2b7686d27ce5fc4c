// The list of nodes that a launcher reads: how many ranks it gives each.
//
// before:  echo "$node slots=4" >> hosts; deepspeed --hostfile hosts train.py
// after:   NodeList{slots = 4}
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "passes/context.hpp"
#include "passes/rank_launcher.hpp"
#include "passes/script_values.hpp"

namespace s2f::passes {

struct NodeList {
  std::optional<std::int64_t> slots; // of each node
  std::optional<std::int64_t> nodes; // of a list that is there to be read
  bool differ = false;               // not the same number on each
};
[[nodiscard]] NodeList node_list(const PassContext& context, const ScriptValues& values,
                                 const RankLauncher& launcher);

} // namespace s2f::passes
