// Which statements of a script its comments speak of.
#pragma once

#include <functional>
#include <string_view>

#include "ir/workload.hpp"

namespace s2f::ir {

struct CommentPlace {
  enum class Where { above, behind, below, around } where = Where::above;
  const shell::Statement* statement = nullptr;
  bool apart = false; // an empty line stands between
};

// Offers `take` the statements that a comment may speak of, the nearest first, until it takes one:
// that on whose line it stands, the next ones of its block, those before it, the statement around
// the block. `text` is the script's.
bool for_comment_places(const shell::Script& script, std::string_view text,
                        const shell::Comment& comment,
                        const std::function<bool(const CommentPlace&)>& take);

// The statements that stand directly in a compound command, block by block.
[[nodiscard]] std::vector<const std::vector<shell::Statement>*>
blocks_of(const shell::Statement& statement);

// What a comment says, without its `#`; nothing of one that only draws a line.
[[nodiscard]] std::string comment_text(std::string_view text);

} // namespace s2f::ir
