// What the terminal shows of many scripts: a line each, what is left to answer, and the count.
//
// after:   errors  to answer  warnings  verdict         script
//               0          2         1  NEEDS DECISION  jobs/train.sh
//          To answer:
//          times  scripts  rule     answer in slurm2flyte.toml
//             12        9  S2F210   partitions.gpu.queue
#include "cli/batch_summary.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "cli/table.hpp"
#include "review/formats.hpp"
#include "review/labels.hpp"
#include "review/paint.hpp"
#include "review/visible.hpp"

namespace s2f::cli {

using review::Severity;

void BatchSummary::add(const review::Input& input) {
  lines_.push_back({open_count_of(input, Severity::error), open_count_of(input, Severity::decision),
                    open_count_of(input, Severity::warning), input.verdict, input.path});
  std::set<std::string_view> seen; // answers that this script has asked for
  for (const auto& placed : input.findings) {
    const review::Finding& finding = placed.finding;
    if (finding.severity != Severity::decision || !is_open(finding)) {
      continue;
    }
    const auto key = answer_text(finding);
    const auto entry = by_answer_.try_emplace(key.empty() ? "(in the script itself)" : key).first;
    Open& open = entry->second;
    ++open.times;
    open.scripts += seen.insert(entry->first).second ? 1 : 0;
    open.rules.insert(finding.rule);
  }
}

std::string BatchSummary::scripts_table(const review::TextStyle& style) const {
  Table table{{"errors", "to answer", "warnings", "verdict", "script"}, {}, 3};
  for (const Line& line : lines_) {
    table.rows.push_back({std::to_string(line.errors), std::to_string(line.decisions),
                          std::to_string(line.warnings), std::string(label_of(line.verdict)),
                          line.script});
  }
  return render(table, style);
}

std::string BatchSummary::decisions_table(const review::TextStyle& style) const {
  constexpr std::size_t shown = 10;
  if (by_answer_.empty()) {
    return {};
  }
  std::vector<std::pair<std::string, Open>> most(by_answer_.begin(), by_answer_.end());
  std::ranges::stable_sort(most, std::ranges::greater(),
                           [](const auto& each) { return each.second.times; });
  Table table{{"times", "scripts", "rule", "answer in slurm2flyte.toml"}, {}, 2};
  for (const auto& [key, open] : most) {
    if (table.rows.size() == shown) {
      break;
    }
    const auto rule =
        open.rules.size() == 1 ? *open.rules.begin() : fmt::format("{} rules", open.rules.size());
    table.rows.push_back({std::to_string(open.times), std::to_string(open.scripts), rule, key});
  }
  auto text = '\n' + review::paint("To answer:", review::Ink::bold, style) + '\n';
  text += render(table, style);
  if (most.size() > shown) {
    text += fmt::format("  and {} more; slurm2flyte init writes them all into a site file\n",
                        most.size() - shown);
  }
  return text;
}

std::string BatchSummary::verdicts_line() const {
  std::string text = fmt::format("\n{}:", review::counted(lines_.size(), "script"));
  std::string_view separator = " ";
  for (const auto verdict : review::all_verdicts) {
    const auto n = std::ranges::count(lines_, verdict, &Line::verdict);
    if (n > 0) {
      text += fmt::format("{}{} {}", separator, n, label_of(verdict));
      separator = ", ";
    }
  }
  return text + '\n';
}

std::string BatchSummary::text(const review::TextStyle& style) const {
  std::string text = scripts_table(style) + decisions_table(style);
  text += "\nEach module's review lists every line and every finding; so does --verbose here.\n";
  return text + verdicts_line();
}

} // namespace s2f::cli
