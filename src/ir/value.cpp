// Building and asking of ir::Value.
#include "ir/value.hpp"

#include <algorithm>
#include <utility>

#include "ir/workload.hpp"

namespace s2f::ir {

static bool gives_many(Operation operation) {
  return operation == Operation::words || operation == Operation::pattern ||
         operation == Operation::items || operation == Operation::file_lines ||
         operation == Operation::matches;
}

bool is_numeric(Operation operation) {
  switch (operation) {
  case Operation::random:
  case Operation::process_id:
  case Operation::seconds:
  case Operation::whole_number:
  case Operation::decimal:
  case Operation::add:
  case Operation::subtract:
  case Operation::multiply:
  case Operation::divide:
  case Operation::remainder:
  case Operation::count:
  case Operation::length:
    return true;
  default:
    return false;
  }
}

bool Value::is_text() const {
  return std::ranges::all_of(
      parts, [](const ValuePart& part) { return std::holds_alternative<Text>(part); });
}

std::optional<std::string> Value::text() const {
  std::string joined;
  for (const ValuePart& part : parts) {
    const auto* piece = std::get_if<Text>(&part);
    if (piece == nullptr) {
      return std::nullopt;
    }
    joined += piece->text;
  }
  return joined;
}

bool Value::known() const {
  // Several words within one word: the shell would join the first and the last to what is around.
  const bool within = parts.size() > 1 && std::ranges::any_of(parts, [](const ValuePart& part) {
                        const auto* computed = std::get_if<Computed>(&part);
                        return computed != nullptr && gives_many(computed->operation);
                      });
  if (within) {
    return false;
  }
  return std::ranges::none_of(parts, [](const ValuePart& part) {
    const auto* computed = std::get_if<Computed>(&part);
    return std::holds_alternative<Variable>(part) || std::holds_alternative<Unknown>(part) ||
           (computed != nullptr && !std::ranges::all_of(computed->operands, &Value::known));
  });
}

bool Value::many() const {
  if (parts.size() != 1) {
    return false;
  }
  const auto* computed = std::get_if<Computed>(&parts.front());
  return computed != nullptr && gives_many(computed->operation);
}

bool Value::runs_program() const {
  return std::ranges::any_of(parts, [](const ValuePart& part) {
    const auto* computed = std::get_if<Computed>(&part);
    return std::holds_alternative<Output>(part) ||
           (computed != nullptr && std::ranges::any_of(computed->operands, &Value::runs_program));
  });
}

bool Value::of_the_moment() const {
  return std::ranges::any_of(parts, [](const ValuePart& part) {
    const auto* computed = std::get_if<Computed>(&part);
    return std::holds_alternative<Output>(part) ||
           (computed != nullptr &&
            (computed->operation == Operation::now ||
             computed->operation == Operation::working_directory ||
             computed->operation == Operation::random ||
             computed->operation == Operation::seconds ||
             std::ranges::any_of(computed->operands, &Value::of_the_moment)));
  });
}

bool Value::fixed() const {
  return std::ranges::all_of(parts, [](const ValuePart& part) {
    const auto* local = std::get_if<Local>(&part);
    return (local != nullptr && local->once) || std::holds_alternative<Text>(part) ||
           std::holds_alternative<ParameterRef>(part) || std::holds_alternative<ArrayIndex>(part) ||
           std::holds_alternative<ItemOf>(part) || std::holds_alternative<SubmitDirectory>(part) ||
           std::holds_alternative<TaskPath>(part);
  });
}

void Value::append(ValuePart part) {
  if (auto* text = std::get_if<Text>(&part)) {
    if (text->text.empty()) {
      return;
    }
    if (!parts.empty()) {
      if (auto* last = std::get_if<Text>(&parts.back())) {
        last->text += text->text;
        return;
      }
    }
  }
  parts.push_back(std::move(part));
}

Value Value::of(std::string text, Span span) {
  Value value;
  value.span = span;
  value.append(Text{std::move(text)});
  return value;
}

} // namespace s2f::ir
