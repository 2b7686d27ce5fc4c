// What the Python payload of a launch says of itself, read from the file beside the script.
#pragma once

#include <optional>
#include <string>

#include "passes/context.hpp"
#include "payload/python.hpp"

namespace s2f::passes {

// Nothing where the file is not there or cannot be read. `path` is relative to the submit
// directory.
[[nodiscard]] std::optional<payload::PythonFacts> payload_facts(const PassContext& context,
                                                                const std::string& path);

} // namespace s2f::passes
