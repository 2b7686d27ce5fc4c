// Pages that are made from a template which was compiled in, and that load nothing.
#pragma once

#include <string>
#include <string_view>

#include "emit/view.hpp"

namespace s2f::review {

// "report/page.js" -> its text, without the line break that it begins with; "" for none.
[[nodiscard]] std::string_view built_in(std::string_view name);
// For a content security policy: 'sha256-...' in base 64.
[[nodiscard]] std::string policy_hash(std::string_view text);
// The template of that name with the values of `view`; every text in it is escaped.
[[nodiscard]] std::string render_page(std::string_view name, const emit::View& view);

} // namespace s2f::review
