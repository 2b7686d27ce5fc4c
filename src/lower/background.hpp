// Commands that run side by side.
#pragma once

#include <functional>
#include <vector>

#include "lower/parts.hpp"

namespace s2f::lower {

// How many steps from `first` on are commands in the background with the `wait` for all of them
// right behind: asyncio.gather(...) takes them as they are. 0 where they are none.
[[nodiscard]] std::size_t gathered(const std::vector<ir::Step>& steps, std::size_t first);

// Whether every command that the job starts in the background is among such steps.
[[nodiscard]] bool all_gathered(const std::vector<ir::Step>& steps);

// Whether `wait` waits for something.
[[nodiscard]] bool waits_for_all(const std::vector<ir::Step>& steps);

// map(str, range(1, 11)), where the words of a loop are such numbers and more than a few.
[[nodiscard]] std::optional<flyte::Expr> numbers(const std::vector<ir::Value>& words);

// await asyncio.gather(...)
[[nodiscard]] flyte::Expr gather(std::vector<flyte::Arg> awaited);

// What stands for one command of `running`: the list of those that run.
constexpr const char* running = "running";
constexpr const char* room = "room"; // the places of steps that wait for one

} // namespace s2f::lower
