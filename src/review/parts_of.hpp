// The formats that are written input by input; review/parts.hpp is for all others.
#pragma once

#include <string>

#include "review/parts.hpp"

namespace s2f::review {

[[nodiscard]] std::string json_head(const Review& review, const Totals& totals);
[[nodiscard]] std::string json_part(const Input& input);

[[nodiscard]] std::string sarif_head(const Review& review, const Totals& totals);
[[nodiscard]] std::string sarif_part(const Input& input);
// Puts the places of the rules in.
[[nodiscard]] std::string sarif_placed(std::string_view lines, const Totals& totals);

} // namespace s2f::review
