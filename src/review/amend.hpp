// Changes to findings that stand already.
#pragma once

#include <concepts>
#include <cstddef>
#include <utility>
#include <vector>

#include "review/finding.hpp"

namespace s2f::review {

// Lets a later pass, which knows more, change what a finding says; the numbers stay.
template <std::invocable<Finding&> Change>
void amend(Findings& findings, FindingId id, const Change& change) {
  std::vector<Finding> all = findings.all();
  change(all[static_cast<std::size_t>(id)]);
  findings.keep_first(0);
  for (Finding& each : all) {
    findings.add(std::move(each));
  }
}

// Makes one note of all words that stand without quotes (S2F421); the numbers of those behind the
// first change.
void fold_words(Findings& findings, const source::Sources& sources);

} // namespace s2f::review
