// Raises the findings of a clustered job, and notes what its programs read by them.
#include "passes/cluster_findings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace s2f::passes {

// How the ranks start, there and here.
void say_ranks(PassContext& context, const RankStart& start) {
  const RankLauncher& launcher = start.launcher;
  const std::int64_t nodes = *launcher.nodes;
  const std::int64_t processes = *launcher.processes;
  review::Finding finding;
  finding.rule = "S2F703";
  finding.span = start.statement->span;
  finding.message = fmt::format("{}: {} ranks.", shape_of(nodes, processes), nodes * processes);
  finding.slurm_does =
      launcher.name == "srun" ? std::string("srun starts the ranks. Slurm gives all nodes at once.")
      : launcher.name == "deepspeed"
          ? std::string("deepspeed starts the ranks on the nodes of its list, one for each GPU. "
                        "Slurm gives all nodes at once.")
          : fmt::format("srun starts {} once a node, and that the ranks. Slurm gives all nodes "
                        "at once.",
                        launcher.name);
  finding.output_does = start.jax ? "Flyte starts the task on every replica. "
                                  : "Flyte starts torchrun on every replica, and torchrun the "
                                    "task once a rank. ";
  finding.output_does += "Replicas start together, without all-or-nothing admission or rack "
                         "placement: nothing holds them back until all have a node. A rank that "
                         "fails ends them all.";
  if (context.component().share.gpus.value_or(0) == 0 && *launcher.processes > 1 && !start.jax &&
      launcher.name != "srun") {
    finding.output_does += " The job asks for no GPU, so no replica has one.";
  }
  if (launcher.restarts.value_or(0) > 0) {
    finding.output_does += fmt::format(
        " --max_restarts={} is TorchRun.max_restarts: torchrun starts the ranks of its replica "
        "anew. ClusterFailurePolicy.max_restarts, by which all replicas start anew, is another "
        "number, and 0.",
        *launcher.restarts);
  }
  if (!launcher.dropped.empty()) {
    finding.output_does += fmt::format(" {} of {} has no counterpart.",
                                       fmt::join(launcher.dropped, ", "), launcher.name);
  }
  context.findings.add(std::move(finding));
}

// What the text of the shell sets up on each node.
void say_left_out(PassContext& context, const RankStart& start) {
  if (start.left_out.empty()) {
    return;
  }
  review::Finding finding;
  finding.rule = "S2F772";
  finding.span = start.statement->span;
  finding.message = fmt::format("{}{} sets up the software of each node; it is left out.",
                                start.file.empty() ? "" : fmt::format("{}: ", start.file),
                                fmt::join(start.left_out, "; "));
  finding.slurm_does = "The shell on each node does it before the launcher starts.";
  finding.output_does = "Nothing. The task's image is to have what it sets up.";
  finding.choices = {"the image has it", "keep the job on Slurm"};
  finding.default_ = finding.choices[0];
  context.findings.add(std::move(finding));
  for (const std::string& text : start.left_out) {
    context.job.not_carried.push_back({fmt::format("{} {}: the image is to have what it sets up",
                                                   context.at(start.statement->span), text),
                                       start.statement->span});
  }
}

// Its program is not there to be read.
void say_taken_for_torch(PassContext& context, const RankStart& start) {
  if (start.signs.empty()) {
    return;
  }
  review::Finding finding;
  finding.rule = "S2F760";
  finding.span = start.statement->span;
  finding.message =
      fmt::format("{} is not there to be read, or does not say how its ranks meet; by {} it is "
                  "taken for a torch program{}.",
                  start.unread, fmt::join(start.signs, ", "),
                  start.against.empty() ? ""
                                        : fmt::format(", although the script names {}",
                                                      fmt::join(start.against, ", ")));
  finding.slurm_does = "srun starts the ranks. How they meet is the program's own affair.";
  finding.output_does = "Flyte starts them as torchrun does, with RANK, WORLD_SIZE, MASTER_ADDR "
                        "and SLURM_PROCID, SLURM_LOCALID, SLURM_NTASKS set. Nothing there starts "
                        "ranks of MPI.";
  finding.choices = {"it is a torch program", "keep the job on Slurm"};
  finding.default_ = finding.choices[0];
  context.findings.add(std::move(finding));
  context.job.unread_ranks = true;
}

// jax.distributed.initialize() finds its numbers in what Slurm sets for a step.
void say_processes_of_jax(PassContext& context, const RankStart& start) {
  if (!start.jax) {
    return;
  }
  for (const char* name : {"SLURM_JOB_ID", "SLURM_LOCALID", "SLURM_NTASKS", "SLURM_PROCID",
                           "SLURM_STEP_NODELIST", "SLURM_STEP_NUM_NODES"}) {
    context.job.slurm_reads.push_back({name, std::nullopt, {}});
    context.job.slurm_payload.insert(name);
  }
  review::Finding finding;
  finding.rule = "S2F765";
  finding.span = start.statement->span;
  finding.message = "Its ranks are processes of JAX, one on each node.";
  finding.slurm_does = "jax.distributed.initialize() asks Slurm's variables which process it is, "
                       "and meets the others at the first node.";
  finding.output_does =
      "The task sets these variables, from what Flyte tells it, and JAX_COORDINATOR_ADDRESS "
      "leads to the first replica. flyte.clustered.jax_initialize() in place of "
      "jax.distributed.initialize() needs neither.";
  context.findings.add(std::move(finding));
}

// --nnodes=2:4 of four nodes.
void say_elastic(PassContext& context, const RankStart& start, const std::string& elastic) {
  if (elastic.empty()) {
    return;
  }
  const RankLauncher& launcher = start.launcher;
  review::Finding finding;
  finding.rule = "S2F777";
  finding.span = start.statement->span;
  finding.message = fmt::format("--nnodes={} lets {} go on with fewer nodes than the job's {}; "
                                "the number of replicas is fixed.",
                                elastic, launcher.name, *launcher.nodes);
  finding.slurm_does = fmt::format("All {} nodes of the job start {}. Where one is lost, the "
                                   "ranks start anew on those that are left, if these are enough.",
                                   *launcher.nodes, launcher.name);
  finding.output_does = fmt::format("replicas={}. Where one is lost, the attempt fails; it starts "
                                    "anew on as many, if retries or a failure policy say so.",
                                    *launcher.nodes);
  finding.choices = {fmt::format("{} replicas, all of them or none", *launcher.nodes),
                     "keep the job on Slurm: rules.on_slurm = [\"S2F777\"]"};
  finding.default_ = finding.choices[0];
  context.findings.add(std::move(finding));
  context.job.not_carried.push_back({fmt::format("{} --nnodes={}: replicas are a fixed number",
                                                 context.at(start.statement->span), elastic),
                                     start.statement->span});
}

void say_slots(PassContext& context, const RankStart& start) {
  const RankLauncher& launcher = start.launcher;
  review::Finding finding;
  finding.rule = "S2F780";
  finding.span = start.statement->span;
  finding.message = fmt::format("How many slots its list of nodes gives each is not known; {} are "
                                "taken, one for each GPU.",
                                *launcher.processes);
  finding.slurm_does = "deepspeed starts as many ranks on a node as the list has slots for it.";
  finding.output_does = fmt::format("nproc_per_node={}.", *launcher.processes);
  finding.choices = {"one rank for each GPU", "another number: nproc_per_node of the environment",
                     "keep the job on Slurm"};
  finding.default_ = finding.choices[0];
  context.findings.add(std::move(finding));
}

} // namespace s2f::passes
