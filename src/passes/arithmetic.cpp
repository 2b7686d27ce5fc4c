// Reads the shell's arithmetic: 64 bits, division towards zero, what is unset is 0.
#include "passes/arithmetic.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

namespace s2f::passes {

namespace {

using ir::Operation;

bool name_start(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool name_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// "10", "010", "0x1f", "16#ff"; nothing for what is no number of the shell.
std::optional<std::int64_t> shell_number(std::string_view text) {
  std::uint64_t base = 10;
  if (const auto hash = text.find('#'); hash != std::string_view::npos) {
    base = 0;
    for (const char c : text.substr(0, hash)) {
      if (std::isdigit(static_cast<unsigned char>(c)) == 0 || base > 100) {
        return std::nullopt;
      }
      base = base * 10 + static_cast<std::uint64_t>(c - '0');
    }
    text.remove_prefix(hash + 1);
  } else if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text[0] == '0') {
    base = 8;
  }
  constexpr std::uint64_t largest_base = 36; // beyond it the case of letters matters
  constexpr std::size_t longest = 18;
  if (base < 2 || base > largest_base || text.empty() || text.size() > longest) {
    return std::nullopt;
  }
  std::uint64_t value = 0;
  for (const char c : text) {
    const int lower = std::tolower(static_cast<unsigned char>(c));
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    const bool letter = lower >= 'a' && lower <= 'z';
    const auto one = static_cast<std::uint64_t>(digit ? c - '0' : letter ? lower - 'a' + 10 : 99);
    if (one >= base) {
      return std::nullopt;
    }
    value = value * base + one;
  }
  return static_cast<std::int64_t>(value);
}

// The text of a variable as $(( )), or [ ], takes it, if it is a number.
std::optional<std::int64_t> number_in(std::string_view text, bool decimal = false) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) {
    text.remove_prefix(1);
  }
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) {
    text.remove_suffix(1);
  }
  if (text.empty()) {
    return decimal ? std::nullopt : std::optional(std::int64_t{0});
  }
  const bool minus = text.front() == '-';
  if (minus || text.front() == '+') {
    text.remove_prefix(1);
  }
  if (decimal) {
    text.remove_prefix(std::min(text.find_first_not_of('0'), text.size() - 1));
  }
  const auto value = shell_number(text);
  return value && minus ? std::optional(-*value) : value;
}

class Reader {
public:
  Reader(std::string_view text, const std::vector<shell::WordPart>& expansions,
         const ArithmeticNames& names)
      : text_(text), expansions_(expansions), names_(names) {}

  std::optional<Term> read() {
    Term term = assignment();
    blanks();
    if (failed_ || at_ != text_.size()) {
      return std::nullopt;
    }
    return term;
  }

private:
  static constexpr int most_nested = 40;

