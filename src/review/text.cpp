// Renders what the terminal shows after a conversion: the verdicts, what was decided, what is to be
// answered.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "review/formats.hpp"
#include "review/labels.hpp"
#include "review/paint.hpp"
#include "review/review.hpp"
#include "review/shown.hpp"
#include "review/visible.hpp"

namespace s2f::review {

namespace {

Ink ink_of(Verdict verdict) {
  switch (verdict) {
  case Verdict::ready:
  case Verdict::ready_with_notes:
    return Ink::green;
  case Verdict::needs_decision:
    return Ink::cyan;
  case Verdict::keep_on_slurm:
    return Ink::yellow;
  case Verdict::not_converted:
    return Ink::red;
  }
  return Ink::red;
}

std::string painted(Verdict verdict, const TextStyle& style) {
  return paint(label_of(verdict), ink_of(verdict), style);
}

std::string verdict_line(const Input& input, const TextStyle& style) {
  std::vector<std::string> counts;
  for (const auto severity :
       {Severity::error, Severity::decision, Severity::warning, Severity::note}) {
    if (const auto n = open_count_of(input, severity))
      counts.push_back(counted(n, to_string(severity)));
  }
  if (const auto n = std::ranges::count_if(
          input.findings, [](const PlacedFinding& f) { return !is_open(f.finding); })) {
    counts.push_back(fmt::format("{} accepted", n));
  }
  counts.push_back(input.lines == input.lines_accounted
                       ? fmt::format("all {} accounted for", counted(input.lines, "line"))
                       : fmt::format("{} of {} accounted for", input.lines_accounted,
                                     counted(input.lines, "line")));
  std::string out = paint(visible(input.path), Ink::bold, style);
  if (!input.output.empty())
    out += " -> " + paint(visible(input.output), Ink::bold, style);
  return fmt::format("{}: {} ({})\n", out, painted(input.verdict, style), fmt::join(counts, ", "));
}

// Two or three lines: where, what, which way it went and which key changes it.
std::string by_default(const Input& input, const PlacedFinding& placed, const TextStyle& style) {
  const Finding& finding = placed.finding;
  const auto place = fmt::format("  {}:{}:{}: {}[{}]: ", visible(input.path), placed.line,
                                 placed.column, to_string(finding.severity), visible(finding.rule));
  std::string out = wrapped(finding.message, place, "      ", style.width);
  out += wrapped(finding.default_, "    = default: ", "      ", style.width);
  if (const auto key = answer_text(finding); !key.empty()) {
    out += wrapped(key + " in slurm2flyte.toml", "    = answer: ", "      ", style.width);
  }
  return out;
}

std::string input_text(const Input& secret_input, const TextStyle& style) {
  const Shown shown(secret_input);
  const Input& input = *shown;
  std::string out = verdict_line(input, style);
  const auto section = [&](std::string_view title, auto&& wanted, auto&& render) {
    bool titled = false;
    for (const PlacedFinding& placed : input.findings) {
      if (!wanted(placed.finding))
        continue;
      if (!titled)
        out += '\n' + paint(title, Ink::bold, style) + '\n';
      titled = true;
      out += render(placed);
    }
  };
  const auto full = [&](const PlacedFinding& placed) {
    return render_diagnostic(input, placed, style);
  };
  section("Errors:", [](const Finding& f) { return f.severity == Severity::error; }, full);
  section(
      "Warnings:", [](const Finding& f) { return f.severity == Severity::warning && is_open(f); },
      full);
  section(
      "Decided by default:",
      [](const Finding& f) {
        return f.severity == Severity::decision && !f.default_.empty() && is_open(f);
      },
      [&](const PlacedFinding& placed) { return by_default(input, placed, style); });
  section(
      "To answer:",
      [](const Finding& f) {
        return f.severity == Severity::decision && f.default_.empty() && is_open(f);
      },
      full);
  return out;
}

} // namespace

std::string render_text(const Review& review, const TextStyle& style) {
  std::string out;
  for (const Input& input : review.inputs) {
    if (!out.empty())
      out += '\n';
    out += input_text(input, style);
  }
  if (review.inputs.size() < 2)
    return out;
  out += fmt::format("\n{}:", counted(review.inputs.size(), "script"));
  std::string_view separator = " ";
  for (const auto verdict : all_verdicts) {
    const auto n = std::ranges::count(review.inputs, verdict, &Input::verdict);
    if (n == 0)
      continue;
    out += fmt::format("{}{} {}", separator, n, painted(verdict, style));
    separator = ", ";
  }
  return out + '\n';
}

} // namespace s2f::review
