// Decodes escapes and prints literals again.
#include "payload/literal.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>

namespace s2f::payload {
namespace {

constexpr int deepest = 40; // of literals within literals

void append_utf8(std::string& out, std::uint32_t code) {
  const auto byte = [&](std::uint32_t value) { out += static_cast<char>(value); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xC0 | (code >> 6U));
    byte(0x80 | (code & 0x3FU));
  } else if (code < 0x10000) {
    byte(0xE0 | (code >> 12U));
    byte(0x80 | ((code >> 6U) & 0x3FU));
    byte(0x80 | (code & 0x3FU));
  } else {
    byte(0xF0 | (code >> 18U));
    byte(0x80 | ((code >> 12U) & 0x3FU));
    byte(0x80 | ((code >> 6U) & 0x3FU));
    byte(0x80 | (code & 0x3FU));
  }
}

bool is_character(std::uint32_t code) {
  return code < 0xD800 || (code > 0xDFFF && code <= 0x10FFFF);
}

// Takes `digits` digits (for octal up to as many) off the front of `rest`.
std::optional<std::uint32_t> take_number(std::string_view& rest, std::size_t digits, int base) {
  const std::string available{rest.substr(0, digits)};
  std::uint32_t code = 0;
  const char* const first = available.c_str();
  const auto [end, error] = std::from_chars(first, first + available.size(), code, base);
  const auto used = static_cast<std::size_t>(end - first);
  if (error != std::errc{} || (base == 16 && used != digits) || !is_character(code))
    return std::nullopt;
  rest.remove_prefix(used);
  return code;
}

// The escape whose backslash was taken already.
bool take_escape(std::string_view& rest, std::string& out) {
  if (rest.empty())
    return false;
  const char kind = rest.front();
  std::optional<std::uint32_t> code;
  if (kind >= '0' && kind <= '7') {
    code = take_number(rest, 3, 8);
    if (code)
      append_utf8(out, *code);
    return code.has_value();
  }
  rest.remove_prefix(1);
  switch (kind) {
  case '\n':
    return true;
  case '\\':
  case '\'':
  case '"':
    out += kind;
    return true;
  case 'a':
    out += '\a';
    return true;
  case 'b':
    out += '\b';
    return true;
  case 'f':
    out += '\f';
    return true;
  case 'n':
    out += '\n';
    return true;
  case 'r':
    out += '\r';
    return true;
  case 't':
    out += '\t';
    return true;
  case 'v':
    out += '\v';
    return true;
  case 'x':
    code = take_number(rest, 2, 16);
    break;
  case 'u':
    code = take_number(rest, 4, 16);
    break;
  case 'U':
    code = take_number(rest, 8, 16);
    break;
  case 'N':
    return false; // would need the names of all characters
  default:
    out += '\\';
    out += kind;
    return true;
  }
  if (code)
    append_utf8(out, *code);
  return code.has_value();
}

struct Prefix {
  bool raw = false, bytes = false, formatted = false;
};

Prefix prefix_of(std::string_view start) {
  Prefix prefix;
  for (const char c : start) {
    switch (std::tolower(static_cast<unsigned char>(c))) {
    case 'r':
      prefix.raw = true;
      break;
    case 'b':
      prefix.bytes = true;
      break;
    case 'f':
      prefix.formatted = true;
      break;
    default:
      break;
    }
  }
  return prefix;
}

std::optional<std::string> one_string(const Syntax& syntax, NodeId string) {
  const auto parts = syntax.children(string);
  if (parts.size() < 2 || syntax.kind(parts.front()) != Kind::string_start ||
      syntax.kind(parts.back()) != Kind::string_end)
    return std::nullopt;
  const auto computed = [&](NodeId part) { return syntax.kind(part) == Kind::interpolation; };
  if (std::ranges::any_of(parts, computed))
    return std::nullopt;
  return decode(syntax, parts.front(), syntax[parts.front()].end, syntax[parts.back()].begin);
}

std::optional<std::string> string_value(const Syntax& syntax, NodeId expression, int depth) {
  if (depth > deepest)
    return std::nullopt;
  expression = syntax.unparenthesized(expression);
  switch (syntax.kind(expression)) {
  case Kind::string:
    return one_string(syntax, expression);
  case Kind::concatenated_string: {
    std::string out;
    for (const NodeId part : syntax.children(expression)) {
      const auto value = string_value(syntax, part, depth + 1);
      if (!value)
        return std::nullopt;
      out += *value;
    }
    return out;
  }
  case Kind::binary_operator: {
    if (syntax.text_of(syntax.child(expression, Field::operator_)) != "+")
      return std::nullopt;
    auto left = string_value(syntax, syntax.child(expression, Field::left), depth + 1);
    if (!left)
      return std::nullopt;
    const auto right = string_value(syntax, syntax.child(expression, Field::right), depth + 1);
    if (!right)
      return std::nullopt;
    return *std::move(left) + *right;
  }
  default:
    return std::nullopt;
  }
}

std::optional<std::string> literal_text(const Syntax& syntax, NodeId expression, int depth);

std::optional<std::string> joined(const Syntax& syntax, NodeId collection, int depth) {
  std::string out;
  for (const NodeId item : syntax.children(collection)) {
    std::optional<std::string> text;
    if (syntax.kind(item) == Kind::pair) {
      const auto key = literal_text(syntax, syntax.child(item, Field::key), depth + 1);
      const auto value = literal_text(syntax, syntax.child(item, Field::value), depth + 1);
      if (key && value)
        text = *key + ": " + *value;
    } else {
      text = literal_text(syntax, item, depth + 1);
    }
    if (!text)
      return std::nullopt;
    if (!out.empty())
      out += ", ";
    out += *text;
  }
  return out;
}

bool is_number(const Syntax& syntax, NodeId expression, int depth) {
  if (depth > deepest)
    return false;
  switch (syntax.kind(expression)) {
  case Kind::integer:
  case Kind::float_:
    return true;
  case Kind::parenthesized_expression:
    return is_number(syntax, syntax.first_child(expression), depth + 1);
  case Kind::unary_operator:
    return is_number(syntax, syntax.child(expression, Field::argument), depth + 1);
  case Kind::binary_operator:
    return is_number(syntax, syntax.child(expression, Field::left), depth + 1) &&
           is_number(syntax, syntax.child(expression, Field::right), depth + 1);
  default:
    return false;
  }
}

std::optional<std::string> literal_text(const Syntax& syntax, NodeId expression, int depth) {
  if (depth > deepest || expression == no_node)
    return std::nullopt;
  expression = syntax.unparenthesized(expression);
  switch (syntax.kind(expression)) {
  case Kind::integer:
  case Kind::float_:
    return std::string{syntax.text_of(expression)};
  case Kind::true_:
    return "True";
  case Kind::false_:
    return "False";
  case Kind::none:
    return "None";
  case Kind::unary_operator: {
    const NodeId argument = syntax.child(expression, Field::argument);
    if (!is_number(syntax, argument, depth))
      return std::nullopt;
    const auto inner = literal_text(syntax, argument, depth + 1);
    if (!inner)
      return std::nullopt;
    return std::string{syntax.text_of(syntax.child(expression, Field::operator_))} + *inner;
  }
  case Kind::list:
  case Kind::set:
  case Kind::dictionary: {
    const auto items = joined(syntax, expression, depth);
    if (!items)
      return std::nullopt;
    return syntax.kind(expression) == Kind::list ? "[" + *items + "]" : "{" + *items + "}";
  }
  case Kind::tuple: {
    const auto items = joined(syntax, expression, depth);
    if (!items)
      return std::nullopt;
    return "(" + *items + (syntax.children(expression).size() == 1 ? ",)" : ")");
  }
  default:
    break;
  }
  if (const auto text = string_value(syntax, expression, depth))
    return double_quoted(*text);
  const auto source = syntax.text_of(expression);
  const bool one_line = source.find('\n') == std::string_view::npos;
  if (one_line && is_number(syntax, expression, depth))
    return std::string{source};
  return std::nullopt;
}

} // namespace

