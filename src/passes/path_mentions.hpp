// Where the commands of a job name paths of the cluster, and what is done with them there.
//
// before:  Launch{mkdir -p /scratch/me}, Launch{python prep.py --out /scratch/me/prepared}
// after:   {/scratch/me: made}, {/scratch/me/prepared: written, by the option "out" of prep.py}
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/effects.hpp"
#include "passes/context.hpp"
#include "passes/path_uses.hpp"

namespace s2f::passes {

struct PathMention {
  ir::Value* value = nullptr;
  std::size_t skip = 0; // the length of "--out=" before the path
  bool slash = false;   // "/" behind it
  bool made = false;    // by mkdir
  PathUse use;
  std::string flag;  // "out"
  std::string where; // "prep.py:3", where the payload opens it
};
struct MentionedPath {
  std::string was;
  std::string leaf; // its last component
  std::vector<PathMention> mentions;
  std::optional<ir::Value> computed = std::nullopt; // the last component, of parameters
  bool converted = false;
};

struct PathMentions {
  std::vector<MentionedPath> paths;                     // in the order of the text
  std::map<std::string, std::string> variables, locals; // of the script, of Python: what they hold
  analysis::Effects kept_effects;                       // of what stays Bash
  std::string kept;                                     // text of what is not understood

  // A value as the script would write it: "/scratch/$USER/prepared"; nothing for one that is made
  // at run time.
  [[nodiscard]] std::optional<std::string> written(const ir::Value& value) const;
  // Whether text that stays Bash names the path, itself or by a variable.
  [[nodiscard]] bool stays_bash(const std::string& was) const;
};
[[nodiscard]] PathMentions path_mentions(PassContext& context);

} // namespace s2f::passes
