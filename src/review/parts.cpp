// What the reports that are written input by input have in common.
#include "review/parts.hpp"

#include <algorithm>
#include <utility>

#include "review/formats.hpp"
#include "review/parts_of.hpp"

namespace s2f::review {

void Totals::add(const Input& input) {
  ++inputs;
  const auto verdict = std::ranges::find(all_verdicts, input.verdict);
  if (verdict != all_verdicts.end()) {
    ++verdicts[static_cast<std::size_t>(verdict - all_verdicts.begin())];
  }
  decisions += open_count_of(input, Severity::decision);
  lines += input.lines;
  accounted += input.lines_accounted;
  for (const PlacedFinding& finding : input.findings) {
    if (!rules.contains(finding.finding.rule)) {
      rules.insert(finding.finding.rule);
    }
  }
}

std::string head_of(Parts parts, const Review& review, const Totals& totals) {
  return parts == Parts::json ? json_head(review, totals) : sarif_head(review, totals);
}

std::string part_of(Parts parts, const Input& input) {
  return parts == Parts::json ? json_part(input) : sarif_part(input);
}

std::string placed(Parts parts, std::string lines, const Totals& totals) {
  return parts == Parts::json ? std::move(lines) : sarif_placed(lines, totals);
}

std::string tail_of(Parts parts, bool any) {
  if (parts == Parts::json) {
    return any ? "\n  ]\n}\n" : "]\n}\n";
  }
  return any ? "\n      ]\n    }\n  ]\n}\n" : "]\n    }\n  ]\n}\n";
}

std::string joined(Parts parts, const Review& review) {
  Totals totals;
  std::string body;
  for (const Input& input : review.inputs) {
    totals.add(input);
    body += part_of(parts, input);
  }
  std::string text = head_of(parts, review, totals);
  const bool any = !body.empty();
  if (any) {
    text += std::string_view(placed(parts, std::move(body), totals)).substr(1); // the first comma
  }
  text += tail_of(parts, any);
  return text;
}

std::string render_json(const Review& review) { return joined(Parts::json, review); }

std::string render_sarif(const Review& review) { return joined(Parts::sarif, review); }

} // namespace s2f::review
