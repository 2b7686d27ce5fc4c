// The public interface on top of the compiler.
#include "slurm2flyte/slurm2flyte.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "project/compile.hpp"
#include "project/signoff_files.hpp"
#include "project/version.hpp"

namespace slurm2flyte {

namespace {

using namespace s2f;

void count(Conversion& conversion, review::Severity severity) {
  switch (severity) {
  case review::Severity::error:
    ++conversion.errors;
    return;
  case review::Severity::decision:
    ++conversion.decisions;
    return;
  case review::Severity::warning:
    ++conversion.warnings;
    return;
  case review::Severity::note:
    ++conversion.notes;
    return;
  }
}

Conversion converted(const std::vector<std::string>& scripts, const project::Files& files,
                     const Options& options) {
  project::CompileOptions compile;
  compile.keep_going = options.keep_going;
  auto compiled = project::compile(scripts, compile, files);

  Conversion conversion;
  const auto& inputs = compiled.review.inputs;
  for (auto& module : compiled.modules) {
    const auto input = std::ranges::find(inputs, module.input, &review::Input::path);
    conversion.modules.push_back({.script = module.input,
                                  .path = module.path,
                                  .text = std::move(module.text),
                                  .entry = input == inputs.end() ? std::string() : input->entry});
  }
  for (auto& failure : compiled.failures)
    conversion.failures.push_back({failure.path, std::move(failure.message)});
  // Nothing was converted then.
  for (const auto& problem : compiled.site_problems) {
    conversion.failures.push_back(
        {problem.path, fmt::format("line {}: {}", problem.line, problem.message)});
  }
  for (const auto& problem : compiled.sign_off_problems)
    conversion.failures.push_back({std::string(project::sign_off_name), problem});
  for (const auto& input : inputs)
    for (const auto& placed : input.findings)
      if (review::is_open(placed.finding))
        count(conversion, placed.finding.severity);
  conversion.review_json = review::render_json(compiled.review);
  conversion.review_markdown = review::render_markdown(compiled.review);
  return conversion;
}

} // namespace

std::string_view version() { return project::tool_version; }
std::string_view flyte_version() { return project::flyte_version; }

Conversion convert_files(const std::vector<std::string>& scripts, const Options& options) {
  return converted(scripts, project::disk(), options);
}

Conversion convert(const std::vector<File>& scripts, const std::vector<File>& around,
                   const Options& options) {
  std::vector<std::pair<std::string, std::string>> files;
  std::vector<std::string> paths;
  files.reserve(around.size() + scripts.size());
  paths.reserve(scripts.size());
  for (const File& file : around)
    files.emplace_back(file.path, file.bytes);
  for (const File& script : scripts) {
    files.emplace_back(script.path, script.bytes);
    paths.push_back(script.path);
  }
  return converted(paths, project::in_memory(std::move(files)), options);
}

} // namespace slurm2flyte
