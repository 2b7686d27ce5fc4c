// The formats of a review for other programs and for a browser; pure functions of the model.
#pragma once

#include <string>

#include "review/review.hpp"

namespace s2f::review {

// The key of the site file that answers a finding: its own, or for a decision with a default that
// has none `rules.ignore`, which accepts the default everywhere. "" where there is none.
[[nodiscard]] std::string answer_key(const Finding& finding);
// The same as it stands in the file: `rules.ignore = ["S2F407"]`.
[[nodiscard]] std::string answer_text(const Finding& finding);

// SARIF 2.1.0, for code scanning. What is accepted is there with a suppression.
[[nodiscard]] std::string render_sarif(const Review& review);
// Workflow commands of GitHub Actions, one line a finding that is open.
[[nodiscard]] std::string render_github(const Review& review);
// One page that needs nothing else: source beside module, what to decide, the ledger; a signer can
// accept, refuse, comment and take the sign-off file away.
[[nodiscard]] std::string render_html(const Review& review);

} // namespace s2f::review
