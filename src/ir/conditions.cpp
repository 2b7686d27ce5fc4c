// What can be said of a condition: its opposite, what of it is known, what it asks first.
//
// before:  Not{NumberTest{== 3}}     AllOf{Always{true}, FileTest}
// after:   NumberTest{!= 3}          FileTest
#include "ir/conditions.hpp"

#include <array>
#include <string_view>
#include <utility>

namespace s2f::ir {

Condition negated(Condition condition) {
  if (auto* inner = std::get_if<Not>(&condition.value)) {
    return Condition(std::move(inner->operand.front()));
  }
  if (auto* always = std::get_if<Always>(&condition.value)) {
    return Condition{Always{!always->value}};
  }
  if (auto* number = std::get_if<NumberTest>(&condition.value)) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> opposites{
        {{"==", "!="}, {"!=", "=="}, {"<", ">="}, {"<=", ">"}, {">", "<="}, {">=", "<"}}};
    const auto* found =
        std::ranges::find_if(opposites, [&](const auto& each) { return each.first == number->op; });
    number->op = found->second;
    return condition;
  }
  Not result;
  result.operand.push_back(std::move(condition));
  return Condition{std::move(result)};
}

// Whether asking it starts a program.
static bool runs(const Condition& condition) {
  const auto any = [](const std::vector<Condition>& operands) {
    return std::ranges::any_of(operands, runs);
  };
  if (const auto* negated = std::get_if<Not>(&condition.value)) {
    return any(negated->operand);
  }
  if (const auto* all = std::get_if<AllOf>(&condition.value)) {
    return any(all->operands);
  }
  if (const auto* some = std::get_if<AnyOf>(&condition.value)) {
    return any(some->operands);
  }
  if (const auto* text = std::get_if<TextTest>(&condition.value)) {
    return text->left.runs_program() || text->right.runs_program();
  }
  if (const auto* number = std::get_if<NumberTest>(&condition.value)) {
    return number->left.runs_program() || number->right.runs_program();
  }
  return !std::holds_alternative<Always>(condition.value) &&
         !std::holds_alternative<FileTest>(condition.value);
}

// Of `and` what is true says nothing, of `or` what is false; the other one says all, as far as
// nothing runs before it.
static Condition joined(std::vector<Condition> operands, bool all) {
  std::vector<Condition> left;
  for (Condition& each : operands) {
    Condition operand = simplified(std::move(each));
    const auto* always = std::get_if<Always>(&operand.value);
    if (always != nullptr && always->value == all) {
      continue;
    }
    if (always != nullptr && std::ranges::none_of(left, runs)) {
      return operand;
    }
    const bool ends = always != nullptr;
    left.push_back(std::move(operand));
    if (ends) {
      break;
    }
  }
  if (left.empty()) {
    return Condition{Always{all}};
  }
  if (left.size() == 1) {
    return Condition(std::move(left.front()));
  }
  return all ? Condition{AllOf{std::move(left)}} : Condition{AnyOf{std::move(left)}};
}

Condition simplified(Condition condition) {
  if (auto* inner = std::get_if<Not>(&condition.value)) {
    return negated(simplified(std::move(inner->operand.front())));
  }
  if (auto* all = std::get_if<AllOf>(&condition.value)) {
    return joined(std::move(all->operands), true);
  }
  if (auto* any = std::get_if<AnyOf>(&condition.value)) {
    return joined(std::move(any->operands), false);
  }
  return condition;
}

bool needs_statement(const Step& step) {
  if (const auto* piped = std::get_if<Pipeline>(&step.value)) {
    return std::ranges::any_of(piped->stages, [](const Step& stage) {
      const auto& launch = std::get<Launch>(stage.value);
      return std::ranges::any_of(launch.redirections, &Redirection::to_file);
    });
  }
  if (const auto* launch = std::get_if<Launch>(&step.value)) {
    return std::ranges::any_of(launch->redirections, &Redirection::to_file);
  }
  return !std::holds_alternative<Wait>(step.value) && !std::holds_alternative<Call>(step.value);
}

bool always_succeeds(const Step& step) {
  const auto* assign = std::get_if<Assign>(&step.value);
  const auto runs = [](const Binding& binding) {
    return binding.value.runs_program() ||
           (binding.items && std::ranges::any_of(*binding.items, &Value::runs_program));
  };
  return std::holds_alternative<Echo>(step.value) ||
         (assign != nullptr && (assign->declared || std::ranges::none_of(assign->bindings, runs)));
}

// The place of what is asked first.
static Condition& first_of(Condition& condition) {
  if (auto* negated = std::get_if<Not>(&condition.value)) {
    return first_of(negated->operand.front());
  }
  if (auto* all = std::get_if<AllOf>(&condition.value)) {
    return first_of(all->operands.front());
  }
  auto* any = std::get_if<AnyOf>(&condition.value);
  return any == nullptr ? condition : first_of(any->operands.front());
}

const Step* asked_first(const Condition& condition) {
  const auto* succeeds =
      std::get_if<Succeeds>(&first_of(const_cast<Condition&>(condition)).value); // NOLINT
  return succeeds != nullptr && needs_statement(succeeds->steps.front()) ? &succeeds->steps.front()
                                                                         : nullptr;
}

Condition with_answer(Condition condition, Condition answer) {
  first_of(condition) = std::move(answer);
  return simplified(std::move(condition));
}

// Whether any of its commands is a statement.
static bool asks_statement(const Condition& condition) {
  const auto any = [](const std::vector<Condition>& operands) {
    return std::ranges::any_of(operands, asks_statement);
  };
  if (const auto* succeeds = std::get_if<Succeeds>(&condition.value)) {
    return needs_statement(succeeds->steps.front());
  }
  if (const auto* negated = std::get_if<Not>(&condition.value)) {
    return any(negated->operand);
  }
  if (const auto* all = std::get_if<AllOf>(&condition.value)) {
    return any(all->operands);
  }
  const auto* some = std::get_if<AnyOf>(&condition.value);
  return some != nullptr && any(some->operands);
}

bool asks_later(const Condition& condition) {
  const auto later = [](const std::vector<Condition>& operands) {
    return asks_later(operands.front()) ||
           std::any_of(operands.begin() + 1, operands.end(), asks_statement);
  };
  if (const auto* negated = std::get_if<Not>(&condition.value)) {
    return later(negated->operand);
  }
  if (const auto* all = std::get_if<AllOf>(&condition.value)) {
    return later(all->operands);
  }
  const auto* any = std::get_if<AnyOf>(&condition.value);
  return any != nullptr && later(any->operands);
}

bool is_output(const Assign& assign) {
  if (assign.bindings.size() != 1 || assign.bindings.front().items) {
    return false;
  }
  const Value& value = assign.bindings.front().value;
  return value.parts.size() == 1 && std::holds_alternative<Output>(value.parts.front());
}

} // namespace s2f::ir
