// The parts of a script's path.
#pragma once

#include <string>
#include <string_view>

namespace s2f::project {

std::string base_name(std::string_view path);

// Without "./" and "/./".
std::string normal(std::string path);

// "jobs/a.sh" of "jobs/drivers/" and "../a.sh"; "" of what lies above all that the first names.
std::string below(const std::string& directory, const std::string& script);

} // namespace s2f::project
