// Variables that hold lists, and what the expansions of one give.
//
// before:  "${NAMES[$SLURM_ARRAY_TASK_ID]}" "${NAMES[@]}" ${#NAMES[@]}
// after:   Computed{item, {names, <index>}}, Computed{items, {names}}, "3"
#include <algorithm>

#include <fmt/format.h>

#include "passes/scope.hpp"

namespace s2f::passes {

namespace {

using Range = std::pair<std::int64_t, std::int64_t>;

ir::Value unknown(std::string why) {
  ir::Value value;
  value.append(ir::Unknown{std::move(why)});
  return value;
}

ir::Value of_list(ir::Operation operation, const Scope::List& list, bool one_word) {
  ir::Value whole;
  ir::Local local{list.python};
  local.splits = list.splits;
  whole.append(local);
  ir::Value value;
  value.append(ir::Computed{operation, {std::move(whole)}, one_word});
  return value;
}

// The text of a subscript as an expression, what it expands as names of its own.
std::string expression_of(const shell::Word& subscript, std::vector<shell::WordPart>& expansions) {
  std::string text;
  for (const shell::WordPart& part : subscript.parts) {
    if (const auto* literal = std::get_if<shell::Literal>(&part.value)) {
      text += literal->value;
    } else {
      text += "${}";
      expansions.push_back(part);
    }
  }
  return text;
}

} // namespace

void Scope::set_list(const std::string& name, List list) {
  forgotten_.erase(name);
  values_.erase(name);
  lists_[name] = std::move(list);
}

const Scope::List* Scope::list(const std::string& name) const {
  const auto found = lists_.find(name);
  return found == lists_.end() ? nullptr : &found->second;
}

// Between which numbers the value lies; nothing where that cannot be told.
std::optional<Range> Scope::range_of(const ir::Value& value) const {
  if (const auto text = value.text()) {
    return plain_number(*text) ? std::optional(Range{std::stoll(*text), std::stoll(*text)})
                               : std::nullopt;
  }
  if (value.parts.size() != 1) {
    return std::nullopt;
  }
  if (std::holds_alternative<ir::ArrayIndex>(value.parts[0])) {
    if (!job_->array || job_->array->spec.indices.empty()) {
      return std::nullopt;
    }
    const auto [least, most] = std::ranges::minmax(job_->array->spec.indices);
    return Range{least, most};
  }
  if (const auto* local = std::get_if<ir::Local>(&value.parts[0])) {
    const auto found = ranges_.find(local->name);
    return found == ranges_.end() ? std::nullopt : std::optional(found->second);
  }
  const auto* sum = std::get_if<ir::Computed>(&value.parts[0]);
  if (sum == nullptr || sum->operands.size() != 2) {
    return std::nullopt;
  }
  const auto left = range_of(sum->operands[0]);
  const auto right = range_of(sum->operands[1]);
  constexpr std::int64_t large = 1'000'000'000;
  if (!right || right->first < -large || right->second > large) {
    return std::nullopt;
  }
  if (sum->operation == ir::Operation::remainder && right->first > 0) {
    const bool natural = left && left->first >= 0;
    return Range{natural ? 0 : 1 - right->second, right->second - 1};
  }
  if (!left || left->first < -large || left->second > large) {
    return std::nullopt;
  }
  switch (sum->operation) {
  case ir::Operation::add:
    return Range{left->first + right->first, left->second + right->second};
  case ir::Operation::subtract:
    return Range{left->first - right->second, left->second - right->first};
  case ir::Operation::multiply:
    if (left->first >= 0 && right->first >= 0) {
      return Range{left->first * right->first, left->second * right->second};
    }
    return std::nullopt;
  case ir::Operation::divide:
    if (right->first == right->second && right->first > 0 && left->first >= 0) {
      return Range{left->first / right->first, left->second / right->first};
    }
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

ir::Value Scope::item_of(const List& list, ir::Value index, const std::string& name) const {
  const auto range = range_of(index);
  const bool sized = list.size.has_value();
  const auto size = static_cast<std::int64_t>(list.size.value_or(0));
  const bool constant = range && range->first == range->second;
  // Both count from the end where the index is below 0.
  const auto* counter = index.parts.size() == 1 ? std::get_if<ir::Local>(&index.parts[0]) : nullptr;
  const auto below = counter != nullptr ? below_.find(counter->name) : below_.end();
  const bool counted = below != below_.end() && !name.empty() && below->second == name;
  const bool inside = counted || (range && sized && range->first >= -size && range->second < size);
  if (!inside && constant && sized && range->first >= size) {
    // There is no such item; under set -u that ends the script.
    return nounset_ ? unknown("an item of a list that may not be there") : ir::Value{};
  }
  const auto* local = index.parts.size() == 1 ? std::get_if<ir::Local>(&index.parts[0]) : nullptr;
  const bool natural =
      (range && range->first >= 0) || (local != nullptr && local->natural) ||
      (index.parts.size() == 1 && std::holds_alternative<ir::ArrayIndex>(index.parts[0]));
  if (!inside && (!natural || nounset_)) {
    return unknown("an item of a list that may not be there");
  }
  ir::Value whole;
  ir::Local items{list.python};
  items.splits = list.splits;
  whole.append(items);
  ir::Value value;
  value.append(ir::Computed{inside ? ir::Operation::item : ir::Operation::item_or_nothing,
                            {std::move(whole), std::move(index)},
                            inside && list.one_word});
  return value;
}

// "${list[@]:1:2}"
ir::Value Scope::slice_of(const shell::Parameter& parameter, const List& list) {
  std::vector<std::int64_t> numbers;
  for (const shell::Word& word : parameter.arguments) {
    const auto text = assigned(word).text();
    if (!text || !plain_number(*text) || text->starts_with('-')) {
      return unknown("an expansion of a list");
    }
    numbers.push_back(std::stoll(*text));
  }
  if (numbers.empty()) {
    return unknown("an expansion of a list");
  }
  ir::Value whole;
  whole.append(ir::Local{list.python});
  std::vector<ir::Value> operands{whole, ir::Value::of(fmt::format("{}", numbers[0]))};
  if (numbers.size() > 1) {
    operands.push_back(ir::Value::of(fmt::format("{}", numbers[0] + numbers[1])));
  }
  ir::Value some;
  some.append(ir::Computed{ir::Operation::slice, std::move(operands), false});
  ir::Value value;
  value.append(ir::Computed{ir::Operation::items, {std::move(some)}, list.one_word});
  return value;
}

ir::Value Scope::list_parameter(const shell::Parameter& parameter, const List& list) {
  const std::string refused = "an expansion of a list";
  const auto subscript = parameter.subscript ? (*parameter.subscript)->literal() : std::nullopt;
  const bool all = subscript == "@" || subscript == "*";
  if (parameter.op == ":" && all && !parameter.length && !parameter.indirect) {
    return slice_of(parameter, list);
  }
  if (!parameter.op.empty() || parameter.indirect || (parameter.length && !all)) {
    return unknown(refused);
  }
  if (parameter.length) {
    return list.size ? ir::Value::of(fmt::format("{}", *list.size))
                     : of_list(ir::Operation::count, list, true);
  }
  if (all) {
    return of_list(subscript == "@" ? ir::Operation::items : ir::Operation::joined, list,
                   list.one_word);
  }
  if (!parameter.subscript) {
    return item_of(list, ir::Value::of("0"));
  }
  std::vector<shell::WordPart> expansions;
  const std::string expression = expression_of(**parameter.subscript, expansions);
  const auto term = term_of(expression, expansions);
  ir::Value index = term ? number_of(*term, *job_, (*parameter.subscript)->span) : unknown(refused);
  return index.known() ? item_of(list, std::move(index), parameter.name) : index;
}

} // namespace s2f::passes
