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

// Whether a text is a pattern's with nothing in it that matches more than itself.
bool plain(std::string_view text) { return text.find_first_of("*?[\\") == std::string::npos; }

// What is cut off: a text, or a text and all before it or behind it.
struct Cut {
  Operation operation{};
  std::string text;
};

std::optional<Cut> cut_of(const std::string& op, const std::string& pattern) {
  const bool front = op[0] == '#';
  const bool longest = op.size() == 2;
  if (plain(pattern)) {
    return Cut{front ? Operation::without_prefix : Operation::without_suffix, pattern};
  }
  if (front && pattern.starts_with('*') && plain(pattern.substr(1)) && pattern.size() > 1) {
    return Cut{longest ? Operation::after_last : Operation::after_first, pattern.substr(1)};
  }
  const std::string head = pattern.substr(0, pattern.size() - 1);
  if (!front && pattern.ends_with('*') && plain(head) && !head.empty()) {
    return Cut{longest ? Operation::before_first : Operation::before_last, head};
  }
  return std::nullopt;
}

std::string cut(std::string text, const Cut& cut) {
  const std::string& mark = cut.text;
  const auto first = text.find(mark);
  const auto last = text.rfind(mark);
  switch (cut.operation) {
  case Operation::without_prefix:
    return text.starts_with(mark) ? text.substr(mark.size()) : text;
  case Operation::without_suffix:
    return text.ends_with(mark) ? text.substr(0, text.size() - mark.size()) : text;
  case Operation::after_first:
    return first == std::string::npos ? text : text.substr(first + mark.size());
  case Operation::after_last:
    return last == std::string::npos ? text : text.substr(last + mark.size());
  case Operation::before_last:
    return text.substr(0, last);
  default:
    return text.substr(0, first);
  }
}

std::string replaced(std::string text, const std::string& from, const std::string& to, bool all) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
    if (!all) {
      break;
    }
  }
  return text;
}

std::optional<std::size_t> offset(const ir::Value& value) {
  const auto text = value.text();
  constexpr std::size_t longest = 6;
  if (!text || text->empty() || text->size() > longest ||
      !std::ranges::all_of(*text, [](unsigned char c) { return std::isdigit(c) != 0; })) {
    return std::nullopt;
  }
  return std::stoul(*text);
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
  const bool simple =
      value.parts.size() == 1 && (std::holds_alternative<ir::Local>(value.parts[0]) ||
                                  std::holds_alternative<ir::ParameterRef>(value.parts[0]) ||
                                  std::holds_alternative<ir::EnvironmentVariable>(value.parts[0]) ||
                                  is_argument(value.parts[0]));
  if (kind != '-' || !colon || !simple || !other.known() || other.many()) {
    return other.known() ? unknown() : other;
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
  std::vector<ir::Value> arguments;
  for (const shell::Word& word : parameter.arguments) {
    arguments.push_back(assigned(word));
    if (!arguments.back().text()) {
      return unknown();
    }
  }
  const auto argument = [&](std::size_t i) {
    return i < arguments.size() ? arguments[i].text().value_or("") : "";
  };
  const bool escapes = std::ranges::any_of(parameter.arguments, [](const shell::Word& word) {
    return std::ranges::any_of(word.parts, [](const shell::WordPart& part) {
      const auto* literal = std::get_if<shell::Literal>(&part.value);
      return literal == nullptr || literal->escaped;
    });
  });
  if ((op == "#" || op == "##" || op == "%" || op == "%%") && !escapes && !argument(0).empty()) {
    const auto what = cut_of(op, argument(0));
    if (!what) {
      return unknown();
    }
    return text ? ir::Value::of(cut(*text, *what))
                : computed(what->operation, {std::move(value), ir::Value::of(what->text)}, single);
  }
  if ((op == "/" || op == "//") && !escapes && !argument(0).empty() && plain(argument(0)) &&
      argument(1).find_first_of("&\\") == std::string::npos) {
    const bool all = op == "//";
    return text ? ir::Value::of(replaced(*text, argument(0), argument(1), all))
                : computed(
                      all ? Operation::replaced : Operation::replaced_once,
                      {std::move(value), ir::Value::of(argument(0)), ir::Value::of(argument(1))},
                      single && !argument(1).empty());
  }
  if (op == ":" && (!text || ascii(*text))) {
    const auto from = arguments.empty() ? std::nullopt : offset(arguments[0]);
    const auto count = arguments.size() > 1 ? offset(arguments[1]) : std::nullopt;
    if (!from || (arguments.size() > 1 && !count)) {
      return unknown();
    }
    if (text) {
      return ir::Value::of(
          *from >= text->size() ? "" : text->substr(*from, count.value_or(text->size())));
    }
    std::vector<ir::Value> operands{std::move(value), std::move(arguments[0])};
    if (count) {
      operands.push_back(ir::Value::of(fmt::format("{}", *from + *count)));
    }
    return computed(Operation::slice, std::move(operands), false);
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
