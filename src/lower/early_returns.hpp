// What a task hands over where it ends before its last statement.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "flyte/python.hpp"

namespace s2f::lower {

// Gives each `return` without a value the value of the last one, less the files that have no name
// yet: `bound` are the names that have a value from the start.
//
// before:  if status: return                     name = ...   return await keep_all(HERE / "log",
// HERE / name) after:   if status: return await keep_all(HERE / "log")   ...
void fill_returns(std::vector<flyte::Stmt>& body, const flyte::Return& last,
                  const std::set<std::string>& bound);

} // namespace s2f::lower
