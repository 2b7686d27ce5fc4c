// Which jobs of a driver have ended well before another one starts.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <vector>

#include "ir/workload.hpp"

namespace s2f::passes {

struct DriverOrder {
  // One run of an earlier submission, or all that its loop submits.
  enum class Runs { one, all };
  // By submission: those it waits for, and those that these wait for.
  std::vector<std::map<std::size_t, Runs>> before;
  // By submission: those that may have failed before it starts (afternotok, afterany).
  std::vector<std::set<std::size_t>> ended;
  std::vector<bool> in_loop; // by submission
};

[[nodiscard]] DriverOrder order_of(const ir::Driver& driver);

} // namespace s2f::passes
