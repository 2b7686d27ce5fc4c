// `slurm2flyte explain CODE` and `slurm2flyte rules`: what a review can say.
#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/suggest.hpp"

namespace s2f::cli {

namespace {

// The rules of whose name the word is a part, else the name that is nearest; of a number nothing:
// each of its neighbours is another subject.
std::string suggested(const std::string& typed) {
  constexpr std::size_t few = 3;
  if (std::ranges::any_of(typed, [](unsigned char c) { return std::isdigit(c) != 0; })) {
    return {};
  }
  std::vector<std::string> names;
  std::vector<std::string> holding;
  for (const review::Rule& rule : review::rules()) {
    names.emplace_back(rule.name);
    if (!typed.empty() && rule.name.find(typed) != std::string_view::npos) {
      holding.push_back(fmt::format("{} ({})", rule.name, rule.code));
    }
  }
  if (holding.empty()) {
    return did_you_mean(typed, names);
  }
  const std::size_t shown = std::min(few, holding.size());
  return fmt::format(
      "; did you mean {}{}?",
      fmt::join(holding.begin(), holding.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
      holding.size() > shown ? ", ..." : "");
}

} // namespace

int explain(const std::string& code, const Console& console) {
  const auto page = review::render_rule(code, console.out_style);
  if (!page.empty()) {
    console.out(page);
    return done;
  }
  complain(console, "there is no rule `" + code + "`" + suggested(code));
  hint(console, "slurm2flyte rules lists them all.");
  return failed;
}

int rules(bool json, const Console& console) {
  if (!json) {
    console.out(review::render_rules(console.out_style));
    return done;
  }
  auto list = nlohmann::ordered_json::array();
  for (const review::Rule& rule : review::rules()) {
    list.push_back({{"code", rule.code},
                    {"name", rule.name},
                    {"severity", review::to_string(rule.severity)},
                    {"title", rule.title}});
  }
  console.out(list.dump(2) + '\n');
  return done;
}

} // namespace s2f::cli
