// Files of cron and scrontab: at which times which command runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "source/source.hpp"

namespace s2f::slurm {

using source::Span;

// One line that starts something.
struct CronEntry {
  std::uint32_t line = 0; // 1-based
  Span span{};            // the whole line
  Span time{};            // "0 2 * * 1-5", "@daily"
  Span command{};
  // The five fields as every cron reads them: @daily is "0 0 * * *", Sunday 0. "" for @reboot.
  std::string cron;
  std::string text; // the command, without the backslash before a %
  std::vector<source::Run> runs;
  bool input = false; // a % of cron's: what stands behind it is standard input
  // Of #SCRON lines above it: the words, and where they stand.
  std::vector<std::pair<std::string, Span>> options;
};

struct CronVariable { // NAME=VALUE, for the lines below it
  std::uint32_t line = 0;
  Span span{};
  std::string name, value;
};

struct CronOptions { // a #SCRON line
  Span span{};
};

struct CronFault { // a line that cron does not take
  std::uint32_t line = 0;
  Span span{};
};

struct Crontab {
  bool of_slurm = false; // for scrontab: each command is a job
  std::vector<CronEntry> entries;
  std::vector<CronVariable> variables;
  std::vector<CronOptions> options;
  std::vector<Span> comments;
  std::vector<CronFault> faults;
};

// What the file at `path` says; nothing where it is no such file: no entry stands in it, or most
// lines are none of cron's.
[[nodiscard]] std::optional<Crontab> read_crontab(const source::Source& source);
// Whether the text is one that concerns Slurm: a command of it submits, or it is scrontab's.
[[nodiscard]] bool is_crontab(std::string_view path, std::string_view text);

// The five fields, as `CronEntry::cron` has them; nothing for what cron does not take.
[[nodiscard]] std::optional<std::string> cron_fields(std::string_view time);

} // namespace s2f::slurm
