// What converting a job and converting a driver have in common.
#include <algorithm>

#include <fmt/format.h>

#include "ir/steps.hpp"
#include "project/compiler.hpp"
#include "project/paths.hpp"

namespace s2f::project {

using review::Disposition;

bool refused(const slurm::Header& header) {
  return std::ranges::any_of(header.rejections, [](const auto&) { return true; });
}

void add_once(review::Findings& findings, review::Finding finding) {
  const bool known = std::ranges::any_of(findings.all(), [&](const review::Finding& each) {
    return each.rule == finding.rule && each.span == finding.span &&
           each.message == finding.message;
  });
  if (!known) {
    findings.add(std::move(finding));
  }
}

void settle_command_line(const ir::Job& job, Pending& driver) {
  for (const slurm::OptionUse& use : job.header.uses) {
    if (use.origin != slurm::Origin::command_line) {
      continue;
    }
    const auto entry = driver.ledger.find(use.span);
    if (entry && !driver.ledger.settled(*entry)) {
      driver.ledger.settle(*entry, Disposition::converted,
                           fmt::format("counted into {}'s task", base_name(job.path)));
    }
  }
}

std::string body_kind(const ir::Job& job) {
  if (job.stays_on_slurm) {
    return "on_slurm";
  }
  if (job.kept.empty()) {
    return "lifted";
  }
  const bool launches = ir::any_step(job.body, [](const ir::Step& s) {
    return std::holds_alternative<ir::Launch>(s.value) && !s.in_region;
  });
  return launches ? "mixed" : "kept";
}

void make_unique(ir::Job& job, std::set<std::string>& functions,
                 std::set<std::string>& environments) {
  const std::string function = job.function;
  for (int n = 2; !functions.insert(job.function).second; ++n) {
    job.function = fmt::format("{}_{}", function, n);
  }
  constexpr std::size_t longest = 57; // Flyte takes 63
  const std::string environment = job.environment_name;
  for (int n = 2; !environments.insert(job.environment_name).second; ++n) {
    job.environment_name = fmt::format("{}-{}", environment.substr(0, longest), n);
  }
}

Given names_of(const ir::Schedule& schedule) {
  Given given;
  for (const auto& [name, value] : schedule.environment) {
    given.names.insert(name);
    given.inherited.insert(name);
  }
  return given;
}

} // namespace s2f::project
