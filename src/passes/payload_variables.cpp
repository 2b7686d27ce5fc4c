// SLURM_* variables that the started programs read themselves, as far as their text is there.
//
// before:  python train.py, where train.py reads os.environ["SLURM_ARRAY_TASK_ID"]
// after:   slurm_payload = {SLURM_ARRAY_TASK_ID}; the task passes what Slurm would have set
#include "passes/pipeline.hpp"
#include "passes/scope.hpp"

namespace s2f::passes {

void payload_variables(PassContext& context) {
  ir::Job& job = context.job;
  for (const std::string& path : job.include) {
    const auto text = context.read_file ? context.read_file(path) : std::nullopt;
    if (text) {
      job.slurm_payload.merge(slurm_names(*text));
    }
  }
  for (const std::string& name : job.slurm_payload) {
    if (name == "SLURM_ARRAY_TASK_ID" && job.array) {
      job.array->index_used = true;
    }
    (void)note_slurm_variable(job, name);
  }
}

} // namespace s2f::passes
