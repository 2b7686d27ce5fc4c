// SLURM_* variables that the started programs read themselves, as far as their text is there.
//
// before:  python train.py, where train.py reads os.environ["SLURM_ARRAY_TASK_ID"]
// after:   slurm_payload = {SLURM_ARRAY_TASK_ID}; the task passes what Slurm would have set
//
// What a program does that cannot be read here is not known; an array is of no use to one that
// does not look at its index, so the index is passed to it.
#include <algorithm>

#include "generated/tables/base_programs.hpp"
#include "ir/inner_text.hpp"
#include "ir/steps.hpp"
#include "passes/pipeline.hpp"
#include "passes/scope.hpp"

namespace s2f::passes {

namespace {

// Whether the job starts a program whose text was not read: not Python beside the script.
bool starts_unread(const PassContext& context) {
  return ir::any_step(context.job.body, [&](const ir::Step& step) {
    if (!ir::inner_launches(step).empty()) {
      return true;
    }
    const auto* launch = std::get_if<ir::Launch>(&step.value);
    if (launch == nullptr || launch->words.size() <= launch->program) {
      return step.in_region;
    }
    if (launch->payload) {
      const auto path = launch->words[*launch->payload].text();
      return !path || !context.file_exists || !context.file_exists(*path);
    }
    const auto program = launch->words[launch->program].text();
    return !program || !(tables::find_base_programs(*program) != nullptr);
  });
}

} // namespace

void payload_variables(PassContext& context) {
  ir::Job& job = context.job;
  for (const std::string& path : job.include) {
    const auto text = context.read_file ? context.read_file(path) : std::nullopt;
    if (text) {
      job.slurm_payload.merge(slurm_names(*text));
    }
  }
  if (job.array && std::ranges::any_of(job.slurm_payload, [](const std::string& name) {
        return name == "SLURM_ARRAY_TASK_COUNT" || name.starts_with("SLURM_ARRAY_TASK_M");
      })) {
    job.array->count_parameter.clear(); // the program would be told otherwise
  }
  if (job.array && job.array->mapped() && !job.array->index_used && job.array->items.empty() &&
      (job.missing || job.array->spec.throttle || starts_unread(context))) {
    job.slurm_payload.insert("SLURM_ARRAY_TASK_ID");
  }
  if (job.unread_ranks) {
    job.slurm_payload.insert({"SLURM_PROCID", "SLURM_LOCALID", "SLURM_NODEID", "SLURM_NTASKS",
                              "SLURM_NNODES", "SLURM_JOB_NUM_NODES"});
  }
  for (const std::string& name : job.slurm_payload) {
    if (name == "SLURM_ARRAY_TASK_ID" && job.array) {
      job.array->index_used = true;
    }
    (void)note_slurm_variable(job, name);
  }
}

} // namespace s2f::passes
