// Finds the names that a function reads, and takes the other assignments out.
#include "emit/unread.hpp"

#include <algorithm>
#include <array>

#include "emit/imports.hpp"

namespace s2f::emit {

namespace {

// Calls that do nothing but give a value.
constexpr std::array<std::string_view, 7> without_effect{
    "Path.home", "getpass.getuser", "len", "os.environ.get", "platform.node", "range", "str"};

bool unread(const flyte::Stmt& statement, const Names& read) {
  const auto* assign = std::get_if<flyte::Assign>(&statement.value);
  return assign != nullptr && assign->target.find_first_of(".[ ,") == std::string::npos &&
         !read.contains(assign->target) && calls_only(assign->value, without_effect);
}

// Whether anything is left that Python takes for a block.
bool stands(const std::vector<flyte::Stmt>& list, const Names& read) {
  return std::ranges::any_of(list, [&](const flyte::Stmt& statement) {
    return !std::holds_alternative<flyte::CommentOnly>(statement.value) && !unread(statement, read);
  });
}

bool drop(std::vector<flyte::Stmt>& list, const Names& read) {
  bool changed = false;
  for (flyte::Stmt& statement : list) {
    if (auto* branches = std::get_if<flyte::IfStmt>(&statement.value)) {
      for (flyte::Branch& branch : branches->branches) {
        changed |= drop(branch.body, read);
      }
    } else if (auto* loop = std::get_if<flyte::ForStmt>(&statement.value)) {
      changed |= drop(loop->body, read);
    } else if (auto* again = std::get_if<flyte::WhileStmt>(&statement.value)) {
      changed |= drop(again->body, read);
    } else if (auto* with = std::get_if<flyte::WithStmt>(&statement.value)) {
      changed |= drop(with->body, read);
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
    while (drop(task.body, names_read(task.body))) {
    }
  }
}

} // namespace s2f::emit
