// `slurm2flyte options [NAME]`: what becomes of each sbatch option.
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/suggest.hpp"
#include "cli/table.hpp"
#include "review/paint.hpp"
#include "review/visible.hpp"
#include "slurm/header.hpp"

namespace s2f::cli {

namespace {

std::string spellings(const slurm::OptionInfo& option) {
  return option.short_name.empty() ? fmt::format("    --{}", option.name)
                                   : fmt::format("-{}, --{}", option.short_name, option.name);
}

nlohmann::ordered_json as_json(const slurm::OptionInfo& option) {
  return {{"name", option.name},
          {"short", option.short_name},
          {"argument", option.argument},
          {"environment", option.environment},
          {"disposition", option.disposition},
          {"becomes", option.becomes},
          {"rule", option.rule},
          {"since", option.since},
          {"until", option.until}};
}

const slurm::OptionInfo* named(std::string_view name) {
  while (name.starts_with('-'))
    name.remove_prefix(1);
  for (const auto& option : slurm::option_table())
    if (option.name == name || (!name.empty() && option.short_name == name))
      return &option;
  return nullptr;
}

std::string page(const slurm::OptionInfo& option, const review::TextStyle& style) {
  std::string out =
      review::paint(fmt::format("--{}", option.name), review::Ink::bold, style) + '\n';
  const auto say = [&](std::string_view label, std::string_view value) {
    if (!value.empty()) {
      const auto lead = fmt::format("  {:<12}", label);
      out += review::wrapped(value, lead, std::string(lead.size(), ' '), style.width);
    }
  };
  say("short", option.short_name.empty() ? "" : fmt::format("-{}", option.short_name));
  say("argument", option.argument);
  say("variable", option.environment);
  say("disposition", option.disposition);
  say("becomes", option.becomes);
  say("rule", option.rule.empty() ? "" : fmt::format("{0} (slurm2flyte explain {0})", option.rule));
  say("since Slurm", option.since);
  say("until Slurm", option.until);
  return out;
}

int unknown(const std::string& name, const Console& console) {
  std::vector<std::string> known;
  for (const auto& option : slurm::option_table())
    known.emplace_back(option.name);
  const auto bare = name.substr(std::min(name.find_first_not_of('-'), name.size()));
  complain(console, "sbatch has no option `" + name + "`" + did_you_mean(bare, known));
  hint(console, "slurm2flyte options lists them all.");
  return failed;
}

} // namespace

int options(const std::string& name, bool json, const Console& console) {
  if (!name.empty()) {
    const auto* option = named(name);
    if (option == nullptr)
      return unknown(name, console);
    console.out(json ? as_json(*option).dump(2) + '\n' : page(*option, console.out_style));
    return done;
  }
  if (json) {
    auto list = nlohmann::ordered_json::array();
    for (const auto& option : slurm::option_table())
      list.push_back(as_json(option));
    console.out(list.dump(2) + '\n');
    return done;
  }
  Table table{.head = {"option", "disposition", "rule", "becomes"}, .rows = {}};
  for (const auto& option : slurm::option_table()) {
    table.rows.push_back({spellings(option), std::string(option.disposition),
                          std::string(option.rule), std::string(option.becomes)});
  }
  console.out(render(table, console.out_style));
  return done;
}

} // namespace s2f::cli
