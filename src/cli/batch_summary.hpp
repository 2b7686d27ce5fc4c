// What the terminal shows of many scripts: a line each, what is left to answer, and the count.
#pragma once

#include <string>

#include "review/review.hpp"

namespace s2f::cli {

// From this many scripts on, `convert` shows a summary in place of every finding.
inline constexpr std::size_t scripts_of_a_batch = 6;

[[nodiscard]] std::string batch_summary(const review::Review& review,
                                        const review::TextStyle& style);

} // namespace s2f::cli
