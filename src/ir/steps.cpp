// Walks over steps.
#include "ir/steps.hpp"

#include <algorithm>

namespace s2f::ir {

namespace {

void parts_of(const Condition& condition,
              const std::function<void(const std::vector<Step>&)>& visit) {
  if (const auto* succeeds = std::get_if<Succeeds>(&condition.value)) {
    visit(succeeds->steps);
  }
  const auto each = [&](const std::vector<Condition>& operands) {
    for (const Condition& operand : operands) {
      parts_of(operand, visit);
    }
  };
  if (const auto* negated = std::get_if<Not>(&condition.value)) {
    each(negated->operand);
  } else if (const auto* all = std::get_if<AllOf>(&condition.value)) {
    each(all->operands);
  } else if (const auto* any = std::get_if<AnyOf>(&condition.value)) {
    each(any->operands);
  }
}

} // namespace

void for_each_part(const Step& step, const std::function<void(const std::vector<Step>&)>& visit) {
  if (const auto* branches = std::get_if<If>(&step.value)) {
    for (const Branch& branch : branches->branches) {
      parts_of(branch.condition, visit);
      visit(branch.steps);
    }
    if (branches->otherwise) {
      visit(*branches->otherwise);
    }
    visit(branches->after);
  } else if (const auto* loop = std::get_if<For>(&step.value)) {
    visit(loop->steps);
  } else if (const auto* pipeline = std::get_if<Pipeline>(&step.value)) {
    visit(pipeline->stages);
  }
}

void for_each_step(const std::vector<Step>& steps, const std::function<void(const Step&)>& visit) {
  for (const Step& step : steps) {
    visit(step);
    for_each_part(step, [&](const std::vector<Step>& inner) { for_each_step(inner, visit); });
  }
}

void for_each_step(std::vector<Step>& steps, const std::function<void(Step&)>& visit) {
  for (Step& step : steps) {
    visit(step);
    // What is walked belongs to `steps`, which may be changed.
    for_each_part(step, [&](const std::vector<Step>& inner) {
      for_each_step(const_cast<std::vector<Step>&>(inner), visit); // NOLINT
    });
  }
}

bool any_step(const Step& step, const std::function<bool(const Step&)>& predicate) {
  bool found = predicate(step);
  for_each_part(
      step, [&](const std::vector<Step>& inner) { found = found || any_step(inner, predicate); });
  return found;
}

bool any_step(const std::vector<Step>& steps, const std::function<bool(const Step&)>& predicate) {
  return std::ranges::any_of(steps, [&](const Step& step) { return any_step(step, predicate); });
}

} // namespace s2f::ir
