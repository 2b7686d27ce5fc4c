// What the scanner hands to the grammar: tokens, and the commands and redirections that hang on
// them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "shell/tree.hpp"

namespace s2f::shell {

enum class TokenKind : std::uint8_t {
  none, // before the first
  unit, // a simple command, [[ ]] or (( ))
  separator,
  background,
  and_if,
  or_if,
  pipe,
  pipe_both,
  open_paren,
  close_paren,
  open_brace,
  close_brace,
  if_,
  then,
  elif,
  else_,
  fi,
  while_,
  until,
  do_,
  done,
  for_header,   // `for x in a b;`, `for ((...))` and `select`, as far as `do`
  case_header,  // `case word in`
  case_pattern, // `a|b)`
  case_end,     // `;;`, `;&`, `;;&`
  esac,
};

// What stands before a command and does not fit tree-sitter's grammar.
struct Prefix {
  std::uint32_t begin = 0;         // of `!` or `time`, else that of the command
  std::uint32_t command_begin = 0; // of `f()` or `coproc`, else that of the command
  bool negated = false;
  bool timed = false;
  bool coprocess = false;
  std::string coprocess_name;
  std::optional<std::string> function;

  [[nodiscard]] bool needs_compound() const { return function.has_value(); }
};

// Offsets in tokens and in all that hangs on them are those of the source, never of a
// substitution's unescaped copy.
struct Token {
  TokenKind kind = TokenKind::none;
  bool compound = false; // a unit that is [[ ]] or (( ))
  // Of case_end: 0 `;;`, 1 `;&`, 2 `;;&`. Of a brace: 1 when it stands for `do` or `done`.
  std::uint8_t flavor = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::int32_t unit = -1;           // index into Body::units
  std::int32_t prefix = -1;         // index into Body::prefixes
  std::uint32_t first_redirect = 0; // range of Body::redirects that belong to this command
  std::uint32_t redirects = 0;
};

using Unit =
    std::variant<SimpleCommand, Test, ArithmeticCommand, For, ArithmeticFor, Case, CaseItem>;

// Statements of the outermost body from one newline at depth zero to the next: what a syntax error
// spoils.
struct Chunk {
  std::uint32_t first_token = 0;
  std::uint32_t end_token = 0;
  std::uint32_t begin = 0; // bytes, blank space and comments before it left out
  std::uint32_t end = 0;
  bool empty = true;
};

// A list of statements: the script, or the inside of a substitution.
struct Body {
  std::vector<Token> tokens;
  std::vector<Unit> units;
  std::vector<Prefix> prefixes;
  std::vector<Redirect> redirects;
  std::vector<std::uint32_t> redirect_ends; // a heredoc's closing delimiter included
  std::vector<Chunk> chunks;                // of the outermost body only
};

// A command, and with it a reserved word, may begin after these.
inline bool begins_command(TokenKind last) {
  switch (last) {
  case TokenKind::unit:
  case TokenKind::close_paren:
  case TokenKind::close_brace:
  case TokenKind::fi:
  case TokenKind::done:
  case TokenKind::esac:
  case TokenKind::for_header:
  case TokenKind::case_header:
  case TokenKind::case_end:
    return false;
  default:
    return true;
  }
}

// A list of commands may end after these.
inline bool ends_list(TokenKind last) {
  switch (last) {
  case TokenKind::unit:
  case TokenKind::separator:
  case TokenKind::background:
  case TokenKind::close_paren:
  case TokenKind::close_brace:
  case TokenKind::fi:
  case TokenKind::done:
  case TokenKind::esac:
    return true;
  default:
    return false;
  }
}

inline bool ends_command(TokenKind last) {
  return ends_list(last) && last != TokenKind::separator && last != TokenKind::background;
}

inline bool takes_prefix(TokenKind kind) {
  switch (kind) {
  case TokenKind::unit:
  case TokenKind::open_paren:
  case TokenKind::open_brace:
  case TokenKind::if_:
  case TokenKind::while_:
  case TokenKind::until:
  case TokenKind::for_header:
  case TokenKind::case_header:
    return true;
  default:
    return false;
  }
}

inline TokenKind last_kind(const Body& body) {
  return body.tokens.empty() ? TokenKind::none : body.tokens.back().kind;
}

} // namespace s2f::shell
