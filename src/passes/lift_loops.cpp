// Loops: for, while, until.
//
// before:  for ((i = 0; i < 3; i++)); do ./run $i; done
// after:   For{i in "0", "1", "2": Launch{./run <i>}}
// before:  until ./ready; do sleep 5; done
// after:   For{while Not{Succeeds{./ready}}: Launch{sleep 5}}
#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "ir/conditions.hpp"
#include "passes/lifting.hpp"

namespace s2f::passes {

namespace {

constexpr std::int64_t most_items = 1000;

std::optional<std::int64_t> integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() ||
      fmt::format("{}", value) != text) {
    return std::nullopt;
  }
  return value;
}

// first, first + step ... up to last, with it.
std::string add_numbers(std::int64_t first, std::int64_t last, std::int64_t step, Span span,
                        std::vector<ir::Value>& items) {
  if (step == 0 || (last - first) / step > most_items) {
    return "a loop over very many words";
  }
  for (std::int64_t i = first; step > 0 ? i <= last : i >= last; i += step) {
    items.push_back(ir::Value::of(fmt::format("{}", i), span));
  }
  return {};
}

std::string without_blanks(std::string_view text) {
  std::string result;
  std::ranges::copy_if(text, std::back_inserter(result),
                       [](unsigned char c) { return std::isspace(c) == 0; });
  return result;
}

} // namespace

// The numbers of $(seq 1 5) and {1..5}; false where the word is neither.
bool Lifting::numbers_of(const shell::Word& word, std::vector<ir::Value>& items, std::string& why) {
  if (word.parts.size() != 1) {
    return false;
  }
  if (const auto* braces = std::get_if<shell::BraceExpansion>(&word.parts[0].value);
      braces != nullptr && braces->range) {
    const auto first = integer(braces->range->first);
    const auto last = integer(braces->range->second);
    const auto by = braces->step ? integer(*braces->step) : std::optional<std::int64_t>(1);
    if (!first || !last || !by) {
      why = "a range of another form";
      return true;
    }
    const std::int64_t step = std::max<std::int64_t>(1, std::abs(*by));
    why = add_numbers(*first, *last, *first <= *last ? step : -step, word.span, items);
    return true;
  }
  const auto* substitution = std::get_if<shell::CommandSubstitution>(&word.parts[0].value);
  const auto* command = substitution == nullptr || substitution->body.size() != 1
                            ? nullptr
                            : shell::as_simple(substitution->body.front());
  if (command == nullptr || analysis::command_name(*command) != "seq" ||
      !substitution->body.front().redirects.empty() || !command->assignments.empty() ||
      functions_.contains("seq")) {
    return false;
  }
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 1; i < command->words.size(); ++i) {
    const auto number = integer(scope_.value_of(command->words[i]).text().value_or(""));
    if (!number) {
      return false;
    }
    numbers.push_back(*number);
  }
  constexpr std::size_t most = 3;
  if (numbers.empty() || numbers.size() > most) {
    return false;
  }
  const std::int64_t step = numbers.size() == most ? numbers[1] : 1;
  why = add_numbers(numbers.size() == 1 ? 1 : numbers.front(), numbers.back(), step, word.span,
                    items);
  return true;
}

std::string Lifting::items_of(const shell::For& loop, std::vector<ir::Value>& items) {
  for (const shell::Word& word : loop.words) {
    std::string why;
    if (numbers_of(word, items, why)) {
      if (!why.empty()) {
        return why;
      }
      continue;
    }
    if (auto all = loop.words.size() == 1 ? scope_.all_arguments(word) : std::nullopt;
        all && !all->unquoted) {
      items.push_back(std::move(*all));
      continue;
    }
    for (ir::Value& value : scope_.words_apart(word)) {
      if (!value.known()) {
        return why_unknown(value);
      }
      if (may_split(value)) {
        return "a loop over the words of a variable";
      }
      note_splitting(value);
      items.push_back(std::move(value));
    }
  }
  return items.size() > most_items ? "a loop over very many words" : "";
}

