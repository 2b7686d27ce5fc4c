// Copies of one script, made for several clusters, as one module.
//
// before:  juwels/train.sh, lumi/train.sh, mahti/train.sh: three modules
// after:   one, if with the answers of the site file their code is the same
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "project/compile.hpp"

namespace s2f::project {

// Why scripts are not one module: a sentence, and what could be done.
struct FamilyProblem {
  std::string message;
  std::vector<std::string> hints;
};

// Leaves the module of the first script alone, for all of them: their reviews then cite its lines.
// Comments, and the scripts' own names, may differ; all else is the same, or nothing is changed.
[[nodiscard]] std::expected<void, FamilyProblem> join_family(Compiled& compiled);

} // namespace s2f::project
