// Finds the names that a function reads, and takes the other assignments out.
#include "emit/unread.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/imports.hpp"

namespace s2f::emit {

namespace {

// Calls that do nothing but give a value.
constexpr std::array<std::string_view, 11> without_effect{
    "Path",           "Path.home",     "datetime.now", "getpass.getuser", "len",
    "os.environ.get", "platform.node", "range",        "run_name",        "str",
    "time.strftime"};

bool unread(const flyte::Stmt& statement, const Names& read) {
  const auto* assign = std::get_if<flyte::Assign>(&statement.value);
  return assign != nullptr && assign->target.find_first_of(".[ ,") == std::string::npos &&
         !read.contains(assign->target) && calls_only(assign->value, without_effect);
}

// `x = await capture(...)`, of which nothing reads the x.
bool only_runs(const flyte::Stmt& statement, const Names& read) {
  const auto* assign = std::get_if<flyte::Assign>(&statement.value);
  return assign != nullptr && assign->op.empty() &&
         assign->target.find_first_of(".[ ,") == std::string::npos &&
         !read.contains(assign->target) &&
         std::holds_alternative<flyte::Await>(assign->value.value);
}

// `x, y = await bash_values(TEXT, ..., returns=("X", "Y"))`: those that nothing reads are not
// asked for.
bool narrow(flyte::Stmt& statement, const Names& read, flyte::Helpers& helpers) {
  auto* assign = std::get_if<flyte::Assign>(&statement.value);
  auto* await = assign != nullptr ? std::get_if<flyte::Await>(&assign->value.value) : nullptr;
  auto* call = await != nullptr ? std::get_if<flyte::Call>(&await->value->value) : nullptr;
  const auto* callee = call != nullptr ? std::get_if<flyte::Name>(&call->callee->value) : nullptr;
  if (callee == nullptr || callee->dotted != "bash_values") {
    return false;
  }
  const auto returns = std::ranges::find(call->arguments, "returns", &flyte::Arg::keyword);
  auto& names = std::get<flyte::TupleExpr>(returns->value.value).elements;
  std::vector<std::string> targets;
  std::string target;
  for (const char c : assign->target + ",") {
    if (c == ',' && !target.empty()) {
      targets.push_back(std::exchange(target, {}));
    } else if (c != ' ' && c != '[' && c != ']' && c != ',') {
      target += c;
    }
  }
  const std::size_t before = targets.size();
  for (std::size_t i = targets.size(); i-- > 0;) {
    if (!read.contains(targets[i])) {
      targets.erase(targets.begin() + static_cast<std::ptrdiff_t>(i));
      names.erase(names.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  if (targets.size() == before) {
    return false;
  }
  if (targets.empty()) {
    call->arguments.erase(returns);
    call->callee = flyte::name("bash");
    helpers["bash"];
    flyte::Expr value = std::move(assign->value);
    statement.value = flyte::ExprStmt{std::move(value)};
    return true;
  }
  assign->target = targets.size() == 1 ? fmt::format("[{}]", targets.front())
                                       : fmt::format("{}", fmt::join(targets, ", "));
  return true;
}

// Whether anything is left that Python takes for a block.
bool stands(const std::vector<flyte::Stmt>& list, const Names& read) {
  return std::ranges::any_of(list, [&](const flyte::Stmt& statement) {
    return !std::holds_alternative<flyte::CommentOnly>(statement.value) && !unread(statement, read);
  });
}

bool drop(std::vector<flyte::Stmt>& list, const Names& read, flyte::Helpers& helpers) {
  bool changed = false;
  for (flyte::Stmt& statement : list) {
    if (auto* branches = std::get_if<flyte::IfStmt>(&statement.value)) {
      for (flyte::Branch& branch : branches->branches) {
        changed |= drop(branch.body, read, helpers);
      }
    } else if (auto* loop = std::get_if<flyte::ForStmt>(&statement.value)) {
      changed |= drop(loop->body, read, helpers);
    } else if (auto* again = std::get_if<flyte::WhileStmt>(&statement.value)) {
      changed |= drop(again->body, read, helpers);
    } else if (auto* with = std::get_if<flyte::WithStmt>(&statement.value)) {
      changed |= drop(with->body, read, helpers);
    } else if (auto* tries = std::get_if<flyte::TryStmt>(&statement.value)) {
      changed |= drop(tries->body, read, helpers);
      changed |= drop(tries->finally, read, helpers);
    } else if (auto* function = std::get_if<flyte::FunctionDef>(&statement.value)) {
      changed |= drop(function->body, read, helpers);
    }
  }
  for (flyte::Stmt& statement : list) {
    if (narrow(statement, read, helpers)) {
      changed = true;
    } else if (only_runs(statement, read)) {
      flyte::Expr value = std::move(std::get<flyte::Assign>(statement.value).value);
      statement.value = flyte::ExprStmt{std::move(value)};
      changed = true;
    }
  }
  if (!stands(list, read)) {
    return changed;
  }
  for (flyte::Stmt& statement : list) {
    if (unread(statement, read) && !statement.notes.above.empty()) {
      statement.value = flyte::CommentOnly{};
      statement.notes.trailing.clear();
      changed = true;
    }
  }
  const auto gone =
      std::erase_if(list, [&](const flyte::Stmt& statement) { return unread(statement, read); });
  return changed || gone > 0;
}

} // namespace

void drop_unread(flyte::Module& module) {
  for (flyte::Task& task : module.tasks) {
    // What only a dropped value read goes with it.
    while (drop(task.body, names_read(task.body), module.helpers)) {
    }
  }
  if (calls_of(module, "bash_values").empty()) {
    module.helpers.erase("bash_values");
  }
}

} // namespace s2f::emit