// for i in "${!list[@]}": the list has an item of each of these numbers, as long as nothing
// changes it.
void Lifting::note_keys(const shell::For& loop) {
  const shell::WordPart* part = loop.words.size() == 1 && loop.words.front().parts.size() == 1
                                    ? &loop.words.front().parts.front()
                                    : nullptr;
  const auto* quoted = part == nullptr ? nullptr : std::get_if<shell::DoubleQuoted>(&part->value);
  if (quoted != nullptr) {
    part = quoted->parts.size() == 1 ? &quoted->parts.front() : nullptr;
  }
  const auto* keys = part == nullptr ? nullptr : std::get_if<shell::Parameter>(&part->value);
  const bool changed = std::ranges::any_of(loop.body, [&](const shell::Statement& each) {
    const analysis::Effects effects = effects_of(each);
    return keys != nullptr &&
           (effects.writes.contains(keys->name) || effects.writes.contains(loop.variable));
  });
  if (keys != nullptr && keys->indirect && keys->subscript && !changed &&
      scope_.list(keys->name) != nullptr) {
    below_ = keys->name;
  }
}

std::string Lifting::for_(ir::Step& step, const shell::For& loop) {
  if (loop.select || !loop.in) {
    return loop.select ? "a select" : "a loop over the job's arguments";
  }
  ir::For result;
  if (std::string why = items_of(loop, result.items); !why.empty()) {
    return why;
  }
  note_keys(loop);
  return loop_over(step, std::move(result), loop.variable, loop.body);
}

// for ((i = 1; i <= 3; i++)), of known numbers
std::string Lifting::counted(ir::Step& step, const shell::ArithmeticFor& loop) {
  const std::string other = "a loop of another form";
  const std::string init = without_blanks(loop.init);
  const auto equals = init.find('=');
  if (equals == std::string::npos) {
    return other;
  }
  const std::string name = init.substr(0, equals);
  const std::string condition = without_blanks(loop.condition);
  const std::string again = without_blanks(loop.step);
  const auto number = [&](std::string text) -> std::optional<std::int64_t> {
    while (text.starts_with('$') || text.starts_with('{')) {
      text.erase(0, 1);
    }
    if (text.ends_with('}')) {
      text.pop_back();
    }
    const ir::Value* known = scope_.find(text);
    return integer(known != nullptr ? known->text().value_or("") : text);
  };
  if (!condition.starts_with(name)) {
    return other;
  }
  std::string op = condition.substr(name.size(), 1);
  if (condition.size() > name.size() + 1 && condition[name.size() + 1] == '=') {
    op += '=';
  }
  const auto first = number(init.substr(equals + 1));
  const auto bound = number(condition.substr(std::min(condition.size(), name.size() + op.size())));
  std::optional<std::int64_t> by;
  if (again == name + "++" || again == "++" + name) {
    by = 1;
  } else if (again == name + "--" || again == "--" + name) {
    by = -1;
  } else if (again.starts_with(name + "+=")) {
    by = number(again.substr(name.size() + 2));
  } else if (again.starts_with(name + "-=")) {
    by = number(again.substr(name.size() + 2));
    by = by ? std::optional(-*by) : by;
  }
  const bool up = op == "<" || op == "<=";
  if (!first || !bound || !by || *by == 0 || (!up && op != ">" && op != ">=") || up != (*by > 0)) {
    return counted_by_value(step, loop);
  }
  if (read_later(name) || std::ranges::any_of(loop.body, [&](const shell::Statement& each) {
        return effects_of(each).writes.contains(name);
      })) {
    return "a loop whose counter is read behind it";
  }
  const std::int64_t edge = op.size() == 2 ? 0 : (up ? -1 : 1);
  ir::For result;
  if (std::string why = add_numbers(*first, *bound + edge, *by, step.span, result.items);
      !why.empty()) {
    return why;
  }
  return loop_over(step, std::move(result), name, loop.body);
}

