// The facts of a payload as JSON, for tests and for people.
#pragma once

#include <string>

#include "payload/python.hpp"

namespace s2f::payload {

[[nodiscard]] std::string dump(const PythonFacts& facts);

} // namespace s2f::payload
