// Lists what a payload imports and which environment variables it reads.
#pragma once

#include <string>
#include <vector>

#include "payload/program.hpp"
#include "payload/python.hpp"

namespace s2f::payload {

// Sets the imports and what follows from them alone.
void read_imports(const Program& program, PythonFacts& facts);

[[nodiscard]] std::vector<std::string> read_environment(const Program& program,
                                                        const std::vector<NodeId>& options);

} // namespace s2f::payload
