// ulimit and unset: what programs find in their process.
//
// before:  ulimit -s unlimited      after:  Limit{RLIMIT_STACK, none}, S2F464
// before:  unset XDG_RUNTIME_DIR    after:  Assign{XDG_RUNTIME_DIR, unset}
#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "generated/tables/limits.hpp"
#include "passes/lifting.hpp"

namespace s2f::passes {

std::string Lifting::limit(ir::Step& step, const shell::SimpleCommand& command) {
  const std::string general = "the shell's own ulimit";
  ir::Limit result;
  if (!step.statement->redirects.empty() || !command.assignments.empty()) {
    return general;
  }
  std::string option = "-f";
  std::optional<std::string> amount;
  for (std::size_t i = 1; i < command.words.size(); ++i) {
    const auto word = command.words[i].literal();
    if (!word || word->empty() || amount) {
      return general;
    }
    if ((*word)[0] == '-') {
      option = *word;
    } else {
      amount = word;
    }
  }
  const auto* row = tables::find_limits(option);
  if (row == nullptr || !amount) {
    return general;
  }
  result.resource = row->resource;
  if (*amount != "unlimited") {
    std::int64_t value = 0;
    const auto [end, error] =
        std::from_chars(amount->data(), amount->data() + amount->size(), value);
    constexpr std::int64_t most = std::int64_t{1} << 50;
    if (error != std::errc{} || end != amount->data() + amount->size() || value < 0 ||
        value > most / row->unit) {
      return general;
    }
    result.value = value * row->unit;
  }
  review::Finding finding;
  finding.rule = "S2F464";
  finding.span = step.span;
  finding.message = fmt::format("{} holds for the task's process.", context_.text(step.span));
  finding.slurm_does = "It holds for the script and the programs behind it, as far as the node "
                       "allows.";
  finding.output_does = "The same, as far as the container allows.";
  context_.findings.add(std::move(finding));
  step.value = std::move(result);
  return {};
}

std::string Lifting::unset(ir::Step& step, const shell::SimpleCommand& command) {
  const std::string general = "the shell's own unset";
  if (!step.statement->redirects.empty() || !command.assignments.empty() || nounset_) {
    return general;
  }
  ir::Assign result;
  for (std::size_t i = 1; i < command.words.size(); ++i) {
    const auto name = command.words[i].literal();
    if (i == 1 && name == "-v") {
      continue;
    }
    if (!name || name->empty() || (*name)[0] == '-' || functions_.contains(*name) ||
        name->find_first_of("[]$@*?") != std::string::npos || *name == "PATH" || *name == "HOME" ||
        maybe_exported_.contains(*name) || name->starts_with("SLURM") ||
        std::ranges::find(job_.secrets, *name, &ir::Secret::variable) != job_.secrets.end()) {
      return general;
    }
    ir::Binding& binding = result.bindings.emplace_back(scope_.unset_from_here(*name));
    if (!read_elsewhere(*name, *step.statement)) {
      binding.local.clear();
    }
    exported_.erase(*name);
  }
  result.declared = true;
  step.value = std::move(result);
  return {};
}

} // namespace s2f::passes
