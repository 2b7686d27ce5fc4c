// What several passes ask of the site file.
#pragma once

#include <optional>
#include <string>

#include "passes/context.hpp"

namespace s2f::passes {

// `[modules]` for "cuda/12.1", by that name or by "cuda". Puts what it says into the environment;
// the value is a sentence for the module's comment, nothing where there is no answer.
[[nodiscard]] std::optional<std::string> answered_module(PassContext& context,
                                                         const std::string& full, const Span& span);
// `[environments]`, the same for a virtual environment or one of conda's.
[[nodiscard]] std::optional<std::string>
answered_environment(PassContext& context, const std::string& target, const Span& span);

// A task has one pod template: false where it has another one already.
bool use_pod_template(PassContext& context, const site::Answer<std::string>& name,
                      const std::string& asked, std::vector<Span> spans);

// "a100" of "a100&nvlink*2".
[[nodiscard]] std::string first_feature(const std::string& constraint);

} // namespace s2f::passes
