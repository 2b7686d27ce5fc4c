// `slurm2flyte explain CODE` and `slurm2flyte rules`: what a review can say.
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/suggest.hpp"

namespace s2f::cli {

int explain(const std::string& code, const Console& console) {
  const auto page = review::render_rule(code, console.out_style);
  if (!page.empty()) {
    console.out(page);
    return done;
  }
  std::vector<std::string> known;
  for (const review::Rule& rule : review::rules()) {
    known.emplace_back(rule.code);
    known.emplace_back(rule.name);
  }
  complain(console, "there is no rule `" + code + "`" + did_you_mean(code, known));
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
