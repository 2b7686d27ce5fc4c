// Finds what somebody probably meant to type, by the number of letters that differ.
#include "cli/suggest.hpp"

#include <algorithm>
#include <numeric>

namespace s2f::cli {

namespace {

// Insertions, deletions, replacements and swaps of neighbours.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before;
  std::vector<std::size_t> last(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::vector<std::size_t> row(b.size() + 1);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = a[i - 1] == b[j - 1];
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = std::move(last);
    last = std::move(row);
  }
  return last.back();
}

} // namespace

std::string nearest(std::string_view typed, const std::vector<std::string>& candidates) {
  constexpr std::size_t longest = 64; // the work grows with the square
  const std::string* best = nullptr;
  std::size_t best_distance = typed.size() / 3 + 1; // one in three letters may be wrong
  for (const std::string& candidate : candidates) {
    if (typed.size() > longest || candidate.size() > longest || candidate == typed)
      continue;
    const auto far = distance(typed, candidate);
    if (far < best_distance || (far == best_distance && best == nullptr)) {
      best = &candidate;
      best_distance = far;
    }
  }
  return best == nullptr ? std::string() : *best;
}

std::string did_you_mean(std::string_view typed, const std::vector<std::string>& candidates) {
  const auto found = nearest(typed, candidates);
  return found.empty() ? found : "; did you mean " + found + "?";
}

} // namespace s2f::cli
