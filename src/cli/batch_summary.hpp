// What the terminal shows of many scripts: a line each, what is left to answer, and the count.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "review/review.hpp"

namespace s2f::cli {

// From this many scripts on, `convert` shows a summary in place of every finding.
inline constexpr std::size_t scripts_of_a_batch = 6;

class BatchSummary {
public:
  // In the order in which they are shown.
  void add(const review::Input& input);
  [[nodiscard]] std::string text(const review::TextStyle& style) const;
  [[nodiscard]] std::size_t scripts() const { return lines_.size(); }

private:
  struct Line {
    std::size_t errors, decisions, warnings;
    review::Verdict verdict;
    std::string script;
  };
  struct Open {
    std::size_t times = 0, scripts = 0;
    std::set<std::string> rules;
  };

  [[nodiscard]] std::string scripts_table(const review::TextStyle& style) const;
  [[nodiscard]] std::string decisions_table(const review::TextStyle& style) const;
  [[nodiscard]] std::string verdicts_line() const;

  std::vector<Line> lines_;
  std::map<std::string, Open> by_answer_;
};

} // namespace s2f::cli
