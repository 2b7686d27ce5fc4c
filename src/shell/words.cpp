// Words: quoting, escapes, globs, tildes, brace expansions and the operands inside ${...}.
#include <array>
#include <charconv>

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

void append_utf8(std::string& text, std::uint32_t code) {
  auto byte = [&](std::uint32_t value) { text += static_cast<char>(value); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xC0 | (code >> 6));
    byte(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    byte(0xE0 | (code >> 12));
    byte(0x80 | ((code >> 6) & 0x3F));
    byte(0x80 | (code & 0x3F));
  } else {
    byte(0xF0 | ((code >> 18) & 0x07));
    byte(0x80 | ((code >> 12) & 0x3F));
    byte(0x80 | ((code >> 6) & 0x3F));
    byte(0x80 | (code & 0x3F));
  }
}

int digit_value(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  if (c >= 'a' && c <= 'f') {
    return c - 'a' + 10;
  }
  if (c >= 'A' && c <= 'F') {
    return c - 'A' + 10;
  }
  return 99;
}

// Reads up to `most` digits at `at`; how many there were.
std::size_t read_digits(std::string_view text, std::size_t at, int base, std::size_t most,
                        std::uint32_t& value) {
  std::size_t count = 0;
  value = 0;
  while (count < most && at + count < text.size() && digit_value(text[at + count]) < base) {
    value = value * static_cast<std::uint32_t>(base) +
            static_cast<std::uint32_t>(digit_value(text[at + count]));
    ++count;
  }
  return count;
}

// The inside of $'...' with its escapes decoded as Bash does; a NUL ends it.
std::string decode_ansi(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '\\' || at + 1 >= text.size()) {
      out += text[at++];
      continue;
    }
    const char c = text[at + 1];
    at += 2;
    std::uint32_t value = 0;
    std::size_t digits = 0;
    switch (c) {
    case 'a':
      out += '\a';
      break;
    case 'b':
      out += '\b';
      break;
    case 'e':
    case 'E':
      out += '\x1b';
      break;
    case 'f':
      out += '\f';
      break;
    case 'n':
      out += '\n';
      break;
    case 'r':
      out += '\r';
      break;
    case 't':
      out += '\t';
      break;
    case 'v':
      out += '\v';
      break;
    case '\\':
    case '\'':
    case '"':
    case '?':
      out += c;
      break;
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
      at += read_digits(text, at - 1, 8, 3, value) - 1;
      if ((value & 0xFF) == 0) {
        return out;
      }
      out += static_cast<char>(value & 0xFF);
      break;
    case 'x': {
      const bool braced = at < text.size() && text[at] == '{';
      digits =
          braced ? read_digits(text, at + 1, 16, 64, value) : read_digits(text, at, 16, 2, value);
      if (digits == 0) {
        if (braced) {
          return out;
        } // Bash takes \x{} for a NUL
        out += "\\x";
        break;
      }
      at += digits;
      if (braced) {
        ++at;
        if (at < text.size() && text[at] == '}') {
          ++at;
        }
      }
      if ((value & 0xFF) == 0) {
        return out;
      }
      out += static_cast<char>(value & 0xFF);
      break;
    }
    case 'u':
    case 'U':
      digits = read_digits(text, at, 16, c == 'u' ? 4 : 8, value);
      if (digits == 0) {
        out += '\\';
        out += c;
        break;
      }
      at += digits;
      if (value == 0) {
        return out;
      }
      append_utf8(out, value);
      break;
    case 'c':
      if (at >= text.size()) {
        out += "\\c";
        break;
      }
      // `\c\\` is one control character.
      if (text[at] == '\\' && at + 1 < text.size() && text[at + 1] == '\\') {
        ++at;
      }
      value = text[at] == '?' ? 0x7F : static_cast<unsigned char>(text[at]) & 0x1FU;
      ++at;
      if (value == 0) {
        return out;
      }
      out += static_cast<char>(value);
      break;
    default:
      out += '\\';
      out += c;
    }
  }
  return out;
}

