// What a job leaves on its disk that nothing returns: the finding S2F604.
#pragma once

#include <string>
#include <vector>

#include "passes/context.hpp"

namespace s2f::passes {

// `names` as the script says them; `who` writes them: "The job", "The kept Bash".
void not_handed_over(PassContext& context, Span where, std::vector<std::string> names,
                     std::string_view who);

} // namespace s2f::passes
