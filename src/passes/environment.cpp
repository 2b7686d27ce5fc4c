// Modules and virtual environments: what they bring belongs into the image.
//
// before:  module load cuda/12.1 python/3.11
//          source ~/venvs/train/bin/activate
// after:   environment.modules = {cuda, python}, environment.python = 3.11, environment.activations
// = {~/venvs/train};
//          the statements are Nothing, and S2F501 or S2F502 says where the packages come from
#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/effects.hpp"
#include "generated/tables/modules.hpp"
#include "passes/pipeline.hpp"
#include "passes/site_answers.hpp"

namespace s2f::passes {

namespace {

using review::Disposition;

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::optional<std::vector<std::string>> plain_words(const PassContext& context,
                                                    const shell::SimpleCommand& command) {
  std::vector<std::string> words;
  for (const shell::Word& word : command.words) {
    if (const auto text = word.literal()) {
      words.push_back(*text);
    } else {
      words.push_back(
          context.text(word.span)); // a path with a tilde or a variable still names an environment
    }
  }
  return words;
}

const tables::ModulesRow* find_module(const std::string& name) {
  const auto* found =
      std::ranges::find_if(tables::modules, [&](const auto& row) { return row.name == name; });
  return found == std::end(tables::modules) ? nullptr : found;
}

// "3.11.4" -> 3, 11; nothing for "3" or "2.7".
std::optional<std::pair<int, int>> python_version(std::string_view text) {
  if (!text.starts_with("3.")) {
    return std::nullopt;
  }
  int minor = 0;
  std::size_t at = 2;
  while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0 && at < 5) {
    minor = minor * 10 + (text[at++] - '0');
  }
  if (at == 2) {
    return std::nullopt;
  }
  return std::pair{3, minor};
}

// The versions that flyte runs on.
constexpr int lowest_minor = 10;
constexpr int highest_minor = 14;

void settle(PassContext& context, ir::Step& step, Disposition disposition, std::string why,
            std::string rule = {}, std::optional<review::FindingId> finding = std::nullopt) {
  step.value = ir::Nothing{};
  context.ledger.settle(step.entry, disposition, std::move(why), std::move(rule), finding);
  context.job.removals.push_back(
      {step.span, "", fmt::format("line {}", context.sources.begin(step.span).line)});
}

void load_module(PassContext& context, ir::Step& step, const std::vector<std::string>& names) {
  ir::Environment& environment = context.job.environment;
  const std::string text = context.text(step.span);
  std::vector<std::string> says;
  std::vector<std::string> unknown;
  std::vector<std::string> answered; // by the site file
  for (const std::string& full : names) {
    const auto slash = full.find('/');
    ir::ModuleUse use{full.substr(0, slash),
                      slash == std::string::npos ? "" : full.substr(slash + 1), text, step.span};
    const tables::ModulesRow* row = find_module(lower(use.name));
    using Means = tables::ModulesMeans;
    if (auto said = answered_module(context, full, step.span)) {
      says.push_back(*said + ".");
      answered.push_back(std::move(*said));
    } else if (row == nullptr) {
      unknown.push_back(full);
    } else if (row->means == Means::wheels) {
      says.push_back("Python packages for GPUs bring their own CUDA.");
    } else if (row->means == Means::python) {
      if (const auto version = python_version(use.version)) {
        ir::Sourced<std::pair<int, int>> python;
        python.value = {3, std::clamp(version->second, lowest_minor, highest_minor)};
        python.asked = full;
        python.spans = {step.span};
        if (python.value != *version) {
          review::Finding moved;
          moved.rule = "S2F503";
          moved.span = step.span;
          moved.message = fmt::format("{} became Python 3.{}: flyte needs 3.{} to 3.{}.", full,
                                      python.value.second, lowest_minor, highest_minor);
          moved.slurm_does = "The job runs with the version that the module brings.";
          moved.output_does = fmt::format("The image has Python 3.{}.", python.value.second);
          moved.choices = {fmt::format("Python 3.{} will do", python.value.second),
                           "keep the job on Slurm"};
          moved.default_ = moved.choices[0];
          context.findings.add(std::move(moved));
          says.push_back(
              fmt::format("flyte needs Python 3.{} to 3.{}.", lowest_minor, highest_minor));
        }
        environment.python = std::move(python);
      }
    } else if (row->means == Means::apt) {
      ir::Sourced<std::string> package;
      package.value = std::string(row->brings);
      package.asked = full;
      package.spans = {step.span};
      const bool there = std::ranges::any_of(
          environment.apt, [&](const auto& p) { return p.value == package.value; });
      if (!there) {
        environment.apt.push_back(std::move(package));
      }
      unknown.push_back(full);
    } else if (row->means == Means::compiler) {
      says.push_back("Compilers are needed to build, not to run.");
    } else if (row->means == Means::platform) {
      says.push_back("The cluster runs containers itself.");
    }
    environment.modules.push_back(std::move(use));
  }
  std::ranges::sort(says);
  says.erase(std::unique(says.begin(), says.end()), says.end());
  std::string comment =
      fmt::format("{} {}", context.at(step.span), text.substr(0, text.find('\n')));
  if (!says.empty()) {
    comment += fmt::format(": {}", fmt::join(says, " "));
  }
  if (unknown.empty()) {
    environment.comments.push_back(comment);
    environment.spans.push_back(step.span);
    settle(context, step, Disposition::converted,
           answered.empty() ? std::string("the image stands for it")
                            : fmt::format("{}", fmt::join(answered, "; ")));
    return;
  }
  review::Finding finding;
  finding.rule = "S2F503";
  finding.span = step.span;
  std::vector<std::string> debian;
  for (const auto& package : environment.apt) {
    if (std::ranges::find(unknown, package.asked) != unknown.end()) {
      debian.push_back(package.value);
    }
  }
  const bool all_debian = debian.size() == unknown.size();
  finding.message =
      all_debian
          ? fmt::format("{}: Debian's package {} stands for it, in Debian's version.",
                        fmt::join(unknown, ", "), fmt::join(debian, ", "))
          : fmt::format("What the module {} brings is not known here.", fmt::join(unknown, ", "));
  finding.slurm_does = "The module puts the cluster's own build on the path.";
  finding.output_does =
      all_debian ? "The image installs Debian's package." : "The image does not have it.";
  finding.choices = {all_debian ? "Debian's package" : "not needed", "packages for pip or apt",
                     "an image that has it"};
  finding.default_ = finding.choices[0];
  const std::string first = unknown.front();
  finding.config_key = site::key_of("modules", first);
  const auto id = context.findings.add(std::move(finding));
  environment.comments.push_back(review_comment(
      "S2F503", comment + (all_debian ? (comment.ends_with('.') ? " " : ": ") +
                                            std::string("Debian's package, in Debian's version.")
                                      : (comment.ends_with('.') ? " " : ": ") +
                                            std::string("what it brings must be in the image."))));
  environment.spans.push_back(step.span);
  settle(context, step, Disposition::decision, "the image must bring what it brings", "S2F503", id);
}

bool module_command(PassContext& context, ir::Step& step, const std::vector<std::string>& words) {
  std::vector<std::string> names;
  std::string verb = "load";
  std::size_t from = 1;
  if (words[0] == "module") {
    while (from < words.size() && words[from].starts_with('-')) {
      ++from;
    }
    if (from >= words.size()) {
      return false;
    }
    verb = words[from++];
  } else { // ml
    while (from < words.size() && words[from].starts_with("--")) {
      ++from;
    }
    if (from < words.size() &&
        (words[from] == "load" || words[from] == "purge" || words[from] == "list" ||
         words[from] == "use" || words[from] == "unload" || words[from] == "swap" ||
         words[from] == "add" || words[from] == "reset")) {
      verb = words[from++];
    } else if (from >= words.size()) {
      verb = "list";
    }
  }
  for (std::size_t i = from; i < words.size(); ++i) {
    if (!words[i].starts_with('-')) {
      names.push_back(words[i]);
    }
  }
  if (verb == "load" || verb == "add" || verb == "try-load") {
    if (names.empty()) {
      settle(context, step, Disposition::inert, "loads no module");
    } else {
      load_module(context, step, names);
    }
    return true;
  }
  if (verb == "swap" || verb == "switch") {
    if (names.empty()) {
      return false;
    }
    load_module(context, step, {names.back()});
    return true;
  }
  if (verb == "use") {
    review::Finding finding;
    finding.rule = "S2F503";
    finding.span = step.span;
    finding.message = fmt::format(
        "`module use {}` makes a site's own modules visible; what they bring is not known here.",
        fmt::join(names, " "));
    finding.output_does = "The image stands for the modules that are loaded.";
    finding.choices = {"the image brings what is needed", "packages for pip or apt",
                       "an image that has it"};
    finding.default_ = finding.choices[0];
    const auto id = context.findings.add(std::move(finding));
    settle(context, step, Disposition::decision, "a site's own modules", "S2F503", id);
    return true;
  }
  if (verb == "restore") {
    load_module(context, step, {names.empty() ? "the saved collection" : names.front()});
    return true;
  }
  static constexpr std::array harmless{"purge",   "list",     "unload",    "rm",      "del",
                                       "delete",  "reset",    "avail",     "av",      "spider",
                                       "show",    "display",  "whatis",    "save",    "refresh",
                                       "update",  "load-any", "is-loaded", "clear",   "unuse",
                                       "keyword", "help",     "initadd",   "version", "purge"};
  if (std::ranges::find(harmless, verb) != harmless.end()) {
    settle(context, step, Disposition::platform, "a container starts without modules");
    return true;
  }
  return false;
}

void activation(PassContext& context, ir::Step& step, ir::Activation::Kind kind,
                std::string target) {
  ir::Environment& environment = context.job.environment;
  const std::string text = context.text(step.span);
  environment.activations.push_back({kind, target, text, step.span});
  environment.spans.push_back(step.span);
  if (const auto said = answered_environment(context, target, step.span)) {
    environment.comments.push_back(
        fmt::format("{} {}: {}", context.at(step.span), text.substr(0, text.find('\n')), *said));
    settle(context, step, Disposition::converted, *said);
    return;
  }
  const std::string file = "requirements.txt";
  review::Finding finding;
  finding.span = step.span;
  finding.config_key = site::key_of("environments", target);
  if (context.file_exists && context.file_exists(file)) {
    finding.rule = "S2F502";
    finding.message = fmt::format("{} was not there to be read; {} stands for it.", target, file);
    finding.output_does = fmt::format("The image installs what {} lists.", file);
    finding.choices = {fmt::format("{} is what the environment holds", file),
                       "a list of packages of its own", "an image that has them"};
    if (!environment.requirements) {
      ir::Sourced<std::string> requirements;
      requirements.value = file;
      requirements.spans = {step.span};
      environment.requirements = std::move(requirements);
    }
    environment.comments.push_back(
        fmt::format("{} {}", context.at(step.span), text.substr(0, text.find('\n'))));
    environment.comments.push_back(review_comment(
        "S2F502", fmt::format("{} was not there to be read; {} stands for it.", target, file)));
  } else {
    finding.rule = "S2F501";
    finding.message =
        fmt::format("{} was not there to be read, so its packages are not known.", target);
    finding.output_does = "The image has Python and flyte only; no package is guessed.";
    finding.choices = {"nothing more is needed",
                       "`pip freeze` it to requirements.txt beside the script",
                       "an image that has the packages"};
    environment.comments.push_back(review_comment(
        "S2F501", fmt::format("{} activated {}, which was not there to be read. If the job needs "
                              "packages, `pip freeze` it to requirements.txt and add "
                              ".with_requirements(HERE / \"requirements.txt\").",
                              context.at(step.span), target)));
  }
  finding.slurm_does =
      "The job uses the packages of that environment on the cluster's file system.";
  finding.default_ = finding.choices[0];
  const std::string rule = finding.rule;
  const auto id = context.findings.add(std::move(finding));
  settle(context, step, Disposition::decision, "the image stands for the environment", rule, id);
}

bool sourced_file(PassContext& context, ir::Step& step, const std::vector<std::string>& words) {
  if (words.size() < 2) {
    return false;
  }
  const std::string& file = words[1];
  if (words[0] == "source" && (file == "activate" || file.ends_with("/activate")) &&
      words.size() == 3) {
    activation(context, step, ir::Activation::Kind::conda, words[2]);
    return true;
  }
  if (words.size() != 2) {
    return false;
  }
  if (file == "deactivate") {
    settle(context, step, Disposition::platform, "a container holds one environment only");
    return true;
  }
  if (file.ends_with("/bin/activate")) {
    activation(context, step, ir::Activation::Kind::venv,
               file.substr(0, file.size() - std::string_view("/bin/activate").size()));
    return true;
  }
  if (file.ends_with("/conda.sh") || file.ends_with("/mamba.sh") || file.ends_with("/modules.sh") ||
      file.ends_with("/lmod.sh") || file.ends_with("/module.sh") || file.ends_with("/init/bash") ||
      file.ends_with("/init/sh") || file == "/etc/profile" || file.ends_with("/etc/bashrc") ||
      file == "/etc/bash.bashrc" || file.starts_with("/etc/profile.d/")) {
    settle(context, step, Disposition::platform,
           "prepares modules or conda, which a container does without");
    return true;
  }
  if (file.ends_with("/.bashrc") || file.ends_with("/.bash_profile") ||
      file.ends_with("/.profile") || file.ends_with("/.zshrc")) {
    review::Finding finding;
    finding.rule = "S2F501";
    finding.span = step.span;
    finding.message = fmt::format("{} was not there to be read; what it sets is not known.", file);
    finding.slurm_does = "The job sees what the file sets.";
    finding.output_does = "Nothing of it is carried over.";
    finding.choices = {"it sets up conda or modules only",
                       "variables that the job needs: export them in the script"};
    finding.default_ = finding.choices[0];
    const auto id = context.findings.add(std::move(finding));
    context.job.environment.comments.push_back(
        review_comment("S2F501", fmt::format("{} read {}, which was not there to be read.",
                                             context.at(step.span), file)));
    settle(context, step, Disposition::decision, "a personal start-up file that no container has",
           "S2F501", id);
    return true;
  }
  return false;
}

bool conda_command(PassContext& context, ir::Step& step, const std::vector<std::string>& words) {
  if (words.size() < 2) {
    return false;
  }
  if (words[1] == "activate") {
    std::string target = "base";
    for (std::size_t i = 2; i < words.size(); ++i) {
      if (!words[i].starts_with('-')) {
        target = words[i];
      }
    }
    activation(context, step, ir::Activation::Kind::conda, target);
    return true;
  }
  if (words[1] == "deactivate" || words[1] == "init" || words[1] == "info" || words[1] == "list" ||
      words[1] == "config") {
    settle(context, step, Disposition::platform, "a container holds one environment only");
    return true;
  }
  return false;
}

} // namespace

