// What can be said of a condition: its opposite, what of it is known, what it asks first.
#pragma once

#include "ir/workload.hpp"

namespace s2f::ir {

[[nodiscard]] Condition negated(Condition condition);
// Without what is known to hold, or not to.
[[nodiscard]] Condition simplified(Condition condition);

// Whether the command of a condition cannot stand in an expression: it opens a file, or prints.
[[nodiscard]] bool needs_statement(const Step& step);
// Whether a step always succeeds: a text is printed, a value given.
[[nodiscard]] bool always_succeeds(const Step& step);
// The command that a condition asks before anything else, where that is a statement; or null.
[[nodiscard]] const Step* asked_first(const Condition& condition);
// The same condition where that command has been asked, and `answer` says how it went.
[[nodiscard]] Condition with_answer(Condition condition, Condition answer);
// Whether another command of the condition is a statement.
[[nodiscard]] bool asks_later(const Condition& condition);
// x=$(program), and nothing else: then its status is the program's.
[[nodiscard]] bool is_output(const Assign& assign);

} // namespace s2f::ir
