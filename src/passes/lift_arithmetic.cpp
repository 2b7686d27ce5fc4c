// (( )) and let: what they assign, and what they ask.
//
// before:  (( i += 2 ))              after:  Assign{i = Computed{add, {<i>, 2}}}
// before:  if (( n > 3 )); then      after:  If{NumberTest{<n> > 3}}
#include <algorithm>

#include "analysis/effects.hpp"
#include "passes/lifting.hpp"

namespace s2f::passes {

namespace {

// The value that an operator gives the name on its left; nothing if it assigns nothing.
std::optional<Term> given(const Term& term) {
  static const std::map<std::string, std::string> operators{
      {"+=", "+"}, {"-=", "-"}, {"*=", "*"}, {"/=", "/"}, {"%=", "%"}};
  if (term.op == "=") {
    return term.operands[1];
  }
  Term result;
  if (const auto known = operators.find(term.op); known != operators.end()) {
    result.op = known->second;
    result.operands = term.operands;
    return result;
  }
  if (term.op.starts_with("++") || term.op.starts_with("--")) {
    result.op = term.op.substr(0, 1);
    Term one;
    one.value = ir::Value::of("1");
    result.operands = {term.operands[0], std::move(one)};
    return result;
  }
  return std::nullopt;
}

// The text of a word of `let` as an expression; what it expands must be numbers.
bool expression_of(const std::vector<shell::WordPart>& parts, shell::Arithmetic& sum) {
  for (const shell::WordPart& part : parts) {
    if (const auto* plain = std::get_if<shell::Literal>(&part.value)) {
      sum.expression += plain->value;
    } else if (const auto* single = std::get_if<shell::SingleQuoted>(&part.value)) {
      sum.expression += single->value;
    } else if (const auto* quoted = std::get_if<shell::DoubleQuoted>(&part.value)) {
      if (!expression_of(quoted->parts, sum)) {
        return false;
      }
    } else if (std::holds_alternative<shell::Parameter>(part.value) ||
               std::holds_alternative<shell::Arithmetic>(part.value)) {
      sum.expression += "${}";
      sum.expansions.push_back(part);
    } else {
      return false;
    }
  }
  return sum.expression.find_first_of("`\"\\") == std::string::npos;
}

// Whether its status is 0 for sure: what it comes to is no 0.
bool never_zero(const Term& term, const ir::Value& value) {
  if (const auto text = value.text()) {
    return *text != "0" && term.op != "++" && term.op != "--";
  }
  const auto* sum = value.parts.size() == 1 ? std::get_if<ir::Computed>(&value.parts[0]) : nullptr;
  if (sum == nullptr || sum->operation != ir::Operation::add || term.op == "++") {
    return false;
  }
  const auto* local = sum->operands[0].parts.size() == 1
                          ? std::get_if<ir::Local>(&sum->operands[0].parts[0])
                          : nullptr;
  const auto more = sum->operands[1].text();
  return local != nullptr && local->natural && more && *more != "0" && !more->starts_with('-');
}

} // namespace

std::string Lifting::compute(ir::Step& step, const std::vector<shell::Arithmetic>& sums,
                             bool last) {
  const Scope before = scope_;
  const auto refuse = [&](std::string why) {
    scope_ = before;
    return why;
  };
  ir::Assign result;
  bool fails = false;
  for (const shell::Arithmetic& sum : sums) {
    const auto term = scope_.term_of(sum.expression, sum.expansions);
    const auto value_term = term ? given(*term) : std::nullopt;
    if (!value_term) {
      return refuse("arithmetic");
    }
    const std::string& name = term->operands[0].name;
    if (exported_.contains(name) || maybe_exported_.contains(name)) {
      return refuse("arithmetic with what programs see");
    }
    ir::Value value = number_of(*value_term, job_, step.span);
    if (!value.known()) {
      return refuse(why_unknown(value));
    }
    fails = !never_zero(*term, value);
    result.bindings.push_back(scope_.set(name, std::move(value)));
  }
  // A result of 0 is a failure, where anything asks.
  const bool ends =
      std::ranges::all_of(later_, [](const Reads& list) { return list.at + 1 >= list.size; });
  const std::size_t here = later_.front().at;
  const auto asks = [&](std::size_t i) {
    return i < job_.body.size() && job_.body[i].statement != nullptr &&
           analysis::effects_of(*job_.body[i].statement).status;
  };
  if (fails && (last || ends || errexit_ || asks(here) || asks(here + 1))) {
    return refuse("arithmetic whose result is the status");
  }
  step.value = std::move(result);
  return {};
}

std::string Lifting::let(ir::Step& step, const shell::SimpleCommand& command, bool last) {
  std::vector<shell::Arithmetic> sums;
  for (std::size_t i = 1; i < command.words.size(); ++i) {
    shell::Arithmetic& sum = sums.emplace_back();
    if (!expression_of(command.words[i].parts, sum)) {
      return "the shell's own let";
    }
  }
  if (sums.empty() || !step.statement->redirects.empty() || !command.assignments.empty()) {
    return "the shell's own let";
  }
  return compute(step, sums, last);
}

std::optional<ir::Condition> Lifting::arithmetic_test(const shell::Arithmetic& sum,
                                                      source::Span span, std::string& why) {
  const auto term = sum.assigns ? std::nullopt : scope_.term_of(sum.expression, sum.expansions);
  auto condition = term ? passes::condition_of(*term, job_, span) : std::nullopt;
  if (!condition) {
    why = "arithmetic";
  }
  return condition;
}

} // namespace s2f::passes
