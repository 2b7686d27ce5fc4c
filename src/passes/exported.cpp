// --export and --chdir: what the job sees of the submitting shell, and where it starts.
//
// before:  #SBATCH --export=ALL,LR=0.1
// after:   given = {LR=0.1}, for every program of the task; S2F401 for what the shell had besides
#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "passes/pipeline.hpp"

namespace s2f::passes {

namespace {

void directory(PassContext& context) {
  const slurm::OptionUse* use = context.winner("chdir");
  if (use == nullptr || use->origin == slurm::Origin::environment) {
    return;
  }
  const std::string shown = context.asked("chdir");
  if (use->value == "." || use->value == "./") {
    context.settle("chdir", review::Disposition::platform, "commands run in HERE");
    return;
  }
  review::Finding finding;
  finding.rule = "S2F602";
  finding.span = use->span;
  finding.message = fmt::format("{} names the directory that the job runs in.", shown);
  finding.slurm_does = "The job starts there, and relative paths are meant from there.";
  finding.output_does = "Commands run in HERE, the script's own directory.";
  finding.choices = {"HERE is that directory", "HERE = Path(__file__).resolve().parents[...]"};
  finding.default_ = finding.choices[0];
  auto& findings = context.findings_of(*use);
  const auto id = findings.add(std::move(finding));
  context.settle("chdir", review::Disposition::decision, "commands run in HERE", "S2F602", id);
  context.job.reviews.push_back(review_comment(
      "S2F602", fmt::format("{}: commands run in HERE, beside the script, instead.", shown)));
}

// The items of --export: commas between quotes part none.
std::vector<std::string> items_of(std::string_view list) {
  std::vector<std::string> items(1);
  char quote = '\0';
  for (const char c : list) {
    if (c == ',' && quote == '\0') {
      items.emplace_back();
      continue;
    }
    if (c == quote) {
      quote = '\0';
    } else if (quote == '\0' && (c == '"' || c == '\'')) {
      quote = c;
    }
    items.back() += c;
  }
  std::erase(items, "");
  return items;
}

bool same_word(std::string_view text, std::string_view upper) {
  return std::ranges::equal(
      text, upper, {}, [](unsigned char c) { return std::toupper(c); },
      [](unsigned char c) { return std::toupper(c); });
}

bool variable_name(std::string_view name) {
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
         std::ranges::all_of(
             name, [](unsigned char c) { return c < 128 && (std::isalnum(c) != 0 || c == '_'); });
}

// What was assigned to a variable of the environment is in the environment, too.
void assignments_reach_programs(ir::Job& job) {
  for (ir::Step& step : job.body) {
    if (auto* assign = std::get_if<ir::Assign>(&step.value)) {
      for (ir::Binding& binding : assign->bindings) {
        binding.exported |= std::ranges::find(job.exported, binding.variable,
                                              &ir::GivenVariable::name) != job.exported.end();
      }
    }
  }
}

} // namespace

void given_variables(PassContext& context) {
  const slurm::OptionUse* use = context.winner("export");
  if (use == nullptr || use->origin == slurm::Origin::environment) {
    return;
  }
  const std::string value = use->value.value_or("");
  if (same_word(value, "ALL") || same_word(value, "NONE") || same_word(value, "NIL")) {
    return;
  }
  for (const std::string& item : items_of(value)) {
    const auto equals = item.find('=');
    const std::string name = item.substr(0, equals);
    const bool secret = std::ranges::find(context.job.secrets, name, &ir::Secret::variable) !=
                        context.job.secrets.end();
    if (equals != std::string::npos && variable_name(name) && !secret) {
      std::erase_if(context.job.exported,
                    [&](const ir::GivenVariable& given) { return given.name == name; });
      context.job.exported.push_back(
          {name, item.substr(equals + 1), context.asked("export"), use->span});
    }
  }
}

void exported(PassContext& context) {
  directory(context);
  assignments_reach_programs(context.job);
  const slurm::OptionUse* use = context.winner("export");
  if (use == nullptr || use->origin == slurm::Origin::environment) {
    return;
  }
  const std::string value = use->value.value_or("");
  if (same_word(value, "NONE") || same_word(value, "NIL")) {
    context.settle("export", review::Disposition::platform,
                   "a container starts without the submitting shell's variables", "S2F401");
    return;
  }
  const std::string shown = context.asked("export");
  std::vector<std::string> named; // without a value: the submitting shell has it
  bool all = false;
  for (const std::string& item : items_of(value)) {
    if (same_word(item, "ALL")) {
      all = true;
    } else if (!item.contains('=') && !context.job.given.contains(item)) { // by the driver
      named.push_back(item);
    }
  }
  review::Finding finding;
  finding.rule = "S2F401";
  finding.span = use->span;
  std::string given;
  for (const ir::GivenVariable& variable : context.job.exported) {
    given += (given.empty() ? "" : ", ") + variable.name;
  }
  finding.slurm_does = all ? "It passes on all variables of the submitting shell."
                           : "It passes on these variables and Slurm's own.";
  if (!given.empty()) {
    finding.slurm_does += fmt::format(" It sets {} for the job.", given);
    finding.output_does = fmt::format("The task gives {} to every program. ", given);
  }
  const std::string why = "a container inherits no variables from who submits";
  if (!named.empty()) {
    finding.message = fmt::format("{}: {} of the submitting shell {} not carried over.", shown,
                                  fmt::join(named, ", "), named.size() == 1 ? "is" : "are");
    finding.output_does +=
        "The task sees what the image and the module set: put what it needs into env_vars of its "
        "environment.";
  } else if (all) {
    finding.message = fmt::format("{}: {}.", shown, why);
    finding.output_does += "Of the submitting shell the task sees nothing.";
  } else {
    finding.message = fmt::format("{}: the task sets these variables.", shown);
  }
  const bool lost = all || !named.empty();
  const auto id = context.findings_of(*use).add(std::move(finding));
  context.settle("export", lost ? review::Disposition::adjusted : review::Disposition::converted,
                 given.empty() ? why : "variables of the programs that the task starts", "S2F401",
                 id);
  if (!named.empty() || (all && given.empty())) {
    context.job.not_carried.push_back(
        {fmt::format("{} {}: {}", context.at(use->span), shown, why), use->span});
  }
}

} // namespace s2f::passes
