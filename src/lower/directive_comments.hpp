// Comments of a header beside what single options became.
#pragma once

#include <string_view>
#include <vector>

#include "lower/parts.hpp"

namespace s2f::lower {

// Puts what the script says of an option, by its long name, to the setting that stands for it.
void add_option_comments(const source::Sources& sources, const ir::Job& job,
                         std::string_view option, flyte::Notes& notes);
// The same of the option at a place, for a job that stays on Slurm; those that were put are taken
// out.
void take_comments(const source::Sources& sources, const ir::Job& job, const Span& option,
                   std::vector<ir::Comment>& comments, flyte::Notes& notes);

} // namespace s2f::lower
