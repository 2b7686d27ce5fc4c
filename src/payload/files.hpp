// Finds the paths that a payload opens.
#pragma once

#include <vector>

#include "payload/options.hpp"
#include "payload/program.hpp"
#include "payload/python.hpp"

namespace s2f::payload {

// Distinct, in the order of the text.
[[nodiscard]] std::vector<FileUse> read_files(const Program& program,
                                              const Declarations& declarations);

[[nodiscard]] bool writes_current_directory(const std::vector<FileUse>& files);

} // namespace s2f::payload
