// What has a job start again: it asks Slurm for it, or its driver submits it behind itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/workload.hpp"
#include "source/source.hpp"

namespace s2f::passes {

// The directory of checkpoints that an option names, as plain text below the submit directory; ""
// where none does.
[[nodiscard]] std::string checkpoint_directory(const shell::SimpleCommand& command);

// Whether a word, as the script writes it, is the script itself.
[[nodiscard]] bool names_itself(std::string_view word, std::string_view script);

// Takes the commands by which a job starts again out of its script, each for an `exit 1`: the next
// attempt of a task begins where one has failed.
[[nodiscard]] std::vector<ir::Restart> take_restarts(shell::Script& script,
                                                     const source::Source& source);

} // namespace s2f::passes
