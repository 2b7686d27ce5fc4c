// Moves what a task does to the directory that its job was submitted from.
#pragma once

#include "lower/parts.hpp"

namespace s2f::lower {

// Of a job that starts in HERE nothing changes.
void start_in(const ir::Job& job, LoweredBody& body);

} // namespace s2f::lower
