// How a function of the task gives its status.
#pragma once

#include <vector>

#include "flyte/python.hpp"

namespace s2f::lower {

// status = await run(...); return status   becomes   return await run(...)
// in branches, too; the last branch stands behind those that return.
void return_directly(std::vector<flyte::Stmt>& body);

} // namespace s2f::lower
