// Reads from the findings of a job why it stays on Slurm, and what the connector is not told yet.
#include "review/on_slurm.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "generated/tables/stays_on_slurm.hpp"

namespace s2f::review {

namespace {

constexpr std::string_view begins = "The job stays on Slurm: ";

const PlacedFinding* of_rule(const Input& input, std::string_view rule) {
  const auto found = std::ranges::find_if(
      input.findings, [&](const PlacedFinding& each) { return each.finding.rule == rule; });
  return found == input.findings.end() ? nullptr : &*found;
}

std::string answered(const Input& input, std::string_view rule, std::string_view not_yet,
                     std::string_view said) {
  const PlacedFinding* open = of_rule(input, rule);
  return open == nullptr ? std::string(said)
                         : fmt::format("{} ({}, {})", not_yet, rule, open->finding.config_key);
}

std::vector<Need> needs_of(const Input& input) {
  std::vector<Need> needs{
      {"the Slurm connector (flyteplugins-slurm), deployed with Flyte", "the module imports it"},
      {"a login node that it reaches by SSH, a user there, and the user's key as a Flyte secret",
       answered(input, "S2F711", "the connector's own settings hold", "named in the module")},
      {"the directory on the cluster that the job was submitted from",
       answered(input, "S2F710", "SUBMIT_DIR is to be filled in", "named in the module")},
      {"programs, modules and files where they were", "the script runs as it was, on the cluster"},
      {"a place for what the job writes",
       "its files stay on the cluster; the log and the outputs that the module declares are handed "
       "over"}};
  if (of_rule(input, "S2F715") != nullptr) {
    needs.push_back({"what its sbatch gave it", "to be filled in (S2F715)"});
  }
  return needs;
}

} // namespace

std::optional<Staying> staying(const Input& input) {
  if (input.verdict != Verdict::keep_on_slurm) {
    return std::nullopt;
  }
  for (const PlacedFinding& placed : input.findings) {
    const std::string& message = placed.finding.message;
    if (!message.starts_with(begins)) {
      continue;
    }
    const auto* row = tables::find_stays_on_slurm(placed.finding.rule);
    Staying result;
    result.why = message.substr(begins.size());
    result.rule = placed.finding.rule;
    result.line = placed.line;
    result.change = row != nullptr
                        ? std::string(row->change)
                        : "What keeps it there is rewritten so that one container runs it.";
    result.needs = needs_of(input);
    return result;
  }
  return std::nullopt;
}

} // namespace s2f::review
