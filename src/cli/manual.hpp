// `slurm2flyte man [COMMAND]`: manual pages, made of the same words as --help.
#pragma once

#include <string>
#include <vector>

#include "cli/shape.hpp"

namespace s2f::cli {

// The page of one of the commands, in roff; no date stands in it.
[[nodiscard]] std::string manual_page(const Command& command, const std::vector<Command>& commands);

} // namespace s2f::cli
