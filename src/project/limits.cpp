// Takes back what was made of scripts that went beyond a limit.
//
// before:  a module and a review of huge.sh, with 40,000 findings
// after:   neither, and a sentence that says which limit it was
#include "project/limits.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "project/compiler.hpp"

namespace s2f::project {

std::string Compiler::beyond_limits(const review::Input& input) const {
  const Limits& limits = options_.limits;
  if (limits.findings != 0 && input.findings.size() > limits.findings) {
    return fmt::format("{} has {} findings, more than --max-findings {} allows.", input.path,
                       input.findings.size(), limits.findings);
  }
  const auto spent = spent_.find(input.path);
  if (limits.seconds > 0 && spent != spent_.end() && spent->second > limits.seconds) {
    return fmt::format("{} took {:.2g} seconds, more than --max-seconds {} allows.", input.path,
                       spent->second, limits.seconds);
  }
  return {};
}

// What stands in one module goes with the script that went too far.
void Compiler::keep_limits() {
  auto& inputs = result_.review.inputs;
  std::set<std::string> outputs;
  std::set<std::string> refused;
  for (const review::Input& input : inputs) {
    if (std::string why = beyond_limits(input); !why.empty()) {
      result_.failures.push_back({input.path, std::move(why)});
      refused.insert(input.path);
      if (!input.output.empty()) {
        outputs.insert(input.output);
      }
    }
  }
  for (const review::Input& input : inputs) {
    if (outputs.contains(input.output) && refused.insert(input.path).second) {
      result_.failures.push_back(
          {input.path, fmt::format("{} was not converted: what stands in its module with it went "
                                   "beyond a limit.",
                                   input.path)});
    }
  }
  std::erase_if(inputs, [&](const review::Input& input) { return refused.contains(input.path); });
  std::erase_if(result_.modules,
                [&](const CompiledModule& module) { return outputs.contains(module.path); });
}

} // namespace s2f::project
