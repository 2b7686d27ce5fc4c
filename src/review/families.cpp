// Finds scripts that were copied once per cluster: the same text but for partition, account, module
// versions and paths.
#include <algorithm>
#include <array>
#include <set>

#include "review/audit.hpp"

namespace s2f::review {

namespace {

struct SiteOption {
  std::string_view name;
  std::string_view letter; // "" for none
};
constexpr std::array site_options{SiteOption{"--partition", "-p"},  SiteOption{"--account", "-A"},
                                  SiteOption{"--qos", "-q"},        SiteOption{"--clusters", "-M"},
                                  SiteOption{"--constraint", "-C"}, SiteOption{"--mail-user", ""},
                                  SiteOption{"--reservation", ""},  SiteOption{"--wckey", ""}};

bool word_character(char c) {
  return std::string_view(" \t\n\"'=:;,()<>|&`").find(c) == std::string_view::npos;
}

// A path from the root, the home directory or a variable that stands for a place of the site.
bool begins_path(std::string_view text, std::size_t at) {
  if (at > 0 && word_character(text[at - 1])) {
    return false;
  }
  const auto rest = text.substr(at);
  if (rest.starts_with("~/")) {
    return true;
  }
  if (rest.front() == '/') {
    return rest.size() > 1 && word_character(rest[1]);
  }
  return std::ranges::any_of(
      std::array{"$HOME/", "$SCRATCH/", "$WORK/", "${HOME}/", "${SCRATCH}/", "${WORK}/"},
      [&](std::string_view place) { return rest.starts_with(place); });
}

std::string without_paths(std::string_view line) {
  std::string out;
  for (std::size_t i = 0; i < line.size();) {
    if (!begins_path(line, i)) {
      out += line[i++];
      continue;
    }
    std::size_t end = i;
    while (end < line.size() && word_character(line[end])) {
      ++end;
    }
    // The last part says what the file is; the rest where the site has it.
    const auto path = line.substr(i, end - i);
    const auto slash = path.find_last_of('/');
    out += "<path>/";
    out += path.substr(slash + 1);
    i = end;
  }
  return out;
}

// `module load cuda/12.1` -> `module load cuda`
std::string without_versions(std::string_view line) {
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '/') {
      out += line[i];
      continue;
    }
    while (i + 1 < line.size() && word_character(line[i + 1])) {
      ++i;
    }
  }
  return out;
}

bool loads_modules(std::string_view line) {
  const auto begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos) {
    return false;
  }
  const auto rest = line.substr(begin);
  return rest.starts_with("module ") || rest.starts_with("ml ");
}

std::string without_site(std::string_view directive) {
  constexpr std::string_view mark = "#SBATCH";
  const auto begin = directive.find_first_not_of(" \t", mark.size());
  const auto option = begin == std::string_view::npos ? "" : directive.substr(begin);
  for (const SiteOption& row : site_options) {
    const bool named = option.starts_with(row.name) &&
                       (option.size() == row.name.size() || option[row.name.size()] == '=' ||
                        option[row.name.size()] == ' ');
    if (named || (!row.letter.empty() && option.starts_with(row.letter))) {
      return "#SBATCH " + std::string(row.name);
    }
  }
  return without_paths(directive);
}

} // namespace

std::string family_text(std::string_view script) {
  std::string out;
  for (std::size_t begin = 0; begin < script.size();) {
    const auto end = std::min(script.find('\n', begin), script.size());
    std::string_view line = script.substr(begin, end - begin);
    begin = end + 1;
    line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    if (line.empty()) {
      continue;
    }
    out += line.starts_with("#SBATCH") ? without_site(line)
           : loads_modules(line)       ? without_versions(line)
                                       : without_paths(line);
    out += '\n';
  }
  return out;
}

std::vector<std::string> family_differences(const std::vector<const Input*>& members) {
  // What the lines of one kind say, per member: where two say otherwise, they differ in it.
  std::map<std::string, std::set<std::string>> said;
  for (const Input* member : members) {
    std::map<std::string, std::string> mine;
    const std::string_view script = member->source_text;
    for (std::size_t begin = 0; begin < script.size();) {
      const auto end = std::min(script.find('\n', begin), script.size());
      const std::string_view line = script.substr(begin, end - begin);
      begin = end + 1;
      if (line.starts_with("#SBATCH")) {
        const std::string general = without_site(line);
        const bool of_site = std::ranges::any_of(site_options, [&](const SiteOption& row) {
          return general == "#SBATCH " + std::string(row.name);
        });
        mine[of_site ? general.substr(general.find('-')) : "paths"] += line;
      } else {
        mine[loads_modules(line) ? "modules" : "paths"] += line;
      }
    }
    for (auto& [what, text] : mine) {
      said[what].insert(std::move(text));
    }
  }
  std::vector<std::string> differ;
  for (const auto& [what, texts] : said) {
    if (texts.size() > 1) {
      differ.push_back(what);
    }
  }
  return differ;
}

} // namespace s2f::review
