// Images that the script builds: Flyte builds them, of the same file.
//
// before:  docker build -t tools -f docker/Dockerfile docker; docker run tools python infer.py
// after:   environment.container = "dockerfile://docker/Dockerfile", S2F530
#include "passes/built_images.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "generated/tables/containers.hpp"
#include "ir/images.hpp"
#include "passes/site_answers.hpp"
#include "passes/wrappers.hpp"

namespace s2f::passes {

std::string without_latest(std::string name) {
  constexpr std::string_view latest = ":latest";
  if (name.ends_with(latest)) {
    name.resize(name.size() - latest.size());
  }
  return name;
}

static std::optional<BuiltImage> read_built_image(const PassContext& context,
                                                  const Constants& constants,
                                                  const shell::SimpleCommand& command,
                                                  std::size_t at) {
  std::vector<std::string> words;
  words.reserve(command.words.size());
  for (const shell::Word& word : command.words) {
    words.push_back(shown(context, constants, word));
  }
  const auto* row = tables::find_containers(program_name(words[at]));
  std::size_t i = at + 1;
  i += i < words.size() && words[i] == "image" ? 1 : 0;
  if (row == nullptr || row->like != "docker" || i >= words.size() || words[i] != "build") {
    return std::nullopt;
  }
  BuiltImage result;
  std::string file;
  std::vector<std::string> directories;
  bool plain = true;
  static constexpr std::array quiet{"-q", "--quiet", "--no-cache", "--pull", "--rm", "--force-rm"};
  for (++i; i < words.size(); ++i) {
    const auto equals = words[i].find('=');
    const std::string option = words[i].substr(0, equals);
    const bool names = option == "-t" || option == "--tag";
    if (names || option == "-f" || option == "--file") {
      const bool apart = equals == std::string::npos;
      if (apart && i + 1 >= words.size()) {
        return std::nullopt;
      }
      std::string value = apart ? words[++i] : words[i].substr(equals + 1);
      (names ? result.name : file) = std::move(value);
    } else if (words[i].starts_with('-') && words[i] != "-") {
      plain = plain && std::ranges::find(quiet, option) != quiet.end(); // --build-arg, --target
    } else {
      directories.push_back(words[i]);
    }
  }
  if (result.name.empty() || directories.empty()) {
    return std::nullopt;
  }
  result.name = without_latest(std::move(result.name));
  std::string directory = directories.front();
  while (directory.starts_with("./")) {
    directory.erase(0, 2);
  }
  while (directory.ends_with('/')) {
    directory.pop_back();
  }
  directory = directory == "." ? "" : directory;
  file = file.empty() ? (directory.empty() ? "" : directory + "/") + "Dockerfile" : file;
  while (file.starts_with("./")) {
    file.erase(0, 2);
  }
  // Flyte builds in the directory of the file.
  const auto slash = file.find_last_of('/');
  const std::string around = slash == std::string::npos ? "" : file.substr(0, slash);
  const bool below = !file.starts_with('/') && !file.starts_with("..") &&
                     file.find_first_of("$`\"'\\ *?[") == std::string::npos;
  if (plain && directories.size() == 1 && directory != "-" && around == directory && below &&
      command.assignments.empty() && context.file_exists && context.file_exists(file)) {
    result.file = file;
  }
  return result;
}

std::map<std::string, BuiltImage>
built_images(PassContext& context, const Constants& constants,
             const std::function<std::size_t(const shell::SimpleCommand&)>& program_of) {
  std::map<std::string, BuiltImage> images;
  bool elsewhere = false;
  for (ir::Step& step : context.job.body) {
    if (!std::holds_alternative<ir::Opaque>(step.value) || step.statement == nullptr) {
      continue;
    }
    const auto* command = shell::as_simple(*step.statement);
    const std::size_t at = command == nullptr || command->words.empty() ? 0 : program_of(*command);
    if (command != nullptr && at < command->words.size() && command->words[at].literal() &&
        !step.statement->background) {
      if (auto image = read_built_image(context, constants, *command, at)) {
        image->file = elsewhere ? "" : image->file;
        image->step = &step;
        const std::string name = image->name;
        images[name] = std::move(*image);
      }
    }
    elsewhere = elsewhere || analysis::effects_of(*step.statement).changes_directory;
  }
  return images;
}

void take_built_image(PassContext& context, const BuiltImage& image, const Span& use) {
  ir::Job& job = context.job;
  ir::Environment& environment = job.environment;
  const Span span = image.step->span;
  const bool builds = !image.file.empty() && !environment.container;
  review::Finding finding;
  finding.rule = "S2F530";
  finding.span = span;
  finding.message =
      builds ? fmt::format("The script builds the image {} of {}.", image.name, image.file)
             : fmt::format("The script builds the image {} itself.", image.name);
  finding.slurm_does = "docker builds it on the node, which keeps it, and runs the command in it.";
  finding.output_does =
      builds ? "Flyte builds the image of the task of that file, which must install Python and "
               "flyte, and pushes it to a registry that must be named."
             : "The command runs in the task's own image.";
  finding.choices = {builds ? "name a registry in place of REGISTRY" : "the default image will do",
                     "push the image yourself, and name it by its reference"};
  finding.default_ = finding.choices[0];
  finding.config_key = site::key_of("environments", image.name);
  const auto id = context.findings.add(std::move(finding));
  environment.spans.push_back(span);
  environment.spans.push_back(use);
  if (!builds) {
    environment.comments.push_back(
        {review_comment("S2F530",
                        fmt::format("{} ran in {}, which the script built itself. Push it to a "
                                    "registry and name it here: flyte.Image.from_base(\"...\")"
                                    ".clone(name=\"{}\", extendable=True)"
                                    ".with_pip_packages(\"flyte\").",
                                    context.at(use), image.name, job.environment_name)),
         use});
    return;
  }
  std::string text = context.text(span);
  text.resize(std::min(text.size(), text.find('\n')));
  const std::string cited = fmt::format("{} {}", context.at(span), text);
  environment.container = {std::string(ir::of_dockerfile) + image.file, "", {span}, {}};
  environment.comments.push_back(
      {review_comment("S2F530", fmt::format("{}: Flyte builds the image; the file must install "
                                            "Python and flyte. Name a registry for REGISTRY.",
                                            cited)),
       span});
  ir::Step& step = *image.step;
  step.value = ir::Nothing{};
  job.removals.push_back({span, "", fmt::format("line {}", context.sources.begin(span).line)});
  job.not_carried.push_back({fmt::format("{}: Flyte builds a task's image itself", cited), span});
  context.ledger.settle(step.entry, review::Disposition::decision,
                        "Flyte builds the image, for which a registry must be named", "S2F530", id);
}

} // namespace s2f::passes
