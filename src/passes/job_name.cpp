// Names of the task, its environment and its module.
//
// before:  #SBATCH --job-name=Train.v2
// after:   name="train-v2" of the environment, `async def train_v2` (and S2F101, since the name had
// to change)
#include <cctype>

#include <fmt/format.h>

#include "flyte/program.hpp"
#include "ir/build.hpp"
#include "passes/pipeline.hpp"

namespace s2f::passes {

namespace {

bool alnum(char c) {
  return static_cast<unsigned char>(c) < 128 && std::isalnum(static_cast<unsigned char>(c)) != 0;
}

// ^[a-z0-9]+([_-][a-z0-9]+)*$, at most 63 characters.
std::string environment_name(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (alnum(c)) {
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!out.empty() && out.back() != '-' && out.back() != '_') {
      out += c == '_' ? '_' : '-';
    }
  }
  out.resize(std::min<std::size_t>(out.size(), 63));
  while (!out.empty() && (out.back() == '-' || out.back() == '_')) {
    out.pop_back();
  }
  return out;
}

std::string function_name(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (alnum(c)) {
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!out.empty() && out.back() != '_') {
      out += '_';
    }
  }
  while (!out.empty() && out.back() == '_') {
    out.pop_back();
  }
  if (out.size() > 60) {
    out.resize(60);
  }
  if (!out.empty() && std::isdigit(static_cast<unsigned char>(out[0])) != 0) {
    out = "job_" + out;
  }
  if (out == "eval") {
    return "evaluate";
  }
  if (out == "main" || flyte::reserved_python_name(out)) {
    out += "_job";
  }
  return out;
}

} // namespace

void job_name(PassContext& context) {
  ir::Job& job = context.job;
  const slurm::OptionUse* use = context.winner("job-name");
  const std::string written = use != nullptr ? use->value.value_or("") : "";
  job.slurm_name = context.component().resolved.job_name.value_or(job.stem);
  const std::string wanted = use != nullptr ? written : job.stem;
  job.environment_name = environment_name(wanted);
  if (job.environment_name.empty()) {
    job.environment_name = environment_name(job.stem);
  }
  if (job.environment_name.empty()) {
    job.environment_name = "job";
  }
  job.function = function_name(wanted);
  if (job.function.empty()) {
    job.function = function_name(job.stem);
  }
  if (job.function.empty()) {
    job.function = "job";
  }
  if (use == nullptr) {
    return;
  }
  job.name_asked = context.asked("job-name");
  job.name_spans = context.spans("job-name");
  if (written == job.environment_name) {
    context.settle("job-name", review::Disposition::converted,
                   "the name of the environment and of the task");
    return;
  }
  review::Finding finding;
  finding.rule = "S2F101";
  finding.span = use->span;
  finding.message = fmt::format("The job's name became {:?}: Flyte's names are lower-case letters "
                                "and digits, joined by - or _.",
                                job.environment_name);
  finding.slurm_does = "It takes any text as a job's name.";
  finding.output_does = fmt::format("The environment is called {:?}, the task {:?}.",
                                    job.environment_name, job.function);
  const auto id = context.findings.add(std::move(finding));
  context.settle("job-name", review::Disposition::adjusted, "a name that Flyte accepts", "S2F101",
                 id);
}

} // namespace s2f::passes
