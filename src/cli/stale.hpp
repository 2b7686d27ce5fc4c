// Which outputs on the disk are not what a conversion would write now, and how they differ.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/console.hpp"
#include "cli/outputs.hpp"

namespace s2f::cli {

// Whether what stands there was made from the same text. One that was edited by hand since then is
// not stale: its last line tells what it was made as.
[[nodiscard]] bool is_stale(const Output& output, const project::Files& files);

// The two texts as a unified diff; "" where they are the same. Made safe for a terminal.
[[nodiscard]] std::string unified_diff(std::string_view path, std::string_view before,
                                       std::string_view after, const review::TextStyle& style);

} // namespace s2f::cli
