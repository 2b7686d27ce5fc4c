// Reads one command that sets up software, by grammar/software-commands.json and its neighbours.
#include "passes/software.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "generated/tables/pip_options.hpp"
#include "generated/tables/search_paths.hpp"
#include "generated/tables/software_files.hpp"

namespace s2f::passes {

namespace {

using Means = Software::Means;
using Words = std::vector<std::string>;

bool is_python(std::string_view name) {
  constexpr std::string_view python = "python";
  return name.starts_with(python) &&
         name.find_first_not_of("0123456789.", python.size()) == std::string_view::npos;
}

// The words that name the command, with `python3.11 -m venv` as `python -m venv`.
struct Named {
  Means means{};
  std::size_t words = 0;  // how many
  std::string python;     // "3.11", of python3.11 -m venv
  std::string_view first; // the tool
};

std::optional<Named> named(const Words& words) {
  std::size_t from = 0;
  std::string python;
  std::string text = words[0].substr(words[0].find_last_of('/') + 1);
  if (is_python(text)) {
    if (words.size() < 3 || words[1] != "-m") {
      return std::nullopt;
    }
    python = text.substr(std::string_view("python").size());
    text = words[2] == "pip" ? "pip" : "python -m " + words[2];
    from = 2;
  }
  // The longest row wins: `conda env create` before `conda`.
  std::optional<Named> found;
  constexpr std::size_t longest = 3;
  for (std::size_t i = from; i < words.size() && i < from + longest; ++i) {
    text += i == from ? "" : " " + words[i];
    if (const auto* row = tables::find_software_commands(text)) {
      found = Named{row->means, i + 1, python, row->command};
    }
  }
  return found;
}

// Operands, and the values of options that the caller names.
struct Read {
  Words operands;
  std::map<std::string, std::string> options;
};

Read read_options(const Words& words, std::size_t from, const std::set<std::string>& with_value) {
  Read result;
  for (std::size_t i = from; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (!word.starts_with('-') || word == "-") {
      result.operands.push_back(word);
      continue;
    }
    const auto equals = word.find('=');
    const std::string name = word.substr(0, equals);
    if (equals != std::string::npos) {
      result.options[name] = word.substr(equals + 1);
    } else if (with_value.contains(name) && i + 1 < words.size()) {
      result.options[name] = words[++i];
    } else {
      result.options[name];
    }
  }
  return result;
}

std::string option(const Read& read, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (const auto found = read.options.find(name); found != read.options.end()) {
      return found->second;
    }
  }
  return {};
}

bool variable_in(std::string_view text) {
  return text.find('$') != std::string_view::npos || text.find('`') != std::string_view::npos;
}

// A requirement as pip takes it from an index: no path, no file, nothing that the shell makes.
bool plain_requirement(std::string_view text) {
  if (text.empty() || variable_in(text)) {
    return false;
  }
  if (text.starts_with("git+https://") || text.starts_with("https://")) {
    return true;
  }
  const auto name = std::ranges::find_if_not(text, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
  });
  const std::string_view rest = text.substr(static_cast<std::size_t>(name - text.begin()));
  return std::isalnum(static_cast<unsigned char>(text[0])) != 0 &&
         (rest.empty() || std::string_view("[=<>!~ @;").find(rest[0]) != std::string_view::npos) &&
         !text.ends_with(".whl") && !text.ends_with(".gz") && !text.ends_with(".zip");
}

const tables::PipOptionsRow* pip_option(std::string_view name) {
  return tables::find_pip_options(name);
}

std::optional<PipInstall> read_pip(const Words& words, std::size_t from) {
  using Option = tables::PipOptionsMeans;
  PipInstall install;
  for (std::size_t i = from; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (!word.starts_with('-')) {
      if (!plain_requirement(word)) {
        return std::nullopt;
      }
      install.packages.push_back(word);
      continue;
    }
    const auto equals = word.find('=');
    const auto* row = pip_option(word.substr(0, equals));
    std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (row == nullptr && !word.starts_with("--") && word.size() > 2) { // -rrequirements.txt
      row = pip_option(word.substr(0, 2));
      value = word.substr(2);
      if (row != nullptr && !row->argument) {
        row = nullptr;
      }
    } else if (row != nullptr && row->argument && equals == std::string::npos) {
      if (++i >= words.size()) {
        return std::nullopt;
      }
      value = words[i];
    }
    if (row == nullptr || row->means == Option::local ||
        (row->means != Option::none && variable_in(value))) {
      return std::nullopt;
    }
    switch (row->means) {
    case Option::requirement:
      install.files.push_back(value);
      break;
    case Option::index:
      install.index_url = value;
      break;
    case Option::extra_index:
      install.extra_index_urls.push_back(value);
      break;
    case Option::find_links:
      install.find_links.push_back(value);
      break;
    case Option::pre:
      install.pre = true;
      break;
    case Option::no_index:
      install.no_index = true;
      break;
    case Option::none:
    case Option::local:
      break;
    }
  }
  if (install.packages.empty() && install.files.empty()) {
    return std::nullopt;
  }
  return install;
}

