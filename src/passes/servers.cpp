// Programs that run until somebody stops them: what takes their place is an app, or a debug
// session.
//
// before:  jupyter lab --no-browser --port 8888      after:  as it was, S2F454 names
// `flyte run --debug`
// before:  vllm serve model & python client.py       after:  as it was, S2F454 (the client shares
// the task)
#include <algorithm>

#include <fmt/format.h>

#include "analysis/walk.hpp"
#include "generated/tables/servers.hpp"
#include "passes/pipeline.hpp"
#include "passes/wrappers.hpp"

namespace s2f::passes {

namespace {

using Row = tables::ServersRow;
using Kind = tables::ServersKind;

const Row* server_of(const ir::Job& job, const shell::SimpleCommand& command) {
  PlainWords words;
  for (const shell::Word& word : command.words) {
    const bool program = std::ranges::any_of(job.srun_steps, [&](const ir::SrunStep& step) {
      return step.prefix.source == word.span.source && step.prefix.end == word.span.begin;
    });
    if (program) { // behind srun
      words.clear();
    }
    words.push_back(word.literal());
  }
  const std::size_t at = behind_wrappers(words).program;
  if (at >= words.size() || !words[at]) {
    return nullptr;
  }
  const std::string name = program_name(*words[at]);
  const Row* row = tables::find_servers(name);
  if (is_python(name)) { // python -m http.server
    for (std::size_t i = at + 1; i + 1 < words.size() && words[i]; ++i) {
      if (*words[i] == "-m" && words[i + 1]) {
        row = tables::find_servers(*words[i + 1]);
      }
    }
  }
  const bool said =
      row != nullptr && (row->words.empty() || std::ranges::any_of(words, [&](const auto& word) {
                           return word && std::ranges::find(row->words, *word) != row->words.end();
                         }));
  return said ? row : nullptr;
}

review::Finding finding_of(const Row& row) {
  review::Finding finding;
  finding.rule = "S2F454";
  finding.slurm_does = "It runs until the job's time is over; people reach it through the login "
                       "node.";
  switch (row.kind) {
  case Kind::person:
    finding.message =
        fmt::format("{} serves a person; a task has nobody in front of it.", row.name);
    finding.output_does = "The task runs it as before, but nothing leads to its port.";
    finding.choices = {"flyte run --debug opens an editor in a task's container",
                       "flyte.app.AppEnvironment serves it under an address of its own",
                       "leave it in the task"};
    break;
  case Kind::service:
    finding.message = fmt::format("{} is a server: it runs until somebody stops it.", row.name);
    finding.output_does = "The task runs it as before. Commands of the same task reach it, and "
                          "nothing else.";
    finding.choices = {"flyte.app.AppEnvironment serves it for other tasks and people",
                       "leave it in the task: its client is there, too"};
    break;
  case Kind::tunnel:
    finding.message = fmt::format("{} carries a port between the node and another host.", row.name);
    finding.output_does = "The task runs it as before; a container has no key for that host.";
    finding.choices = {"an app has an address: no tunnel is needed", "leave it in the task"};
    break;
  case Kind::waits:
    finding.message = fmt::format("{} only holds the job's time.", row.name);
    finding.slurm_does = "The job's other processes run on until the time is over.";
    finding.output_does = "The task waits as long, and is billed for it.";
    finding.choices = {"flyte.app.AppEnvironment for what should go on running",
                       "flyte run --debug to look around", "leave it in the task"};
    break;
  }
  finding.default_ = finding.choices.back();
  return finding;
}

} // namespace

void servers(PassContext& context) {
  for (ir::Step& step : context.job.body) {
    if (step.statement == nullptr || !std::holds_alternative<ir::Opaque>(step.value)) {
      continue;
    }
    analysis::Visitor visitor;
    visitor.statement = [&](const shell::Statement& inner) {
      const auto* command = shell::as_simple(inner);
      const Row* row =
          command == nullptr || command->words.empty() ? nullptr : server_of(context.job, *command);
      if (row == nullptr) {
        return;
      }
      review::Finding finding = finding_of(*row);
      finding.span = inner.span;
      if (&inner == step.statement) {
        step.reviews.push_back(review_comment("S2F454", finding.message));
      }
      context.findings.add(std::move(finding));
    };
    analysis::walk(*step.statement, visitor);
  }
}

} // namespace s2f::passes
