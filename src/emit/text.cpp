// Measures, wraps and cleans text for an emitted module.
#include "emit/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "emit/unicode_tables.hpp"

namespace s2f::emit {

namespace {

template <std::size_t N> bool among(const std::array<CodeRange, N>& ranges, std::uint32_t code) {
  const auto after = std::ranges::upper_bound(ranges, code, {}, &CodeRange::first);
  return after != ranges.begin() && code <= std::prev(after)->last;
}

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

// What begins an instruction to a tool when it stands after a "#".
constexpr std::array<std::string_view, 15> pragmas{
    "noqa",  "fmt:",  "type:", "pyright:", "pylint:", "flake8:", "ruff:",   "isort:",
    "mypy:", "yapf:", "nosec", "pragma:",  "coding",  "-*-",     "pyrefly:"};

bool begins_pragma(std::string_view text) {
  return std::ranges::any_of(pragmas, [&](std::string_view pragma) {
    return text.size() >= pragma.size() &&
           std::ranges::equal(text.substr(0, pragma.size()), pragma, [](char a, char b) {
             return std::tolower(static_cast<unsigned char>(a)) == b;
           });
  });
}

// Puts a "*" between a "#" and what would be an instruction after it.
std::string disarmed(std::string_view comment) {
  std::string out;
  for (std::size_t i = 0; i < comment.size(); ++i) {
    out += comment[i];
    if (comment[i] != '#') {
      continue;
    }
    const std::size_t word = comment.find_first_not_of(" #", i + 1);
    if (word != std::string_view::npos && begins_pragma(comment.substr(word))) {
      out += comment.substr(i + 1, word - i - 1);
      out += out.back() == ' ' ? "* " : " * ";
      i = word - 1;
    }
  }
  return out;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  std::size_t at = 0;
  while (true) {
    at = text.find_first_not_of(' ', at);
    if (at == std::string_view::npos) {
      return words;
    }
    const std::size_t end = std::min(text.find(' ', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
}

} // namespace

Decoded decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) {
    return {lead, 1, true};
  }
  const std::uint32_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) {
    return {lead, 1, false};
  }
  std::uint32_t code = lead & (0x7FU >> length);
  for (std::uint32_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) {
      return {lead, 1, false};
    }
    code = code << 6 | (byte(i) & 0x3FU);
  }
  constexpr std::array<std::uint32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < smallest.at(length) || code > 0x10FFFF || surrogate) {
    return {lead, 1, false};
  }
  return {code, length, true};
}

bool visible(std::uint32_t code) {
  if (code < 0x7F) {
    return code >= 0x20;
  }
  return !among(hidden_ranges, code);
}

std::uint32_t display_width(std::string_view text) {
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (std::ranges::all_of(text, is_ascii)) {
    return static_cast<std::uint32_t>(text.size());
  }
  std::uint32_t width = 0;
  while (!text.empty()) {
    const Decoded c = decode(text);
    if (c.code < 0x80) {
      ++width;
    } else if (!among(zero_width_ranges, c.code)) {
      width += among(wide_ranges, c.code) ? 2 : 1;
    }
    text.remove_prefix(c.length);
  }
  return width;
}

namespace {

// What may be seen of a text on one line; runs of blanks are one, or stay as they are.
std::string seen(std::string_view text, bool collapse) {
  std::string out;
  bool blank = false;
  while (!text.empty()) {
    // Most text is ASCII that is seen.
    const auto plain =
        std::ranges::find_if(text, [](unsigned char c) { return c <= ' ' || c >= 0x7F; });
    if (const auto run = static_cast<std::size_t>(plain - text.begin()); run > 0) {
      if (std::exchange(blank, false) && !out.empty()) {
        out += ' ';
      }
      out += text.substr(0, run);
      text.remove_prefix(run);
      continue;
    }
    const Decoded c = decode(text);
    const std::string_view bytes = text.substr(0, c.length);
    text.remove_prefix(c.length);
    if (c.valid && c.length == 1 && is_blank(bytes[0])) {
      blank = collapse;
      if (!collapse) {
        out += ' ';
      }
      continue;
    }
    if (blank && !out.empty()) {
      out += ' ';
    }
    blank = false;
    if (c.valid && visible(c.code)) {
      out += bytes;
    } else if (c.code <= 0xFF) {
      out += fmt::format("\\x{:02x}", c.code);
    } else if (c.code <= 0xFFFF) {
      out += fmt::format("\\u{:04x}", c.code);
    } else {
      out += fmt::format("\\U{:08x}", c.code);
    }
  }
  return out;
}

} // namespace

std::string one_line(std::string_view text) { return seen(text, true); }

std::string written_comment(std::string_view text) {
  std::string line = seen(text, false);
  line.erase(line.find_last_not_of(' ') + 1);
  return disarmed("# " + line);
}

std::string comment_line(std::string_view text) { return disarmed("# " + one_line(text)); }

std::string docstring_text(std::string_view text) {
  std::string out;
  std::size_t quotes = 0;
  for (const char c : text) {
    quotes = c == '"' ? quotes + 1 : 0;
    if (c == '\\') {
      out += "\\\\";
    } else {
      out += quotes == 3 ? '\'' : c;
    }
    if (quotes == 3) {
      quotes = 0;
    }
  }
  return out;
}

std::vector<std::string> wrap_text(std::string_view paragraph, std::uint32_t width,
                                   std::uint32_t first_width, std::uint32_t hang) {
  const std::string flat = one_line(paragraph);
  std::vector<std::string> lines;
  std::uint32_t used = 0;
  for (const std::string_view word : words_of(flat)) {
    const std::uint32_t columns = display_width(word);
    const std::uint32_t limit = lines.size() <= 1 ? first_width : width;
    if (!lines.empty() && used + 1 + columns <= limit) {
      lines.back() += ' ';
      lines.back() += word;
      used += 1 + columns;
    } else {
      used = columns + (lines.empty() ? 0 : hang);
      lines.push_back(std::string(lines.empty() ? 0 : hang, ' ') + std::string(word));
    }
  }
  return lines;
}

std::vector<std::string> wrap_comment(std::string_view paragraph, std::uint32_t width) {
  // "# " takes two columns; a line that had to be disarmed may be two longer than the limit.
  const std::uint32_t room = width > 24 ? width - 2 : 22;
  std::vector<std::string> lines = wrap_text(paragraph, room, room);
  for (std::string& line : lines) {
    line = comment_line(line);
  }
  return lines;
}

std::vector<std::string> docstring_opening(std::string_view paragraph, std::uint32_t width,
                                           bool alone) {
  std::string text(paragraph);
  // Quotes beside quotes would need a blank between.
  if (text.starts_with('"')) {
    text[0] = '\'';
  }
  std::vector<std::string> lines = wrap_text(text, width, width - 3);
  if (alone && lines.size() == 1) {
    if (text.ends_with('"')) {
      text += '.';
    }
    lines = wrap_text(text, width, width - 6);
  }
  lines[0].insert(0, "\"\"\"");
  return lines;
}

} // namespace s2f::emit
