// --account and --wckey: who paid for the job, which Flyte does not ask.
//
// before:  #SBATCH --account=proj42
// after:   labels = {slurm-account: proj42} of a run that the module starts, with S2F211
#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "passes/own_start.hpp"
#include "passes/pipeline.hpp"
#include "passes/site_answers.hpp"

namespace s2f::passes {

namespace {

struct Marked {
  std::string_view option, label, says, slurm_does, config_key;
};
constexpr std::array marks{
    Marked{"account", "slurm-account", "named who pays for the job; Flyte charges nobody",
           "It charges the job to that account, whose limits and priority count.", "accounts"},
    Marked{"wckey", "slurm-wckey", "marked the job for reports of usage; Flyte keeps none",
           "It adds up the usage of all jobs with that key.", ""},
};

// What a label of Kubernetes may hold.
bool label_value(std::string_view value) {
  constexpr std::size_t longest = 63;
  const auto alphanumeric = [](unsigned char c) { return c < 128 && std::isalnum(c) != 0; };
  return !value.empty() && value.size() <= longest &&
         alphanumeric(static_cast<unsigned char>(value.front())) &&
         alphanumeric(static_cast<unsigned char>(value.back())) &&
         std::ranges::all_of(value, [&](unsigned char c) {
           return alphanumeric(c) || c == '.' || c == '_' || c == '-';
         });
}

void mark(PassContext& context, const Marked& marked) {
  const slurm::OptionUse* use = context.winner(marked.option);
  if (use == nullptr || use->origin == slurm::Origin::environment || context.settled(*use)) {
    return;
  }
  const std::string value = use->value.value_or("");
  const std::string shown = context.asked(marked.option);
  // A value that is blotted out is a secret.
  const bool labelled = label_value(value) && starts_by_itself(context) && shown.ends_with(value);
  review::Finding finding;
  finding.rule = "S2F211";
  finding.span = use->span;
  finding.message = fmt::format("{} {}.", shown, marked.says);
  finding.slurm_does = marked.slurm_does;
  finding.output_does =
      labelled ? fmt::format("`python` on the module starts the run with the label {}={}; `flyte "
                             "run` sets no label.",
                             marked.label, value)
               : "The run carries no such name: with_runcontext(labels={...}) can give it one.";
  finding.choices = {labelled ? "the label alone" : "nothing",
                     "a queue that stands for it: queue=\"NAME\" on the environment",
                     "a project that stands for it: flyte run --project NAME"};
  finding.default_ = finding.choices[0];
  if (!marked.config_key.empty()) {
    finding.config_key = site::key_of(std::string(marked.config_key), value, "project");
  }
  const auto id = context.findings_of(*use).add(std::move(finding));
  context.settle(marked.option, review::Disposition::decision,
                 labelled ? "a label of the run" : "nobody is charged", "S2F211", id);
  if (labelled) {
    context.job.labels.push_back({std::string(marked.label), value, shown, use->span});
  } else {
    context.job.not_carried.push_back(
        {fmt::format("{} {} {}", context.at(use->span), shown, marked.says), use->span});
  }
}

} // namespace

void labels(PassContext& context) {
  for (const Marked& marked : marks) {
    mark(context, marked);
  }
}

} // namespace s2f::passes
