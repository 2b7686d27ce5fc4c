// PATH, LD_LIBRARY_PATH, PYTHONPATH and their like: where the script looks for software.
//
// before:  export PATH=/home/me/tools/bin:$PATH
// after:   Nothing, S2F507: no container has that directory
// before:  export PATH=/home/me/a:$PATH
//          export PATH=/home/me/b:$PATH
// after:   the same, with one S2F507 that names both
// before:  export PYTHONPATH=$PWD/src:$PYTHONPATH
// after:   Assign{PYTHONPATH = SubmitDirectory + "/src", exported}
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/effects.hpp"
#include "generated/tables/path_places.hpp"
#include "generated/tables/search_paths.hpp"
#include "passes/setup.hpp"
#include "review/amend.hpp"

namespace s2f::passes {

namespace {

using review::Disposition;

// At the colons that stand in no `${...}` and no `$(...)`.
std::vector<std::string> entries_of(std::string_view value) {
  std::vector<std::string> entries(1);
  int depth = 0;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const char c = value[i];
    const bool opens = (c == '{' || c == '(') && i > 0 && value[i - 1] == '$';
    depth += opens ? 1 : 0;
    depth -= (c == '}' || c == ')') && depth > 0 ? 1 : 0;
    if (c == ':' && depth == 0) {
      entries.emplace_back();
    } else {
      entries.back() += c;
    }
  }
  std::erase(entries, std::string());
  return entries;
}

// "$PATH", "${PATH}" and "${PATH:+:$PATH}" of the variable itself.
bool is_itself(std::string_view entry, std::string_view variable) {
  if (entry.starts_with("${")) {
    entry.remove_prefix(2);
    return entry.starts_with(variable) && entry.size() > variable.size() &&
           (entry[variable.size()] == '}' || entry[variable.size()] == ':' ||
            entry[variable.size()] == '-' || entry[variable.size()] == '+');
  }
  return entry.size() == variable.size() + 1 && entry[0] == '$' && entry.substr(1) == variable;
}

enum class Place { here, system, cluster, unknown };

struct Entry {
  Place place = Place::unknown;
  std::string below; // of `here`: the path below the submit directory
};

// /usr/local/cuda-11.8/bin, which only who installed it has; /usr/local/bin has everybody.
bool in_own_prefix(std::string_view path) {
  constexpr std::string_view local = "/usr/local/";
  if (!path.starts_with(local)) {
    return false;
  }
  path.remove_prefix(local.size());
  static constexpr std::array usual{"",    "bin", "etc",  "games", "include",
                                    "lib", "man", "sbin", "share", "src"};
  return std::ranges::find(usual, path.substr(0, path.find('/'))) == usual.end();
}

Entry entry_of(std::string text) {
  for (const std::string_view here :
       {"$PWD", "${PWD}", "$(pwd)", "`pwd`", "$SLURM_SUBMIT_DIR", "${SLURM_SUBMIT_DIR}", "."}) {
    if (text == here || text.starts_with(std::string(here) + "/")) {
      std::string below = text.substr(here.size());
      while (below.ends_with('/')) {
        below.pop_back();
      }
      return below.find("..") == std::string::npos && below.find('$') == std::string::npos
                 ? Entry{Place::here, below}
                 : Entry{};
    }
  }
  if (text.starts_with("${") && text.find('}') != std::string::npos) {
    const auto end = text.find('}');
    text = "$" + text.substr(2, end - 2) + text.substr(end + 1);
  }
  if (text.starts_with('~')) {
    return {Place::cluster, {}};
  }
  const std::string head = text.substr(0, text.find('/', 1));
  const auto* row = tables::find_path_places(head);
  if (text.starts_with('/')) {
    const bool cluster = row == nullptr || row->place == tables::PathPlacesPlace::cluster;
    return {cluster || in_own_prefix(text) ? Place::cluster : Place::system, {}};
  }
  if (text.starts_with('$')) {
    // A directory that a module, an environment or the login gave a name.
    static constexpr std::array marks{"HOME", "ROOT", "PREFIX", "CONDA", "_DIR", "VENV", "USER"};
    const bool named = head.size() > 1 && std::ranges::any_of(marks, [&](const char* mark) {
                         return head.find(mark) != std::string::npos;
                       });
    const bool cluster =
        (row != nullptr && row->place == tables::PathPlacesPlace::cluster) || named;
    return {cluster ? Place::cluster : Place::unknown, {}};
  }
  if (text.find_first_of("$`(") == std::string::npos && !text.starts_with("..")) {
    return {Place::here, "/" + text};
  }
  return {};
}

// "fold" of ~/miniconda3/envs/fold/bin, "base" of ~/miniconda3/bin.
std::optional<std::string> conda_environment(const std::string& directory) {
  constexpr std::string_view bin = "/bin";
  constexpr std::string_view envs = "/envs/";
  if (!directory.ends_with(bin)) {
    return std::nullopt;
  }
  const std::string prefix = directory.substr(0, directory.size() - bin.size());
  if (const auto at = prefix.rfind(envs); at != std::string::npos) {
    return prefix.substr(at + envs.size());
  }
  const std::string last = prefix.substr(prefix.find_last_of('/') + 1);
  static constexpr std::array installers{"conda", "miniforge", "mambaforge", "micromamba"};
  const bool installed = std::ranges::any_of(
      installers, [&](const char* name) { return last.find(name) != std::string::npos; });
  return installed ? std::optional<std::string>("base") : std::nullopt;
}

// Another line of the same variable asks nothing new: its directories are named where the first
// ones are.
std::optional<review::FindingId> asked_already(PassContext& context, const SearchPath& path,
                                               const std::string& variables) {
  const std::string added = fmt::format(", {}", fmt::join(path.cluster, ", "));
  const auto& all = context.findings.all();
  const auto first = std::ranges::find_if(all, [&](const review::Finding& each) {
    return each.rule == "S2F507" && each.message.starts_with(variables + " gets ");
  });
  if (first == all.end()) {
    return std::nullopt;
  }
  const auto id = static_cast<review::FindingId>(std::distance(all.begin(), first));
  review::amend(context.findings, id, [&](review::Finding& finding) {
    finding.message.insert(finding.message.find(", which no container has"), added);
  });
  const std::string end = fmt::format(" to {}: the {} that", variables, path.holds);
  for (ir::Remark& comment : context.job.environment.comments) {
    if (const auto at = comment.text.find(end); at != std::string::npos) {
      comment.text.insert(at, added);
    }
  }
  return id;
}

} // namespace

