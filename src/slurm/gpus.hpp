// Generic resources of one option, read for the GPUs in them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace s2f::slurm {

struct GpuCount {
  std::int64_t count = 0;
  std::string type; // as written, "" when none; several are joined by commas
};

// "gpu:a100:2,shard:1" as in --gres. Nothing when there is no GPU in it.
[[nodiscard]] std::optional<GpuCount> gpus_of_gres(std::string_view text);
// "2", "a100:2", "a100:1,v100:1" as in --gpus. Of one type the last count stands.
[[nodiscard]] std::optional<GpuCount> gpus_of_count(std::string_view text);

// "cpu:4,gres/gpu:a100:1" as in --tres-per-task: what each task gets.
struct TaskResources {
  std::optional<std::int64_t> cpus;
  std::optional<GpuCount> gpus;
};
[[nodiscard]] TaskResources resources_per_task(std::string_view text);

} // namespace s2f::slurm
