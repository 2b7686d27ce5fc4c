// The templates of pages, and the hashes by which a page's own style and script are let in.
#include "review/page.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "emit/mustache.hpp"
#include "generated/embedded.hpp"
#include "source/source.hpp"

namespace s2f::review {

std::string_view built_in(std::string_view name) {
  for (const embedded::File& file : embedded::templates()) {
    if (file.path.ends_with(std::string(name) + ".mustache"))
      return file.text;
  }
  return {};
}

std::string policy_hash(std::string_view text) {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto hex = source::sha256_hex(text);
  const auto nibble = [&hex](std::size_t at) {
    const char c = at < hex.size() ? hex[at] : '0';
    return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10);
  };
  std::string out;
  // Three hex digits are two letters; the hash has 64 of them, and so one letter of four bits more.
  for (std::size_t at = 0; at < hex.size(); at += 3) {
    const unsigned bits = nibble(at) << 8U | nibble(at + 1) << 4U | nibble(at + 2);
    out += letters[bits >> 6U];
    out += letters[bits & 63U];
  }
  out.resize((hex.size() * 4 + 5) / 6);
  return fmt::format("'sha256-{}='", out);
}

std::string render_page(std::string_view name, const emit::View& view) {
  // The templates that were compiled in are tested: they render.
  return emit::render(built_in(name), view,
                      [](std::string_view part) -> std::optional<std::string> {
                        const auto text = built_in(part);
                        return text.empty() ? std::nullopt : std::optional(std::string(text));
                      })
      .value();
}

} // namespace s2f::review