// `1..9` and `a..z`, with an optional step.
std::optional<BraceExpansion> range_of(std::string_view text) {
  auto is_integer = [](std::string_view number) {
    if (number.starts_with('-') || number.starts_with('+')) {
      number.remove_prefix(1);
    }
    if (number.empty()) {
      return false;
    }
    for (const char c : number) {
      if (!is_digit(c)) {
        return false;
      }
    }
    return true;
  };
  auto is_letter = [](std::string_view letter) {
    return letter.size() == 1 && is_name_start(letter[0]) && letter[0] != '_';
  };
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view first = text.substr(0, dots);
  std::string_view last = text.substr(dots + 2);
  BraceExpansion result;
  if (const std::size_t more = last.find(".."); more != std::string_view::npos) {
    const std::string_view step = last.substr(more + 2);
    if (!is_integer(step)) {
      return std::nullopt;
    }
    result.step = std::string(step);
    last = last.substr(0, more);
  }
  if (!(is_integer(first) && is_integer(last)) && !(is_letter(first) && is_letter(last))) {
    return std::nullopt;
  }
  result.range = {std::string(first), std::string(last)};
  return result;
}

} // namespace

// ---- brace expansions --------------------------------------------------------------------------

// Folds the marked parts of a word into brace expansions. Braces pair up as brackets do; a pair
// without a comma or a range, and a brace without a partner, are text.
class BraceExpander {
public:
  explicit BraceExpander(Scanner::Builder& builder)
      : parts_(builder.parts_), marks_(builder.marks_), partner_(parts_.size(), 0) {
    marks_.resize(parts_.size(), '\0');
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < marks_.size(); ++i) {
      if (marks_[i] == '{') {
        open.push_back(i);
        deepest_ = std::max(deepest_, open.size());
      } else if (marks_[i] == '}' && !open.empty()) {
        partner_[open.back()] = i;
        open.pop_back();
      }
    }
  }

  [[nodiscard]] bool too_deep() const { return deepest_ > max_depth; }

  std::vector<WordPart> expand(std::size_t begin, std::size_t end) {
    std::vector<WordPart> out;
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t close = marks_[i] == '{' ? partner_[i] : 0;
      if (close == 0 || close >= end || !expand_pair(i, close, out)) {
        append(out, std::move(parts_[i]));
        continue;
      }
      i = close;
    }
    return out;
  }

private:
  bool expand_pair(std::size_t open, std::size_t close, std::vector<WordPart>& out) {
    std::vector<std::size_t> cuts{open};
    for (std::size_t i = open + 1; i < close; ++i) {
      if (marks_[i] == '{' && partner_[i] != 0) {
        i = partner_[i];
      } else if (marks_[i] == ',') {
        cuts.push_back(i);
      }
    }
    cuts.push_back(close);
    Span span = parts_[open].span;
    span.end = parts_[close].span.end;
    if (cuts.size() == 2) {
      // {1..3}: plain text only
      if (close != open + 2) {
        return false;
      }
      const auto* text = std::get_if<Literal>(&parts_[open + 1].value);
      if (text == nullptr || text->escaped) {
        return false;
      }
      std::optional<BraceExpansion> range = range_of(text->value);
      if (!range) {
        return false;
      }
      out.push_back({std::move(*range), span});
      return true;
    }
    BraceExpansion list;
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
      Word word;
      word.span = parts_[cuts[i]].span;
      word.span.begin = word.span.end;
      word.span.end = parts_[cuts[i + 1]].span.begin;
      word.parts = expand(cuts[i] + 1, cuts[i + 1]);
      list.alternatives.push_back(std::move(word));
    }
    out.push_back({std::move(list), span});
    return true;
  }

  // Text that was only cut at a brace grows together again.
  static void append(std::vector<WordPart>& out, WordPart part) {
    auto* text = std::get_if<Literal>(&part.value);
    auto* before = out.empty() ? nullptr : std::get_if<Literal>(&out.back().value);
    if (text == nullptr || before == nullptr) {
      out.push_back(std::move(part));
      return;
    }
    before->value += text->value;
    before->globs |= text->globs;
    before->escaped |= text->escaped;
    out.back().span.end = part.span.end;
  }

  std::vector<WordPart>& parts_;
  std::vector<char>& marks_;
  std::vector<std::size_t> partner_;
  std::size_t deepest_ = 0;
};

