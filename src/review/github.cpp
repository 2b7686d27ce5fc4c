// Renders findings as GitHub Actions' annotations: `::warning file=a.sh,line=3::...`.
#include <fmt/format.h>

#include "review/formats.hpp"
#include "review/shown.hpp"
#include "review/visible.hpp"

namespace s2f::review {

namespace {

// As @actions/core does it; nothing in the text can end the command or begin another.
std::string escaped(std::string_view text, bool property) {
  std::string out;
  for (const char c : visible(text)) {
    if (c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ',')))
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out;
}

std::string_view command_of(Severity severity) {
  switch (severity) {
  case Severity::error:
    return "error";
  case Severity::decision:
  case Severity::warning:
    return "warning";
  case Severity::note:
    break;
  }
  return "notice";
}

} // namespace

std::string answer_key(const Finding& finding) {
  const bool can_be_accepted = finding.severity == Severity::decision && !finding.default_.empty();
  return finding.config_key.empty() && can_be_accepted ? "rules.ignore" : finding.config_key;
}

std::string answer_text(const Finding& finding) {
  const auto key = answer_key(finding);
  return key == "rules.ignore" ? fmt::format("{} = [\"{}\"]", key, finding.rule) : key;
}

std::string render_github(const Review& review) {
  std::string out;
  for (const Input& secret_input : review.inputs) {
    const Shown shown(secret_input);
    const Input& input = *shown;
    for (const PlacedFinding& placed : input.findings) {
      const Finding& finding = placed.finding;
      if (!is_open(finding))
        continue;
      const Rule* rule = find_rule(finding.rule);
      const auto title = fmt::format("{} {} ({})", finding.rule, rule != nullptr ? rule->name : "",
                                     to_string(finding.severity));
      std::string message = escaped(finding.message, false);
      const auto more = [&message](std::string_view label, std::string_view text) {
        if (!text.empty())
          message += fmt::format("%0A{}: {}", label, escaped(text, false));
      };
      more("Output", finding.output_does);
      more("Default", finding.default_);
      const auto key = answer_text(finding);
      more("Answer", key.empty() ? key : key + " in slurm2flyte.toml");
      // GitHub takes columns only where the annotation stays on one line.
      const auto columns =
          placed.line == placed.end_line && placed.end_column > placed.column
              ? fmt::format(",col={},endColumn={}", placed.column, placed.end_column)
              : std::string();
      out += fmt::format("::{} file={},line={},endLine={}{},title={}::{}\n",
                         command_of(finding.severity), escaped(input.path, true), placed.line,
                         placed.end_line, columns, escaped(title, true), message);
    }
  }
  return out;
}

} // namespace s2f::review
