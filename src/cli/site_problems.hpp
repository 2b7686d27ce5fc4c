// Shows what is wrong with a site file, with the line and what was probably meant.
#pragma once

#include <vector>

#include "cli/console.hpp"
#include "site/site.hpp"

namespace s2f::cli {

void complain_about_site(const Console& console, const std::vector<site::Problem>& problems);

} // namespace s2f::cli