bool read_conda(const Words& words, std::size_t from, Software& result) {
  static const std::set<std::string> with_value{
      "-n", "--name", "-p", "--prefix", "-c", "--channel", "-f", "--file", "--clone", "--solver"};
  const Read read = read_options(words, from, with_value);
  result.target = option(read, {"-n", "--name", "-p", "--prefix"});
  result.file = option(read, {"-f", "--file"});
  for (const std::string& package : read.operands) {
    if (variable_in(package) || package.find('/') != std::string::npos) {
      return false;
    }
    constexpr std::string_view python = "python=";
    if (package.starts_with(python)) {
      result.python = package.substr(package.find_last_of('=') + 1);
    } else if (package != "python") {
      result.names.push_back(package);
    }
  }
  return !read.options.contains("--clone");
}

// `ml`: a bare name loads, `-name` unloads, and so on.
Software read_ml(const Words& words) {
  Software result;
  result.means = Means::clear;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (!words[i].starts_with('-')) {
      result.names.push_back(words[i].starts_with('+') ? words[i].substr(1) : words[i]);
      result.means = Means::load;
    }
  }
  if (words.size() == 1) {
    result.means = Means::show;
  }
  return result;
}

// spack's names: cuda@11.8.0%gcc, /hash.
std::string without_spack_marks(const std::string& spec) {
  std::string name = spec.substr(0, spec.find_first_of("%~^ "));
  if (const auto at = name.find('@'); at != std::string::npos) {
    name[at] = '/';
    name.erase(std::min(name.size(), name.find('@', at)));
  }
  return name;
}

void read_modules(const Words& words, std::size_t from, bool spack, Software& result) {
  for (std::size_t i = from; i < words.size(); ++i) {
    if (!words[i].starts_with('-')) {
      result.names.push_back(spack ? without_spack_marks(words[i]) : words[i]);
    }
  }
}

