// Variables of the submitting shell without which the script goes on.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "ir/workload.hpp"

namespace s2f::passes {

struct VariableUse {
  source::Span span{};   // the first
  bool optional = false; // the script asks whether it is set, or only prints or compares it
  bool bare = false;     // read where it has no default
};

// By name: variables that the body reads, alone or as ${NAME:+text} and ${NAME:-}.
[[nodiscard]] std::map<std::string, VariableUse> variable_uses(const ir::Job& job);

// The variable of Slurm or of the script that a name looks like a slip of the pen for.
[[nodiscard]] std::optional<std::string> meant_name(const std::string& name,
                                                    const std::set<std::string>& written);

} // namespace s2f::passes
