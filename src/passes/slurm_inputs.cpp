// What sbatch gave a job that stays on Slurm: its arguments, and variables of the submitting shell.
// The connector submits the script without either.
//
// before:  srun ./solver "$1" --tag $TAG
// after:   parameters $1 and $TAG, which no task takes: the environment of the job holds them
//          (S2F715)
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/effects.hpp"
#include "analysis/secrets.hpp"
#include "analysis/walk.hpp"
#include "ir/arguments.hpp"
#include "passes/pipeline.hpp"
#include "passes/software.hpp"

namespace s2f::passes {

namespace {

// What a task would have as parameters; nothing else of the pass that finds them is kept.
std::vector<ir::Parameter> parameters(PassContext& context) {
  const ir::Job job = context.job;
  const review::Findings findings = context.findings;
  given_variables(context);
  positionals(context);
  std::vector<ir::Parameter> found = std::move(context.job.parameters);
  std::vector<ir::Secret> secrets = std::move(context.job.secrets);
  context.job = job;
  context.findings = findings;
  for (const ir::Secret& secret : secrets) { // that the submitting shell held
    const bool known = std::ranges::any_of(
        job.secrets, [&](const ir::Secret& each) { return each.variable == secret.variable; });
    if (!known) {
      ir::Parameter parameter;
      parameter.origin = "$" + secret.variable;
      parameter.span = secret.span;
      found.push_back(std::move(parameter));
    }
  }
  return found;
}

// --export=ALL,NAME=value stays an option of the job.
bool said_by_export(const PassContext& context, const std::string& name) {
  const slurm::OptionUse* use = context.winner("export");
  return use != nullptr && ("," + use->value.value_or("")).contains("," + name + "=");
}

// Whether it loads software, which may set variables: that is the cluster's to know.
bool loads_software(const PassContext& context) {
  const Constants constants = constants_of(context.job);
  bool found = false;
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& statement) {
    if (const auto* command = shell::as_simple(statement); command != nullptr && !found) {
      const auto software = read_software(context, constants, *command);
      using Means = Software::Means;
      found = software && (software->means == Means::load || software->means == Means::swap ||
                           software->means == Means::use || software->means == Means::restore ||
                           software->means == Means::activate);
    }
  };
  for (const ir::Step& step : context.job.body) {
    if (step.statement != nullptr) {
      analysis::walk(*step.statement, visitor);
    }
  }
  return found;
}

// `sbatch --array=...` stood on a command line that is not here.
void array_of_the_command_line(PassContext& context) {
  if (context.component().array || context.outer_ledger != nullptr) {
    return;
  }
  const auto first = std::ranges::find_if(context.job.body, [](const ir::Step& step) {
    return step.statement != nullptr &&
           analysis::effects_of(*step.statement).reads.contains("SLURM_ARRAY_TASK_ID");
  });
  if (first == context.job.body.end()) {
    return;
  }
  review::Finding finding;
  finding.rule = "S2F305";
  finding.span = first->span;
  finding.message = "The script reads $SLURM_ARRAY_TASK_ID, and no directive makes it an array.";
  finding.slurm_does =
      "The indices came with `sbatch --array=...`; without it the variable is unset.";
  finding.output_does = "The connector submits one job, in which the variable is unset.";
  finding.choices = {"one job without an index",
                     "write the array into the script (#SBATCH --array=...) and convert it again"};
  finding.default_ = finding.choices[0];
  context.findings.add(std::move(finding));
}

} // namespace

void slurm_inputs(PassContext& context) {
  array_of_the_command_line(context);
  ir::Job& job = context.job;
  std::vector<std::string> arguments;
  std::vector<std::string> variables;
  std::vector<std::string> secrets;
  std::vector<std::string> of_software;
  std::vector<std::string> optional;
  const bool software = loads_software(context);
  Span where{};
  const auto ask = [&](std::vector<std::string>& names, const ir::Parameter& parameter) {
    names.push_back(parameter.origin);
    if (where.end == 0) {
      where = parameter.span;
    }
  };
  for (ir::Parameter& parameter : parameters(context)) {
    const std::string name = parameter.origin.substr(1);
    const bool given = job.given.contains(name);
    if (!ir::is_argument(parameter) && parameter.default_ && !given) {
      if (!said_by_export(context, name)) {
        ask(optional, parameter);
      }
      continue; // the script goes on without it
    }
    if (ir::is_argument(parameter)) {
      if (!job.given.contains("@")) {
        ask(arguments, parameter);
      }
    } else if (analysis::names_secret(name)) {
      ask(secrets, parameter);
      continue;
    } else if (!given && software) {
      ask(of_software, parameter);
      continue;
    } else if (!given) {
      ask(variables, parameter);
    }
    job.parameters.push_back(std::move(parameter));
  }
  std::vector<std::string> parts;
  for (const auto& [names, from] :
       {std::pair{&arguments, "the command line of sbatch"},
        std::pair{&variables, "the shell that submitted the job"},
        std::pair{&of_software, "what it loads, or from the shell that submitted the job"},
        std::pair{&optional, "the shell that submitted the job, and goes on without"},
        std::pair{&secrets, "the shell that submitted the job, and no module may hold it"}}) {
    if (!names->empty()) {
      parts.push_back(fmt::format("{} from {}", fmt::join(*names, ", "), from));
    }
  }
  if (parts.empty()) {
    return;
  }
  review::Finding finding;
  finding.rule = "S2F715";
  finding.span = where.end == 0 ? job.interpreter.span : where;
  finding.message = fmt::format("The script reads {}.", fmt::join(parts, "; "));
  finding.slurm_does = "It hands the words behind the script's name and the variables of the "
                       "submitting shell on to the job.";
  finding.output_does = "The connector hands on neither.";
  if (!arguments.empty() || !variables.empty()) {
    finding.output_does += fmt::format(
        " The module gives {} in the job's environment; where one is empty that the script needs, "
        "the job stops at its first lines.",
        of_software.empty() && secrets.empty() && optional.empty() ? "them" : "the others");
  }
  of_software.insert(of_software.end(), optional.begin(), optional.end());
  if (!of_software.empty() || !secrets.empty()) {
    of_software.insert(of_software.end(), secrets.begin(), secrets.end());
    finding.output_does +=
        fmt::format(" Unless the cluster sets it, {} is unset.", fmt::join(of_software, ", "));
  }
  finding.choices = {"give them in the module", "write them in the script",
                     "set them on the cluster"};
  finding.default_ = finding.choices[0];
  context.findings.add(std::move(finding));
}

} // namespace s2f::passes
