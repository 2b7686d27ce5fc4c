// ir::Condition to Python expressions.
#include "lower/conditions.hpp"

#include <algorithm>

namespace s2f::lower {

namespace {

flyte::Expr binary(std::string op, flyte::Expr left, flyte::Expr right) {
  return flyte::Expr{flyte::Binary{std::move(op), std::move(left), std::move(right)}};
}

flyte::Expr negation(flyte::Expr operand) {
  return flyte::Expr{flyte::Unary{"not", std::move(operand)}};
}

flyte::Expr method(flyte::Expr value, std::string name) {
  return flyte::Expr{
      flyte::Call{flyte::Expr{flyte::Attribute{std::move(value), std::move(name)}}, {}}};
}

// Whether the value may be "", which names no file.
bool may_be_empty(const ir::Value& value) {
  return std::ranges::none_of(value.parts, [](const ir::ValuePart& part) {
    const auto* computed = std::get_if<ir::Computed>(&part);
    const bool found = computed != nullptr && computed->operation == ir::Operation::item &&
                       computed->operands.front().many(); // the one file of a pattern
    return found || std::holds_alternative<ir::Text>(part) ||
           std::holds_alternative<ir::ArrayIndex>(part) ||
           std::holds_alternative<ir::SubmitDirectory>(part);
  });
}

flyte::Expr file_test(const Conditions& parts, const ir::FileTest& test) {
  using Kind = ir::FileTest::Kind;
  flyte::Expr path = parts.path(test.path);
  flyte::Expr result;
  switch (test.kind) {
  case Kind::file:
    result = method(std::move(path), "is_file");
    break;
  case Kind::enter: // `cd ""` stays where it is
    return method(std::move(path), "is_dir");
  case Kind::directory:
    result = method(std::move(path), "is_dir");
    break;
  case Kind::exists:
    result = method(std::move(path), "exists");
    break;
  case Kind::link:
    result = method(std::move(path), "is_symlink");
    break;
  case Kind::readable:
  case Kind::writable:
  case Kind::executable: {
    const char* asked = test.kind == Kind::readable   ? "os.R_OK"
                        : test.kind == Kind::writable ? "os.W_OK"
                                                      : "os.X_OK";
    result =
        flyte::call("os.access", {flyte::arg(std::move(path)), flyte::arg(flyte::name(asked))});
    break;
  }
  case Kind::not_empty: {
    flyte::Expr size{flyte::Attribute{method(path, "stat"), "st_size"}};
    result = binary("and", method(std::move(path), "exists"),
                    binary(">", std::move(size), flyte::number("0")));
    break;
  }
  }
  if (!may_be_empty(test.path)) {
    return result;
  }
  return binary("and", text_expression(parts.job, test.path, parts.around(test.path)),
                std::move(result));
}

flyte::Expr text_test(const Conditions& parts, const ir::TextTest& test, bool equal) {
  if (test.right.text() == "") {
    flyte::Expr text = text_expression(parts.job, test.left, parts.around(test.left));
    return equal ? negation(std::move(text)) : text;
  }
  return binary(equal ? "==" : "!=", text_expression(parts.job, test.left, parts.around(test.left)),
                text_expression(parts.job, test.right, parts.around(test.right)));
}

// The pattern without its marks at the ends, where those are all it has.
std::optional<std::string> unmarked(std::string_view pattern, bool before, bool after) {
  if ((before && !pattern.starts_with('*')) || (after && !pattern.ends_with('*'))) {
    return std::nullopt;
  }
  pattern.remove_prefix(before ? 1 : 0);
  pattern.remove_suffix(after && !pattern.empty() ? 1 : 0);
  if (pattern.empty() || pattern.find_first_of("*?[") != std::string_view::npos) {
    return std::nullopt;
  }
  return std::string(pattern);
}

flyte::Expr pattern_test(const Conditions& parts, const ir::PatternTest& test) {
  flyte::Expr text = text_expression(parts.job, test.left, parts.around(test.left));
  if (const auto middle = unmarked(test.pattern, true, true)) {
    return binary("in", flyte::str(*middle), std::move(text));
  }
  const auto ends = [&](const char* name, std::string end) {
    return flyte::Expr{flyte::Call{flyte::Expr{flyte::Attribute{std::move(text), name}},
                                   {flyte::arg(flyte::str(std::move(end)))}}};
  };
  if (const auto end = unmarked(test.pattern, true, false)) {
    return ends("endswith", *end);
  }
  if (const auto begin = unmarked(test.pattern, false, true)) {
    return ends("startswith", *begin);
  }
  return flyte::call("fnmatch.fnmatchcase",
                     {flyte::arg(std::move(text)), flyte::arg(flyte::str(test.pattern))});
}

// [[ $x =~ text ]]: "text" in x, where the pattern is but text.
flyte::Expr regex_test(const Conditions& parts, const ir::RegexTest& test) {
  flyte::Expr text = text_expression(parts.job, test.left, parts.around(test.left));
  if (test.pattern.find_first_of("\\.^$*+?{}[]|()") == std::string::npos) {
    return binary("in", flyte::str(test.pattern), std::move(text));
  }
  return flyte::call("re.search",
                     {flyte::arg(flyte::str(test.pattern)), flyte::arg(std::move(text))});
}

flyte::Expr joined(const Conditions& parts, const std::vector<ir::Condition>& operands,
                   const std::string& op) {
  flyte::Expr result;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    Conditions each = parts;
    if (i + 1 < operands.size()) {
      each.variable.clear(); // the status is that of the last
    }
    flyte::Expr operand = condition(each, operands[i]);
    result = i == 0 ? std::move(operand) : binary(op, std::move(result), std::move(operand));
  }
  return result;
}

// The result of a `-n` or `-z` of text alone is no bool of Python, which nobody minds in an `if`.
flyte::Expr command(const Conditions& parts, const ir::Succeeds& succeeds, bool fails) {
  flyte::Expr status = parts.status(succeeds.steps.front());
  const std::string& own = succeeds.steps.front().status; // `|| rc=$?`
  if (!own.empty()) {
    status = flyte::Expr{flyte::Named{own, std::move(status)}};
  } else if (!parts.variable.empty() && !fails) {
    status = flyte::Expr{flyte::Named{parts.variable, std::move(status)}};
  }
  return fails ? status : binary("==", std::move(status), flyte::number("0"));
}

flyte::Expr negated(const Conditions& parts, const ir::Condition& operand) {
  if (const auto* succeeds = std::get_if<ir::Succeeds>(&operand.value)) {
    return command(parts, *succeeds, true);
  }
  if (const auto* text = std::get_if<ir::TextTest>(&operand.value)) {
    return text_test(parts, *text, false);
  }
  Conditions inner = parts;
  inner.variable.clear();
  return negation(condition(inner, operand));
}

} // namespace

