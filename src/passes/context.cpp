// What passes ask of their context.
#include "passes/context.hpp"

#include <fmt/format.h>

namespace s2f::passes {

const slurm::OptionUse* PassContext::winner(std::string_view option) const {
  const auto found = component().winner.find(std::string(option));
  return found == component().winner.end() ? nullptr : &job.header.uses[found->second];
}

std::string PassContext::asked(std::string_view option) const {
  const slurm::OptionUse* use = winner(option);
  if (use == nullptr) {
    return {};
  }
  if (use->origin == slurm::Origin::environment) {
    return fmt::format("--{}={}", option, use->value.value_or(""));
  }
  return text(use->span);
}

std::vector<Span> PassContext::spans(std::string_view option) const {
  const slurm::OptionUse* use = winner(option);
  if (use == nullptr || use->origin == slurm::Origin::environment) {
    return {};
  }
  return {use->span};
}

std::string PassContext::text(const Span& span) const {
  if (span.source == job.source && span.end <= masked_text.size()) {
    return std::string(masked_text.substr(span.begin, span.size()));
  }
  return std::string(sources.text(span));
}

// Null where nothing accounts for it: the environment, or a command line without a driver.
review::Ledger* PassContext::ledger_of(const slurm::OptionUse& use) const {
  return use.origin == slurm::Origin::environment    ? nullptr
         : use.origin == slurm::Origin::command_line ? outer_ledger
                                                     : &ledger;
}

review::Findings& PassContext::findings_of(const slurm::OptionUse& use) const {
  return use.origin == slurm::Origin::command_line && outer_findings != nullptr ? *outer_findings
                                                                                : findings;
}

bool PassContext::settled(const slurm::OptionUse& use) const {
  const review::Ledger* accounts = ledger_of(use);
  if (accounts == nullptr) {
    return true;
  }
  const auto entry = accounts->find(use.span);
  return !entry || accounts->settled(*entry);
}

void PassContext::settle(std::string_view option, review::Disposition disposition, std::string why,
                         std::string rule, std::optional<review::FindingId> finding) const {
  for (const slurm::OptionUse& use : job.header.uses) {
    review::Ledger* accounts = use.name == option ? ledger_of(use) : nullptr;
    const auto entry = accounts != nullptr ? accounts->find(use.span) : std::nullopt;
    if (entry && !accounts->settled(*entry)) {
      // The finding is the script's; the driver's ledger cannot cite it.
      accounts->settle(*entry, disposition, why, rule,
                       accounts == &ledger ? finding : std::nullopt);
    }
  }
}

std::string PassContext::at(const Span& span) const {
  const Span file = sources.to_file(span);
  const std::string& path = sources[file.source].path;
  return fmt::format("{}:{}", path.substr(path.find_last_of('/') + 1), sources.begin(file).line);
}

std::string PassContext::lines(const Span& span) const {
  const Span file = sources.to_file(span);
  const auto first = sources.begin(file).line;
  const auto last = sources.end(file).line;
  return first == last ? at(span) : fmt::format("{}-{}", at(span), last);
}

std::string review_comment(std::string_view rule, std::string_view text) {
  return fmt::format("REVIEW {}: {}", rule, text);
}

} // namespace s2f::passes
