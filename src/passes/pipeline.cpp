// The order of the passes.
//
// The body comes before the header's shape (`resources`), since what is on several nodes depends on
// what the body starts; a job that stays on Slurm keeps its options and its body as they are, so
// the rest is not run for it.
#include "passes/pipeline.hpp"

#include <fmt/format.h>

#include "passes/launch_shape.hpp"
#include "passes/named_python.hpp"
#include "passes/nothing_left.hpp"
#include "passes/rank_start.hpp"
#include "passes/sh_dialect.hpp"
#include "passes/shell_starts.hpp"
#include "passes/slurm_commands.hpp"
#include "passes/unread_assignments.hpp"

namespace s2f::passes {

namespace {

void settle_on_slurm(PassContext& context) {
  stays_on_slurm(context);
  slurm_inputs(context);
  slurm_outputs(context);
  settle_body(context);
  comments(context);
}

} // namespace

void run_all(PassContext& context) {
  job_name(context);
  secrets(context);
  const ir::Job job_before = context.job;
  const review::Ledger ledger_before = context.ledger;
  const review::Findings findings_before = context.findings;
  // What was said of a body that goes to Flyte does not hold for one that stays.
  const auto stays = [&] {
    auto reason = context.job.stays_on_slurm;
    if (!reason) {
      return false;
    }
    if (const auto& cluster = context.job.cluster;
        cluster && cluster->ranks() && reason->rule != "S2F706") {
      reason->text += fmt::format(" (its ranks: {})",
                                  shape_of(cluster->replicas.value, cluster->processes.value));
    }
    context.job = job_before;
    if (!has_one_node(context.component()) && reason->text.find(" each") == std::string::npos) {
      if (const auto shape = launch_shape(context)) {
        reason->text += fmt::format(" (its ranks: {})", said(*shape));
      } else if (const auto nodes = nodes_of(context.component());
                 nodes > 1 &&
                 reason->text.find(fmt::format("{} nodes", nodes)) == std::string::npos) {
        reason->text += fmt::format(" (it asks for {} nodes)", nodes);
      }
    }
    context.ledger = ledger_before;
    context.findings = findings_before;
    context.job.stays_on_slurm = reason;
    settle_on_slurm(context);
    return true;
  };
  several_starts(context); // leaves one of them
  clustered(context);
  ray_cluster(context);
  dask_cluster(context);
  spark_cluster(context);
  hand_clusters(context);
  payload_clusters(context);
  cluster_limit(context);
  resume(context); // a trap that requeues the job is no call of scontrol
  restarts(context);
  launchers(context);
  workflow_managers(context);
  hidden_launches(context);
  unread_launches(context);
  slurm_requests(context); // what keeps a job there for its body says more
  if (stays()) {
    return;
  }
  site_hardware(context); // before what is exported is read
  servers(context);
  container_images(context);
  login_shell(context);
  environment(context);
  named_python(context);
  array(context);
  given_variables(context); // they are what a name means that nothing in the script sets
  option_loop(context);     // what it makes of them are positionals no more
  unread_assignments(context);
  positionals(context);
  statements(context);
  cluster_paths(context);
  staging(context);
  outputs(context); // what cluster_paths has made an output is none of these
  payload_parameters(context);
  resumed(context);
  restarted(context);
  kept(context);
  step_room(context); // of what is lifted, once that is known
  traps(context);
  clustered_alone(context);
  several_starts_alone(context);
  spark_alone(context);
  interconnect(context);
  if (stays()) { // a Slurm command hides in text that would be kept
    return;
  }
  array_items(context); // of what is lifted, once that is known
  packages(context);
  statuses(context);
  paths(context);
  earlier_runs(context);
  left_behind(context);
  missing_files(context);
  containers(context);
  payload_variables(context);
  driver_given(context); // of the programs, once it is known which files they are
  failure(context);
  sh_dialect(context);
  shell_starts(context);
  nothing_left(context);
  differences(context); // a redirection of the last command fails the job in Bash too
  resources(context);
  time_limit(context);
  queue(context);
  requeue(context);
  output_files(context);
  mail(context);
  exported(context);
  account(context);
  constraint(context);
  default_image(context);
  image_programs(context);
  gpu_limit(context);
  labels(context);
  array_notes(context); // what the passes before have found says whether inputs are declared
  other_options(context);
  settle_body(context);
  comments(context); // each to what is left of its statement
  answered_on_slurm(context);
  (void)stays();
}

} // namespace s2f::passes
