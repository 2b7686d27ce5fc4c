// Reads the options of container programs up to the command that runs within.
#include "passes/container_command.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "generated/tables/container_options.hpp"
#include "generated/tables/containers.hpp"
#include "passes/wrappers.hpp"

namespace s2f::passes {

namespace {

using Means = tables::ContainerOptionsMeans;
using Words = std::vector<std::string>;

Words words_of(const PassContext& context, const Constants& constants,
               const shell::SimpleCommand& command) {
  Words words;
  for (const shell::Word& word : command.words) {
    words.push_back(shown(context, constants, word));
  }
  return words;
}

const tables::ContainerOptionsRow* find_option(const std::string& like, const std::string& name) {
  return tables::find_container_options(like + " " + name);
}

// Commas part binds and variables, but not within quotes or braces that are still there.
std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ',') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  std::erase(parts, std::string());
  return parts;
}

void add_bind(ContainerCommand& result, const std::string& text) {
  for (const std::string& part : parts_of(text)) {
    const auto colon = part.find(':');
    const std::string from = part.substr(0, colon);
    std::string to = colon == std::string::npos ? from : part.substr(colon + 1);
    to = to.substr(0, to.find(':'));
    result.binds.emplace_back(from, to);
  }
}

bool add(ContainerCommand& result, const tables::ContainerOptionsRow& row, const std::string& name,
         const std::string& value) {
  switch (row.means) {
  case Means::image:
    result.image = value;
    break;
  case Means::bind:
    add_bind(result, value);
    break;
  case Means::env: {
    const bool several = row.option.starts_with("apptainer");
    for (const std::string& part : several ? parts_of(value) : Words{value}) {
      const auto equals = part.find('=');
      if (equals != std::string::npos) { // a bare name passes on what the task has anyway
        result.environment.emplace_back(part.substr(0, equals), part.substr(equals + 1));
      }
    }
    break;
  }
  case Means::directory:
    result.directory = value;
    break;
  case Means::gpu:
    result.gpus.push_back(row.argument && !value.empty() ? name + " " + value : name);
    break;
  case Means::other:
    result.others.push_back(name);
    break;
  case Means::none:
    break;
  }
  return true;
}

// Options from words[i] on; the index of the first word behind them, nothing for an option that is
// not known.
std::optional<std::size_t> read_options(const Words& words, std::size_t i, std::size_t end,
                                        const std::string& like, ContainerCommand& result) {
  for (; i < end && words[i].size() > 1 && words[i][0] == '-'; ++i) {
    const std::string& word = words[i];
    if (word == "--") {
      return i + 1;
    }
    const auto equals = word.find('=');
    const std::string name = word.substr(0, equals);
    if (const auto* row = find_option(like, name)) {
      std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
      if (row->argument && equals == std::string::npos) {
        if (++i >= end) {
          return std::nullopt;
        }
        value = words[i];
      }
      add(result, *row, name, value);
      continue;
    }
    if (word.starts_with("--")) {
      return std::nullopt;
    }
    for (std::size_t at = 1; at < word.size(); ++at) { // -it, -v/data:/data
      const std::string one = {'-', word[at]};
      const auto* row = find_option(like, one);
      if (row == nullptr) {
        return std::nullopt;
      }
      if (!row->argument) {
        add(result, *row, one, {});
        continue;
      }
      std::string value = word.substr(at + 1);
      if (value.empty()) {
        if (++i >= end) {
          return std::nullopt;
        }
        value = words[i];
      }
      add(result, *row, one, value);
      break;
    }
  }
  return i;
}

std::string like_of(const std::string& word) {
  const auto* row = tables::find_containers(program_name(word));
  return row == nullptr ? std::string() : std::string(row->like);
}

bool looks_like_image(std::string_view text) {
  return text.find("://") != std::string_view::npos || text.ends_with(".sif") ||
         text.ends_with(".simg") || text.ends_with(".img") || text.ends_with(".sqsh");
}

} // namespace

std::optional<ContainerCommand> read_container_command(const PassContext& context,
                                                       const Constants& constants,
                                                       const shell::SimpleCommand& command,
                                                       std::size_t at) {
  const Words words = words_of(context, constants, command);
  const std::string like = like_of(words[at]);
  if (like.empty()) {
    return std::nullopt;
  }
  ContainerCommand result;
  result.program = program_name(words[at]);
  result.at = at;
  std::size_t i = at + 1;
  const bool has_verb = like != "shifter" && like != "ch-run";
  if (has_verb) {
    while (i < words.size() && words[i].starts_with('-')) { // --debug and its like
      ++i;
    }
    const std::string verb = like == "apptainer" ? "exec" : like == "docker" ? "run" : "start";
    if (i >= words.size() || words[i] != verb) {
      return std::nullopt;
    }
    ++i;
  }
  auto next = read_options(words, i, words.size(), like, result);
  if (!next) {
    return std::nullopt;
  }
  i = *next;
  if (like != "shifter") {
    // `exec $OPTIONS image.sif`: the variable is no image.
    while (i + 1 < words.size() && words[i].starts_with('$') && looks_like_image(words[i + 1])) {
      result.others.push_back(words[i++]);
    }
    if (i >= words.size()) {
      return std::nullopt;
    }
    result.image = words[i++];
    if (i < words.size() && words[i] == "--") {
      ++i;
    }
  }
  if (i >= words.size()) {
    return std::nullopt; // the image's own start command
  }
  result.inner = i;
  return result;
}

