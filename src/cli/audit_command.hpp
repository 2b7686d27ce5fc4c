// `slurm2flyte audit PATH...`: what a repository of scripts comes to.
#pragma once

#include <string>
#include <vector>

#include "cli/console.hpp"

namespace s2f::cli {

struct AuditOptions {
  std::vector<std::string> paths;   // scripts and directories; "." when there is none
  std::vector<std::string> weights; // NAME=MINUTES
  std::string format = "text";      // text, markdown, json or html
  std::string output;               // -o; "" and "-" are standard output
  std::string config;
  std::string cluster;
  std::size_t jobs = 0; // -j; 0: as many as there are processors
  std::size_t top = 10; // rows of a table; 0: all
};
[[nodiscard]] int audit(const AuditOptions& options, const Console& console);

} // namespace s2f::cli
