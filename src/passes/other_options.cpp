// Every option that no pass of its own settled, by the option table's disposition.
//
// before:  #SBATCH --constraint=skylake --nice=100
// after:   S2F212 for the constraint (a decision), "no counterpart" for --nice
//
// What is said of each stands in grammar/option-advice.json.
#include <algorithm>

#include <fmt/format.h>

#include "generated/tables/option_advice.hpp"
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

// The table's text with the option as written for its `{}`.
std::string filled(std::string_view text, std::string_view with) {
  std::string out(text);
  if (const auto at = out.find("{}"); at != std::string::npos) {
    out.replace(at, 2, with);
  }
  return out;
}

review::Finding advice(const PassContext& context, const slurm::OptionUse& use,
                       const slurm::OptionInfo& info) {
  review::Finding finding;
  finding.rule = std::string(info.rule);
  finding.span = use.span;
  const std::string shown = context.text(use.span);
  const auto* row = tables::find_option_advice(use.name);
  if (row == nullptr) {
    const std::string_view nothing = "nothing: ";
    finding.message = info.becomes.starts_with(nothing)
                          ? fmt::format("{} has no counterpart in Flyte: {}.", shown,
                                        info.becomes.substr(nothing.size()))
                          : fmt::format("{}: {}.", shown, info.becomes);
    finding.output_does = "It is left out.";
    finding.choices = {"not needed", "needed: name it to Flyte (a queue, or pod_template=\"NAME\")",
                       "keep the job on Slurm"};
  } else {
    finding.message = filled(row->says, shown);
    finding.slurm_does = row->slurm;
    finding.output_does = row->output;
    finding.choices.assign(row->choices.begin(), row->choices.end());
    if (row->config_key) { // "constraints.ignore": the table, and the key in it
      const auto dot = row->config_key->find('.');
      finding.config_key = site::key_of(std::string(row->config_key->substr(0, dot)),
                                        first_feature(use.value.value_or("")),
                                        std::string(row->config_key->substr(dot + 1)));
    }
  }
  const review::Rule* rule = review::find_rule(finding.rule);
  if (rule == nullptr || rule->severity != review::Severity::decision) {
    finding.choices.clear();
  }
  if (!finding.choices.empty()) {
    finding.default_ = finding.choices.front();
  }
  return finding;
}

// sbatch does not know it; the header may have said so already.
void settle_unknown(PassContext& context, const slurm::OptionUse& use,
                    const slurm::OptionInfo* info) {
  const std::string why =
      info == nullptr ? "no option of sbatch" : fmt::format("an option of {}", info->program);
  auto& findings = context.findings_of(use);
  std::optional<review::FindingId> id;
  for (std::size_t i = 0; i < findings.all().size(); ++i) {
    const review::Finding& said = findings.all()[i];
    if (said.rule == "S2F112" && said.span.source == use.span.source &&
        said.span.begin <= use.span.begin && use.span.end <= said.span.end) {
      id = static_cast<review::FindingId>(i);
    }
  }
  if (!id) {
    review::Finding finding;
    finding.rule = "S2F112";
    finding.span = use.span;
    finding.message = fmt::format("{} is {}, and sbatch refuses it.", context.text(use.span), why);
    finding.output_does = "It is left out.";
    id = findings.add(std::move(finding));
  }
  context.ledger_of(use)->settle(*context.ledger_of(use)->find(use.span),
                                 review::Disposition::dropped, why, "S2F112", id);
}

void settle_by_row(PassContext& context, const slurm::OptionUse& use,
                   const slurm::OptionInfo& info) {
  const auto* row = tables::find_option_advice(use.name);
  if (row != nullptr && use.value &&
      std::ranges::find(row->nothing, std::string_view(*use.value)) != std::end(row->nothing)) {
    context.ledger_of(use)->settle(*context.ledger_of(use)->find(use.span),
                                   review::Disposition::inert, "what Slurm does without it");
    return;
  }
  if (const auto answer = context.answers.flag("options", use.name, "ignore");
      answer && answer->value) {
    context.ledger_of(use)->settle(*context.ledger_of(use)->find(use.span),
                                   review::Disposition::dropped,
                                   fmt::format("the job does without it, by {}", answer->place));
    context.job.not_carried.push_back(
        {fmt::format("{} {}: the job does without it, by {}", context.at(use.span),
                     context.text(use.span), answer->place),
         use.span});
    return;
  }
  auto disposition = disposition_of(info.disposition);
  auto finding = advice(context, use, info);
  const bool asks = !finding.choices.empty();
  if (asks) { // whatever the row hopes for, this is what became of it here
    disposition = review::Disposition::decision;
  } else if (disposition == review::Disposition::converted) {
    disposition = review::Disposition::platform; // no pass had a use for it
  }
  const std::string message = finding.message;
  const auto id = context.findings_of(use).add(std::move(finding));
  context.ledger_of(use)->settle(*context.ledger_of(use)->find(use.span), disposition,
                                 std::string(info.becomes), std::string(info.rule), id);
  if (row != nullptr && row->review) {
    context.job.reviews.push_back(
        review_comment(info.rule, fmt::format("{}: {}", context.text(use.span), *row->review)));
  }
  // What Flyte does by itself needs no word in the module.
  if (disposition != review::Disposition::platform &&
      disposition != review::Disposition::converted) {
    const auto end = message.size() - (message.ends_with('.') ? 1 : 0);
    context.job.not_carried.push_back(
        {fmt::format("{} {}", context.at(use.span), message.substr(0, end)), use.span});
  }
}

} // namespace

void other_options(PassContext& context) {
  for (const slurm::OptionUse& use : context.job.header.uses) {
    if (use.origin == slurm::Origin::environment || context.settled(use)) {
      continue;
    }
    const slurm::OptionInfo* info = slurm::find_option(use.name);
    if (info == nullptr || info->rule == "S2F112") {
      settle_unknown(context, use, info);
    } else if (use.overridden) {
      context.ledger_of(use)->settle(*context.ledger_of(use)->find(use.span),
                                     review::Disposition::inert,
                                     "a later one is in force, and Slurm goes by that");
    } else {
      settle_by_row(context, use, *info);
    }
  }
}

} // namespace s2f::passes
