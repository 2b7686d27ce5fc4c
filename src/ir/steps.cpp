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
    if (loop->condition) {
      parts_of(*loop->condition, visit);
    }
    visit(loop->steps);
  } else if (const auto* beside = std::get_if<Background>(&step.value)) {
    visit(beside->steps);
  } else if (const auto* pipeline = std::get_if<Pipeline>(&step.value)) {
    visit(pipeline->stages);
  } else if (const auto* at_exit = std::get_if<AtExit>(&step.value)) {
    visit(at_exit->steps);
  } else if (const auto* function = std::get_if<Function>(&step.value)) {
    visit(function->steps);
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

namespace {

void values_in(Value& value, const std::function<void(Value&)>& visit);

void values_of(Launch& launch, const std::function<void(Value&)>& visit) {
  for (Value& word : launch.words) {
    values_in(word, visit);
  }
  for (auto& [name, value] : launch.environment) {
    values_in(value, visit);
  }
  for (Redirection& redirection : launch.redirections) {
    values_in(redirection.file, visit);
  }
  if (launch.input) {
    values_in(launch.input->value, visit);
  }
}

void values_in(Value& value, const std::function<void(Value&)>& visit) {
  for (ValuePart& part : value.parts) {
    if (auto* computed = std::get_if<Computed>(&part)) {
      for (Value& operand : computed->operands) {
        values_in(operand, visit);
      }
    } else if (auto* output = std::get_if<Output>(&part)) {
      values_of(*output->launch, visit);
      for (auto& next : output->next) {
        values_of(*next, visit);
      }
    }
  }
  visit(value);
}

void values_of(Condition& condition, const std::function<void(Value&)>& visit) {
  if (auto* file = std::get_if<FileTest>(&condition.value)) {
    values_in(file->path, visit);
  } else if (auto* text = std::get_if<TextTest>(&condition.value)) {
    values_in(text->left, visit);
    values_in(text->right, visit);
  } else if (auto* number = std::get_if<NumberTest>(&condition.value)) {
    values_in(number->left, visit);
    values_in(number->right, visit);
  } else if (auto* pattern = std::get_if<PatternTest>(&condition.value)) {
    values_in(pattern->left, visit);
  } else if (auto* regex = std::get_if<RegexTest>(&condition.value)) {
    values_in(regex->left, visit);
  } else if (auto* negated = std::get_if<Not>(&condition.value)) {
    std::ranges::for_each(negated->operand, [&](Condition& each) { values_of(each, visit); });
  } else if (auto* all = std::get_if<AllOf>(&condition.value)) {
    std::ranges::for_each(all->operands, [&](Condition& each) { values_of(each, visit); });
  } else if (auto* any = std::get_if<AnyOf>(&condition.value)) {
    std::ranges::for_each(any->operands, [&](Condition& each) { values_of(each, visit); });
  }
}

} // namespace

void for_each_value(Step& step, const std::function<void(Value&)>& visit) {
  const auto each = [&](std::vector<Value>& values) {
    std::ranges::for_each(values, [&](Value& value) { values_in(value, visit); });
  };
  const auto bindings = [&](std::vector<Binding>& list) {
    for (Binding& binding : list) {
      values_in(binding.value, visit);
      if (binding.items) {
        each(*binding.items);
      }
    }
  };
  if (auto* launch = std::get_if<Launch>(&step.value)) {
    values_of(*launch, visit);
  } else if (auto* assign = std::get_if<Assign>(&step.value)) {
    bindings(assign->bindings);
  } else if (auto* echo = std::get_if<Echo>(&step.value)) {
    each(echo->words);
  } else if (auto* change = std::get_if<ChangeDirectory>(&step.value)) {
    values_in(change->directory, visit);
  } else if (auto* stage = std::get_if<Stage>(&step.value)) {
    values_in(stage->directory, visit);
  } else if (auto* call = std::get_if<Call>(&step.value)) {
    each(call->arguments);
  } else if (auto* at_exit = std::get_if<AtExit>(&step.value)) {
    bindings(at_exit->before);
  } else if (auto* branches = std::get_if<If>(&step.value)) {
    bindings(branches->before);
    for (Branch& branch : branches->branches) {
      values_of(branch.condition, visit);
    }
  } else if (auto* loop = std::get_if<For>(&step.value)) {
    bindings(loop->before);
    each(loop->items);
    if (loop->lines) {
      values_in(loop->lines->file, visit);
    }
    if (loop->range) {
      values_in(loop->range->first, visit);
      values_in(loop->range->end, visit);
    }
    if (loop->condition) {
      values_of(*loop->condition, visit);
    }
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
