// Makes one note of many that say the same of one word each.
//
// before:  S2F421 $a stands without quotes. (line 3)   S2F421 $b/x stands without quotes. (line 9)
// after:   S2F421 2 words stand without quotes: $a, $b/x (lines 3, 9).
#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "review/amend.hpp"
#include "review/line_ranges.hpp"

namespace s2f::review {

namespace {

constexpr std::string_view rule = "S2F421";
constexpr std::size_t most_shown = 8;

void say_all(Finding& finding, const std::vector<std::string>& words,
             const std::set<std::uint32_t>& lines, std::size_t count) {
  const auto shown = std::min(words.size(), most_shown);
  const std::string more =
      words.size() > shown ? fmt::format(" and {} more", words.size() - shown) : "";
  finding.message = fmt::format(
      "{} words stand without quotes: {}{} (line{} {}).", count,
      fmt::join(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(shown), ", "), more,
      lines.size() == 1 ? "" : "s", ranges_text({lines.begin(), lines.end()}));
  finding.output_does = "Each value stays one word.";
}

} // namespace

void fold_words(Findings& findings, const source::Sources& sources) {
  std::vector<std::string> words;
  std::set<std::uint32_t> lines;
  std::vector<Finding> all = findings.all();
  const auto is_word = [](const Finding& each) { return each.rule == rule; };
  for (const Finding& finding : all) {
    if (!is_word(finding)) {
      continue;
    }
    lines.insert(sources.begin(sources.to_file(finding.span)).line);
    std::string word(finding.message.substr(0, finding.message.find(" stands without")));
    if (std::ranges::find(words, word) == words.end()) {
      words.push_back(std::move(word));
    }
  }
  const auto count = std::ranges::count_if(all, is_word);
  if (count < 2) {
    return;
  }
  const auto first = std::ranges::find_if(all, is_word);
  say_all(*first, words, lines, static_cast<std::size_t>(count));
  all.erase(std::remove_if(std::next(first), all.end(), is_word), all.end());
  findings.keep_first(0);
  for (Finding& each : all) {
    findings.add(std::move(each));
  }
}

} // namespace s2f::review
