// Programs with pipes between them.
//
// before:  python train.py 2>&1 | tee train.log
// after:   Pipeline{Launch{python train.py, 2>&1}, Launch{tee train.log}}, S2F412
#include <algorithm>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "generated/tables/builtins.hpp"
#include "passes/lifting.hpp"

namespace s2f::passes {

namespace {

bool sends_errors(const ir::Launch& launch) {
  return std::ranges::any_of(launch.redirections,
                             [](const ir::Redirection& each) { return each.to_stdout; });
}

} // namespace

// Why a stage cannot be one; "" when it can.
std::string Lifting::stage(const shell::Statement& statement, bool last, ir::Step& step) {
  const auto* command = shell::as_simple(statement);
  if (command == nullptr || command->words.empty() || statement.negated || statement.timed) {
    return "a pipeline of more than programs";
  }
  const auto name = analysis::command_name(*command);
  const auto* builtin = std::ranges::find_if(
      tables::builtins, [&](const auto& row) { return name && row.name == *name; });
  const bool sh = job_.interpreter.language == ir::Interpreter::Language::sh;
  if (builtin != std::end(tables::builtins) && (*name != "echo" || sh) &&
      (builtin->as == tables::BuiltinsAs::state || builtin->as == tables::BuiltinsAs::handled)) {
    return fmt::format("a pipeline with the shell's own {}", *name);
  }
  if (!command->assignments.empty()) {
    return "a pipeline with a variable for one program";
  }
  if (std::string why = launch(step, *command); !why.empty()) {
    return why;
  }
  const auto& made = std::get<ir::Launch>(step.value);
  const bool files = std::ranges::any_of(made.redirections, [&](const ir::Redirection& each) {
    return !each.to_stdout && (!last || each.stream != ir::Redirection::Stream::out);
  });
  if (files || made.input || made.copies > 1 || (last && sends_errors(made))) {
    return "a pipeline with redirections within it";
  }
  return {};
}

std::string Lifting::pipeline(ir::Step& step, const shell::Pipeline& pipeline) {
  ir::Pipeline result;
  result.pipefail = job_.pipefail;
  for (std::size_t i = 0; i < pipeline.commands.size(); ++i) {
    const bool last = i + 1 == pipeline.commands.size();
    ir::Step one = make_step(pipeline.commands[i]);
    if (std::string why = stage(pipeline.commands[i], last, one); !why.empty()) {
      return why;
    }
    auto& launch = std::get<ir::Launch>(one.value);
    if (!last && pipeline.pipes_stderr[i] && !sends_errors(launch)) {
      ir::Redirection errors;
      errors.to_stdout = true;
      errors.stream = ir::Redirection::Stream::err;
      launch.redirections.push_back(std::move(errors));
    }
    if (!last && i > 0 &&
        sends_errors(launch) != sends_errors(std::get<ir::Launch>(result.stages.front().value))) {
      return "a pipeline with redirections within it";
    }
    result.stages.push_back(std::move(one));
  }
  const auto& launch = std::get<ir::Launch>(result.stages.back().value);
  if (!job_.pipefail && launch.words.front().text() == "tee") {
    review::Finding finding;
    finding.rule = "S2F412";
    finding.span = step.span;
    finding.message = "Without pipefail the status of this pipeline is tee's: a failure of what "
                      "is before it is hidden.";
    finding.slurm_does = "The job goes on as if it had worked.";
    finding.output_does = "The same.";
    context_.findings.add(std::move(finding));
  }
  step.value = std::move(result);
  return {};
}

// `time command`: its report is left out.
void Lifting::note_time(const ir::Step& step) {
  review::Finding finding;
  finding.rule = "S2F432";
  finding.span = step.span;
  finding.message = "`time` is left out: its report is not printed.";
  finding.slurm_does = "Bash prints how long the command took to the job's errors.";
  finding.output_does = "The command runs all the same; flyte get run shows how long a task took.";
  context_.findings.add(std::move(finding));
}

} // namespace s2f::passes
