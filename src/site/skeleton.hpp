// A site file to fill in: every question of a run once, the most frequent first.
#pragma once

#include <string>
#include <vector>

#include "review/review.hpp"

namespace s2f::site {

// Nothing in it is an answer yet: every key is commented out. A valid site file as it is.
[[nodiscard]] std::string skeleton(const review::Review& review);

} // namespace s2f::site
