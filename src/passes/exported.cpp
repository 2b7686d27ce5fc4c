// --export and --chdir: what the job sees of the submitting shell, and where it starts.
//
// before:  #SBATCH --export=ALL,LR=0.1
// after:   S2F401; a container inherits nothing, so LR=0.1 must be given to the task
#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "passes/pipeline.hpp"

namespace s2f::passes {

namespace {

void directory(PassContext& context) {
  const slurm::OptionUse* use = context.winner("chdir");
  if (use == nullptr || use->origin == slurm::Origin::environment) {
    return;
  }
  const std::string shown = context.asked("chdir");
  review::Finding finding;
  finding.rule = "S2F602";
  finding.span = use->span;
  finding.message = fmt::format("{} names the directory that the job runs in.", shown);
  finding.slurm_does = "The job starts there, and relative paths are meant from there.";
  finding.output_does = "Commands run in HERE, the script's own directory.";
  finding.choices = {"HERE is that directory", "HERE = Path(__file__).resolve().parents[...]"};
  finding.default_ = finding.choices[0];
  auto& findings = context.findings_of(*use);
  const auto id = findings.add(std::move(finding));
  context.settle("chdir", review::Disposition::decision, "commands run in HERE", "S2F602", id);
  context.job.reviews.push_back(review_comment(
      "S2F602", fmt::format("{}: commands run in HERE, beside the script, instead.", shown)));
}

} // namespace

void exported(PassContext& context) {
  directory(context);
  const slurm::OptionUse* use = context.winner("export");
  if (use == nullptr || use->origin == slurm::Origin::environment) {
    return;
  }
  const std::string value = use->value.value_or("");
  std::string word = value;
  std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::toupper(c); });
  review::Finding finding;
  finding.rule = "S2F401";
  finding.span = use->span;
  if (word == "NONE" || word == "NIL") {
    context.settle("export", review::Disposition::platform,
                   "a container starts without the submitting shell's variables", "S2F401");
    return;
  }
  const std::string shown = context.asked("export");
  std::string why = "a container inherits no variables from who submits";
  if (word == "ALL") {
    finding.message = fmt::format("{}: {}.", shown, why);
    finding.output_does = "The task sees what the image and the module set.";
  } else {
    why = "give the task these variables: env_vars of its environment";
    finding.message = fmt::format("{}: its variables are not carried over.", shown);
    finding.output_does =
        "The task does not see them: put those that it needs into env_vars of its environment.";
  }
  finding.slurm_does = word.find("ALL") != std::string::npos
                           ? "It passes on all variables of the submitting shell."
                           : "It passes on these variables and Slurm's own.";
  const auto id = context.findings.add(std::move(finding));
  context.settle("export", review::Disposition::adjusted, why, "S2F401", id);
  context.job.not_carried.push_back(
      {fmt::format("{} {}: {}", context.at(use->span), shown, why), use->span});
}

} // namespace s2f::passes
