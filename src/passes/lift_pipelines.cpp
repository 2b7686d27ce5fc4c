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

// NAME=value before one program of several: env NAME=value program
void give_variables(ir::Launch& launch) {
  if (launch.environment.empty()) {
    return;
  }
  std::vector<ir::Value> words{ir::Value::of("env", launch.words.front().span)};
  for (ir::NamedValue& each : launch.environment) {
    ir::Value word = ir::Value::of(each.name + "=", each.value.span);
    for (ir::ValuePart& part : each.value.parts) {
      word.append(std::move(part));
    }
    words.push_back(std::move(word));
  }
  launch.environment.clear();
  launch.program += words.size();
  if (launch.payload) {
    *launch.payload += words.size();
  }
  launch.words.insert(launch.words.begin(), words.begin(), words.end());
}

} // namespace

// Why a stage cannot be one; "" when it can.
std::string Lifting::stage(const shell::Statement& statement, bool first, bool last,
                           ir::Step& step) {
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
  if (std::string why = launch(step, *command); !why.empty()) {
    return why;
  }
  auto& made = std::get<ir::Launch>(step.value);
  const bool elsewhere = std::ranges::any_of(made.redirections, [&](const ir::Redirection& each) {
    // Where the directory of its file is missing, one program of several does not run.
    const bool missing =
        each.to_file() && each.file.text().value_or("/").find('/') != std::string::npos;
    return !last && !each.to_stdout && (each.stream != ir::Redirection::Stream::err || missing);
  });
  if (elsewhere || (made.input && !first) || made.copies > 1 || made.rank) {
    return "a pipeline with redirections within it";
  }
  give_variables(made);
  return {};
}

std::string Lifting::pipeline(ir::Step& step, const shell::Pipeline& pipeline) {
  ir::Pipeline result;
  result.pipefail = job_.pipefail;
  for (std::size_t i = 0; i < pipeline.commands.size(); ++i) {
    const bool last = i + 1 == pipeline.commands.size();
    ir::Step one = make_step(pipeline.commands[i]);
    if (std::string why = stage(pipeline.commands[i], i == 0, last, one); !why.empty()) {
      return why;
    }
    auto& launch = std::get<ir::Launch>(one.value);
    if (!last && pipeline.pipes_stderr[i] && !sends_errors(launch)) {
      if (!launch.redirections.empty()) {
        return "a pipeline with redirections within it";
      }
      ir::Redirection errors;
      errors.to_stdout = true;
      errors.stream = ir::Redirection::Stream::err;
      launch.redirections.push_back(std::move(errors));
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