std::optional<ContainerCommand> read_step_container(const PassContext& context,
                                                    const Constants& constants,
                                                    const shell::SimpleCommand& command,
                                                    std::size_t at, std::size_t end) {
  const Words words = words_of(context, constants, command);
  ContainerCommand result;
  result.program = "srun";
  result.at = at;
  result.inner = end;
  for (std::size_t i = at + 1; i < end && i < words.size(); ++i) {
    const auto equals = words[i].find('=');
    const std::string name = words[i].substr(0, equals);
    if (name.find("container") == std::string::npos) {
      continue;
    }
    const auto* row = find_option("pyxis", name);
    if (row == nullptr || (row->argument && equals == std::string::npos && i + 1 >= end)) {
      return std::nullopt;
    }
    add(result, *row, name,
        !row->argument                ? std::string()
        : equals == std::string::npos ? words[++i]
                                      : words[i].substr(equals + 1));
  }
  return result.image.empty() ? std::nullopt : std::optional(std::move(result));
}

std::optional<std::string> image_reference(const std::string& image, const std::string& program) {
  std::string text = image;
  const bool pyxis = program == "srun" || program == "enroot";
  for (const std::string_view scheme : {"docker://", "docker:"}) {
    if (text.starts_with(scheme)) {
      text.erase(0, scheme.size());
      std::ranges::replace(text, '#', '/');
      return text;
    }
  }
  const bool named = program == "docker" || program == "podman" || program == "podman-hpc" ||
                     program == "nvidia-docker" || program == "udocker" || program == "shifter";
  if (text.find("://") != std::string::npos || text.starts_with('/') || text.starts_with('.') ||
      text.starts_with('~') || text.find_first_of("$`\" ") != std::string::npos ||
      looks_like_image(text) || !(named || pyxis)) {
    return std::nullopt;
  }
  std::ranges::replace(text, '#', '/');
  return text;
}

std::optional<FetchedImage> read_fetched_image(const PassContext& context,
                                               const Constants& constants,
                                               const shell::SimpleCommand& command,
                                               std::size_t at) {
  const Words words = words_of(context, constants, command);
  const std::string name = program_name(words[at]);
  if (tables::find_containers(name) == nullptr || at + 2 >= words.size() + 1) {
    return std::nullopt;
  }
  Words operands;
  std::string output;
  static constexpr std::array names_output{"-o", "--output", "--name", "-n", "--dir", "-F"};
  static constexpr std::array flags{"--force", "-f", "-F", "--disable-cache", "--fakeroot", "-q"};
  for (std::size_t i = at + 1; i < words.size(); ++i) {
    const auto equals = words[i].find('=');
    const std::string option = words[i].substr(0, equals);
    if (!words[i].starts_with('-')) {
      operands.push_back(words[i]);
    } else if (std::ranges::find(flags, option) != flags.end()) {
      continue;
    } else if (std::ranges::find(names_output, option) != names_output.end()) {
      output = equals != std::string::npos ? words[i].substr(equals + 1)
               : i + 1 < words.size()      ? words[++i]
                                           : "";
    }
  }
  if (operands.empty()) {
    return std::nullopt;
  }
  const std::string verb = operands.front();
  operands.erase(operands.begin());
  const bool apptainer = name == "apptainer" || name == "singularity";
  static constexpr std::array verbs{"pull", "import", "create", "build"};
  const bool fetches = std::ranges::find(verbs, verb) != verbs.end() &&
                       (verb != "build" || apptainer) && (verb != "create" || name == "enroot");
  if (!fetches || operands.empty()) {
    return std::nullopt;
  }
  FetchedImage result;
  result.from = operands.back();
  result.made = !output.empty() ? output : operands.size() > 1 ? operands.front() : "";
  if (result.made.empty()) {
    std::string base = result.from.substr(result.from.find_last_of('/') + 1);
    if (apptainer && result.from.find("://") != std::string::npos) { // name_tag.sif
      const auto colon = base.find(':');
      base = colon == std::string::npos ? base + "_latest" : base.replace(colon, 1, "_");
      base += ".sif";
    }
    result.made = apptainer ? base : result.from;
  }
  return result;
}

} // namespace s2f::passes
