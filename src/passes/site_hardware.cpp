// Variables that name hardware of the site's nodes, in a job that runs in one container: another
// cluster has other devices, and a name that is none there stops the program.
//
// before:  export NCCL_SOCKET_IFNAME=ib0; torchrun --nproc_per_node=4 train.py
// after:   Nothing, S2F705
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/effects.hpp"
#include "generated/tables/rank_variables.hpp"
#include "passes/pipeline.hpp"
#include "passes/rank_start.hpp"

namespace s2f::passes {

namespace {

bool names_hardware(const shell::Assignment& assignment) {
  const auto* row = tables::find_rank_variables(assignment.name);
  return row != nullptr && row->from == tables::RankVariablesFrom::hardware;
}

class SiteHardware {
public:
  explicit SiteHardware(PassContext& context) : context_(context), job_(context.job) {
    for (const ir::Step& step : job_.body) {
      if (step.statement != nullptr) {
        const auto effects = analysis::effects_of(*step.statement);
        read_.insert(effects.reads.begin(), effects.reads.end());
        read_.insert(effects.reads_defaulted.begin(), effects.reads_defaulted.end());
        unknown_ |= effects.anything;
      }
    }
  }

  void run() {
    for (ir::Step& step : job_.body) {
      const auto* list =
          step.statement == nullptr || !std::holds_alternative<ir::Opaque>(step.value)
              ? nullptr
              : assignments_of(*step.statement);
      if (list != nullptr && !list->empty() && exports(*step.statement) &&
          std::ranges::all_of(*list, names_hardware)) {
        leave_out(step, *list);
      }
    }
  }

private:
  void leave_out(ir::Step& step, const std::vector<shell::Assignment>& list) {
    std::vector<std::string> names;
    names.reserve(list.size());
    for (const shell::Assignment& each : list) {
      names.push_back(each.name);
    }
    // What the script itself reads has to stay.
    const bool stays = unknown_ || std::ranges::any_of(names, [&](const std::string& name) {
                         return read_.contains(name);
                       });
    const std::string named = fmt::format("{}", fmt::join(names, ", "));
    review::Finding finding;
    finding.rule = "S2F705";
    finding.span = step.span;
    finding.message = fmt::format("{} names hardware of the site's nodes; it is {}.", named,
                                  stays ? "set as it was, as the script reads it" : "left out");
    finding.slurm_does = "The program talks over that device.";
    finding.output_does = stays ? "It looks for a device of that name in its container."
                                : "It talks over what its container has.";
    finding.choices = {"leave it out", "set it for the new cluster: env_vars of the environment"};
    if (stays) {
      finding.choices[0] = "leave it as it is";
    }
    finding.default_ = finding.choices[0];
    const auto id = context_.findings.add(std::move(finding));
    if (stays) {
      return;
    }
    context_.ledger.settle(step.entry, review::Disposition::decision, "names hardware of the site",
                           "S2F705", id);
    job_.not_carried.push_back(
        {fmt::format("{} {}: hardware of the site", context_.at(step.span), named), step.span});
    job_.removals.push_back(
        {step.span, "", fmt::format("line {}, {}", context_.sources.begin(step.span).line, named)});
    step.value = ir::Nothing{};
  }

  PassContext& context_;
  ir::Job& job_;
  std::set<std::string> read_;
  bool unknown_ = false; // eval: it may read anything
};

} // namespace

void site_hardware(PassContext& context) {
  if (!context.job.cluster) { // what starts its ranks has looked at them
    SiteHardware(context).run();
  }
}

} // namespace s2f::passes
