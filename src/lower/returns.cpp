// How a function of the task gives its status.
#include "lower/returns.hpp"

#include <algorithm>
#include <iterator>
#include <string>

namespace s2f::lower {

namespace {

bool leaves(const flyte::Stmt& statement) {
  return std::holds_alternative<flyte::Return>(statement.value) ||
         std::holds_alternative<flyte::Raise>(statement.value);
}

bool gives(const flyte::Stmt& statement, const std::string& name) {
  const auto* assign = std::get_if<flyte::Assign>(&statement.value);
  return assign != nullptr && assign->target == name && assign->op.empty();
}

// Whether each way through the list ends by giving the name a value, or by leaving.
bool ends_so(const std::vector<flyte::Stmt>& body, const std::string& name) {
  if (body.empty()) {
    return false;
  }
  const auto* branches = std::get_if<flyte::IfStmt>(&body.back().value);
  return branches == nullptr
             ? leaves(body.back()) || gives(body.back(), name)
             : !branches->branches.back().condition &&
                   std::ranges::all_of(branches->branches, [&](const flyte::Branch& branch) {
                     return ends_so(branch.body, name);
                   });
}

void return_ends(std::vector<flyte::Stmt>& body, const std::string& name) {
  if (auto* assign = std::get_if<flyte::Assign>(&body.back().value);
      assign != nullptr && gives(body.back(), name)) {
    flyte::Expr value = std::move(assign->value);
    body.back().value = flyte::Return{std::move(value)};
    return;
  }
  auto* branches = std::get_if<flyte::IfStmt>(&body.back().value);
  if (branches == nullptr) {
    return;
  }
  for (flyte::Branch& branch : branches->branches) {
    return_ends(branch.body, name);
  }
  std::vector<flyte::Stmt> otherwise = std::move(branches->branches.back().body);
  branches->branches.pop_back();
  std::ranges::move(otherwise, std::back_inserter(body));
}

} // namespace

void return_directly(std::vector<flyte::Stmt>& body) {
  const auto* last = body.size() < 2 ? nullptr : std::get_if<flyte::Return>(&body.back().value);
  const auto* variable =
      last == nullptr || !last->value ? nullptr : std::get_if<flyte::Name>(&last->value->value);
  if (variable == nullptr) {
    return;
  }
  const std::string name = variable->dotted;
  flyte::Stmt end = std::move(body.back());
  body.pop_back();
  if (ends_so(body, name)) {
    return_ends(body, name);
  } else {
    body.push_back(std::move(end));
  }
}

} // namespace s2f::lower