std::optional<std::string> decode(const Syntax& syntax, NodeId start, std::uint32_t begin,
                                  std::uint32_t end) {
  const Prefix prefix = prefix_of(syntax.text_of(start));
  if (prefix.bytes)
    return std::nullopt;
  std::string_view rest = syntax.text.substr(begin, end - begin);
  std::string out;
  out.reserve(rest.size());
  while (!rest.empty()) {
    const char c = rest.front();
    rest.remove_prefix(1);
    if (c == '\\' && !prefix.raw) {
      if (!take_escape(rest, out))
        return std::nullopt;
    } else {
      out += c;
      const bool doubled = prefix.formatted && (c == '{' || c == '}') && rest.starts_with(c);
      if (doubled)
        rest.remove_prefix(1);
    }
  }
  return out;
}

bool is_formatted(const Syntax& syntax, NodeId string) {
  return prefix_of(syntax.text_of(syntax.first_child(string))).formatted;
}

std::optional<std::string> string_value(const Syntax& syntax, NodeId expression) {
  return string_value(syntax, expression, 0);
}

std::optional<std::string> literal_text(const Syntax& syntax, NodeId expression) {
  return literal_text(syntax, expression, 0);
}

std::string double_quoted(std::string_view text) {
  constexpr std::string_view hex = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    switch (c) {
    case '"':
    case '\\':
      (out += '\\') += c;
      break;
    case '\n':
      out += "\\n";
      break;
    case '\t':
      out += "\\t";
      break;
    case '\r':
      out += "\\r";
      break;
    default:
      if (byte < 0x20 || byte == 0x7F) {
        out += "\\x";
        out += hex[byte >> 4U];
        out += hex[byte & 0xFU];
      } else {
        out += c;
      }
    }
  }
  return out + '"';
}

} // namespace s2f::payload
