// When a script is started again and again.
//
// before:  0 2 * * 1-5 sbatch nightly.sh full
// after:   Schedule{"0 2 * * 1-5", arguments {full}} for nightly.sh
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "source/source.hpp"

namespace s2f::ir {

struct Schedule {
  std::string cron;       // "0 2 * * 1-5"; "" for a fixed rate
  std::int64_t every = 0; // minutes, of that
  std::string where;      // "crontab:1"
  source::Span span{};
  std::vector<std::string> arguments;
  std::map<std::string, std::string> environment;
  std::set<std::string> unset; // variables that other lines have
  std::string zone = "UTC";
  std::string zone_from; // "crontab:2 CRON_TZ=...", "" where nothing says it
};

} // namespace s2f::ir