flyte::Expr condition(const Conditions& parts, const ir::Condition& condition) {
  if (const auto* always = std::get_if<ir::Always>(&condition.value)) {
    return flyte::name(always->value ? "True" : "False");
  }
  if (const auto* file = std::get_if<ir::FileTest>(&condition.value)) {
    return file_test(parts, *file);
  }
  if (const auto* text = std::get_if<ir::TextTest>(&condition.value)) {
    return text_test(parts, *text, true);
  }
  if (const auto* pattern = std::get_if<ir::PatternTest>(&condition.value)) {
    return pattern_test(parts, *pattern);
  }
  if (const auto* regex = std::get_if<ir::RegexTest>(&condition.value)) {
    return regex_test(parts, *regex);
  }
  if (const auto* numbers = std::get_if<ir::NumberTest>(&condition.value)) {
    return binary(numbers->op,
                  number_expression(parts.job, numbers->left, parts.around(numbers->left)),
                  number_expression(parts.job, numbers->right, parts.around(numbers->right)));
  }
  if (const auto* succeeds = std::get_if<ir::Succeeds>(&condition.value)) {
    return command(parts, *succeeds, false);
  }
  if (const auto* inner = std::get_if<ir::Not>(&condition.value)) {
    return negated(parts, inner->operand.front());
  }
  if (const auto* all = std::get_if<ir::AllOf>(&condition.value)) {
    return joined(parts, all->operands, "and");
  }
  return joined(parts, std::get<ir::AnyOf>(condition.value).operands, "or");
}

} // namespace s2f::lower
