// What a line of a crontab starts.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "source/source.hpp"

namespace s2f::project {

struct Started {
  std::string directory;            // that it goes to first, "" for none
  std::optional<source::Span> goes; // that `cd`
  std::vector<source::Span> logs;   // where what the line prints is sent to
  std::string script;               // as the line names it
  bool submitted = false;
  std::vector<std::string> options; // of sbatch
  std::vector<source::Span> option_spans;
  std::vector<std::string> arguments; // of the script
  std::vector<source::Span> unknown;  // words whose values only the shell knows
  std::map<std::string, std::string> environment;
  bool inherits = true; // the variables of the crontab; else --export names what it gets
};

// Of the text of such a line: cd jobs && /usr/bin/sbatch --mem=4G nightly.sh full > log 2>&1; bash
// submit.sh; nothing for any other command. `variables` are those of the crontab above it.
[[nodiscard]] std::optional<Started> started_by(source::Sources& sources, std::string text,
                                                source::Origin origin,
                                                std::map<std::string, std::string> variables);

} // namespace s2f::project
