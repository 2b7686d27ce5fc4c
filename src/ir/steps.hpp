// The one walk over the steps of a body, those within others too.
#pragma once

#include <functional>

#include "ir/workload.hpp"

namespace s2f::ir {

// Every step in the order of the script, an outer one before what is in it; commands that a
// condition asks stand before the branch.
void for_each_step(const std::vector<Step>& steps, const std::function<void(const Step&)>& visit);
void for_each_step(std::vector<Step>& steps, const std::function<void(Step&)>& visit);

[[nodiscard]] bool any_step(const std::vector<Step>& steps,
                            const std::function<bool(const Step&)>& predicate);
// The same for one step and what is in it.
[[nodiscard]] bool any_step(const Step& step, const std::function<bool(const Step&)>& predicate);

// The lists of steps that stand directly in one: the commands of its conditions, its branches.
void for_each_part(const Step& step, const std::function<void(const std::vector<Step>&)>& visit);

// Every value of a step itself, with those within values, but not those of the steps in it.
void for_each_value(Step& step, const std::function<void(Value&)>& visit);

} // namespace s2f::ir
