// What became of the comments of a script, once the module is written.
#pragma once

#include <string_view>

#include "emit/emit.hpp"
#include "review/ledger.hpp"
#include "shell/tree.hpp"
#include "source/source.hpp"

namespace s2f {

// Settles the comments of a script that nothing has settled: each stands in the module, or went
// with the statement that it speaks of.
void settle_comments(const shell::Script& script, std::string_view text, review::Ledger& ledger,
                     const emit::Output* output);

// The comments of a job script that stands in a driver's text, or is the driver's, are the driver's
// too. Those that `from` leaves open stay so.
void hand_comments(const shell::Script& script, const review::Ledger& from,
                   const source::Sources& sources, review::Ledger& to);

} // namespace s2f
