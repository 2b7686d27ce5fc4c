// What a word is by the script's own constants, before anything is lifted.
#pragma once

#include <optional>
#include <string>

#include "ir/workload.hpp"

namespace s2f::passes {

// Nothing where it is made of what is known only when the job runs.
[[nodiscard]] std::optional<std::string> constant_text(const ir::Job& job, const shell::Word& word);

} // namespace s2f::passes
