// `slurm2flyte verify PATH...`: asks the real SDK about modules.
#pragma once

#include <string>
#include <vector>

#include "cli/console.hpp"

namespace s2f::cli {

struct VerifyOptions {
  std::vector<std::string> paths;   // modules, and directories to look for them; "." when empty
  std::vector<std::string> reports; // --report: of a conversion, which are told too
  std::string python;               // --python
  bool json = false;
};
// The status is 1 if a module has a problem, 2 if there is no Python with flyte.
[[nodiscard]] int verify(const VerifyOptions& options, const Console& console);

} // namespace s2f::cli
