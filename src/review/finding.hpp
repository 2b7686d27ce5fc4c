// Findings: what a person should know or must decide, each an instance of a rule in
// grammar/rules.json.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "review/ledger.hpp"
#include "source/source.hpp"

namespace s2f::review {

enum class Severity { note, warning, decision, error };
[[nodiscard]] std::string_view to_string(Severity severity);
[[nodiscard]] std::optional<Severity> severity_of(std::string_view word);

struct Rule {
  std::string_view code; // "S2F210"
  std::string_view name; // "queue-must-exist"
  Severity severity{};
  std::string_view title; // one sentence, no full stop
};
[[nodiscard]] std::span<const Rule> rules(); // sorted by code
[[nodiscard]] const Rule* find_rule(std::string_view code);
// The rule's page in Markdown (docs/rules/<code>.md, compiled in); "" when there is none.
[[nodiscard]] std::string_view rule_page(std::string_view code);

// Who said that a finding is all right, and where.
enum class Answerer { site, script, sign_off };
[[nodiscard]] std::string_view to_string(Answerer answerer);
struct Acceptance {
  Answerer by{};
  std::string place;  // "slurm2flyte.toml:12", "train.sh:4", "slurm2flyte.signoff.json"
  std::string answer; // the choice that was taken, "" where it is the default
  std::string who, date, reason;
};

// An edit of the script that can be made without thinking.
struct Fix {
  std::string what;         // "write --gpus-per-node"
  std::string text{};       // what stands in the place of the finding's own text
  bool whole_lines = false; // the place is all of the finding's lines, with their ends
};

struct Finding {
  std::string rule;
  Severity severity{}; // the rule's, unless a site file changed it
  Span span{};
  std::string message;    // one sentence, specific: names and numbers of this script
  std::string slurm_does; // "" where that is not the point
  std::string output_does;
  std::vector<std::string> choices; // for a decision
  std::string default_;             // the choice that was taken
  std::string config_key;           // the key of slurm2flyte.toml that answers it, or ""
  std::optional<Fix> fix = {};
  // Stable across runs: 12 hex digits of the rule, the text at the span and, among equals, the
  // ordinal.
  std::string id;
  std::optional<Acceptance> accepted; // then it is open no more
};
// Whether somebody must still answer it.
[[nodiscard]] inline bool is_open(const Finding& finding) { return !finding.accepted; }

class Findings {
public:
  // The severity is taken from the rule; an unknown rule is a programming error and becomes S2F901.
  FindingId add(Finding finding);
  [[nodiscard]] const std::vector<Finding>& all() const { return findings_; }
  [[nodiscard]] const Finding& operator[](FindingId id) const {
    return findings_[static_cast<std::size_t>(id)];
  }
  // Takes back those that were added after there were `count`: of an attempt that came to nothing.
  void keep_first(std::size_t count) {
    findings_.erase(findings_.begin() + static_cast<std::ptrdiff_t>(count), findings_.end());
  }
  // For the site file's [rules] severity: every finding of that rule, those that are there already.
  void set_severity(std::string_view rule, Severity severity);
  // For `[rules] ignore`: every finding of that rule.
  void answer(std::string_view rule, const Acceptance& acceptance);
  // Gives every finding its id; call once, when all are there. Equals are counted within one file,
  // so that an id does not depend on which other scripts were converted with it.
  void number(const source::Sources& sources);

private:
  std::vector<Finding> findings_;
};

} // namespace s2f::review
