// The parts of a script's path.
#pragma once

#include <string>
#include <string_view>

namespace s2f::project {

std::string base_name(std::string_view path);

// Without "./" and "/./".
std::string normal(std::string path);

} // namespace s2f::project
