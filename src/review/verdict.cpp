// The verdict on a script, and the blotting out of its secrets before anything is shown.
#include <algorithm>
#include <utility>

#include "review/review.hpp"

namespace s2f::review {

namespace {

// Byte for byte, so that lines and columns stay where they were.
void blot_out(std::string& text, const std::vector<std::string>& secrets) {
  for (const std::string& secret : secrets) {
    for (auto at = text.find(secret); at != text.npos; at = text.find(secret, at)) {
      for (const auto end = at + secret.size(); at != end; ++at) {
        if (text[at] != '\n')
          text[at] = '*';
      }
    }
  }
}

} // namespace

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
  case Verdict::ready:
    return "ready";
  case Verdict::ready_with_notes:
    return "ready_with_notes";
  case Verdict::needs_decision:
    return "needs_decision";
  case Verdict::keep_on_slurm:
    return "keep_on_slurm";
  case Verdict::not_converted:
    return "not_converted";
  }
  return "not_converted";
}

Verdict verdict_of(const Input& input) {
  Verdict verdict = Verdict::ready;
  for (const PlacedFinding& placed : input.findings) {
    // An error needs somebody's answer as much as a decision does.
    if (placed.finding.severity >= Severity::decision && is_open(placed.finding))
      return Verdict::needs_decision;
    verdict = Verdict::ready_with_notes;
  }
  return verdict;
}

Input redacted(Input input) {
  auto secrets = input.secrets;
  std::erase(secrets, std::string()); // would be found everywhere
  if (secrets.empty())
    return input;
  // The longest first: one secret may be part of another.
  std::ranges::sort(secrets, [](const std::string& a, const std::string& b) {
    return std::pair{b.size(), a} < std::pair{a.size(), b};
  });
  const auto clean = [&secrets](std::string& text) { blot_out(text, secrets); };
  clean(input.source_text);
  clean(input.output_text);
  for (Item& item : input.items) {
    clean(item.text);
    clean(item.why);
  }
  for (PlacedFinding& placed : input.findings) {
    Finding& finding = placed.finding;
    for (std::string* text : {&finding.message, &finding.slurm_does, &finding.output_does,
                              &finding.default_, &finding.config_key}) {
      clean(*text);
    }
    std::ranges::for_each(finding.choices, clean);
    if (finding.accepted) {
      clean(finding.accepted->answer);
      clean(finding.accepted->reason);
    }
    if (finding.fix) {
      clean(finding.fix->text);
    }
  }
  for (NumberRow& row : input.numbers) {
    for (std::string* text : {&row.asked, &row.given, &row.how})
      clean(*text);
  }
  input.secrets.clear();
  return input;
}

} // namespace s2f::review
