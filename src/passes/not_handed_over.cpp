// What a job leaves on its disk that nothing returns: the finding S2F604.
#include "passes/not_handed_over.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace s2f::passes {

void not_handed_over(PassContext& context, Span where, std::vector<std::string> names,
                     std::string_view who) {
  if (names.empty()) {
    return;
  }
  constexpr std::size_t few = 4;
  const std::string more =
      names.size() > few ? fmt::format(" and {} more", names.size() - few) : "";
  names.resize(std::min(names.size(), few));
  review::Finding finding;
  finding.rule = "S2F604";
  finding.span = where;
  finding.message = fmt::format("{} writes {}{}, which the task does not hand over.", who,
                                fmt::join(names, ", "), more);
  finding.slurm_does = "It stays in the directory that the job was submitted from.";
  finding.output_does = "It ends with the container.";
  finding.choices = {"not needed", "return it from the task as File or Dir",
                     "write to a mounted volume: pod_template=\"NAME\""};
  finding.default_ = finding.choices[0];
  context.findings.add(std::move(finding));
}

} // namespace s2f::passes
