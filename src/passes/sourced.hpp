// Statements that may do anything to the shell: a file or a text that nobody has read.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/effects.hpp"
#include "passes/context.hpp"

namespace s2f::passes {

// Whether Python can go on behind such a statement, with what the shell says of itself.
[[nodiscard]] bool says_what_it_did(const PassContext& context, std::size_t at);

// Variables whose values from that step on are read behind it.
[[nodiscard]] std::set<std::string> read_behind(const std::vector<ir::Step>& body, std::size_t at);

// Whether it reads files that come with the script, and those do nothing but set variables and run
// programs: there is nothing to look after.
// What a file that comes with the script reads and sets, where it does nothing to the shell but set
// variables; nothing for another statement.
[[nodiscard]] std::optional<analysis::Effects> variables_set(const PassContext& context,
                                                             std::size_t at);
[[nodiscard]] bool only_sets_variables(const PassContext& context,
                                       const shell::Statement& statement);

// The text with a check around it: where the statements did more to the shell than set variables
// and go somewhere, the text ends with an error.
[[nodiscard]] std::string watched(const std::string& text, const std::vector<ir::Step>& body,
                                  std::size_t last, const std::string& place);

} // namespace s2f::passes
