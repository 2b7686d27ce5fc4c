// The status of the command before, and exits.
//
// before:  ./run; rc=$?; exit $rc
// after:   Launch{./run, status}, Assign{rc = Status{status}}, Exit{rc}
// before:  ./run || exit
// after:   Launch{./run, or_exit}
#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "ir/conditions.hpp"
#include "passes/lifting.hpp"

namespace s2f::passes {

namespace {

constexpr const char* status_variable = "status";

// A status as `exit` takes it; nothing for what is no number.
std::optional<int> status_of(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  constexpr std::int64_t statuses = 256;
  if (error != std::errc{} || end != text.data() + text.size() || value < 0 ||
      fmt::format("{}", value) != text) {
    return std::nullopt;
  }
  return static_cast<int>(value % statuses);
}

bool asks_status(const shell::Word& word) {
  const auto* parameter =
      word.parts.size() == 1 ? std::get_if<shell::Parameter>(&word.parts.front().value) : nullptr;
  return parameter != nullptr && parameter->name == "?" && parameter->op.empty();
}

bool keeps_status(const ir::Step& step) {
  if (const auto* launch = std::get_if<ir::Launch>(&step.value)) {
    return launch->copies == 1;
  }
  if (const auto* assign = std::get_if<ir::Assign>(&step.value)) {
    return ir::is_output(*assign) ||
           std::ranges::none_of(assign->bindings, [](const ir::Binding& binding) {
             return binding.value.runs_program();
           });
  }
  return std::holds_alternative<ir::Pipeline>(step.value) ||
         std::holds_alternative<ir::Echo>(step.value) ||
         std::holds_alternative<ir::If>(step.value) ||
         std::holds_alternative<ir::For>(step.value) ||
         std::holds_alternative<ir::Wait>(step.value) ||
         std::holds_alternative<ir::Call>(step.value);
}

} // namespace

// $?: the command before it in its list keeps its status.
ir::Value Lifting::last_status() {
  ir::Value value;
  if (previous_ == nullptr || !keeps_status(*previous_)) {
    value.append(ir::Unknown{"the last status"});
    return value;
  }
  previous_->status = status_variable;
  value.append(ir::Status{status_variable});
  return value;
}

std::string Lifting::exit(ir::Step& step, const shell::SimpleCommand& command, bool last) {
  if (!step.statement->redirects.empty()) {
    return "an exit with a redirection";
  }
  const bool plain = command.words.size() == 1;
  if (last && (plain || (command.words.size() == 2 && asks_status(command.words[1])))) {
    step.value = ir::Nothing{true};
    return {};
  }
  if (plain) {
    const ir::Value status = last_status();
    if (!status.known()) {
      return "an exit with the last status";
    }
    step.value = ir::Exit{0, status_variable, false, false};
    return {};
  }
  return command.words.size() == 2 ? exit_with(step, command.words[1], last)
                                   : "an exit with a status";
}

std::string Lifting::exit_with(ir::Step& step, const shell::Word& word, bool last) {
  const ir::Value value = scope_.value_of(word);
  if (!value.known()) {
    return asks_status(word) ? "an exit with the last status" : why_unknown(value);
  }
  if (const auto text = value.text()) {
    const auto status = status_of(*text);
    if (!status) {
      return "an exit with a status";
    }
    if (last && *status == 0) {
      step.value = ir::Nothing{};
    } else {
      step.value = ir::Exit{*status, {}, last, false};
    }
    return {};
  }
  if (value.parts.size() != 1) {
    return "an exit with a status";
  }
  if (const auto* status = std::get_if<ir::Status>(&value.parts.front())) {
    step.value = ir::Exit{0, status->name, last, false};
    return {};
  }
  const auto* local = std::get_if<ir::Local>(&value.parts.front());
  if (local == nullptr || (!local->number && !local->digits)) {
    return "an exit with a status";
  }
  step.value = ir::Exit{0, local->name, last, local->digits};
  return {};
}

// command || exit: its failure ends the job.
bool Lifting::or_exit(ir::Step& step, const shell::AndOr& list, ir::Condition& left) {
  const auto* command = shell::as_simple(*list.right);
  auto* asks = std::get_if<ir::Succeeds>(&left.value);
  if (list.is_and || command == nullptr || asks == nullptr ||
      analysis::command_name(*command) != "exit" || !list.right->redirects.empty() ||
      command->words.size() > 2 ||
      (command->words.size() == 2 && !asks_status(command->words[1]))) {
    return false;
  }
  if (!std::holds_alternative<ir::Launch>(asks->steps.front().value) &&
      !std::holds_alternative<ir::Pipeline>(asks->steps.front().value)) {
    return false;
  }
  auto value = std::move(asks->steps.front().value);
  if (auto* launch = std::get_if<ir::Launch>(&value)) {
    launch->or_exit = true;
  } else if (auto* piped = std::get_if<ir::Pipeline>(&value)) {
    piped->or_exit = true;
  }
  step.value = std::move(value);
  return true;
}

} // namespace s2f::passes
