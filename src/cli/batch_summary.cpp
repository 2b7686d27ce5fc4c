// What the terminal shows of many scripts: a line each, what is left to answer, and the count.
//
// after:   errors  to answer  warnings  verdict         script
//               0          2         1  NEEDS DECISION  jobs/train.sh
//          To answer:
//          times  scripts  rule     answer in slurm2flyte.toml
//             12        9  S2F210   partitions.gpu.queue
#include "cli/batch_summary.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "cli/table.hpp"
#include "review/formats.hpp"
#include "review/labels.hpp"
#include "review/paint.hpp"
#include "review/visible.hpp"

namespace s2f::cli {

namespace {

using review::Severity;

std::string scripts_table(const review::Review& review, const review::TextStyle& style) {
  Table table{{"errors", "to answer", "warnings", "verdict", "script"}, {}, 3};
  for (const review::Input& input : review.inputs) {
    const auto count = [&input](Severity severity) {
      return std::to_string(open_count_of(input, severity));
    };
    table.rows.push_back({count(Severity::error), count(Severity::decision),
                          count(Severity::warning), std::string(label_of(input.verdict)),
                          input.path});
  }
  return render(table, style);
}

struct Open {
  std::size_t times = 0;
  std::set<std::string_view> scripts, rules;
};

std::string decisions_table(const review::Review& review, const review::TextStyle& style) {
  constexpr std::size_t shown = 10;
  std::map<std::string, Open> by_answer;
  for (const review::Input& input : review.inputs) {
    for (const auto& placed : input.findings) {
      const review::Finding& finding = placed.finding;
      if (finding.severity != Severity::decision || !is_open(finding)) {
        continue;
      }
      const auto key = answer_text(finding);
      Open& open = by_answer[key.empty() ? "(in the script itself)" : key];
      ++open.times;
      open.scripts.insert(input.path);
      open.rules.insert(finding.rule);
    }
  }
  if (by_answer.empty()) {
    return {};
  }
  std::vector<std::pair<std::string, Open>> most(by_answer.begin(), by_answer.end());
  std::ranges::stable_sort(most, std::ranges::greater(),
                           [](const auto& each) { return each.second.times; });
  Table table{{"times", "scripts", "rule", "answer in slurm2flyte.toml"}, {}, 2};
  for (const auto& [key, open] : most) {
    if (table.rows.size() == shown) {
      break;
    }
    const auto rule = open.rules.size() == 1 ? std::string(*open.rules.begin())
                                             : fmt::format("{} rules", open.rules.size());
    table.rows.push_back(
        {std::to_string(open.times), std::to_string(open.scripts.size()), rule, key});
  }
  auto text = '\n' + review::paint("To answer:", review::Ink::bold, style) + '\n';
  text += render(table, style);
  if (most.size() > shown) {
    text += fmt::format("  and {} more; slurm2flyte init writes them all into a site file\n",
                        most.size() - shown);
  }
  return text;
}

std::string verdicts_line(const review::Review& review) {
  std::string text = fmt::format("\n{}:", review::counted(review.inputs.size(), "script"));
  std::string_view separator = " ";
  for (const auto verdict : review::all_verdicts) {
    const auto n = std::ranges::count(review.inputs, verdict, &review::Input::verdict);
    if (n > 0) {
      text += fmt::format("{}{} {}", separator, n, label_of(verdict));
      separator = ", ";
    }
  }
  return text + '\n';
}

} // namespace

std::string batch_summary(const review::Review& review, const review::TextStyle& style) {
  std::string text = scripts_table(review, style) + decisions_table(review, style);
  text += "\nEach module's review lists every line and every finding; so does --verbose here.\n";
  return text + verdicts_line(review);
}

} // namespace s2f::cli
