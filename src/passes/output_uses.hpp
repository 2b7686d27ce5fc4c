// Where a body uses what a command prints or how it ends, other than showing it in the log.
//
// before:  n=$(squeue | wc -l); if srun hostname; then ...; { sinfo; date; } > log
// after:   squeue and sinfo are captured, srun is tested
#pragma once

#include <vector>

#include "ir/workload.hpp"

namespace s2f::passes {

class OutputUses {
public:
  explicit OutputUses(const std::vector<ir::Step>& body);

  [[nodiscard]] bool captured(const source::Span& span) const { return within(captured_, span); }
  [[nodiscard]] bool tested(const source::Span& span) const { return within(tested_, span); }

private:
  static bool within(const std::vector<source::Span>& spans, const source::Span& span);

  std::vector<source::Span> captured_, tested_;
};

} // namespace s2f::passes