  void blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
      ++at_;
    }
  }
  bool take(std::string_view op) {
    blanks();
    if (!text_.substr(at_).starts_with(op)) {
      return false;
    }
    at_ += op.size();
    return true;
  }

  // The operator that stands here, the longest first; "" for none.
  [[nodiscard]] std::string_view peek() {
    blanks();
    static constexpr std::array<std::string_view, 35> operators{
        "<<=", ">>=", "**", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&",
        "||",  "+=",  "-=", "*=", "/=", "%=", "&=", "|=", "^=", "=",  "<",  ">",
        "&",   "|",   "^",  "+",  "-",  "*",  "/",  "%",  "?",  ":",  ","};
    for (const std::string_view op : operators) {
      if (text_.substr(at_).starts_with(op)) {
        return op;
      }
    }
    return {};
  }

  Term assignment() {
    Term left = conditional();
    const std::string_view op = peek();
    static constexpr std::array<std::string_view, 6> assigns{"=", "+=", "-=", "*=", "/=", "%="};
    if (std::ranges::find(assigns, op) == assigns.end()) {
      return left;
    }
    if (left.name.empty() || !left.op.empty()) {
      failed_ = true;
      return left;
    }
    at_ += op.size();
    Term result;
    result.op = op;
    result.operands.push_back(std::move(left));
    result.operands.push_back(assignment());
    return result;
  }

  Term conditional() {
    Term asked = binary(0);
    if (failed_ || peek() != "?") {
      return asked;
    }
    ++at_;
    Term result;
    result.op = "?";
    result.operands.push_back(std::move(asked));
    result.operands.push_back(conditional());
    failed_ |= !take(":");
    result.operands.push_back(conditional());
    return result;
  }

  static int strength(std::string_view op) {
    static constexpr std::array<std::pair<std::string_view, int>, 19> all{{{"||", 1},
                                                                           {"&&", 2},
                                                                           {"|", 3},
                                                                           {"^", 4},
                                                                           {"&", 5},
                                                                           {"==", 6},
                                                                           {"!=", 6},
                                                                           {"<", 7},
                                                                           {"<=", 7},
                                                                           {">", 7},
                                                                           {">=", 7},
                                                                           {"<<", 8},
                                                                           {">>", 8},
                                                                           {"+", 9},
                                                                           {"-", 9},
                                                                           {"*", 10},
                                                                           {"/", 10},
                                                                           {"%", 10},
                                                                           {"**", 11}}};
    const auto* found = std::ranges::find(all, op, [](const auto& each) { return each.first; });
    return found == all.end() ? 0 : found->second;
  }

  Term binary(int weakest) {
    if (++depth_ > most_nested) {
      failed_ = true;
    }
    Term left = unary();
    while (!failed_) {
      const std::string_view op = peek();
      const int own = strength(op);
      if (own == 0 || own <= weakest) {
        break;
      }
      at_ += op.size();
      Term result;
      result.op = op;
      result.operands.push_back(std::move(left));
      result.operands.push_back(binary(op == "**" ? own - 1 : own));
      left = std::move(result);
    }
    --depth_;
    return left;
  }

  Term unary() {
    blanks();
    for (const std::string_view op : {"++", "--"}) {
      if (text_.substr(at_).starts_with(op)) {
        at_ += 2;
        return wrapped(std::string(op) + "1");
      }
    }
    for (const std::string_view op : {"-", "+", "!", "~"}) {
      if (text_.substr(at_).starts_with(op)) {
        ++at_;
        return wrapped(std::string(op) + "1");
      }
    }
    Term term = atom();
    for (const std::string_view op : {"++", "--"}) {
      if (!failed_ && peek() == op && !term.name.empty()) {
        at_ += 2;
        Term result;
        result.op = op;
        result.operands.push_back(std::move(term));
        return result;
      }
    }
    return term;
  }

  Term wrapped(std::string op) {
    if (++depth_ > most_nested) {
      failed_ = true;
      return {};
    }
    Term result;
    result.op = std::move(op);
    result.operands.push_back(unary());
    --depth_;
    return result;
  }

  Term atom() {
    blanks();
    Term term;
    if (failed_ || at_ >= text_.size()) {
      failed_ = true;
      return term;
    }
    if (take("(")) {
      if (++depth_ > most_nested) {
        failed_ = true;
        return term;
      }
      term = assignment();
      --depth_;
      failed_ |= !take(")");
      if (!term.name.empty()) {
        term.name.clear(); // (x) is no place to assign to
      }
      return term;
    }
    const char c = text_[at_];
    if (c == '$' || c == '"' || c == '`') {
      return expansion();
    }
    const std::size_t begin = at_;
    while (at_ < text_.size() && (name_part(text_[at_]) || text_[at_] == '#')) {
      ++at_;
    }
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (word.empty() || (at_ < text_.size() && (text_[at_] == '[' || text_[at_] == '.'))) {
      failed_ = true;
      return term;
    }
    if (std::isdigit(static_cast<unsigned char>(word[0])) != 0) {
      if (word.ends_with('#') && at_ < text_.size() && text_[at_] == '$') { // 10#$x
        failed_ |= word != "10#";
        term = expansion();
        term.decimal = true;
        return term;
      }
      const auto value = shell_number(word);
      failed_ |= !value;
      term.value = ir::Value::of(fmt::format("{}", value.value_or(0)));
      return term;
    }
    if (!name_start(word[0]) || word.find('#') != std::string_view::npos) {
      failed_ = true;
      return term;
    }
    term.name = word;
    term.value = names_.name(term.name);
    return term;
  }

  Term expansion() {
    Term term;
    if (next_ >= expansions_.size()) {
      failed_ = true;
      return term;
    }
    skip_expansion();
    term.value = names_.expansion(expansions_[next_++]);
    if (at_ < text_.size() && (name_part(text_[at_]) || text_[at_] == '$' || text_[at_] == '#')) {
      failed_ = true; // digits put together
    }
    return term;
  }

  void skip_to(char open, char close) {
    int depth = 0;
    for (; at_ < text_.size(); ++at_) {
      depth += text_[at_] == open ? 1 : 0;
      if (text_[at_] == close && --depth == 0) {
        ++at_;
        return;
      }
    }
    failed_ = true;
  }

  void skip_expansion() {
    const char c = text_[at_];
    if (c == '"' || c == '`') {
      const auto end = text_.find(c, at_ + 1);
      failed_ |= end == std::string_view::npos;
      at_ = failed_ ? text_.size() : end + 1;
      return;
    }
    ++at_;
    if (at_ >= text_.size()) {
      failed_ = true;
    } else if (text_[at_] == '{') {
      skip_to('{', '}');
    } else if (text_[at_] == '(') {
      skip_to('(', ')');
    } else if (name_start(text_[at_])) {
      while (at_ < text_.size() && name_part(text_[at_])) {
        ++at_;
      }
    } else {
      ++at_;
    }
  }

  std::string_view text_;
  const std::vector<shell::WordPart>& expansions_;
  const ArithmeticNames& names_;
  std::size_t at_ = 0, next_ = 0;
  int depth_ = 0;
  bool failed_ = false;
};

