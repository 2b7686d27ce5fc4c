// A job that cannot be a Flyte task: its options and its body stay a Slurm job, started from the
// same module.
//
// before:  #SBATCH --nodes=8 --ntasks-per-node=64; srun --mpi=pmix lmp -in in.melt
// after:   verdict keep_on_slurm, S2F702 (why), S2F710 (where it runs), S2F711 (how Flyte reaches
// Slurm)
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "passes/pipeline.hpp"
#include "passes/slurm_commands.hpp"
#include "passes/slurm_requests.hpp"

namespace s2f::passes {

namespace {

std::optional<ir::Sourced<std::string>> said(const PassContext& context, std::string_view key) {
  const auto answer = context.answers.text("slurm", "", key);
  if (!answer || answer->value.empty()) {
    return std::nullopt;
  }
  return ir::Sourced<std::string>{answer->value, answer->place, {}, {}};
}

void submit_directory(PassContext& context) {
  ir::Job& job = context.job;
  // --chdir says where the job starts, whoever submits it; the connector refuses the option.
  const slurm::OptionUse* chdir = context.winner("chdir");
  const std::string directory_asked = chdir != nullptr ? chdir->value.value_or("") : "";
  const bool plain = directory_asked.starts_with('/') &&
                     directory_asked.find_first_of("%$\n") == std::string::npos;
  if (plain && chdir->origin != slurm::Origin::environment) {
    job.slurm.submit_dir = ir::Sourced<std::string>{
        directory_asked, context.asked("chdir"), context.spans("chdir"), {}};
    return;
  }
  job.slurm.submit_dir = said(context, "submit_dir");
  if (job.slurm.submit_dir) {
    return;
  }
  review::Finding directory;
  directory.rule = "S2F710";
  directory.span = job.interpreter.span;
  directory.message = "The connector submits from the SSH user's home directory; name the "
                      "directory on the cluster that the job was submitted from.";
  directory.slurm_does = "A job starts in the directory that it was submitted from.";
  directory.output_does = "SUBMIT_DIR is empty in the module, and the job stops at its first line "
                          "until it is filled in.";
  directory.choices = {"fill in SUBMIT_DIR"};
  directory.default_ = "SUBMIT_DIR = \"\"";
  directory.config_key = "slurm.submit_dir";
  context.findings.add(std::move(directory));
}

void connection(PassContext& context) {
  ir::Job& job = context.job;
  job.slurm.host = said(context, "host");
  job.slurm.username = said(context, "username");
  job.slurm.ssh_key_secret = said(context, "ssh_key_secret");
  if (job.slurm.host) {
    return;
  }
  review::Finding connection;
  connection.rule = "S2F711";
  connection.span = job.interpreter.span;
  connection.message = "How Flyte reaches the Slurm login node is not known here.";
  connection.output_does = "The connector's own settings apply (FLYTE_SLURM_HOST, "
                           "FLYTE_SLURM_USERNAME, FLYTE_SLURM_SSH_PRIVATE_KEY).";
  connection.choices = {"the connector's settings",
                        "host, username and ssh_private_key in Slurm(...)"};
  connection.default_ = connection.choices[0];
  connection.config_key = "slurm.host";
  context.findings.add(std::move(connection));
}

} // namespace

void stays_on_slurm(PassContext& context) {
  ir::Job& job = context.job;
  const ir::Reason& reason = *job.stays_on_slurm;
  review::Finding why;
  why.rule = reason.rule;
  why.span = reason.span;
  why.message = fmt::format("The job stays on Slurm: {}.", reason.text);
  why.slurm_does = "It starts the processes on the nodes of the allocation.";
  why.output_does =
      "Flyte's connector submits the script to Slurm, waits for the job and takes over its log.";
  why.choices = {"keep it on Slurm", "rewrite the step so that one container runs it"};
  if ((reason.rule == "S2F702" || reason.rule == "S2F717") && has_one_node(context.component()) &&
      job.header.components.size() == 1) {
    why.choices = {"keep it on Slurm",
                   "one task, whose image has MPI: mpi.one_node = \"container\""};
    why.config_key = "mpi.one_node";
  }
  if (const auto option = kept_for(context, reason); !option.empty()) {
    why.choices = {"keep it on Slurm",
                   fmt::format("go without it: options.{}.ignore = true", option)};
    why.config_key = fmt::format("options.{}.ignore", option);
  }
  why.default_ = why.choices[0];
  const auto id = context.findings.add(std::move(why));
  submit_directory(context);
  connection(context);

  if (const auto* name = context.winner("job-name");
      name != nullptr && name->origin != slurm::Origin::environment) {
    job.not_carried.push_back(
        {fmt::format("{} {}: the connector names the job flyte-{}-<random>", context.at(name->span),
                     context.text(name->span), job.environment_name),
         name->span});
  }
  if (const slurm::OptionUse* array = context.winner("array"); array != nullptr) {
    review::Finding several;
    several.rule = "S2F771";
    several.span = array->span;
    several.message = fmt::format("{}: the connector follows one job id, and an array has one for "
                                  "each element.",
                                  context.asked("array"));
    several.slurm_does = "It runs the elements; each ends by itself, with a log of its own.";
    several.output_does =
        "The array is submitted as it is. Whether Flyte sees all elements end, and "
        "which of them failed, is not certain; all write one log.";
    several.choices = {"submit the array, and look at Slurm for its elements",
                       "a job for each element, from a task that loops"};
    several.default_ = several.choices[0];
    context.findings.add(std::move(several));
  }
  static constexpr std::array refused{"job-name", "output", "error", "chdir", "wrap", "uid", "gid"};
  for (const slurm::OptionUse& use : job.header.uses) {
    if (use.origin == slurm::Origin::environment || context.settled(use)) {
      continue;
    }
    const auto entry = context.ledger_of(use)->find(use.span);
    const bool not_taken = std::ranges::find(refused, use.name) != refused.end();
    const bool spaced = use.value && use.value->find_first_of(" \t\n") != std::string::npos;
    if (not_taken || spaced) {
      const std::string clause =
          use.name == "job-name"
              ? fmt::format("the connector names the job flyte-{}-<random>", job.environment_name)
          : use.name == "chdir" ? std::string("SUBMIT_DIR stands for it")
          : spaced              ? std::string("the connector refuses a value with a blank")
                                : std::string("the connector takes over the log");
      context.ledger_of(use)->settle(*entry,
                                     spaced && !not_taken ? review::Disposition::dropped
                                                          : review::Disposition::platform,
                                     clause, use.name == "job-name" ? "S2F101" : "S2F102");
      if (&use != context.winner("job-name")) {
        job.not_carried.push_back(
            {fmt::format("{} {}: {}", context.at(use.span), context.text(use.span), clause),
             use.span});
      }
      continue;
    }
    context.ledger_of(use)->settle(
        *entry, review::Disposition::kept, "an option of the Slurm job", reason.rule,
        use.origin == slurm::Origin::script ? std::optional(id) : std::nullopt);
  }
}

} // namespace s2f::passes