void environment(PassContext& context) {
  for (ir::Step& step : context.job.body) {
    if (!std::holds_alternative<ir::Opaque>(step.value) || step.statement == nullptr) {
      continue;
    }
    const auto* command = shell::as_simple(*step.statement);
    if (command == nullptr || command->words.empty() || step.statement->background ||
        step.statement->negated) {
      continue;
    }
    const auto name = analysis::command_name(*command);
    if (!name) {
      continue;
    }
    const auto words = plain_words(context, *command);
    if (*name == "module" || *name == "ml") {
      module_command(context, step, *words);
    } else if (*name == "source" || *name == ".") {
      sourced_file(context, step, *words);
    } else if (*name == "conda" || *name == "mamba" || *name == "micromamba") {
      conda_command(context, step, *words);
    } else if (*name == "deactivate" && words->size() == 1) {
      settle(context, step, Disposition::platform, "a container holds one environment only");
    } else if (*name == "eval" && words->size() == 2 &&
               (*words)[1].find("shell.bash") != std::string::npos &&
               ((*words)[1].find("conda") != std::string::npos ||
                (*words)[1].find("CONDA_EXE") != std::string::npos)) {
      settle(context, step, Disposition::platform,
             "prepares conda, which a container does without");
    }
  }
}

} // namespace s2f::passes
