// Which characters make names and which end words, as tables and one-liners.
#pragma once

#include <array>
#include <string_view>

namespace s2f::shell {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

constexpr bool is_name_character(char c) { return is_name_start(c) || is_digit(c); }

constexpr bool is_name(std::string_view text) {
  if (text.empty() || !is_name_start(text.front())) {
    return false;
  }
  for (const char c : text) {
    if (!is_name_character(c)) {
      return false;
    }
  }
  return true;
}

// Unquoted, these end a word.
constexpr bool is_metacharacter(char c) {
  switch (c) {
  case ' ':
  case '\t':
  case '\n':
  case ';':
  case '&':
  case '|':
  case '(':
  case ')':
  case '<':
  case '>':
    return true;
  default:
    return false;
  }
}

// $@, $?, ...
constexpr bool is_special_parameter(char c) {
  switch (c) {
  case '@':
  case '*':
  case '#':
  case '?':
  case '-':
  case '$':
  case '!':
    return true;
  default:
    return false;
  }
}

inline constexpr std::array<std::string_view, 22> reserved_words = {
    "!",        "[[", "case", "coproc", "do",   "done", "elif",  "else",  "esac", "fi", "for",
    "function", "if", "in",   "select", "then", "time", "until", "while", "{",    "}",  "]]"};

constexpr std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t\n";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

} // namespace s2f::shell
