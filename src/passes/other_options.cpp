// Every option that no pass of its own settled, by the option table's disposition.
//
// before:  #SBATCH --constraint=skylake --no-kill
// after:   S2F212 for the constraint (a decision), "no counterpart" for --no-kill
#include <fmt/format.h>

#include "passes/pipeline.hpp"
#include "passes/site_answers.hpp"

namespace s2f::passes {

namespace {

review::Disposition disposition_of(std::string_view word) {
  using review::Disposition;
  if (word == "converted") {
    return Disposition::converted;
  }
  if (word == "adjusted") {
    return Disposition::adjusted;
  }
  if (word == "decision") {
    return Disposition::decision;
  }
  if (word == "platform") {
    return Disposition::platform;
  }
  if (word == "kept") {
    return Disposition::kept;
  }
  if (word == "inert") {
    return Disposition::inert;
  }
  return Disposition::dropped;
}

} // namespace

void other_options(PassContext& context) {
  for (const slurm::OptionUse& use : context.job.header.uses) {
    if (use.origin == slurm::Origin::environment || context.settled(use)) {
      continue;
    }
    const auto entry = context.ledger_of(use)->find(use.span);
    const slurm::OptionInfo* info = slurm::find_option(use.name);
    const std::string shown = context.text(use.span);
    if (info == nullptr) {
      review::Finding finding;
      finding.rule = "S2F112";
      finding.span = use.span;
      finding.message = fmt::format("{} is no option of sbatch.", shown);
      finding.output_does = "It is left out.";
      const auto id = context.findings_of(use).add(std::move(finding));
      context.ledger_of(use)->settle(*entry, review::Disposition::dropped, "no option of sbatch",
                                     "S2F112", id);
      continue;
    }
    const auto disposition = disposition_of(info->disposition);
    const review::Rule* rule = review::find_rule(info->rule);
    const std::string code = rule != nullptr ? std::string(info->rule) : "S2F113";
    review::Finding finding;
    finding.rule = code;
    finding.span = use.span;
    finding.message = fmt::format("{}: {}.", shown, info->becomes);
    finding.output_does = std::string(info->becomes) + ".";
    if (rule != nullptr && rule->severity == review::Severity::decision) {
      finding.choices = {"not needed",
                         "needed: name it to Flyte (a queue, or pod_template=\"NAME\")",
                         "keep the job on Slurm"};
      finding.default_ = finding.choices[0];
    }
    if (use.name == "account") {
      finding.config_key = site::key_of("accounts", use.value.value_or(""), "project");
    } else if (use.name == "constraint") {
      finding.config_key =
          site::key_of("constraints", first_feature(use.value.value_or("")), "ignore");
    }
    const auto id = context.findings_of(use).add(std::move(finding));
    context.ledger_of(use)->settle(*entry, disposition, std::string(info->becomes), code, id);
    // What Flyte does by itself needs no word in the module.
    if (disposition != review::Disposition::platform &&
        disposition != review::Disposition::converted) {
      context.job.not_carried.push_back(
          {fmt::format("{} {}: {}", context.at(use.span), shown, info->becomes), use.span});
    }
  }
}

} // namespace s2f::passes
