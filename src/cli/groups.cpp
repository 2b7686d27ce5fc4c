// Puts what a conversion gives into files: which, where, and whether they may be written.
#include "cli/groups.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "cli/verified_reports.hpp"

namespace s2f::cli {

namespace fs = std::filesystem;

namespace {

// Where the module of a script would stand, if it had one: beside it, for its review.
std::string usual_module_path(const std::string& script) {
  const fs::path path(script);
  return (path.parent_path() / (path.stem().string() + "_flyte.py")).string();
}

// What stands there already is not written again, and keeps its time; a review also keeps what a
// verification of the same module said.
bool stands(const Output& output, bool same_module, const Console& console) {
  const auto there = project::read_output(console.files, output.path);
  return there && (*there == output.text ||
                   (same_module && without_verified(output.format, *there) == output.text));
}

} // namespace

bool outside(const std::string& given) {
  const fs::path path(given);
  return path.is_absolute() || std::ranges::find(path, fs::path("..")) != path.end();
}

std::string same_file(const std::string& path) {
  std::error_code error;
  // Made absolute first: what does not exist yet would stay relative.
  const auto resolved = fs::weakly_canonical(fs::absolute(path), error);
  return error ? fs::path(path).lexically_normal().string() : resolved.string();
}

std::string place_for(const std::string& module_path, const ConvertOptions& options) {
  if (options.output == "-")
    return "standard output";
  if (!options.output.empty() &&
      (options.main_module.empty() || module_path == options.main_module))
    return options.output;
  if (!options.output.empty()) // a module that the other imports
    return (fs::path(options.output).parent_path() / fs::path(module_path).filename()).string();
  if (options.out_dir.empty())
    return module_path;
  const fs::path path = fs::path(module_path).lexically_normal();
  if (outside(path.string()) && !options.root.empty()) {
    const auto below_root = fs::absolute(path).lexically_normal().lexically_relative(options.root);
    if (!outside(below_root.string()))
      return (fs::path(options.out_dir) / below_root).string();
  }
  return below(options.out_dir, module_path);
}

bool has_rule(const review::Input& input, std::string_view rule) {
  return std::ranges::any_of(input.findings, [rule](const review::PlacedFinding& placed) {
    return placed.finding.rule == rule;
  });
}

std::vector<Group> group(const project::Compiled& compiled, const review::Review& review,
                         const ConvertOptions& options) {
  std::vector<Group> groups;
  std::map<std::string, std::size_t> by_output;
  std::vector<review::Review> reviews;
  for (const auto& module : compiled.modules) {
    const auto path = place_for(module.path, options);
    by_output[path] = groups.size();
    groups.push_back({module.input, {{path, module.text, Format::module}}});
    reviews.push_back({review.tool, review.flyte, {}});
  }
  for (const auto& input : review.inputs) {
    const auto found = by_output.find(input.output);
    if (found != by_output.end()) {
      reviews[found->second].inputs.push_back(input);
    } else if (!has_rule(input, "S2F110")) {
      groups.push_back({input.path, {}});
      reviews.push_back({review.tool, review.flyte, {input}});
    }
  }
  for (std::size_t i = 0; i < groups.size(); ++i) {
    auto& outputs = groups[i].outputs;
    const auto module = outputs.empty() ? place_for(usual_module_path(groups[i].source), options)
                                        : outputs.front().path;
    outputs.push_back(report(review_path(module), Format::markdown, reviews[i]));
  }
  return groups;
}

std::vector<std::string> objections(const Group& group, const std::set<std::string>& inputs,
                                    std::map<std::string, std::string>& taken,
                                    const ConvertOptions& options, const Console& console) {
  std::vector<std::string> found;
  for (const Output& output : group.outputs) {
    const auto file = same_file(output.path);
    if (inputs.contains(file)) {
      found.push_back(output.path + " is one of the scripts, so it was not overwritten");
      continue;
    }
    const auto [other, fresh] = taken.emplace(file, group.source);
    if (!fresh) {
      found.push_back(fmt::format("{} would be written for {} and for {}; convert them apart, "
                                  "with -o",
                                  output.path, other->second, group.source));
    } else if (const auto why = objection(output, console.files); why && !options.force) {
      found.push_back(*why + "; --force overwrites it, -o - shows what is new");
    }
  }
  return found;
}

std::string no_file_in(const Group& group) {
  for (const Output& output : group.outputs) {
    std::error_code error;
    if (fs::is_other(fs::status(output.path, error)))
      return fmt::format("cannot write {}: this is not a regular file", output.path);
  }
  return {};
}

std::string write(const Group& group, const ConvertOptions& options, const Console& console,
                  bool& modules_stand) {
  // A report tells of modules of other groups.
  bool same_module = modules_stand && group.outputs.front().format != Format::module;
  for (const Output& output : group.outputs) {
    if (stands(output, same_module, console)) {
      same_module = same_module || output.format == Format::module;
      continue;
    }
    modules_stand = modules_stand && output.format != Format::module;
    const auto parent = fs::path(output.path).parent_path();
    if (!options.out_dir.empty() && !parent.empty()) {
      if (const auto made = console.make_directories(parent.string()); !made)
        return made.error();
    }
    if (const auto written = console.write(output.path, output.text); !written)
      return written.error();
  }
  return {};
}

} // namespace s2f::cli
