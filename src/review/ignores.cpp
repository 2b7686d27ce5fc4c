// Comments in a script that accept findings: `# slurm2flyte: ignore[S2F210] reason`.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "review/signoff.hpp"
#include "review/visible.hpp"

namespace s2f::review {

namespace {

constexpr std::string_view mark = "slurm2flyte: ignore[";

struct Ignore {
  std::uint32_t line = 0; // of the comment
  std::vector<std::string> rules;
  std::string reason;
  bool own_line = false;
  std::set<std::string> used;
};

std::string_view trimmed(std::string_view text) {
  const auto begin = std::min(text.find_first_not_of(" \t\r"), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(" \t\r") + 1);
}

std::optional<Ignore> ignore_in(const Item& item) {
  const auto at = item.text.find(mark);
  if (item.disposition != Disposition::comment || at == std::string::npos ||
      item.text.find_first_not_of("# \t", 0) != at) {
    return std::nullopt;
  }
  const std::string_view rest = std::string_view(item.text).substr(at + mark.size());
  const auto close = rest.find(']');
  if (close == rest.npos)
    return std::nullopt;
  Ignore ignore;
  ignore.line = item.line;
  ignore.reason = std::string(trimmed(rest.substr(close + 1)));
  for (std::size_t begin = 0; begin < close;) {
    const auto end = std::min(rest.find(',', begin), close);
    ignore.rules.emplace_back(trimmed(rest.substr(begin, end - begin)));
    begin = end + 1;
  }
  return ignore;
}

// The line that a comment on a line of its own is about: the next one that is not such a comment.
std::uint32_t target_of(const Ignore& ignore, const std::map<std::uint32_t, const Ignore*>& own,
                        std::string_view source) {
  auto line = ignore.line + 1;
  while (own.contains(line) || (trimmed(line_of(source, line)).empty() && line < ignore.line + 64))
    ++line;
  return line;
}

} // namespace

void apply_ignores(Input& input) {
  std::vector<Ignore> ignores;
  for (const Item& item : input.items) {
    if (auto ignore = ignore_in(item)) {
      ignore->own_line = trimmed(line_of(input.source_text, item.line)).starts_with('#');
      ignores.push_back(std::move(*ignore));
    }
  }
  if (ignores.empty())
    return;
  std::map<std::uint32_t, const Ignore*> own;
  for (const Ignore& ignore : ignores) {
    if (ignore.own_line)
      own[ignore.line] = &ignore;
  }
  for (Ignore& ignore : ignores) {
    const auto target = ignore.own_line ? target_of(ignore, own, input.source_text) : ignore.line;
    for (PlacedFinding& placed : input.findings) {
      Finding& finding = placed.finding;
      // Nothing can stand above the first line: such a comment may follow it.
      const bool meant = placed.line == target || (placed.line == 1 && ignore.own_line);
      if (!meant || finding.severity == Severity::error ||
          std::ranges::find(ignore.rules, finding.rule) == ignore.rules.end()) {
        continue;
      }
      ignore.used.insert(finding.rule);
      finding.accepted =
          Acceptance{.by = Answerer::script,
                     .place = fmt::format(
                         "{}:{}", input.path.substr(input.path.find_last_of('/') + 1), ignore.line),
                     .answer = {},
                     .who = {},
                     .date = {},
                     .reason = ignore.reason};
    }
  }
  for (const Ignore& ignore : ignores) {
    for (const std::string& rule : ignore.rules) {
      if (ignore.used.contains(rule))
        continue;
      PlacedFinding unused =
          finding_at(input, "S2F903", ignore.line,
                     find_rule(rule) == nullptr ? fmt::format("There is no rule {}.", rule)
                                                : fmt::format("Nothing here raises {}.", rule),
                     rule + '\0' + ignore.reason);
      // Where it is all that the line says, the line can go.
      if (ignore.own_line && ignore.rules.size() == 1)
        unused.finding.fix = Fix{"take the line out", "", true};
      input.findings.push_back(std::move(unused));
    }
  }
  std::ranges::stable_sort(input.findings, {}, &PlacedFinding::line);
}

} // namespace s2f::review