bool Scanner::Builder::take(std::vector<WordPart>& parts) {
  flush();
  if (marks_.empty()) {
    parts = std::move(parts_);
    return true;
  }
  BraceExpander expander(*this);
  if (expander.too_deep()) {
    parts = std::move(parts_);
    return false;
  }
  parts = expander.expand(0, parts_.size());
  return true;
}

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
  if (pos_ + 1 >= end_) {
    builder.escaped("\\", at, at + 1);
    ++pos_;
  } else if (text_[pos_ + 1] == '\n') {
    pos_ += 2;
  } else {
    builder.escaped(raw(at + 1, at + 2), at, at + 2);
    pos_ += 2;
  }
}

void Scanner::single_quoted(Builder& builder) {
  const std::uint32_t begin = pos_;
  const std::size_t close = text_.substr(0, end_).find('\'', pos_ + 1);
  if (close == std::string_view::npos) {
    problem(begin, "a single quote is not closed");
    pos_ = end_;
    return;
  }
  pos_ = static_cast<std::uint32_t>(close) + 1;
  builder.part(SingleQuoted{std::string(raw(begin + 1, pos_ - 1))}, begin, pos_);
}

void Scanner::ansi_quoted(Builder& builder) {
  const std::uint32_t begin = pos_;
  pos_ += 2;
  while (!at_end() && text_[pos_] != '\'') {
    pos_ += text_[pos_] == '\\' ? 2 : 1;
  }
  if (at_end()) {
    problem(begin, "a $' quote is not closed");
    pos_ = end_;
    return;
  }
  ++pos_;
  builder.part(AnsiQuoted{decode_ansi(raw(begin + 2, pos_ - 1))}, begin, pos_);
}

void Scanner::double_quoted(Builder& builder) {
  const Level level(shared_);
  const std::uint32_t begin = pos_;
  if (text_[pos_] == '$') {
    ++pos_;
  }
  ++pos_;
  if (level.too_deep()) {
    problem(begin, "nested too deeply");
    pos_ = end_;
    return;
  }
  Builder inside(*this);
  double_quoted_text(inside, false, false);
  if (at_end()) {
    problem(begin, "a double quote is not closed");
    return;
  }
  ++pos_;
  DoubleQuoted quoted;
  inside.take(quoted.parts);
  builder.part(std::move(quoted), begin, pos_);
}

// Text between double quotes, up to the closing one; or of a heredoc, up to the end. With `strips`,
// tabs at the beginning of lines are no part of it.
void Scanner::double_quoted_text(Builder& builder, bool heredoc, bool strips) {
  auto skip_tabs = [&] {
    while (strips && peek() == '\t') {
      ++pos_;
    }
  };
  skip_tabs();
  while (!at_end() && work()) {
    const std::uint32_t from = pos_;
    while (pos_ < end_) {
      const char c = text_[pos_];
      if (c == '$' || c == '`' || c == '\\' || (c == '"' && !heredoc)) {
        break;
      }
      ++pos_;
      if (strips && c == '\n') {
        break;
      }
    }
    if (pos_ > from) {
      builder.plain(raw(from, pos_), from, pos_);
    }
    if (at_end()) {
      return;
    }
    if (strips && pos_ > from && text_[pos_ - 1] == '\n') {
      skip_tabs();
      continue;
    }
    const std::uint32_t at = pos_;
    const char c = text_[pos_];
    if (c == '"') {
      return;
    }
    if (c == '$') {
      if (!dollar(builder, true)) {
        builder.plain("$", at, at + 1);
        ++pos_;
      }
    } else if (c == '`') {
      backquoted(builder, true);
    } else {
      const char next = peek(1);
      if (next == '\n') {
        pos_ += 2;
      } else if (next == '$' || next == '`' || next == '\\' || (next == '"' && !heredoc)) {
        builder.escaped(raw(at + 1, at + 2), at, at + 2);
        pos_ += 2;
      } else {
        builder.plain("\\", at, at + 1);
        ++pos_;
      }
    }
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
