// `slurm2flyte signoff`: what is open in a review, and who accepts it.
#pragma once

#include <string>
#include <vector>

#include "cli/console.hpp"

namespace s2f::cli {

struct SignOffOptions {
  std::string action; // list, check, accept, reject, prune, import
  std::vector<std::string> paths;
  std::vector<std::string> ids, rules;
  bool all = false;
  std::string who, date, reason, answer;
  std::string file; // --file: in place of the nearest slurm2flyte.signoff.json
  std::string from; // --from, of import
  std::string config, cluster;
  bool json = false;
};
[[nodiscard]] int sign_off(const SignOffOptions& options, const Console& console);

} // namespace s2f::cli
