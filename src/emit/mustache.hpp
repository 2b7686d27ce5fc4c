// Renders the Mustache template language by its public specification (without lambdas).
#pragma once

#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "emit/view.hpp"

namespace s2f::emit {

// The template of that name; nothing when there is none, which renders as nothing.
using PartialResolver = std::function<std::optional<std::string>(std::string_view name)>;

// {{x}} is escaped for HTML, {{{x}}} and {{&x}} are not. The error is a sentence for a person, with
// the line.
[[nodiscard]] std::expected<std::string, std::string>
render(std::string_view text, const View& view, const PartialResolver& partials);

} // namespace s2f::emit
