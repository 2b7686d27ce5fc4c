// What a task hands over where it ends before its last statement.
#include "lower/early_returns.hpp"

#include <algorithm>
#include <functional>

#include "flyte/walk.hpp"

namespace s2f::lower {

namespace {

using Names = std::set<std::string, std::less<>>;

class EarlyReturns {
public:
  EarlyReturns(const flyte::Return& last, const std::set<std::string>& bound,
               const std::vector<flyte::Stmt>& body)
      : last_(last), set_(bound.begin(), bound.end()) {
    binding([this](std::string_view name) { later_.emplace(name); }).statements(body);
  }

  void fill(std::vector<flyte::Stmt>& statements) {
    for (flyte::Stmt& statement : statements) {
      if (auto* early = std::get_if<flyte::Return>(&statement.value);
          early != nullptr && !early->value && last_.value) {
        early->value = known(*last_.value);
      } else if (auto* branches = std::get_if<flyte::IfStmt>(&statement.value)) {
        for (flyte::Branch& branch : branches->branches) {
          fill(branch.body);
        }
      } else if (auto* loop = std::get_if<flyte::ForStmt>(&statement.value)) {
        fill(loop->body);
      } else if (auto* again = std::get_if<flyte::WhileStmt>(&statement.value)) {
        fill(again->body);
      } else if (auto* tries = std::get_if<flyte::TryStmt>(&statement.value)) {
        fill(tries->body);
      }
      binding([this](std::string_view name) { set_.emplace(name); }).statement(statement);
    }
  }

private:
  static flyte::Walker binding(std::function<void(std::string_view)> bind) {
    return {.bind = std::move(bind)};
  }

  // It is made of a variable that has no value yet.
  [[nodiscard]] bool too_early(const flyte::Expr& expr) const {
    bool found = false;
    const auto use = [&](std::string_view dotted) {
      const std::string_view name = dotted.substr(0, dotted.find('.'));
      found = found || (later_.contains(name) && !set_.contains(name));
    };
    flyte::Walker{.use = use}.expression(expr);
    return found;
  }

  [[nodiscard]] flyte::Expr known(const flyte::Expr& value) const {
    if (!too_early(value)) {
      return value;
    }
    if (const auto* tuple = std::get_if<flyte::TupleExpr>(&value.value)) {
      flyte::TupleExpr some = *tuple;
      for (flyte::Arg& each : some.elements) {
        each.value = known(each.value);
      }
      return {some};
    }
    const auto* awaited = std::get_if<flyte::Await>(&value.value);
    const auto* call =
        awaited == nullptr ? nullptr : std::get_if<flyte::Call>(&(*awaited->value).value);
    const auto* callee =
        call == nullptr ? nullptr : std::get_if<flyte::Name>(&(*call->callee).value);
    if (callee != nullptr && callee->dotted == "keep") {
      return flyte::name("None");
    }
    if (callee == nullptr || callee->dotted != "keep_all") {
      return value;
    }
    flyte::Call some = *call;
    std::erase_if(some.arguments, [&](const flyte::Arg& each) { return too_early(each.value); });
    return some.arguments.empty() ? flyte::Expr{flyte::ListExpr{}}
                                  : flyte::await(flyte::Expr{std::move(some)});
  }

  const flyte::Return& last_;
  Names later_; // all that the body gives a value
  Names set_;   // those that have one here
};

} // namespace

void fill_returns(std::vector<flyte::Stmt>& body, const flyte::Return& last,
                  const std::set<std::string>& bound) {
  EarlyReturns(last, bound, body).fill(body);
}

} // namespace s2f::lower
