// Reads the few forms of YAML that conda environment files have: a mapping, a list, a list in it.
#include "payload/conda_environment.hpp"

#include <algorithm>

namespace s2f::payload {

namespace {

std::string_view trim(std::string_view text) {
  constexpr std::string_view blank = " \t\r";
  const auto first = text.find_first_not_of(blank);
  return first == std::string_view::npos
             ? std::string_view{}
             : text.substr(first, text.find_last_not_of(blank) - first + 1);
}

// Without a comment and quotes around it.
std::string scalar(std::string_view text) {
  for (auto at = text.find('#'); at != std::string_view::npos; at = text.find('#', at + 1)) {
    if (at == 0 || text[at - 1] == ' ' || text[at - 1] == '\t') {
      text = text.substr(0, at);
      break;
    }
  }
  text = trim(text);
  if (text.size() > 1 && (text[0] == '"' || text[0] == '\'') && text.back() == text[0]) {
    text = text.substr(1, text.size() - 2);
  }
  return std::string(text);
}

// "3.10" of "python=3.10.*=build" and "python>=3.10,<3.12".
std::string version_of(std::string_view spec) {
  const auto begin = spec.find_first_of("0123456789");
  if (begin == std::string_view::npos) {
    return {};
  }
  auto version = spec.substr(begin);
  version = version.substr(0, version.find_first_not_of("0123456789."));
  while (version.ends_with('.')) {
    version.remove_suffix(1);
  }
  return std::string(version);
}

} // namespace

CondaEnvironment read_conda_environment(std::string_view text) {
  CondaEnvironment result;
  bool dependencies = false;
  std::size_t list_indent = 0;
  std::size_t pip_indent = std::string_view::npos; // of the `- pip:` that is open
  while (!text.empty()) {
    const auto end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    const std::string_view content = trim(line);
    if (content.empty() || content.starts_with('#')) {
      continue;
    }
    const std::size_t indent = line.find_first_not_of(" \t");
    if (!content.starts_with("- ") && content != "-") {
      if (indent != 0) {
        continue;
      }
      const auto colon = content.find(':');
      const std::string_view key = trim(content.substr(0, colon));
      dependencies = key == "dependencies";
      pip_indent = std::string_view::npos;
      if (key == "name" && colon != std::string_view::npos) {
        result.name = scalar(content.substr(colon + 1));
      }
      continue;
    }
    if (!dependencies) {
      continue;
    }
    const std::string item = scalar(content.substr(1));
    if (pip_indent != std::string_view::npos && indent > pip_indent) {
      if (item.starts_with('-')) {
        result.pip_options.push_back(item);
      } else if (!item.empty()) {
        result.pip.push_back(item);
      }
      continue;
    }
    list_indent = indent;
    pip_indent = std::string_view::npos;
    if (item == "pip:") {
      pip_indent = list_indent;
    } else if (item == "python" ||
               (item.starts_with("python") && std::string_view("=<>! ").contains(item[6]))) {
      result.python = version_of(item);
    } else if (!item.empty()) {
      result.conda.push_back(item);
    }
  }
  return result;
}

} // namespace s2f::payload
