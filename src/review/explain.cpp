// Renders the rules for people: one page for `explain`, a list for `rules`.
#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "review/paint.hpp"
#include "review/review.hpp"
#include "review/visible.hpp"

namespace s2f::review {

namespace {

// "S2F210", "s2f210", "210" and "queue-must-exist" all mean the same rule.
const Rule* rule_named(std::string_view text) {
  std::string code(text);
  std::ranges::transform(code, code.begin(), [](unsigned char c) { return std::toupper(c); });
  if (const Rule* rule = find_rule(code))
    return rule;
  if (const Rule* rule = find_rule("S2F" + code))
    return rule;
  const auto found = std::ranges::find(rules(), text, &Rule::name);
  return found == rules().end() ? nullptr : &*found;
}

} // namespace

std::string render_rule(std::string_view code, const TextStyle& style) {
  const Rule* rule = rule_named(code);
  if (rule == nullptr)
    return {};
  std::string out =
      fmt::format("{} {} ({})\n{}.\n", paint(rule->code, Ink::bold, style), rule->name,
                  paint(to_string(rule->severity), ink_of(rule->severity), style), rule->title);
  std::string_view page = rule_page(rule->code);
  bool fenced = false;
  while (!page.empty()) {
    const auto end = std::min(page.find('\n'), page.size() - 1);
    std::string_view line = page.substr(0, page[end] == '\n' ? end : end + 1);
    page.remove_prefix(end + 1);
    if (line.starts_with("# "))
      continue; // the title stands above already
    if (line.starts_with("```")) {
      fenced = !fenced;
      const auto info = line.substr(3);
      if (fenced)
        out += fmt::format("  {}:\n", paint(info.empty() ? "text" : info, Ink::dim, style));
    } else if (fenced) {
      out += line.empty() ? "\n" : fmt::format("    {}\n", line);
    } else if (line.starts_with("## ")) {
      out += paint(line.substr(3), Ink::bold, style) + '\n';
    } else {
      out += line.empty() ? "\n" : wrapped(line, "", "", style.width);
    }
  }
  return out;
}

std::string render_rules(const TextStyle& style) {
  std::size_t widest = 0;
  for (const Rule& rule : rules())
    widest = std::max(widest, rule.name.size());
  std::string out;
  for (const Rule& rule : rules()) {
    const auto severity = fmt::format("{:<8}", to_string(rule.severity));
    out +=
        fmt::format("{}  {}  {:<{}}  {}\n", paint(rule.code, Ink::bold, style),
                    paint(severity, ink_of(rule.severity), style), rule.name, widest, rule.title);
  }
  return out;
}

} // namespace s2f::review
