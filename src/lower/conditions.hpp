// What an `if` of a task asks.
#pragma once

#include <functional>

#include "lower/parts.hpp"

namespace s2f::lower {

// What a condition needs of the body around it.
struct Conditions {
  const ir::Job& job;
  std::function<flyte::Expr(const ir::Value&)> path;  // of a file
  std::function<flyte::Expr(const ir::Step&)> status; // `await run(...)` of a command
  std::function<Around(const ir::Value&)> around;     // of a value
  std::string variable = {}; // gets the status of the command that makes it false, or ""
};

[[nodiscard]] flyte::Expr condition(const Conditions& parts, const ir::Condition& condition);

} // namespace s2f::lower
