// Which directives the comments of a header speak of.
#pragma once

#include <vector>

#include "ir/workload.hpp"

namespace s2f::ir {

struct SaidOf {
  // The first is the one that the comment stands with; a comment above may speak of all.
  std::vector<const slurm::DirectiveLine*> lines;
  bool behind = false;   // on the directive's own line
  bool disabled = false; // there are directives that are commented out among them
  [[nodiscard]] bool nothing() const { return lines.empty() && !disabled; }
};

// A comment behind a directive, and one of a few lines right above some; what stands at the
// script's head, or apart, is said of the whole job.
[[nodiscard]] SaidOf said_of(const source::Source& source, const Job& job, const Span& comment);

} // namespace s2f::ir
