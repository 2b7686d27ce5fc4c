// Text of a script inside Markdown, so that nothing of it acts as markup.
#include "review/markdown_text.hpp"

#include <array>

#include "review/visible.hpp"

namespace s2f::review {

namespace {

bool is_word(char byte) {
  const auto c = static_cast<unsigned char>(byte);
  return c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// A character reference never opens markup, in a table cell neither, where a backslash would be
// read once more.
void append_reference(std::string& out, char byte) {
  out += "&#";
  out += std::to_string(static_cast<unsigned>(static_cast<unsigned char>(byte)));
  out += ';';
}

// What may be markup.
constexpr auto special = [] {
  std::array<bool, 256> all{};
  for (const char byte : std::string_view("@<>&|`\\:*[]~$#!_"))
    all[static_cast<unsigned char>(byte)] = true;
  return all;
}();

void append_prose(std::string& out, std::string_view shown) {
  for (std::size_t at = 0; at < shown.size(); ++at) {
    const auto begin = at;
    while (at < shown.size() && !special[static_cast<unsigned char>(shown[at])])
      ++at;
    out += shown.substr(begin, at - begin);
    if (at == shown.size())
      return;
    const char byte = shown[at];
    const bool inside_word =
        at > 0 && at + 1 < shown.size() && is_word(shown[at - 1]) && is_word(shown[at + 1]);
    if (byte == '@') {
      // Not a mention of somebody: the comment keeps the sign apart from the name.
      out += "@<!-- -->";
    } else if (std::string_view("<>&|`\\").contains(byte) ||
               shown.substr(at).starts_with("://")) { // no link that the script chose
      append_reference(out, byte);
    } else if (std::string_view("*[]~$#!").contains(byte) || (byte == '_' && !inside_word)) {
      out += '\\';
      out += byte;
    } else {
      out += byte;
    }
  }
}

} // namespace

std::string markdown_text(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    // What stands between backticks was meant as code; a single one is only a sign.
    const auto open = text.find('`');
    const auto close = open == text.npos ? open : text.find('`', open + 1);
    if (close == text.npos)
      break;
    append_prose(out, visible(text.substr(0, open)));
    out += markdown_code(text.substr(open + 1, close - open - 1));
    text.remove_prefix(close + 1);
  }
  append_prose(out, visible(text));
  return out;
}

std::string markdown_code(std::string_view text) {
  const std::string shown = visible(text);
  if (shown.empty())
    return {};
  const bool plain = shown.find_first_of("`|\\") == std::string::npos && !shown.starts_with(' ') &&
                     !shown.ends_with(' ');
  if (plain)
    return "`" + shown + "`";
  std::string out = "<code>";
  for (const char byte : shown) {
    if (is_word(byte) || byte == ' ')
      out += byte;
    else
      append_reference(out, byte);
  }
  return out + "</code>";
}

} // namespace s2f::review
