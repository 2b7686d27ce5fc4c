// From options to what Slurm would grant.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "slurm/header.hpp"
#include "slurm/settings.hpp"
#include "slurm/verify.hpp"

namespace s2f::slurm {

// Fills `resolved`, `share` and the typed values of a component from its settings and from the
// numbers that the check of generic resources left. `written` gives an option's value as it stands
// in the script.
void resolve(Component& component, const Settings& settings, const GresRequest& request,
             const Surroundings& surroundings,
             const std::function<std::string(std::size_t row)>& written);

// What any controller refuses for what it says, though sbatch takes it.
struct ControllerRefusal {
  std::size_t row = 0;
  std::string message;
};
[[nodiscard]] std::vector<ControllerRefusal> controller_refusals(const Settings& settings,
                                                                 bool heterogeneous);

} // namespace s2f::slurm
