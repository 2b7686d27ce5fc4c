// Text of a script inside Markdown, so that nothing of it acts as markup.
#include "review/markdown_text.hpp"

#include <fmt/format.h>

#include "review/visible.hpp"

namespace s2f::review {

namespace {

bool is_word(char byte) {
  const auto c = static_cast<unsigned char>(byte);
  return c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// A character reference never opens markup, in a table cell neither, where a backslash would be
// read once more.
std::string reference(char byte) {
  return fmt::format("&#{};", static_cast<unsigned>(static_cast<unsigned char>(byte)));
}

std::string prose(std::string_view shown) {
  std::string out;
  for (std::size_t at = 0; at < shown.size(); ++at) {
    const char byte = shown[at];
    const bool inside_word =
        at > 0 && at + 1 < shown.size() && is_word(shown[at - 1]) && is_word(shown[at + 1]);
    if (byte == '@') {
      // Not a mention of somebody: the comment keeps the sign apart from the name.
      out += "@<!-- -->";
    } else if (std::string_view("<>&|`\\").contains(byte) ||
               shown.substr(at).starts_with("://")) { // no link that the script chose
      out += reference(byte);
    } else if (std::string_view("*[]~$#!").contains(byte) || (byte == '_' && !inside_word)) {
      out += '\\';
      out += byte;
    } else {
      out += byte;
    }
  }
  return out;
}

} // namespace

std::string markdown_text(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    // What stands between backticks was meant as code; a single one is only a sign.
    const auto open = text.find('`');
    const auto close = open == text.npos ? open : text.find('`', open + 1);
    if (close == text.npos)
      return out + prose(visible(text));
    out += prose(visible(text.substr(0, open)));
    out += markdown_code(text.substr(open + 1, close - open - 1));
    text.remove_prefix(close + 1);
  }
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
    out += is_word(byte) || byte == ' ' ? std::string(1, byte) : reference(byte);
  }
  return out + "</code>";
}

} // namespace s2f::review
