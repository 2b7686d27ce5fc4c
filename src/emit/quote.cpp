// Quotes text as Python literals: the one place where bytes of a script become Python.
//
// Text that a reader can see stands as it is; everything else is escaped, so that nothing invisible
// is in the output. A byte that is no UTF-8 becomes the code point U+DC80 + byte, as Python's
// "surrogateescape" has it: passed to a process, it is that byte again.
#include "emit/emit.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "emit/quote.hpp"
#include "emit/text.hpp"

namespace s2f::emit {

namespace {

std::string escaped(const Decoded& c) {
  switch (c.code) {
  case '\n':
    return "\\n";
  case '\r':
    return "\\r";
  case '\t':
    return "\\t";
  case '\\':
    return "\\\\";
  default:
    break;
  }
  if (!c.valid) {
    return fmt::format("\\udc{:02x}", c.code);
  }
  if (c.code <= 0xFF) {
    return fmt::format("\\x{:02x}", c.code);
  }
  if (c.code <= 0xFFFF) {
    return fmt::format("\\u{:04x}", c.code);
  }
  return fmt::format("\\U{:08x}", c.code);
}

bool ends_with_odd_backslashes(std::string_view text) {
  const std::size_t last = text.find_last_not_of('\\');
  const std::size_t count = text.size() - (last == std::string_view::npos ? 0 : last + 1);
  return count % 2 == 1;
}

// Whether a raw triple-quoted literal gives exactly this text back.
bool can_be_raw(std::string_view text) {
  if (text.find("\"\"\"") != std::string_view::npos || text.ends_with('"') ||
      ends_with_odd_backslashes(text)) {
    return false;
  }
  while (!text.empty()) {
    const Decoded c = decode(text);
    const bool plain = c.valid && (c.code == '\n' || c.code == '\t' || visible(c.code));
    if (!plain) {
      return false;
    }
    text.remove_prefix(c.length);
  }
  return true;
}

} // namespace

char best_quote(std::string_view text) {
  return std::ranges::count(text, '"') > std::ranges::count(text, '\'') ? '\'' : '"';
}

std::string quoted_body(std::string_view text, char quote) {
  std::string out;
  while (!text.empty()) {
    const Decoded c = decode(text);
    if (c.valid && c.code == static_cast<unsigned char>(quote)) {
      out += '\\';
      out += quote;
    } else if (c.valid && c.code != '\\' && visible(c.code)) {
      out += text.substr(0, c.length);
    } else {
      out += escaped(c);
    }
    text.remove_prefix(c.length);
  }
  return out;
}

std::string quote(std::string_view text) {
  const char quote = best_quote(text);
  return quote + quoted_body(text, quote) + quote;
}

std::string quote_with(std::string_view text, char quote) {
  return quote + quoted_body(text, quote) + quote;
}

std::string quote_bytes(std::string_view bytes) {
  const char quote = best_quote(bytes);
  std::string out = "b";
  out += quote;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == quote) {
      out += '\\';
      out += c;
    } else if (byte >= 0x20 && byte < 0x7F && c != '\\') {
      out += c;
    } else {
      out += byte >= 0x7F ? fmt::format("\\x{:02x}", byte) : escaped({byte, 1, true});
    }
  }
  return out + quote;
}

std::string quote_block(std::string_view text) {
  if (can_be_raw(text)) {
    return fmt::format("r\"\"\"{}\"\"\"", text);
  }
  std::string out = "\"\"\"";
  std::string_view rest = text;
  std::size_t quotes = 0; // in a row
  while (!rest.empty()) {
    const Decoded c = decode(rest);
    const bool last = rest.size() == c.length;
    quotes = c.code == '"' ? quotes + 1 : 0;
    if (c.valid && c.code == '"' && (quotes == 3 || last)) {
      out += "\\\"";
      quotes = 0;
    } else if (c.valid && c.code == '\n') {
      out += '\n';
    } else if (c.valid && c.code != '\\' && (c.code == '\t' || visible(c.code))) {
      out += rest.substr(0, c.length);
    } else {
      out += escaped(c);
    }
    rest.remove_prefix(c.length);
  }
  return out + "\"\"\"";
}

} // namespace s2f::emit
