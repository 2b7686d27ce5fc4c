// What a script is.
#pragma once

#include <string_view>

#include "shell/tree.hpp"
#include "slurm/header.hpp"
#include "source/source.hpp"

namespace s2f::project {

// Without its tree: of a script in another language.
slurm::Kind kind_of(const source::Source& source, const shell::Script* script);

std::string_view kind_name(slurm::Kind kind);

} // namespace s2f::project
