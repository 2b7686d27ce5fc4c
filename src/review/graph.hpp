// Draws the jobs of a driver and what waits for what.
#pragma once

#include <string>

#include "emit/view.hpp"
#include "review/review.hpp"

namespace s2f::review {

// A flowchart of Mermaid, which GitHub and GitLab draw; "" where there is nothing to draw. Dashed:
// the second waits for the end of the first, however that was.
[[nodiscard]] std::string mermaid(const JobGraph& graph);

// The same laid out in columns, by the longest way to each job, for an SVG: numbers and texts.
[[nodiscard]] emit::View drawing(const JobGraph& graph);

// "prep, then train (8 elements), then report": for those who hear the page.
[[nodiscard]] std::string graph_in_words(const JobGraph& graph);

} // namespace s2f::review
