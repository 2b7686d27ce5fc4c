// Quotes: single, ANSI-C and double, and the text that heredocs share with the last.
#include "shell/builder.hpp"
#include "shell/names.hpp"
#include "shell/scanner.hpp"

namespace s2f::shell {

namespace {

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

} // namespace

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

} // namespace s2f::shell