// What the loop's own variable, or its condition, leaves is settled; lifts what it does.
std::string Lifting::loop_over(ir::Step& step, ir::For result, const std::string& variable,
                               const std::vector<shell::Statement>& body) {
  if (exported_.contains(variable) || analysis::ambient_variable(variable) || variable == "IFS") {
    return fmt::format("a loop that sets {}, which programs see", variable);
  }
  if (result.lines ||
      !std::ranges::all_of(result.items, [&](const ir::Value& item) { return is_number(item); })) {
    scope_.no_number(variable);
  }
  if (std::string why = open_variables(*step.statement, result.before); !why.empty()) {
    return why;
  }
  const State before = state();
  const std::string below = std::exchange(below_, "");
  const std::vector<std::string> words = std::exchange(read_words_, {});
  forget_written(step);
  const bool plain = !result.lines && std::ranges::all_of(result.items, [](const ir::Value& item) {
    const auto text = item.text();
    return text && !text->empty() && text->find_first_of(" \t\n*?[") == std::string::npos;
  });
  const bool blanks = std::ranges::any_of(result.items, [](const ir::Value& item) {
    const auto* list =
        item.parts.size() == 1 ? std::get_if<ir::Computed>(&item.parts.front()) : nullptr;
    const bool items = list != nullptr && list->operation == ir::Operation::items;
    return item.many() ? items && Scope::splits_apart(item) : !Scope::one_word(item);
  });
  const bool numbers = std::ranges::all_of(result.items, [](const ir::Value& item) {
    return integer(item.text().value_or("")).has_value();
  });
  (void)scope_.local(variable, plain, blanks || result.lines.has_value(),
                     numbers && !result.items.empty());
  for (const std::string& word : words) { // each of one line
    scope_.no_number(word);
    (void)scope_.local(word, false, true);
  }
  result.variable = job_.locals.at(variable);
  if (!below.empty()) {
    scope_.set_below(variable, below);
  }
  if (job_.number_locals.contains(result.variable) && !result.items.empty()) {
    std::vector<std::int64_t> values;
    values.reserve(result.items.size());
    for (const ir::Value& item : result.items) {
      values.push_back(integer(item.text().value_or("")).value_or(0));
    }
    const auto [least, most] = std::ranges::minmax(values);
    scope_.set_range(variable, least, most);
  }
  return loop_body(step, std::move(result), before, body);
}

// Nothing is known of what the loop sets, nor of where it goes.
void Lifting::forget_written(const ir::Step& step) {
  const analysis::Effects effects = effects_of(*step.statement);
  for (const std::string& name : effects.writes) {
    if (!scope_.is_local(name) && scope_.list(name) == nullptr) {
      scope_.forget(name);
    }
  }
  if (effects.changes_directory) {
    elsewhere_ = true;
    scope_.set_directory(std::nullopt);
    made_.clear();
  }
}

std::string Lifting::loop_body(ir::Step& step, ir::For result, const State& before,
                               const std::vector<shell::Statement>& body) {
  ++loops_;
  const bool launched = launched_;
  previous_ = nullptr;
  std::string why = lift_all(body, step.span.begin, result.steps);
  --loops_;
  if (!why.empty()) {
    return why;
  }
  const bool now_launched = launched_ || launched;
  join(before, {before, state()}, *step.statement);
  launched_ = now_launched;
  step.value = std::move(result);
  return {};
}

std::string Lifting::while_(ir::Step& step, const shell::While& loop) {
  if (loop.condition.size() != 1) {
    return "a loop with several commands as its condition";
  }
  const analysis::Effects asks = effects_of(loop.condition.front());
  if (!asks.writes.empty()) {
    return "a loop that reads";
  }
  ir::For result;
  if (std::string why = open_variables(*step.statement, result.before); !why.empty()) {
    return why;
  }
  const State before = state();
  forget_written(step);
  previous_ = nullptr;
  std::string why;
  auto condition = this->condition(loop.condition.front(), why);
  if (!condition) {
    return why;
  }
  if (ir::asks_later(*condition)) {
    return "a condition of several, of which a later one is no program";
  }
  if (loop.until) {
    ir::Not negation;
    negation.operand.push_back(std::move(*condition));
    condition = ir::Condition{std::move(negation)};
  }
  result.condition = std::move(condition);
  return loop_body(step, std::move(result), before, loop.body);
}

} // namespace s2f::passes
