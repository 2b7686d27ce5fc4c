// The passes over one job, in their order.
#pragma once

#include "passes/context.hpp"

namespace s2f::passes {

// Runs every pass; afterwards each ledger entry of the job's script is settled.
void run_all(PassContext& context);

// One file each; the order is the list in pipeline.cpp.
void job_name(PassContext& context);
void secrets(PassContext& context);
void container_images(PassContext& context);
void environment(PassContext& context);
void workflow_managers(PassContext& context);
void login_shell(PassContext& context);
void packages(PassContext& context);
void several_starts(PassContext& context);
void several_starts_alone(PassContext& context);
void clustered(PassContext& context);
void clustered_alone(PassContext& context);
void interconnect(PassContext& context);
void slurm_outputs(PassContext& context);
void hand_clusters(PassContext& context);
void ray_cluster(PassContext& context);
void dask_cluster(PassContext& context);
void spark_cluster(PassContext& context);
void spark_alone(PassContext& context);
void payload_clusters(PassContext& context);
void slurm_requests(PassContext& context);
void cluster_limit(PassContext& context);
void answered_on_slurm(PassContext& context);
void launchers(PassContext& context);
void hidden_launches(PassContext& context);
void unread_launches(PassContext& context);
void site_hardware(PassContext& context);
void servers(PassContext& context);
void resources(PassContext& context);
void time_limit(PassContext& context);
void queue(PassContext& context);
void requeue(PassContext& context);
void resume(PassContext& context);
void resumed(PassContext& context);
void restarts(PassContext& context);
void restarted(PassContext& context);
void output_files(PassContext& context);
void mail(PassContext& context);
void array(PassContext& context);
void array_items(PassContext& context);
void array_notes(PassContext& context);
void option_loop(PassContext& context);
void positionals(PassContext& context);
void statements(PassContext& context);
void payload_parameters(PassContext& context);
void outputs(PassContext& context);
void cluster_paths(PassContext& context);
void staging(PassContext& context);
void earlier_runs(PassContext& context);
void left_behind(PassContext& context);
void missing_files(PassContext& context);
void kept(PassContext& context);
void step_room(PassContext& context);
void traps(PassContext& context);
void payload_variables(PassContext& context);
void driver_given(PassContext& context);
void given_variables(PassContext& context);
void exported(PassContext& context);
void labels(PassContext& context);
void comments(PassContext& context);
void statuses(PassContext& context);
// What is otherwise in a container: where the script lies, its id, directories that are not there.
void differences(PassContext& context);
void paths(PassContext& context);
void image_programs(PassContext& context);
void containers(PassContext& context);
void failure(PassContext& context);
void account(PassContext& context);
void constraint(PassContext& context);
void default_image(PassContext& context);
void gpu_limit(PassContext& context);
void other_options(PassContext& context);
void stays_on_slurm(PassContext& context);
void slurm_inputs(PassContext& context);
void settle_body(PassContext& context);

} // namespace s2f::passes
