// Commands in the background, and the shell's wait for them.
//
// before:  python a.py & python b.py & wait
// after:   Background{Launch{python a.py}}, Background{Launch{python b.py}}, Wait, S2F411
//
// before:  server & PID=$!; ./client; wait $PID
// after:   Background{Launch{server}, pid}, Nothing, Launch{./client}, Wait{pid}
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "ir/steps.hpp"
#include "passes/lifting.hpp"
#include "passes/names.hpp"

namespace s2f::passes {

namespace {

// `(command)` and `{ command; }` in the background are the command.
const shell::Statement& alone(const shell::Statement& statement) {
  const std::vector<shell::Statement>* body = nullptr;
  if (const auto* subshell = std::get_if<shell::Subshell>(&statement.value)) {
    body = &subshell->body;
  } else if (const auto* group = std::get_if<shell::Group>(&statement.value)) {
    body = &group->body;
  }
  const bool single = body != nullptr && body->size() == 1 && statement.redirects.empty() &&
                      !body->front().background && !body->front().negated && !body->front().timed;
  return single ? alone(body->front()) : statement;
}

bool to_file(const ir::Launch& launch) {
  return std::ranges::any_of(launch.redirections, &ir::Redirection::to_file);
}

// The variable's name where the word is $NAME and nothing else.
std::optional<std::string> lone_name(const shell::Word& word) {
  const std::vector<shell::WordPart>* parts = &word.parts;
  if (parts->size() == 1) {
    if (const auto* quoted = std::get_if<shell::DoubleQuoted>(&parts->front().value)) {
      parts = &quoted->parts;
    }
  }
  const auto* parameter =
      parts->size() == 1 ? std::get_if<shell::Parameter>(&parts->front().value) : nullptr;
  if (parameter == nullptr || !parameter->op.empty() || parameter->length || parameter->indirect ||
      parameter->subscript) {
    return std::nullopt;
  }
  return parameter->name;
}

} // namespace

std::string Lifting::background(ir::Step& step) {
  const shell::Statement& statement = alone(*step.statement);
  const State before = state();
  ir::Step inner = make_step(statement);
  std::string why;
  if (const auto* piped = std::get_if<shell::Pipeline>(&statement.value)) {
    why = pipeline(inner, *piped);
  } else if (const auto* command = shell::as_simple(statement);
             command != nullptr && !command->words.empty()) {
    why = lift(inner, *command, false);
  } else {
    why = "a command in the background";
  }
  if (const auto* piped = std::get_if<ir::Pipeline>(&inner.value)) {
    if (to_file(std::get<ir::Launch>(piped->stages.back().value))) {
      why = "a pipeline in the background that writes to a file";
    }
  } else if (const auto* launch = std::get_if<ir::Launch>(&inner.value);
             why.empty() && (launch == nullptr || launch->rank || launch->copies > 1)) {
    why = "a command in the background";
  }
  if (!why.empty()) {
    restore(before);
    return why;
  }
  beside_ = true;
  ir::Background result;
  result.steps.push_back(std::move(inner));
  step.value = std::move(result);
  return {};
}

// pid=$!
bool Lifting::takes_task(ir::Step& step, const shell::SimpleCommand& command) {
  auto* beside = previous_ == nullptr ? nullptr : std::get_if<ir::Background>(&previous_->value);
  if (beside == nullptr || !beside->task.empty() || command.assignments.size() != 1 ||
      !step.statement->redirects.empty()) {
    return false;
  }
  const shell::Assignment& assignment = command.assignments.front();
  if (assignment.append || assignment.subscript || !assignment.value ||
      lone_name(*assignment.value) != "!" || exported_.contains(assignment.name) ||
      maybe_exported_.contains(assignment.name) || scope_.is_local(assignment.name)) {
    return false;
  }
  beside->task = local_name(job_, assignment.name);
  tasks_[assignment.name] = beside->task;
  scope_.forget(assignment.name);
  step.value = ir::Nothing{};
  return true;
}

// Of each command in the background that nothing waits for.
void Lifting::note_left_running() {
  std::vector<std::pair<Span, std::string>> left;
  ir::for_each_step(std::as_const(job_.body), [&](const ir::Step& step) {
    if (const auto* beside = std::get_if<ir::Background>(&step.value)) {
      left.emplace_back(step.span, beside->task);
    } else if (const auto* wait = std::get_if<ir::Wait>(&step.value)) {
      std::erase_if(left, [&](const auto& each) {
        return wait->tasks.empty() ||
               std::ranges::find(wait->tasks, each.second) != wait->tasks.end();
      });
    } else if (std::holds_alternative<ir::Opaque>(step.value)) {
      left.clear(); // it may wait itself
    }
  });
  for (const auto& [span, task] : left) {
    review::Finding finding;
    finding.rule = "S2F434";
    finding.span = span;
    finding.message = "Nothing waits for this command in the background.";
    finding.slurm_does = "When the script ends, Slurm ends what still runs.";
    finding.output_does = "It ends with the task's container; a local run may leave it running.";
    context_.findings.add(std::move(finding));
  }
}

std::string Lifting::wait(ir::Step& step, const shell::SimpleCommand& command) {
  if (!step.statement->redirects.empty()) {
    return "a wait with a redirection";
  }
  ir::Wait result;
  for (std::size_t i = 1; i < command.words.size(); ++i) {
    const auto name = lone_name(command.words[i]);
    const auto task = name ? tasks_.find(*name) : tasks_.end();
    if (task == tasks_.end()) {
      return "the shell's own wait";
    }
    result.tasks.push_back(task->second);
  }
  if (!beside_ && result.tasks.empty()) { // for nothing
    step.value = ir::Nothing{};
    return {};
  }
  if (result.tasks.empty()) {
    review::Finding finding;
    finding.rule = "S2F411";
    finding.span = step.span;
    finding.message = "`wait` succeeds whatever the background commands returned.";
    finding.slurm_does = "The job goes on, and a part that failed goes unnoticed.";
    finding.output_does = "The same.";
    context_.findings.add(std::move(finding));
    step.reviews.push_back(review_comment(
        "S2F411", fmt::format("`wait` ({}) succeeds whatever the commands returned. check=True "
                              "would end the job there.",
                              context_.at(step.span))));
  }
  step.value = std::move(result);
  return {};
}

} // namespace s2f::passes
