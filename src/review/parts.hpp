// Reports for programs, input by input: one on thousands of scripts need not stand in memory.
//
// A report is its head, its parts without the first comma, and its tail; what the head says of all
// inputs is known when all parts are made.
#pragma once

#include <array>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "review/labels.hpp"
#include "review/review.hpp"

namespace s2f::review {

// What is said of all inputs.
struct Totals {
  std::size_t inputs = 0, decisions = 0, lines = 0, accounted = 0;
  std::array<std::size_t, all_verdicts.size()> verdicts{};
  std::set<std::string, std::less<>> rules; // of findings

  void add(const Input& input);
};

enum class Parts { json, sarif };

// `review`: its inputs are not asked for.
[[nodiscard]] std::string head_of(Parts parts, const Review& review, const Totals& totals);
// Begins with a comma, where it is not empty; of a line break or more each.
[[nodiscard]] std::string part_of(Parts parts, const Input& input);
// Whole lines of parts as they stand in the report: what depends on all inputs is put in.
[[nodiscard]] std::string placed(Parts parts, std::string lines, const Totals& totals);
// `any`: whether there was a part that is not empty.
[[nodiscard]] std::string tail_of(Parts parts, bool any);

// The whole.
[[nodiscard]] std::string joined(Parts parts, const Review& review);

} // namespace s2f::review
