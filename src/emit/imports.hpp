// Which names a module uses, and the imports that they need, in the order of isort.
#pragma once

#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flyte/program.hpp"

namespace s2f::emit {

using Names = std::set<std::string, std::less<>>;

// Adds the first part of each name of a type that is held as text ("dict[str, File]": dict, str,
// File).
void add_reference(Names& names, std::string_view reference);
// Adds the names that an expression reads.
void add_expression(Names& names, const flyte::Expr& expr);

// The names that the module reads and does not define itself; those of helpers are not among them.
[[nodiscard]] Names free_names(const flyte::Module& module);

// The names that statements read; one that is set and never read is not among them.
[[nodiscard]] Names names_read(const std::vector<flyte::Stmt>& statements);

// Whether the expression calls none but these functions.
[[nodiscard]] bool calls_only(const flyte::Expr& expr, std::span<const std::string_view> functions);

// All calls of a function by that name in the tasks of a module.
[[nodiscard]] std::vector<const flyte::Call*> calls_of(const flyte::Module& module,
                                                       std::string_view function);

// The import statements for those of the names that grammar/python-names.json knows.
[[nodiscard]] std::vector<std::string> import_lines(const Names& names);

// Those of other modules that are made.
[[nodiscard]] std::vector<std::string>
module_import_lines(std::vector<flyte::ModuleImport> imports);

} // namespace s2f::emit
