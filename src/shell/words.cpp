// Words and operands: what ends them, globs, tildes and escapes.
#include <array>

#include "shell/builder.hpp"
#include "shell/names.hpp"
#include "shell/scanner.hpp"

namespace s2f::shell {

namespace {

// Characters that mean only themselves in an unquoted word; bytes of UTF-8 sequences among them.
constexpr std::array<bool, 256> ordinary = [] {
  std::array<bool, 256> table{};
  table.fill(true);
  for (const char c : std::string_view(" \t\n;&|()<>\\'\"$`*?[]{},:=!@+")) {
    table[static_cast<unsigned char>(c)] = false;
  }
  table[0] = false;
  return table;
}();

bool is_ordinary(char c) { return ordinary[static_cast<unsigned char>(c)]; }

bool is_user_character(char c) { return is_name_character(c) || c == '-' || c == '.' || c == '+'; }

} // namespace

// ---- words -------------------------------------------------------------------------------------

// Reads a word up to a metacharacter; empty when there is none.
Word Scanner::word(WordRules rules) {
  const std::uint32_t begin = pos_;
  Builder builder(*this);
  const bool extended = rules.patterns || shared_.extglob;
  int parens = 0;                 // inside an extended pattern or a regular expression
  std::uint32_t plain = end_ + 1; // the last character that was neither quoted nor escaped
  bool bracket = false;
  bool equals = rules.assignment; // a tilde after `:` counts
  if (peek() == '~') {
    tilde(builder, rules.assignment);
  }
  while (!at_end()) {
    const std::uint32_t from = pos_;
    while (pos_ < end_ && is_ordinary(text_[pos_])) {
      ++pos_;
    }
    if (pos_ > from) {
      builder.plain(raw(from, pos_), from, pos_);
      plain = pos_ - 1;
      continue;
    }
    if (!work()) {
      break;
    }
    const char c = text_[pos_];
    const std::uint32_t at = pos_;
    bool takes = true; // as itself
    switch (c) {
    case ' ':
    case '\t':
    case '\n':
    case ';':
    case '&':
      takes = parens > 0;
      break;
    case '|':
      takes = parens > 0 || rules.regex;
      break;
    case '(':
      takes = parens > 0 || rules.regex ||
              (extended && plain + 1 == pos_ && at > begin &&
               std::string_view("@?*+!").find(text_[plain]) != std::string_view::npos);
      if (takes) {
        ++parens;
        builder.globs();
      }
      break;
    case ')':
      takes = parens > 0;
      if (takes) {
        --parens;
      }
      break;
    case '<':
    case '>':
      if (peek(1) == '(') {
        process_substitution(builder);
        continue;
      }
      takes = parens > 0;
      break;
    case '\\':
      backslash(builder);
      continue;
    case '\'':
      single_quoted(builder);
      continue;
    case '"':
      double_quoted(builder);
      continue;
    case '`':
      backquoted(builder, false);
      continue;
    case '$':
      if (dollar(builder, false)) {
        continue;
      }
      break;
    case '*':
    case '?':
      builder.plain(raw(at, at + 1), at, at + 1);
      builder.globs();
      plain = pos_++;
      continue;
    case '[':
      bracket = true;
      break;
    case ']':
      if (bracket) {
        builder.plain("]", at, at + 1);
        builder.globs();
        plain = pos_++;
        continue;
      }
      break;
    case '{':
    case '}':
    case ',':
      if (rules.braces && parens == 0 && (c == '{' || builder.has_mark('{'))) {
        builder.mark(c, at);
        plain = pos_++;
        continue;
      }
      break;
    case '=':
      // `make PREFIX=~/x`: Bash treats what looks like an assignment as one.
      if (!equals && is_name(raw(begin, at))) {
        equals = true;
        builder.plain("=", at, at + 1);
        plain = pos_++;
        if (peek() == '~') {
          tilde(builder, true);
        }
        continue;
      }
      break;
    case ':':
      if (equals && peek(1) == '~') {
        builder.plain(":", at, at + 1);
        plain = pos_++;
        if (tilde(builder, true)) {
          continue;
        }
        continue;
      }
      break;
    default:
      break;
    }
    if (!takes) {
      break;
    }
    builder.plain(raw(at, at + 1), at, at + 1);
    plain = pos_++;
  }
  if (parens > 0) {
    problem(begin, "a pattern's parenthesis is not closed");
  }
  Word result;
  if (!builder.take(result.parts)) {
    problem(begin, "braces nested too deeply");
  }
  result.span = span(begin, pos_);
  return result;
}

// ~ and ~user, when nothing quoted or expanded belongs to the user's name.
bool Scanner::tilde(Builder& builder, bool assignment) {
  const std::uint32_t begin = pos_;
  std::uint32_t end = pos_ + 1;
  while (end < end_ && is_user_character(text_[end])) {
    ++end;
  }
  const char next = end < end_ ? text_[end] : '\0';
  const bool whole = end >= end_ || next == '/' || (assignment && next == ':') ||
                     is_metacharacter(next) || next == '}';
  if (!whole) {
    builder.plain("~", pos_, pos_ + 1);
    ++pos_;
    return false;
  }
  builder.part(Tilde{std::string(raw(begin + 1, end))}, begin, end);
  pos_ = end;
  return true;
}

void Scanner::backslash(Builder& builder) {
  const std::uint32_t at = pos_;
  if (pos_ + 1 == text_.size()) { // at the end of the script it continues a line that is not there
    ++pos_;
  } else if (pos_ + 1 >= end_) {
    builder.escaped("\\", at, at + 1);
    ++pos_;
  } else if (text_[pos_ + 1] == '\n') {
    pos_ += 2;
  } else {
    builder.escaped(raw(at + 1, at + 2), at, at + 2);
    pos_ += 2;
  }
}
// ---- operands ----------------------------------------------------------------------------------

// A word inside ${...} or [...]: blanks and operators are text in it.
Word Scanner::operand(OperandRules rules) {
  const Level level(shared_);
  const std::uint32_t begin = pos_;
  Builder builder(*this);
  if (level.too_deep()) {
    problem(begin, "nested too deeply");
    pos_ = end_;
  }
  const bool literal_quotes = rules.quoted && !rules.pattern;
  int parens = 0;    // a `:` inside of them ends no offset
  int questions = 0; // nor does that of `a ? b : c`
  int brackets = 0;  // nor does a `]` inside end a subscript
  if (peek() == '~' && !rules.quoted && rules.globs) {
    tilde(builder, false);
  }
  while (!at_end() && work()) {
    const char c = text_[pos_];
    const std::uint32_t at = pos_;
    if (c == rules.closer && brackets == 0) {
      break;
    }
    if (rules.stop != '\0' && c == rules.stop) {
      if (c != ':') {
        break;
      }
      if (parens == 0 && questions == 0) {
        break;
      }
      if (parens == 0) {
        --questions;
      }
    }
    switch (c) {
    case '\\': {
      const char next = peek(1);
      if (next == '\n') {
        pos_ += 2;
        continue;
      }
      const bool keeps = literal_quotes && next != '$' && next != '`' && next != '"' &&
                         next != '\\' && next != '}';
      if (!keeps) {
        backslash(builder);
        continue;
      }
      break;
    }
    case '\'':
      if (!literal_quotes) {
        single_quoted(builder);
        continue;
      }
      break;
    case '"':
      double_quoted(builder);
      continue;
    case '`':
      backquoted(builder, rules.quoted);
      continue;
    case '$':
      if (dollar(builder, literal_quotes)) {
        continue;
      }
      break;
    case '<':
    case '>':
      if (!rules.quoted && rules.globs && peek(1) == '(') {
        process_substitution(builder);
        continue;
      }
      break;
    case '(':
      ++parens;
      break;
    case ')':
      if (parens > 0) {
        --parens;
      }
      break;
    case '?':
      if (parens == 0 && rules.stop == ':') {
        ++questions;
      }
      break;
    case '[':
      if (rules.closer == ']') {
        ++brackets;
      }
      break;
    case ']':
      if (brackets > 0) {
        --brackets;
      }
      break;
    case '\n':
      if (rules.closer == ']') {
        // No subscript goes over a line's end.
        problem(at, "a subscript is not closed");
        Word result;
        builder.take(result.parts);
        result.span = span(begin, pos_);
        return result;
      }
      break;
    default:
      break;
    }
    builder.plain(raw(at, at + 1), at, at + 1);
    if (rules.globs && (c == '*' || c == '?' || c == '[')) {
      builder.globs();
    }
    ++pos_;
  }
  Word result;
  builder.take(result.parts);
  result.span = span(begin, pos_);
  return result;
}

} // namespace s2f::shell
