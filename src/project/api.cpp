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

// The enumerators of both sides stand in the same order.
static_assert(static_cast<int>(Disposition::comment) ==
                  static_cast<int>(review::Disposition::comment) &&
              static_cast<int>(Disposition::kept) == static_cast<int>(review::Disposition::kept));
static_assert(static_cast<int>(Severity::error) == static_cast<int>(review::Severity::error));
static_assert(static_cast<int>(Verdict::not_converted) ==
                  static_cast<int>(review::Verdict::not_converted) &&
              static_cast<int>(Verdict::needs_decision) ==
                  static_cast<int>(review::Verdict::needs_decision));
template <typename To, typename From> To same(From value) {
  return static_cast<To>(static_cast<int>(value));
}

Item item_of(review::Item&& item) {
  Item out;
  out.line = item.line;
  out.end_line = item.end_line;
  out.column = item.column;
  out.text = std::move(item.text);
  out.disposition = same<Disposition>(item.disposition);
  out.why = std::move(item.why);
  out.rule = std::move(item.rule);
  out.output_lines = std::move(item.output_lines);
  return out;
}

Finding finding_of(review::PlacedFinding&& placed) {
  auto& finding = placed.finding;
  Finding out;
  out.id = std::move(finding.id);
  out.rule = std::move(finding.rule);
  out.severity = same<Severity>(finding.severity);
  out.line = placed.line;
  out.column = placed.column;
  out.end_line = placed.end_line;
  out.end_column = placed.end_column;
  out.message = std::move(finding.message);
  out.slurm_does = std::move(finding.slurm_does);
  out.output_does = std::move(finding.output_does);
  out.choices = std::move(finding.choices);
  out.taken = std::move(finding.default_);
  out.config_key = std::move(finding.config_key);
  out.open = review::is_open(finding);
  out.output_lines = std::move(placed.output_lines);
  return out;
}

Script script_of(const review::Input& whole) {
  auto input = review::redacted(whole);
  Script out;
  out.path = std::move(input.path);
  out.verdict = same<Verdict>(input.verdict);
  out.module = std::move(input.output);
  out.lines = input.lines;
  out.lines_accounted = input.lines_accounted;
  for (auto& item : input.items)
    out.items.push_back(item_of(std::move(item)));
  for (auto& placed : input.findings)
    out.findings.push_back(finding_of(std::move(placed)));
  return out;
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
    conversion.scripts.push_back(script_of(input));
  for (const auto& input : inputs)
    for (const auto& placed : input.findings)
      if (review::is_open(placed.finding))
        count(conversion, placed.finding.severity);
  conversion.review_json = review::render_json(compiled.review);
  conversion.review_markdown = review::render_markdown(compiled.review);
  return conversion;
}

} // namespace

std::string_view to_string(Disposition disposition) {
  return review::to_string(same<review::Disposition>(disposition));
}
std::string_view to_string(Severity severity) {
  return review::to_string(same<review::Severity>(severity));
}
std::string_view to_string(Verdict verdict) {
  return review::to_string(same<review::Verdict>(verdict));
}

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