ir::Value unknown(std::string why) {
  ir::Value value;
  value.append(ir::Unknown{std::move(why)});
  return value;
}

std::optional<std::int64_t> constant(const ir::Value& value) {
  const auto text = value.text();
  return text && plain_number(*text) ? number_in(*text) : std::nullopt;
}

// As Bash computes it; nothing for a division by zero and its like.
std::optional<std::int64_t> folded(std::string_view op, std::int64_t a, std::int64_t b) {
  const auto wrapped = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
  const auto left = static_cast<std::uint64_t>(a);
  const auto right = static_cast<std::uint64_t>(b);
  constexpr std::int64_t bits = 64;
  if (op == "+") {
    return wrapped(left + right);
  }
  if (op == "-") {
    return wrapped(left - right);
  }
  if (op == "*") {
    return wrapped(left * right);
  }
  if (op == "/" || op == "%") {
    if (b == 0 || (a == std::numeric_limits<std::int64_t>::min() && b == -1)) {
      return std::nullopt;
    }
    return op == "/" ? a / b : a % b;
  }
  if (op == "**") {
    if (b < 0 || b > bits) {
      return std::nullopt;
    }
    std::uint64_t power = 1;
    for (std::int64_t i = 0; i < b; ++i) {
      power *= left;
    }
    return wrapped(power);
  }
  if (op == "<<" || op == ">>") {
    if (b < 0 || b >= bits) {
      return std::nullopt;
    }
    return op == "<<" ? wrapped(left << right) : a >> b;
  }
  if (op == "&") {
    return a & b;
  }
  if (op == "|") {
    return a | b;
  }
  if (op == "^") {
    return a ^ b;
  }
  const bool result = op == "=="   ? a == b
                      : op == "!=" ? a != b
                      : op == "<"  ? a < b
                      : op == "<=" ? a <= b
                      : op == ">"  ? a > b
                      : op == ">=" ? a >= b
                      : op == "&&" ? a != 0 && b != 0
                                   : a != 0 || b != 0;
  return result ? 1 : 0;
}

std::optional<Operation> operation_of(std::string_view op) {
  if (op == "+") {
    return Operation::add;
  }
  if (op == "-") {
    return Operation::subtract;
  }
  if (op == "*") {
    return Operation::multiply;
  }
  if (op == "/") {
    return Operation::divide;
  }
  return op == "%" ? std::optional(Operation::remainder) : std::nullopt;
}

bool compares(std::string_view op) {
  return op == "==" || op == "!=" || op == "<" || op == "<=" || op == ">" || op == ">=";
}

} // namespace

std::optional<Term> read_arithmetic(std::string_view text,
                                    const std::vector<shell::WordPart>& expansions,
                                    const ArithmeticNames& names) {
  return Reader(text, expansions, names).read();
}

