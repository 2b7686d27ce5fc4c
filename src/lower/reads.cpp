// What a task's Python reads of its own variables.
#include <algorithm>

#include "ir/steps.hpp"
#include "lower/parts.hpp"

namespace s2f::lower {

bool reads_local(const ir::Job& job, const std::string& local) {
  std::vector<ir::Step> body = job.body; // its values can only be looked at as what may change
  bool found = std::ranges::any_of(job.kept, [&](const ir::KeptRegion& region) {
    const auto clock = region.takes.find("SECONDS");
    return clock != region.takes.end() && clock->second == local;
  });
  ir::for_each_step(body, [&](ir::Step& step) {
    if (step.in_region) {
      return;
    }
    ir::for_each_value(step, [&](ir::Value& value) {
      found = found || std::ranges::any_of(value.parts, [&](const ir::ValuePart& part) {
                const auto* variable = std::get_if<ir::Local>(&part);
                return variable != nullptr && variable->name == local;
              });
    });
  });
  return found;
}

} // namespace s2f::lower
