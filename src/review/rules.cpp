// The rules of grammar/rules.json and their pages, as the build compiled them in.
#include <algorithm>
#include <array>

#include "generated/embedded.hpp"
#include "generated/tables/rules.hpp"
#include "review/finding.hpp"

namespace s2f::review {

namespace {

constexpr Severity severity_of(tables::RulesSeverity severity) {
  switch (severity) {
  case tables::RulesSeverity::note:
    return Severity::note;
  case tables::RulesSeverity::warning:
    return Severity::warning;
  case tables::RulesSeverity::decision:
    return Severity::decision;
  case tables::RulesSeverity::error:
    return Severity::error;
  }
  return Severity::error;
}

constexpr auto all_rules = [] {
  std::array<Rule, tables::rules.size()> all;
  std::ranges::transform(tables::rules, all.begin(), [](const tables::RulesRow& row) {
    return Rule{.code = row.code,
                .name = row.name,
                .severity = severity_of(row.severity),
                .title = row.title};
  });
  return all;
}();

} // namespace

std::string_view to_string(Severity severity) {
  switch (severity) {
  case Severity::note:
    return "note";
  case Severity::warning:
    return "warning";
  case Severity::decision:
    return "decision";
  case Severity::error:
    return "error";
  }
  return "error";
}

std::span<const Rule> rules() { return all_rules; }

const Rule* find_rule(std::string_view code) {
  const auto found = std::ranges::lower_bound(all_rules, code, {}, &Rule::code);
  return found != all_rules.end() && found->code == code ? &*found : nullptr;
}

std::string_view rule_page(std::string_view code) {
  for (const embedded::File& page : embedded::rule_pages()) {
    std::string_view name = page.path;
    if (const auto slash = name.rfind('/'); slash != name.npos)
      name.remove_prefix(slash + 1);
    if (name.ends_with(".md") && name.substr(0, name.size() - 3) == code)
      return page.text;
  }
  return {};
}

} // namespace s2f::review
