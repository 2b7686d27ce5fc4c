// The words that every report uses for verdicts and counts.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "review/review.hpp"

namespace s2f::review {

inline constexpr std::array all_verdicts{Verdict::ready, Verdict::ready_with_notes,
                                         Verdict::needs_decision, Verdict::keep_on_slurm,
                                         Verdict::not_converted};

[[nodiscard]] constexpr std::string_view label_of(Verdict verdict) {
  switch (verdict) {
  case Verdict::ready:
    return "READY";
  case Verdict::ready_with_notes:
    return "READY WITH NOTES";
  case Verdict::needs_decision:
    return "NEEDS DECISION";
  case Verdict::keep_on_slurm:
    return "KEEP ON SLURM";
  case Verdict::not_converted:
    return "NOT CONVERTED";
  }
  return "NOT CONVERTED";
}

[[nodiscard]] inline std::size_t count_of(const Input& input, Severity severity) {
  return static_cast<std::size_t>(
      std::ranges::count_if(input.findings, [severity](const PlacedFinding& placed) {
        return placed.finding.severity == severity;
      }));
}

[[nodiscard]] inline std::size_t open_count_of(const Input& input, Severity severity) {
  return static_cast<std::size_t>(
      std::ranges::count_if(input.findings, [severity](const PlacedFinding& placed) {
        return placed.finding.severity == severity && is_open(placed.finding);
      }));
}

// "1 decision", "2 decisions"
[[nodiscard]] inline std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

} // namespace s2f::review
