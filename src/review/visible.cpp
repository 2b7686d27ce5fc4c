// Makes text of a script safe and measurable for a terminal or a page: nothing in it acts on the
// reader.
#include "review/visible.hpp"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

namespace s2f::review {

namespace {

struct Range {
  char32_t first, last;
};

// Characters that show nothing or change how their neighbours show.
constexpr std::array hidden{
    Range{0x0, 0x8},       Range{0xA, 0x1F},      Range{0x7F, 0x9F},     Range{0xAD, 0xAD},
    Range{0x61C, 0x61C},   Range{0x115F, 0x1160}, Range{0x180E, 0x180E}, Range{0x200B, 0x200F},
    Range{0x2028, 0x202E}, Range{0x2060, 0x206F}, Range{0x3164, 0x3164}, Range{0xFEFF, 0xFEFF},
    Range{0xFFA0, 0xFFA0}, Range{0xFFF0, 0xFFFB}, Range{0xE000, 0xF8FF}, Range{0xE0000, 0x10FFFF}};
constexpr std::array combining{Range{0x300, 0x36F},   Range{0x483, 0x489},   Range{0x591, 0x5BD},
                               Range{0x610, 0x61A},   Range{0x64B, 0x65F},   Range{0xE31, 0xE31},
                               Range{0xE34, 0xE3A},   Range{0xE47, 0xE4E},   Range{0x1AB0, 0x1AFF},
                               Range{0x1DC0, 0x1DFF}, Range{0x20D0, 0x20FF}, Range{0xFE00, 0xFE0F},
                               Range{0xFE20, 0xFE2F}};
constexpr std::array wide{
    Range{0x1100, 0x115E},   Range{0x2E80, 0x303E},   Range{0x3041, 0x33FF},
    Range{0x3400, 0x4DBF},   Range{0x4E00, 0x9FFF},   Range{0xA000, 0xA4CF},
    Range{0xAC00, 0xD7A3},   Range{0xF900, 0xFAFF},   Range{0xFE30, 0xFE6F},
    Range{0xFF00, 0xFF60},   Range{0xFFE0, 0xFFE6},   Range{0x1F300, 0x1F64F},
    Range{0x1F680, 0x1F6FF}, Range{0x1F900, 0x1F9FF}, Range{0x20000, 0x3FFFD}};

bool in(std::span<const Range> ranges, char32_t point) {
  return std::ranges::any_of(
      ranges, [point](const Range& r) { return r.first <= point && point <= r.last; });
}

struct Decoded {
  char32_t point = 0;
  std::size_t size = 1;
  bool valid = false;
};

// One UTF-8 sequence; shortest forms only, no surrogates.
Decoded decode(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto lead = byte(0);
  if (lead < 0x80)
    return {lead, 1, true};
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < size)
    return {lead, 1, false};
  char32_t point = lead & (0x7FU >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0U) != 0x80)
      return {lead, 1, false};
    point = point << 6U | (byte(i) & 0x3FU);
  }
  constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
  if (point < least[size] || point > 0x10FFFF || surrogate)
    return {lead, 1, false};
  return {point, size, true};
}

// Nearly all text is: each byte shows as itself, in one column.
bool plain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

Glyph shown(std::string text, std::size_t offset) {
  const auto columns = static_cast<std::uint32_t>(text.size());
  return {std::move(text), columns, static_cast<std::uint32_t>(offset)};
}

} // namespace

std::vector<Glyph> glyphs(std::string_view text) {
  constexpr std::uint32_t tab = 4;
  std::vector<Glyph> out;
  std::uint32_t column = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto [point, size, valid] = decode(text.substr(at));
    if (!valid) {
      out.push_back(shown(fmt::format("<{:02X}>", static_cast<unsigned>(point)), at));
    } else if (point == '\t') {
      out.push_back(shown(std::string(tab - column % tab, ' '), at));
    } else if (point == '\n') {
      out.push_back(shown("\\n", at));
    } else if (in(hidden, point)) {
      const auto number = static_cast<unsigned>(point);
      out.push_back(shown(
          point < 0x80 ? fmt::format("\\x{:02x}", number) : fmt::format("<U+{:04X}>", number), at));
    } else {
      const std::uint32_t columns = in(combining, point) ? 0 : in(wide, point) ? 2 : 1;
      out.push_back({std::string(text.substr(at, size)), columns, static_cast<std::uint32_t>(at)});
    }
    column += out.back().columns;
    at += size;
  }
  return out;
}

std::string visible(std::string_view text) {
  if (plain(text))
    return std::string(text);
  std::string out;
  for (const Glyph& glyph : glyphs(text))
    out += glyph.text;
  return out;
}

std::uint32_t columns_of(std::string_view visible_text) {
  if (plain(visible_text))
    return static_cast<std::uint32_t>(visible_text.size());
  std::uint32_t columns = 0;
  for (const Glyph& glyph : glyphs(visible_text))
    columns += glyph.columns;
  return columns;
}

std::string wrapped(std::string_view text, std::string_view first, std::string_view rest,
                    std::uint32_t width) {
  const std::string shown = visible(text);
  std::string out(first);
  std::uint32_t column = columns_of(first);
  bool begun = false; // a word stands in this line
  for (std::size_t at = 0; at < shown.size();) {
    const auto end = std::min(shown.find(' ', at), shown.size());
    const std::string_view word = std::string_view(shown).substr(at, end - at);
    at = end + 1;
    if (word.empty())
      continue;
    const auto columns = columns_of(word);
    if (begun && column + 1 + columns > width) {
      out += '\n';
      out += rest;
      column = columns_of(rest);
      begun = false;
    }
    if (begun) {
      out += ' ';
      ++column;
    }
    out += word;
    column += columns;
    begun = true;
  }
  return out + '\n';
}

std::string_view line_of(std::string_view text, std::uint32_t line) {
  for (; line > 1; --line) {
    const auto end = text.find('\n');
    if (end == text.npos)
      return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

Lines::Lines(std::string_view text) {
  for (std::size_t end = 0; end != text.npos;) {
    end = text.find('\n');
    lines_.push_back(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end == text.npos ? end : end + 1));
  }
}

std::string_view Lines::operator[](std::uint32_t line) const {
  // There is no line 0: what stands nowhere is shown with the first.
  const std::size_t at = std::max(line, 1U) - 1;
  return at < lines_.size() ? lines_[at] : std::string_view();
}

} // namespace s2f::review
