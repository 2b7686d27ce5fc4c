// The configuration file that `accelerate launch --config_file` names, beside the script or written
// by it.
//
// before:  cat << EOT > $CONFIG            after:  nodes 2, total 16, precision "bf16"
//          num_machines: $SLURM_NNODES
//          num_processes: 16
//          mixed_precision: bf16
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "passes/context.hpp"
#include "passes/script_values.hpp"

namespace s2f::passes {

struct AccelerateConfig {
  std::optional<std::int64_t> nodes, total;
  std::string precision;
  const ir::Step* written = nullptr; // the statement that writes it
  std::string why;                   // why it can't be told, "" for nothing
};

// `name` is the file's, with "${NAME}" for what is not known of it.
[[nodiscard]] AccelerateConfig read_accelerate_config(const PassContext& context,
                                                      const ScriptValues& values,
                                                      const std::string& name);

} // namespace s2f::passes
