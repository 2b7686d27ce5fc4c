// Collects findings and gives each an id that survives unrelated edits.
#include "review/finding.hpp"

#include <map>
#include <utility>

namespace s2f::review {

namespace {

// Runs of white space as one blank, none at the ends: a changed indentation is no other finding.
std::string normalised(std::string_view text) {
  std::string out;
  bool blank = false;
  for (const char byte : text) {
    if (byte == ' ' || (byte >= '\t' && byte <= '\r')) {
      blank = !out.empty();
      continue;
    }
    if (blank)
      out.push_back(' ');
    blank = false;
    out.push_back(byte);
  }
  return out;
}

} // namespace

FindingId Findings::add(Finding finding) {
  if (const Rule* rule = find_rule(finding.rule)) {
    finding.severity = rule->severity;
  } else {
    finding.message = "unknown rule " + finding.rule + ": " + finding.message;
    finding.rule = "S2F901";
    finding.severity = Severity::error;
  }
  findings_.push_back(std::move(finding));
  return static_cast<FindingId>(findings_.size() - 1);
}

void Findings::set_severity(std::string_view rule, Severity severity) {
  for (Finding& finding : findings_) {
    if (finding.rule == rule)
      finding.severity = severity;
  }
}

std::optional<Severity> severity_of(std::string_view word) {
  for (const auto severity :
       {Severity::note, Severity::warning, Severity::decision, Severity::error}) {
    if (to_string(severity) == word)
      return severity;
  }
  return std::nullopt;
}

std::string_view to_string(Answerer answerer) {
  switch (answerer) {
  case Answerer::site:
    return "site file";
  case Answerer::script:
    return "script";
  case Answerer::sign_off:
    break;
  }
  return "sign-off";
}

void Findings::answer(std::string_view rule, const Acceptance& acceptance) {
  for (Finding& finding : findings_) {
    if (finding.rule == rule && finding.severity != Severity::error)
      finding.accepted = acceptance;
  }
}

void Findings::number(const source::Sources& sources) {
  std::map<std::pair<source::SourceId, std::string>, std::uint32_t> seen;
  for (Finding& finding : findings_) {
    // NUL can stand in neither part, so no two findings run together.
    std::string key = finding.rule;
    key.push_back('\0');
    key += normalised(sources.text(finding.span));
    const auto ordinal = seen[{sources.to_file(finding.span).source, key}]++;
    key.push_back('\0');
    key += std::to_string(ordinal);
    finding.id = source::sha256_hex(key).substr(0, 12);
  }
}

} // namespace s2f::review
