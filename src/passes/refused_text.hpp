// Whether a shell refuses a text: it runs what stands before it, and nothing else.
#pragma once

#include <string_view>

namespace s2f::passes {

// Only where that is certain; the text begins where a command does.
[[nodiscard]] bool shell_refuses(std::string_view text);

} // namespace s2f::passes
