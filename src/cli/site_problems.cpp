// Shows what is wrong with a site file: place, message, the line, a caret, what was meant.
#include "cli/site_problems.hpp"

#include <fmt/format.h>

#include "cli/suggest.hpp"
#include "review/paint.hpp"
#include "review/review.hpp"
#include "review/visible.hpp"

namespace s2f::cli {

void complain_about_site(const Console& console, const std::vector<site::Problem>& problems) {
  const auto& style = console.err_style;
  for (const site::Problem& problem : problems) {
    const auto message = problem.message + did_you_mean(problem.typed, problem.candidates);
    if (problem.line == 0) {
      complain(console,
               message.starts_with(problem.path) ? message : problem.path + ": " + message);
      continue;
    }
    console.err(review::paint(fmt::format("{}:{}:{}:", review::visible(problem.path), problem.line,
                                          problem.column),
                              review::Ink::bold, style) +
                " " + review::paint("error:", review::Ink::red, style) + " " +
                review::visible(message) + "\n");
    console.err(review::source_excerpt(problem.source_line, problem.line, problem.column,
                                       problem.column + problem.width, review::Ink::red, style));
  }
  if (!problems.empty())
    hint(console, "docs/site-file.md has all keys; slurm2flyte config --keys lists them.");
}

} // namespace s2f::cli
