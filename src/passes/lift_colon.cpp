// : ${NAME:=text}, which gives a variable a value where it has none.
//
// before:  : "${EPOCHS:=10}"
// after:   Assign{EPOCHS = either{EPOCHS, "10"}}
#include <algorithm>

#include "passes/lifting.hpp"

namespace s2f::passes {

namespace {

// NAME=${NAME:-text}
std::optional<shell::Assignment> assignment_of(const shell::Word& word) {
  const shell::WordPart* part = word.parts.size() == 1 ? word.parts.data() : nullptr;
  if (part != nullptr) {
    if (const auto* quoted = std::get_if<shell::DoubleQuoted>(&part->value)) {
      part = quoted->parts.size() == 1 ? quoted->parts.data() : nullptr;
    }
  }
  const auto* parameter = part == nullptr ? nullptr : std::get_if<shell::Parameter>(&part->value);
  if (parameter == nullptr || (parameter->op != ":=" && parameter->op != "=") ||
      parameter->length || parameter->indirect || parameter->subscript) {
    return std::nullopt;
  }
  shell::Parameter asks = *parameter;
  asks.op = asks.op == ":=" ? ":-" : "-";
  shell::Assignment result;
  result.name = asks.name;
  result.span = word.span;
  result.value.emplace();
  result.value->span = word.span;
  result.value->parts.push_back({std::move(asks), part->span});
  return result;
}

} // namespace

std::string Lifting::colon(ir::Step& step, const shell::SimpleCommand& command) {
  std::vector<shell::Assignment> assignments;
  for (std::size_t i = 1; i < command.words.size(); ++i) {
    if (auto assignment = assignment_of(command.words[i])) {
      assignments.push_back(std::move(*assignment));
    } else if (!command.words[i].literal()) {
      return "the shell's own :";
    }
  }
  if (!step.statement->redirects.empty()) {
    return "the shell's own :";
  }
  if (assignments.empty()) {
    step.value = ir::Nothing{};
    return {};
  }
  std::string reason = assign(step, assignments, false);
  if (auto* made = std::get_if<ir::Assign>(&step.value); reason.empty() && made != nullptr) {
    made->declared = true; // it succeeds
  }
  return reason;
}

} // namespace s2f::passes