std::optional<SearchPath> read_search_path(const PassContext& context, const Constants& constants,
                                           const shell::SimpleCommand& command) {
  const bool exports = analysis::command_name(command) == "export";
  if (!command.words.empty() && (!exports || command.words.size() > 1)) {
    return std::nullopt;
  }
  const auto& assignments = exports ? command.declared : command.assignments;
  if (assignments.empty() || (exports && !command.assignments.empty())) {
    return std::nullopt;
  }
  SearchPath result;
  for (const shell::Assignment& assignment : assignments) {
    const auto* row = tables::find_search_paths(assignment.name);
    if (row == nullptr || assignment.subscript || assignment.array) {
      return std::nullopt;
    }
    result.variables.push_back(assignment.name);
    result.holds = row->holds;
    if (!assignment.value) { // `export PATH`
      continue;
    }
    for (std::string text : entries_of(shown(context, constants, *assignment.value))) {
      if (is_itself(text, assignment.name)) {
        const bool first = result.here.empty() && result.cluster.empty();
        result.itself.emplace(assignment.name, first);
        continue;
      }
      // /x/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
      if (const auto own = text.find("${" + assignment.name + ":+"); own != std::string::npos) {
        text.resize(own);
        result.itself.emplace(assignment.name, false);
      }
      const Entry entry = entry_of(text);
      if (entry.place == Place::unknown ||
          (entry.place == Place::here && row->means != tables::SearchPathsMeans::modules &&
           row->means != tables::SearchPathsMeans::build)) {
        return std::nullopt;
      }
      if (entry.place == Place::here) {
        result.here.emplace_back(assignment.name, entry.below);
      } else if (const auto conda = conda_environment(text);
                 conda && row->means == tables::SearchPathsMeans::programs) {
        result.environment = conda;
      } else if (entry.place == Place::cluster) {
        result.cluster.push_back(text);
      }
    }
  }
  return result;
}

Outcome use_search_path(Setup& setup, const SearchPath& path, Span span) {
  PassContext& context = setup.context;
  if (path.cluster.empty() && path.environment) {
    return {Disposition::platform, "the image is the environment", {}, {}};
  }
  if (path.cluster.empty()) {
    return {Disposition::platform, "every image looks there already", {}, {}};
  }
  const std::string variables = fmt::format("{}", fmt::join(path.variables, ", "));
  context.job.environment.spans.push_back(span);
  if (const auto id = asked_already(context, path, variables)) {
    return {Disposition::decision, "the image must have what was found there", "S2F507", *id};
  }
  review::Finding finding;
  finding.rule = "S2F507";
  finding.span = span;
  finding.message = fmt::format("{} gets {}, which no container has: what {} did the job take "
                                "from there?",
                                variables, fmt::join(path.cluster, ", "), path.holds);
  finding.slurm_does = "Software of the cluster's file system is found there.";
  finding.output_does = "The directory is left out; the image must have what was taken from it.";
  finding.choices = {"the image has what is needed", "packages for pip or apt",
                     "a mounted volume (pod_template=\"NAME\"), and the variable in env_vars"};
  finding.default_ = finding.choices[0];
  const auto id = context.findings.add(std::move(finding));
  context.job.environment.comments.push_back(
      {review_comment(
           "S2F507",
           fmt::format("{} added {} to {}: the {} that the job took from there must be in the "
                       "image.",
                       context.at(span), fmt::join(path.cluster, ", "), variables, path.holds)),
       span});
  return {Disposition::decision, "the image must have what was found there", "S2F507", id};
}

std::optional<ir::Assign> as_assignment(const SearchPath& path) {
  ir::Assign assign;
  for (const auto& [variable, below] : path.here) {
    auto known = std::ranges::find(assign.bindings, variable, &ir::Binding::variable);
    if (known == assign.bindings.end()) {
      assign.bindings.push_back({variable, {}, {}, true});
      known = assign.bindings.end() - 1;
    } else {
      known->value.append(ir::Text{":"});
    }
    known->value.append(ir::SubmitDirectory{});
    if (!below.empty()) {
      known->value.append(ir::Text{below});
    }
  }
  return assign.bindings.empty() ? std::nullopt : std::optional(std::move(assign));
}

} // namespace s2f::passes