// The first word of the command behind a prefix such as `conda run -n NAME`.
std::optional<std::size_t> behind_prefix(const Words& words, std::size_t from, Software& result) {
  static const std::set<std::string> with_value{
      "-n", "--name",    "-p",          "--prefix",      "--cwd",
      "-e", "--project", "--directory", "--environment", "--manifest-path"};
  static const std::set<std::string> harmless{"--no-capture-output",
                                              "--live-stream",
                                              "-v",
                                              "--verbose",
                                              "--no-sync",
                                              "--frozen",
                                              "--locked",
                                              "-q",
                                              "--quiet",
                                              "--offline",
                                              "--no-dev",
                                              "--all-extras",
                                              "--active",
                                              "--no-banner",
                                              "-s"};
  for (std::size_t i = from; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (!word.starts_with('-')) {
      return i;
    }
    if (word == "--") {
      return i + 1 < words.size() ? std::optional(i + 1) : std::nullopt;
    }
    const std::string name = word.substr(0, word.find('='));
    if (with_value.contains(name)) {
      const bool apart = name.size() == word.size();
      if (apart && i + 1 >= words.size()) {
        return std::nullopt;
      }
      const std::string value = apart ? words[++i] : word.substr(name.size() + 1);
      if (name == "-n" || name == "--name" || name == "-p" || name == "--prefix") {
        result.target = value;
      } else if (name != "-e" && name != "--environment") {
        return std::nullopt; // another directory or project
      }
    } else if (!harmless.contains(word)) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<Software> read_sourced(const Words& words) {
  if (words.size() < 2) {
    return std::nullopt;
  }
  Software result;
  result.target = words[1];
  const std::string& file = words[1];
  constexpr std::string_view activate = "/activate";
  if (file == "activate" || file.ends_with(activate)) {
    constexpr std::string_view bin = "/bin/activate";
    const bool named = words.size() > 2;
    result.conda = named || file == "activate";
    result.means = Means::activate;
    result.target = named                    ? words[2]
                    : file == "activate"     ? "base"
                    : file == "bin/activate" ? "."
                    : file.ends_with(bin)    ? file.substr(0, file.size() - bin.size())
                                             : file.substr(0, file.size() - activate.size());
    return result;
  }
  if (file == "deactivate" || file.ends_with("/deactivate")) {
    result.means = Means::clear;
    return result;
  }
  const auto* row = std::ranges::find_if(tables::software_files, [&](const auto& each) {
    const bool whole = each.ending[0] != '/' || each.ending.starts_with("/etc/");
    return whole ? file == each.ending : file.ends_with(each.ending);
  });
  const bool profile = file.starts_with("/etc/profile.d/");
  if (row == std::end(tables::software_files) && !profile) {
    return std::nullopt;
  }
  result.means = Means::clear;
  result.personal = !profile && row->means == tables::SoftwareFilesMeans::personal;
  return result;
}

// `eval "$(conda shell.bash hook)"` and its like.
bool is_hook(const Words& words) {
  if (words.size() < 2) {
    return false;
  }
  std::string text;
  for (std::size_t i = 1; i < words.size(); ++i) {
    text += words[i] + " ";
  }
  static constexpr std::array hooks{"shell.bash",         "shell.posix",   "shell hook",
                                    "'shell.bash'",       "__conda_setup", "__mamba_setup",
                                    "poetry env activate"};
  return std::ranges::any_of(
      hooks, [&](const char* hook) { return text.find(hook) != std::string::npos; });
}

// `__conda_setup=...` and `unset __conda_setup`, of the block that `conda init` writes.
bool conda_block(const shell::SimpleCommand& command, const Words& words) {
  const auto of_conda = [](std::string_view name) {
    return name.starts_with("__conda") || name.starts_with("__mamba");
  };
  if (words.empty()) {
    return !command.assignments.empty() &&
           std::ranges::all_of(command.assignments,
                               [&](const shell::Assignment& each) { return of_conda(each.name); });
  }
  return words[0] == "unset" && words.size() == 2 && of_conda(words[1]);
}

} // namespace

Constants constants_of(const ir::Job& job) {
  Constants result;
  std::map<std::string, int> count;
  for (const ir::Step& step : job.body) {
    if (step.statement == nullptr) {
      continue;
    }
    for (const std::string& name : analysis::effects_of(*step.statement).writes) {
      ++count[name];
    }
    const auto* command = shell::as_simple(*step.statement);
    if (command == nullptr) {
      continue;
    }
    const bool exports = analysis::command_name(*command) == "export";
    if (!command->words.empty() && !exports) {
      continue;
    }
    for (const auto* assignments : {&command->assignments, &command->declared}) {
      for (const shell::Assignment& assignment : *assignments) {
        if (assignment.append || assignment.subscript || assignment.array || !assignment.value) {
          count[assignment.name] += 2;
          continue;
        }
        std::string value;
        bool plain = true;
        const auto add = [&](const auto& self, const shell::WordPart& part) -> void {
          if (const auto* literal = std::get_if<shell::Literal>(&part.value)) {
            value += literal->value;
          } else if (const auto* single = std::get_if<shell::SingleQuoted>(&part.value)) {
            value += single->value;
          } else if (const auto* doubled = std::get_if<shell::DoubleQuoted>(&part.value)) {
            for (const shell::WordPart& inner : doubled->parts) {
              self(self, inner);
            }
          } else if (std::holds_alternative<shell::Tilde>(part.value)) {
            value += "~";
          } else if (const auto* parameter = std::get_if<shell::Parameter>(&part.value);
                     parameter != nullptr && parameter->op.empty() && !parameter->length &&
                     !parameter->indirect && !parameter->subscript) {
            const auto known = result.find(parameter->name);
            if (known != result.end()) {
              value += known->second;
            } else {
              value += "$" + parameter->name; // still names a place: $HOME/envs
            }
          } else {
            plain = false;
          }
        };
        for (const shell::WordPart& part : assignment.value->parts) {
          add(add, part);
        }
        if (plain && count[assignment.name] == 1) {
          result[assignment.name] = value;
        }
      }
    }
  }
  std::erase_if(result, [&](const auto& each) {
    return count[each.first] != 1 || tables::find_search_paths(each.first) != nullptr;
  });
  return result;
}

std::string shown(const PassContext& context, const Constants& constants, const shell::Word& word) {
  if (const auto text = word.literal()) {
    return *text;
  }
  std::string out;
  const auto add = [&](const auto& self, const shell::WordPart& part) -> void {
    if (const auto* literal = std::get_if<shell::Literal>(&part.value)) {
      out += literal->value;
    } else if (const auto* single = std::get_if<shell::SingleQuoted>(&part.value)) {
      out += single->value;
    } else if (const auto* doubled = std::get_if<shell::DoubleQuoted>(&part.value)) {
      for (const shell::WordPart& inner : doubled->parts) {
        self(self, inner);
      }
    } else if (const auto* parameter = std::get_if<shell::Parameter>(&part.value);
               parameter != nullptr && parameter->op.empty() &&
               constants.contains(parameter->name) && !parameter->length && !parameter->indirect &&
               !parameter->subscript) {
      out += constants.at(parameter->name);
    } else {
      out += context.text(part.span);
    }
  };
  for (const shell::WordPart& part : word.parts) {
    add(add, part);
  }
  return out;
}

std::optional<Software> read_software(const PassContext& context, const Constants& constants,
                                      const shell::SimpleCommand& command) {
  Words words;
  for (const shell::Word& word : command.words) {
    words.push_back(shown(context, constants, word));
  }
  Span span = words.empty() ? Span{} : command.words.front().span;
  const auto finish = [&](Software software) {
    if (!words.empty()) {
      span.end = command.words.back().span.end;
      if (!command.declared.empty()) {
        span.end = std::max(span.end, command.declared.back().span.end);
      }
    } else if (!command.assignments.empty()) {
      span = command.assignments.front().span;
      span.end = command.assignments.back().span.end;
    }
    software.span = span;
    return std::optional(std::move(software));
  };
  if (conda_block(command, words)) {
    Software result;
    result.means = Means::clear;
    return finish(result);
  }
  if (auto path = read_search_path(context, constants, command)) {
    Software result;
    result.means = Means::path;
    result.path = std::move(*path);
    return finish(std::move(result));
  }
  if (words.empty() || !command.words.front().literal()) {
    return std::nullopt;
  }
  if (words[0] == "source" || words[0] == ".") {
    auto sourced = read_sourced(words);
    return sourced ? finish(std::move(*sourced)) : std::nullopt;
  }
  if (words[0] == "eval") {
    Software result;
    result.means = Means::clear;
    return is_hook(words) ? finish(result) : std::nullopt;
  }
  if (words[0] == "module") { // options before the verb
    while (words.size() > 1 && words[1].starts_with('-')) {
      words.erase(words.begin() + 1);
    }
  }
  const auto row = named(words);
  if (!row) {
    return std::nullopt;
  }
  Software result;
  result.means = row->means;
  result.python = row->python;
  const std::size_t from = row->words;
  const std::string tool(row->first.substr(0, row->first.find(' ')));
  if (row->first == "module" && words.size() > 1) {
    result.means = Means::load; // a verb that is not known: each word is asked for as a module
    result.names.assign(words.begin() + 1, words.end());
    return finish(std::move(result));
  }
  if (row->first == "ml") {
    return finish(read_ml(words));
  }
  switch (row->means) {
  case Means::load:
  case Means::swap:
  case Means::use:
  case Means::restore:
    read_modules(words, from, tool == "spack", result);
    if (row->means == Means::swap && !result.names.empty()) {
      result.names = {result.names.back()};
    }
    break;
  case Means::activate: {
    const Read read = read_options(words, from, {"-n", "--name", "-p", "--prefix"});
    const std::string given = option(read, {"-n", "--name", "-p", "--prefix"});
    result.target = !read.operands.empty() ? read.operands.back() : given.empty() ? "base" : given;
    result.conda = true;
    break;
  }
  case Means::venv: {
    static const std::set<std::string> with_value{"-p", "--python", "--prompt"};
    const Read read = read_options(words, from, with_value);
    result.target = read.operands.empty() ? ".venv" : read.operands.front();
    const std::string python = option(read, {"-p", "--python"});
    if (const auto at = python.find_first_of("0123456789"); at != std::string::npos) {
      result.python = python.substr(at);
    }
    break;
  }
  case Means::pip: {
    auto pip = read_pip(words, from);
    if (!pip) {
      return std::nullopt;
    }
    result.pip = std::move(*pip);
    break;
  }
  case Means::conda:
    result.conda = true;
    if (!read_conda(words, from, result)) {
      return std::nullopt;
    }
    break;
  case Means::run: {
    result.conda = row->first.find(' ') != std::string_view::npos &&
                   (tool == "conda" || tool == "mamba" || tool == "micromamba");
    const auto inner = behind_prefix(words, from, result);
    if (!inner || *inner >= command.words.size()) {
      return std::nullopt;
    }
    result.inner = *inner;
    if (!result.conda) {
      result.target = tool;
    }
    break;
  }
  case Means::project:
    result.target = tool;
    break;
  case Means::clear:
  case Means::show:
  case Means::path:
    break;
  }
  return finish(std::move(result));
}

} // namespace s2f::passes
