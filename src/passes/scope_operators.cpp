// The operators of ${ }: defaults, what is cut off, replaced, counted.
//
// before:  ${FILE##*/}    ${FILE%.txt}    ${SLURM_CPUS_PER_TASK:-4}
// after:   Computed{after_last, {<file>, "/"}}, Computed{without_suffix, {<file>, ".txt"}}, "4"
#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "passes/scope.hpp"

namespace s2f::passes {

namespace {

using ir::Operation;

constexpr const char* refused = "an operator on a variable";

ir::Value unknown(std::string why = refused) {
  ir::Value value;
  value.append(ir::Unknown{std::move(why)});
  return value;
}

ir::Value computed(Operation operation, std::vector<ir::Value> operands, bool one_word) {
  ir::Value value;
  value.append(ir::Computed{operation, std::move(operands), one_word});
  return value;
}

bool ascii(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) { return c < 128; });
}

// $1, of arguments that are a list of the task's.
bool is_argument(const ir::ValuePart& part) {
  const auto* computed = std::get_if<ir::Computed>(&part);
  return computed != nullptr && computed->operation == Operation::item_or_nothing &&
         std::holds_alternative<ir::ParameterRef>(computed->operands.front().parts.front());
}

// A number of ${x:N:M}, which may stand behind blanks.
std::optional<std::int64_t> offset(const ir::Value& value) {
  std::string text = value.text().value_or("");
  text.erase(0, text.find_first_not_of(' ') == std::string::npos ? 0 : text.find_first_not_of(' '));
  while (text.ends_with(' ')) {
    text.pop_back();
  }
  constexpr std::size_t longest = 6;
  if (text.empty()) {
    return value.text() ? std::optional<std::int64_t>(0) : std::nullopt;
  }
  return text.size() <= longest && plain_number(text) ? std::optional(std::stoll(text))
                                                      : std::nullopt;
}

// ${x:N:M}
ir::Value piece(ir::Value value, const std::vector<ir::Value>& arguments) {
  const bool counted = arguments.size() > 1;
  const auto given = arguments.empty() ? std::nullopt : offset(arguments[0]);
  const auto length = counted ? offset(arguments[1]) : std::optional<std::int64_t>(0);
  if (!given || !length) {
    return unknown();
  }
  const std::int64_t from = given.value_or(0);
  const std::int64_t count = length.value_or(0);
  if (const auto text = value.text()) {
    const auto size = static_cast<std::int64_t>(text->size());
    const std::int64_t begin = from < 0 ? size + from : from;
    if (begin < 0 || begin > size) {
      return {};
    }
    const std::int64_t end = !counted ? size : count < 0 ? size + count : begin + count;
    if (end < begin) {
      return unknown(); // Bash leaves the whole command
    }
    return ir::Value::of(
        text->substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
  }
  if (count < 0 && (from != 0 || count != -1 || !Scope::one_word(value))) {
    return unknown(); // as above, of a shorter one
  }
  std::vector<ir::Value> operands{std::move(value), ir::Value::of(fmt::format("{}", from))};
  if (counted) { // -1: but for the last sign
    operands.push_back(ir::Value::of(fmt::format("{}", from < 0 ? count : from + count)));
  }
  return computed(from < 0 ? Operation::substring : Operation::slice, std::move(operands), false);
}

} // namespace

// `set`: the variable is, if only to nothing.
ir::Value Scope::defaulted(const shell::Parameter& parameter, ir::Value value, bool set) {
  const std::string& op = parameter.op;
  const char kind = op.back();
  const bool colon = op.front() == ':';
  const bool quoted = !parameter.arguments.empty() && parameter.arguments.front().quoted();
  ir::Value other = parameter.arguments.empty() ? ir::Value{} : assigned(parameter.arguments[0]);
  if (quoted && other.text().value_or(" ").find_first_of(" \t\n*?[") != std::string::npos) {
    return unknown(); // its words are not split
  }
  const bool text = value.text() && !value.text()->empty();
  if (text || one_word(value) || (set && !colon && value.text())) { // there for sure
    return kind == '+' ? other : value;
  }
  if (value.parts.empty()) {
    return kind == '-' ? other : kind == '+' ? ir::Value{} : unknown();
  }
  const auto* variable =
      value.parts.size() == 1 ? std::get_if<ir::EnvironmentVariable>(&value.parts[0]) : nullptr;
  if (kind == '+' && !colon && variable != nullptr && other.known() && !other.many()) {
    return computed(Operation::instead, {std::move(value), std::move(other), ir::Value::of("set")},
                    false);
  }
  const bool simple =
      value.parts.size() == 1 && (std::holds_alternative<ir::Local>(value.parts[0]) ||
                                  std::holds_alternative<ir::ParameterRef>(value.parts[0]) ||
                                  std::holds_alternative<ir::EnvironmentVariable>(value.parts[0]) ||
                                  is_argument(value.parts[0]));
  if ((kind != '-' && kind != '+') || !colon || !simple || !other.known() || other.many() ||
      other.runs_program()) {
    return other.known() ? unknown() : other;
  }
  if (kind == '+') {
    return computed(Operation::instead, {std::move(value), std::move(other)}, false);
  }
  return other.parts.empty()
             ? value
             : computed(Operation::either, {std::move(value), std::move(other)}, false);
}

ir::Value Scope::operated(const shell::Parameter& parameter) {
  shell::Parameter bare;
  bare.name = parameter.name;
  const std::string& op = parameter.op;
  const bool defaults =
      op == ":-" || op == "-" || op == ":+" || op == "+" || op == ":?" || op == "?";
  const bool strict = nounset_;
  nounset_ = nounset_ && !defaults;
  ir::Value value = this->parameter(bare);
  nounset_ = strict;
  if (!value.known() || value.many()) {
    return value.known() ? unknown() : value;
  }
  if (defaults) {
    const bool digit = parameter.name[0] >= '0' && parameter.name[0] <= '9';
    const bool set = digit && arguments_
                         ? std::stoul(parameter.name) <= arguments_->size()
                         : values_.contains(parameter.name) && !unset_.contains(parameter.name);
    return defaulted(parameter, std::move(value), set);
  }
  const auto text = value.text();
  const bool single = one_word(value);
  if (parameter.length) {
    if (!op.empty() || (text && !ascii(*text))) {
      return unknown();
    }
    return text ? ir::Value::of(fmt::format("{}", text->size()))
                : computed(Operation::length, {std::move(value)}, true);
  }
  if (!op.empty() && (op[0] == '#' || op[0] == '%')) {
    return without(parameter, std::move(value));
  }
  if (op == "/" || op == "//") {
    return replaced(parameter, std::move(value));
  }
  std::vector<ir::Value> arguments;
  for (const shell::Word& word : parameter.arguments) {
    arguments.push_back(assigned(word));
    if (!arguments.back().text()) {
      return unknown();
    }
  }
  if (op == ":" && (!text || ascii(*text))) {
    return piece(std::move(value), arguments);
  }
  if ((op == "^^" || op == ",,") && parameter.arguments.empty() && (!text || ascii(*text))) {
    const bool up = op == "^^";
    if (!text) {
      return computed(up ? Operation::upper : Operation::lower, {std::move(value)}, single);
    }
    std::string changed = *text;
    std::ranges::transform(changed, changed.begin(), [&](unsigned char c) {
      return static_cast<char>(up ? std::toupper(c) : std::tolower(c));
    });
    return ir::Value::of(changed);
  }
  return unknown();
}

} // namespace s2f::passes
