// What ${ } cuts off and replaces, by patterns of text, of values and of some signs.
//
// before:  ${FILE##*/}    ${FILE%"$END"}    ${NAME//[ _]/-}
// after:   Computed{after_last, {<file>, "/"}}, Computed{without_suffix, {<file>, <end>}},
//          Computed{substituted, {<name>, "[ _]", "-"}}
#include <algorithm>

#include "passes/patterns.hpp"
#include "passes/scope.hpp"

namespace s2f::passes {

namespace {

using ir::Operation;

ir::Value unknown() {
  ir::Value value;
  value.append(ir::Unknown{"an operator on a variable"});
  return value;
}

ir::Value computed(Operation operation, std::vector<ir::Value> operands, bool one_word) {
  ir::Value value;
  value.append(ir::Computed{operation, std::move(operands), one_word});
  return value;
}

bool is_quoted(const shell::WordPart& part) {
  return std::holds_alternative<shell::SingleQuoted>(part.value) ||
         std::holds_alternative<shell::AnsiQuoted>(part.value) ||
         std::holds_alternative<shell::DoubleQuoted>(part.value);
}

std::string cut(std::string text, Operation operation, const std::string& mark) {
  const auto first = text.find(mark);
  const auto last = text.rfind(mark);
  switch (operation) {
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

std::string exchanged(std::string text, const std::string& from, const std::string& to, bool all) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
    if (!all) {
      break;
    }
  }
  return text;
}

bool never_empty(const ir::Value& value) {
  return Scope::one_word(value) || std::ranges::any_of(value.parts, [](const ir::ValuePart& part) {
           return std::holds_alternative<ir::Text>(part);
         });
}

} // namespace

// What a pattern says: a text, before which or behind which there may be anything; or signs.
std::optional<Scope::Pattern> Scope::pattern(const shell::Word& word) {
  Pattern result;
  bool signs = false;
  for (std::size_t i = 0; i < word.parts.size(); ++i) {
    const shell::WordPart& part = word.parts[i];
    if (const auto* literal = std::get_if<shell::Literal>(&part.value)) {
      if (literal->escaped) {
        return std::nullopt; // what was escaped is not known here
      }
      std::string text = literal->value;
      if (i == 0 && text.starts_with('*')) {
        result.before = true;
        text.erase(0, 1);
      } else if (i + 1 == word.parts.size() && text.ends_with('*')) {
        result.after = true;
        text.pop_back();
      }
      signs = signs || text.find_first_of("*?[\\(") != std::string::npos;
      result.text.append(ir::Text{text});
      continue;
    }
    shell::Word alone;
    alone.parts.push_back(part);
    alone.span = part.span;
    ir::Value value = assigned(alone);
    if (!value.known() || value.many() || value.runs_program()) {
      return std::nullopt;
    }
    const auto text = value.text();
    if (text && !is_quoted(part) && text->find_first_of("*?[\\") != std::string::npos) {
      return std::nullopt;
    }
    if (!text && !is_quoted(part) && !one_word(value)) {
      const auto* parameter = std::get_if<shell::Parameter>(&part.value);
      if (parameter == nullptr || !several_ || several_(parameter->name)) {
        return std::nullopt;
      }
      job_->pattern_reads.push_back(part.span);
    }
    for (ir::ValuePart& each : value.parts) {
      result.text.append(std::move(each));
    }
  }
  if (signs) {
    const auto all =
        word.parts.size() == 1 ? std::get_if<shell::Literal>(&word.parts.front().value) : nullptr;
    const auto regex = all == nullptr ? std::nullopt : regex_of_pattern(all->value);
    if (!regex) {
      return std::nullopt;
    }
    result.regex = *regex;
  }
  return result;
}

// ${x#...}, ${x##...}, ${x%...}, ${x%%...}
ir::Value Scope::without(const shell::Parameter& parameter, ir::Value value) {
  const std::string& op = parameter.op;
  if (parameter.arguments.size() != 1 || (op != "#" && op != "##" && op != "%" && op != "%%")) {
    return unknown();
  }
  const auto what = pattern(parameter.arguments.front());
  const bool front = op[0] == '#';
  const bool longest = op.size() == 2;
  if (!what || !what->regex.empty() || (what->before && !front) || (what->after && front)) {
    return unknown();
  }
  const bool open = front ? what->before : what->after;
  if (what->text.parts.empty() || (open && !never_empty(what->text))) {
    return unknown();
  }
  Operation operation = front ? Operation::without_prefix : Operation::without_suffix;
  if (open && front) {
    operation = longest ? Operation::after_last : Operation::after_first;
  } else if (open) {
    operation = longest ? Operation::before_first : Operation::before_last;
  }
  const auto text = value.text();
  const auto mark = what->text.text();
  if (text && mark) {
    return ir::Value::of(cut(*text, operation, *mark));
  }
  const bool single = one_word(value);
  return computed(operation, {std::move(value), what->text}, single);
}

// ${x/.../...}, ${x//.../...}
ir::Value Scope::replaced(const shell::Parameter& parameter, ir::Value value) {
  if (parameter.arguments.empty()) {
    return unknown();
  }
  const bool all = parameter.op == "//";
  const auto from = pattern(parameter.arguments[0]);
  ir::Value to = parameter.arguments.size() > 1 ? assigned(parameter.arguments[1]) : ir::Value{};
  if (!from || !to.known() || to.many() || to.runs_program()) {
    return unknown();
  }
  for (const ir::ValuePart& part : to.parts) { // & is what was found, in newer ones
    const auto* text = std::get_if<ir::Text>(&part);
    if (text != nullptr && text->text.find_first_of("&\\") != std::string::npos) {
      return unknown();
    }
  }
  const bool single = one_word(value) && one_word(to);
  const auto text = value.text();
  if (!from->regex.empty()) {
    if (text || !to.text()) {
      return unknown();
    }
    std::vector<ir::Value> operands{std::move(value), ir::Value::of(from->regex), std::move(to)};
    if (!all) {
      operands.push_back(ir::Value::of("1"));
    }
    return computed(Operation::substituted, std::move(operands), single);
  }
  if (from->before || from->after || !never_empty(from->text)) {
    return unknown();
  }
  if (text && from->text.text() && to.text()) {
    return ir::Value::of(exchanged(*text, *from->text.text(), *to.text(), all));
  }
  return computed(all ? Operation::replaced : Operation::replaced_once,
                  {std::move(value), from->text, std::move(to)}, single);
}

} // namespace s2f::passes
