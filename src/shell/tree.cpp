// What a word says when it is nothing but text.
#include "shell/tree.hpp"

namespace s2f::shell {

namespace {

// Adds a part's text; false when it has none of its own.
bool append_text(const WordPart& part, std::string& text) {
  if (const auto* literal = std::get_if<Literal>(&part.value)) {
    if (literal->globs) {
      return false;
    }
    text += literal->value;
    return true;
  }
  if (const auto* single = std::get_if<SingleQuoted>(&part.value)) {
    text += single->value;
    return true;
  }
  if (const auto* ansi = std::get_if<AnsiQuoted>(&part.value)) {
    text += ansi->value;
    return true;
  }
  if (const auto* quoted = std::get_if<DoubleQuoted>(&part.value)) {
    for (const WordPart& inner : quoted->parts) {
      if (!append_text(inner, text)) {
        return false;
      }
    }
    return true;
  }
  return false;
}

} // namespace

std::optional<std::string> Word::literal() const {
  std::string text;
  for (const WordPart& part : parts) {
    if (!append_text(part, text)) {
      return std::nullopt;
    }
  }
  return text;
}

bool Word::quoted() const {
  for (const WordPart& part : parts) {
    if (std::holds_alternative<SingleQuoted>(part.value) ||
        std::holds_alternative<AnsiQuoted>(part.value) ||
        std::holds_alternative<DoubleQuoted>(part.value)) {
      return true;
    }
    const auto* literal = std::get_if<Literal>(&part.value);
    if (literal != nullptr && literal->escaped) {
      return true;
    }
  }
  return false;
}

const SimpleCommand* as_simple(const Statement& statement) {
  return std::get_if<SimpleCommand>(&statement.value);
}

} // namespace s2f::shell
