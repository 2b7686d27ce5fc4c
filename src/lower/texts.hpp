// Texts of several lines.
#pragma once

#include "lower/parts.hpp"

namespace s2f::lower {

// A text as one literal, or line by line where it has more than a few.
[[nodiscard]] flyte::Expr lines_text(const ir::Job& job, const ir::Value& value,
                                     const Around& around);

} // namespace s2f::lower
