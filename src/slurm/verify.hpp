// What sbatch checks and derives once all options of a component are read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "slurm/settings.hpp"

namespace s2f::slurm {

struct Surroundings {
  bool wrap = false; // the script is the text of --wrap
  std::string script_name;
  std::optional<std::string> now;
  std::optional<std::vector<std::string>> gres_types;
  std::function<bool(std::string_view)> file_exists;
};

struct Verdict {
  std::optional<std::string> refused; // sbatch's message
  std::optional<std::size_t> culprit; // the option that it is about
  std::vector<std::string> warnings;  // what sbatch says and then goes on
};

// Derives tasks and nodes as sbatch does. To be asked before the options are shown.
Verdict verify(Settings& settings, const Surroundings& surroundings);

// What sbatch looks at after it has shown its options, in this order: a burst buffer file, names of
// resource limits, then generic resources, then a file of variables.
Verdict check_early_files(const Settings& settings, const Surroundings& surroundings);
Verdict check_limits(const Settings& settings);
Verdict check_files(const Settings& settings, const Surroundings& surroundings);

// The check of GPUs and other generic resources, which sbatch makes after it has shown its options.
// It may raise or settle numbers of tasks and nodes, of which `request` is a copy. The numbers have
// the widths of Slurm's own record: 2^32 tasks are none, and 65538 CPUs are two.
struct GresRequest {
  std::optional<std::uint32_t> tasks, min_nodes, max_nodes;
  std::optional<std::uint16_t> tasks_per_node, tasks_per_socket, sockets_per_node, cpus_per_task,
      tasks_per_gres;
};
[[nodiscard]] GresRequest gres_request(const Settings& settings);
Verdict check_gres(const Settings& settings, const Surroundings& surroundings,
                   GresRequest& request);

} // namespace s2f::slurm
