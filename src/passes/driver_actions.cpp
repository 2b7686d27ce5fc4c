// How many actions a run of the driver has: its submissions, in loops of known length, times the
// elements of their arrays.
//
// before:  for i in 1 2 3 ... 60; do sbatch --array=0-999 job.sh $i; done
// after:   S2F341: 60000 actions
#include <algorithm>

#include <fmt/format.h>

#include "generated/tables/flyte_2_limits.hpp"
#include "passes/array_items.hpp"

namespace s2f::passes {

namespace {

using ir::Term;

// The elements of what a loop goes through, as far as that is known; else 1.
std::int64_t length_of(const Term& over) {
  if (over.kind == Term::Kind::list) {
    return static_cast<std::int64_t>(over.parts.size());
  }
  if (over.kind == Term::Kind::range && over.parts.size() == 2 && over.number != 0) {
    const auto first = ir::terms::constant_integer(over.parts[0]);
    const auto last = ir::terms::constant_integer(over.parts[1]);
    if (first && last) {
      return std::max<std::int64_t>(0, (*last - *first) / over.number + 1);
    }
  }
  return 1;
}

struct Count {
  std::int64_t actions = 0;
  ir::Span largest{};
  std::int64_t of_largest = 0;
};

void count(const ir::Workload& workload, const std::vector<ir::DriverStep>& steps,
           std::int64_t times, Count& result) {
  constexpr std::int64_t enough = 1'000'000'000;
  for (const ir::DriverStep& step : steps) {
    if (const auto* each = std::get_if<ir::Each>(&step.value)) {
      count(workload, each->body, std::min(enough, times * length_of(each->over)), result);
    } else if (const auto* choice = std::get_if<ir::Choice>(&step.value)) {
      for (const auto& branch : choice->branches) {
        count(workload, branch.body, times, result);
      }
    } else if (const auto* submitted = std::get_if<ir::Submitted>(&step.value)) {
      const ir::Submission& submission = workload.driver->submissions[submitted->submission];
      const ir::Job& job = workload.jobs[submission.job];
      const std::int64_t elements = job.array && job.array->mapped() && !submission.indices
                                        ? static_cast<std::int64_t>(job.array->spec.indices.size())
                                        : 1;
      const std::int64_t actions = std::min(enough, times * elements);
      result.actions += actions;
      if (actions > result.of_largest) {
        result.of_largest = actions;
        result.largest = submission.span;
      }
    }
  }
}

} // namespace

std::int64_t actions_in_a_run() {
  const auto* row = tables::find_flyte_2_limits("actions_in_a_run");
  return row == nullptr ? 0 : row->value;
}

review::Finding too_many_actions(std::int64_t count, const ir::Span& span) {
  review::Finding finding;
  finding.rule = "S2F341";
  finding.span = span;
  finding.message =
      fmt::format("{} actions in one run, of which Flyte takes {}.", count, actions_in_a_run());
  finding.slurm_does = "Each element is a job of its own.";
  finding.output_does = "Each element is an action of the same run. Split them: let an element do "
                        "several steps, or run the array in batches of indices.";
  return finding;
}

void driver_actions(const ir::Workload& workload, review::Findings& findings) {
  if (!workload.driver || workload.driver->plan || workload.driver->not_lifted) {
    return;
  }
  Count result;
  count(workload, workload.driver->steps, 1, result);
  if (result.actions > actions_in_a_run()) {
    findings.add(too_many_actions(result.actions, result.largest));
  }
}

} // namespace s2f::passes