bool plain_number(std::string_view text) {
  if (text.starts_with('-')) {
    text.remove_prefix(1);
    if (text == "0") {
      return false;
    }
  }
  constexpr std::size_t longest = 18;
  return !text.empty() && text.size() <= longest && (text == "0" || text[0] != '0') &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

bool is_number(const ir::Value& value, const ir::Job& job) {
  if (const auto text = value.text()) {
    return plain_number(*text);
  }
  if (value.parts.size() != 1) {
    return false;
  }
  const ir::ValuePart& part = value.parts.front();
  if (const auto* local = std::get_if<ir::Local>(&part)) {
    return local->number;
  }
  if (std::holds_alternative<ir::Status>(part)) {
    return true;
  }
  if (const auto* computed = std::get_if<ir::Computed>(&part)) {
    return ir::is_numeric(computed->operation);
  }
  const auto* parameter = std::get_if<ir::ParameterRef>(&part);
  return std::holds_alternative<ir::ArrayIndex>(part) ||
         (parameter != nullptr && std::ranges::any_of(job.parameters, [&](const auto& each) {
            return each.name == parameter->name && each.type == ir::Type::integer;
          }));
}

ir::Value as_number(ir::Value value, ir::Job& job, bool decimal, source::Span span) {
  if (is_number(value, job)) {
    return value;
  }
  if (const auto text = value.text()) {
    const auto number = number_in(*text, decimal);
    return number ? ir::Value::of(fmt::format("{}", *number)) : unknown("arithmetic");
  }
  if (!value.known() || value.many()) {
    return value.known() ? unknown("arithmetic") : value;
  }
  const bool text = std::ranges::all_of(value.parts, [](const ir::ValuePart& part) {
    const auto* computed = std::get_if<ir::Computed>(&part);
    return std::holds_alternative<ir::Text>(part) || std::holds_alternative<ir::Local>(part) ||
           std::holds_alternative<ir::ParameterRef>(part) ||
           std::holds_alternative<ir::Output>(part) ||
           std::holds_alternative<ir::EnvironmentVariable>(part) ||
           (computed != nullptr && (computed->operation == Operation::item ||
                                    computed->operation == Operation::item_or_nothing));
  });
  if (!text) {
    return unknown("arithmetic");
  }
  const auto* local =
      value.parts.size() == 1 ? std::get_if<ir::Local>(&value.parts.front()) : nullptr;
  if (local == nullptr || !local->digits) { // it may turn out to be none
    job.number_reads.push_back(span);
  }
  ir::Value result;
  result.append(ir::Computed{
      decimal ? Operation::decimal : Operation::whole_number, {std::move(value)}, true});
  return result;
}

ir::Value combined(Operation operation, ir::Value left, ir::Value right) {
  ir::Value result;
  result.append(ir::Computed{operation, {std::move(left), std::move(right)}, true});
  return result;
}

ir::Value number_of(const Term& term, ir::Job& job, source::Span span) {
  if (term.op.empty()) {
    return as_number(term.value, job, term.decimal, span);
  }
  std::vector<ir::Value> operands;
  for (const Term& each : term.operands) {
    ir::Value value = number_of(each, job, span);
    if (!value.known()) {
      return value;
    }
    operands.push_back(std::move(value));
  }
  const auto a = constant(operands.front());
  if (operands.size() == 1) {
    if (term.op == "+1") {
      return operands.front();
    }
    if (a && (term.op == "-1" || term.op == "!1" || term.op == "~1")) {
      return ir::Value::of(fmt::format("{}", term.op == "-1"   ? -*a
                                             : term.op == "!1" ? (*a == 0 ? 1 : 0)
                                                               : ~*a));
    }
    return term.op == "-1" ? combined(Operation::subtract, ir::Value::of("0"), operands.front())
                           : unknown("arithmetic");
  }
  if (term.op == "?") {
    return a ? operands[*a != 0 ? 1 : 2] : unknown("arithmetic");
  }
  const auto b = constant(operands[1]);
  if (a && b) {
    const auto value = folded(term.op, *a, *b);
    return value ? ir::Value::of(fmt::format("{}", *value)) : unknown("arithmetic");
  }
  if (term.op == "**" && b == 2 && std::holds_alternative<ir::Text>(operands[1].parts[0])) {
    return combined(Operation::multiply, operands[0], operands[0]);
  }
  const auto operation = operation_of(term.op);
  const bool divides = operation == Operation::divide || operation == Operation::remainder;
  if (!operation || (divides && (!b || *b == 0))) {
    return unknown("arithmetic");
  }
  // Beyond 64 bits Python goes on where the shell starts again.
  constexpr std::int64_t large = 1'000'000'000'000;
  if (operation == Operation::multiply && !a && !b) {
    return unknown("arithmetic");
  }
  if ((a && (*a > large || *a < -large)) || (b && (*b > large || *b < -large))) {
    return unknown("arithmetic");
  }
  return combined(*operation, std::move(operands[0]), std::move(operands[1]));
}

std::optional<ir::Condition> condition_of(const Term& term, ir::Job& job, source::Span span) {
  if (term.op == "&&" || term.op == "||") {
    auto left = condition_of(term.operands[0], job, span);
    auto right = condition_of(term.operands[1], job, span);
    if (!left || !right) {
      return std::nullopt;
    }
    std::vector<ir::Condition> operands;
    operands.push_back(std::move(*left));
    operands.push_back(std::move(*right));
    return term.op == "&&" ? ir::Condition{ir::AllOf{std::move(operands)}}
                           : ir::Condition{ir::AnyOf{std::move(operands)}};
  }
  if (term.op == "!1") {
    auto inner = condition_of(term.operands[0], job, span);
    if (!inner) {
      return std::nullopt;
    }
    ir::Not result;
    result.operand.push_back(std::move(*inner));
    return ir::Condition{std::move(result)};
  }
  const bool compared = compares(term.op);
  ir::Value left = number_of(compared ? term.operands[0] : term, job, span);
  ir::Value right = compared ? number_of(term.operands[1], job, span) : ir::Value::of("0");
  if (!left.known() || !right.known()) {
    return std::nullopt;
  }
  const std::string op = compared ? term.op : "!=";
  if (const auto a = constant(left), b = constant(right); a && b) {
    return ir::Condition{ir::Always{*folded(op, *a, *b) != 0}};
  }
  return ir::Condition{ir::NumberTest{op, std::move(left), std::move(right)}};
}

} // namespace s2f::passes
