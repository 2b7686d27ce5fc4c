// Patterns of the shell, and regular expressions of [[ =~ ]], as Python's `re` has them.
//
// before:  [[:digit:]]*        ^[Rr]un\.[0-9]+$
// after:   [0-9].*             ^[Rr]un\.[0-9]+\Z
#include "passes/patterns.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace s2f::passes {

namespace {

bool ascii(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) { return c > 0 && c < 128; });
}

// [abc], [!a-z], [^[:digit:]], which begins at `at`; goes on behind it.
std::optional<std::string> bracket(std::string_view text, std::size_t& at, bool pattern) {
  std::size_t i = at + 1;
  std::string result = "[";
  if (i < text.size() && (text[i] == '^' || (pattern && text[i] == '!'))) {
    result += '^';
    ++i;
  }
  const std::size_t first = i;
  for (; i < text.size() && (text[i] != ']' || i == first); ++i) {
    const std::string_view rest = text.substr(i);
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 3> classes{
        {{"[:digit:]", "0-9"}, {"[:xdigit:]", "0-9A-Fa-f"}, {"[:blank:]", " \\t"}}};
    const auto known = std::ranges::find_if(
        classes, [&](const auto& each) { return rest.starts_with(each.first); });
    if (known != classes.end()) {
      result += known->second;
      i += known->first.size() - 1;
      continue;
    }
    // Others depend on the language of the job; Python means something by a pair of signs.
    const bool paired = i + 1 < text.size() && text[i + 1] == text[i];
    if (text[i] == '[' || text[i] == '\\' ||
        (paired && std::string_view("&|~-").find(text[i]) != std::string_view::npos)) {
      return std::nullopt;
    }
    if (i == first && (text[i] == ']' || text[i] == '^')) {
      return std::nullopt;
    }
    result += text[i];
  }
  if (i >= text.size() || i == first) {
    return std::nullopt;
  }
  at = i;
  return result + "]";
}

} // namespace

std::string escaped_for_regex(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (std::string_view("\\.^$*+?{}[]|()").find(c) != std::string_view::npos) {
      result += '\\';
    }
    result += c;
  }
  return result;
}

std::optional<std::string> regex_of_pattern(std::string_view pattern) {
  if (!ascii(pattern) || pattern.find('\\') != std::string_view::npos ||
      pattern.find('(') != std::string_view::npos || std::ranges::count(pattern, '*') > 1 ||
      pattern == "*") {
    return std::nullopt; // of several stars Python may find a shorter text
  }
  std::string result;
  bool any = false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '[') {
      const auto set = bracket(pattern, i, true);
      if (!set) {
        return std::nullopt;
      }
      result += *set;
    } else if (pattern[i] == '*' || pattern[i] == '?') {
      result += pattern[i] == '*' ? ".*" : ".";
      any = true;
    } else {
      result += escaped_for_regex(pattern.substr(i, 1));
    }
  }
  return (any ? "(?s)" : "") + result;
}

std::optional<std::string> regex_of_extended(std::string_view expression) {
  if (!ascii(expression)) {
    return std::nullopt;
  }
  std::string result;
  bool any = false;
  bool repeats = true; // nothing stands before that could be repeated
  for (std::size_t i = 0; i < expression.size(); ++i) {
    const char c = expression[i];
    if (c == '[') {
      const auto set = bracket(expression, i, false);
      if (!set) {
        return std::nullopt;
      }
      result += *set;
      repeats = false;
    } else if (c == '*' || c == '+' || c == '?') {
      if (repeats) {
        return std::nullopt; // `a+?` is another thing in Python
      }
      result += c;
      repeats = true;
    } else if (c == '\\') {
      const char next = i + 1 < expression.size() ? expression[i + 1] : 'a';
      if (std::isalnum(static_cast<unsigned char>(next)) != 0 || next == '<' || next == '>' ||
          next == '`' || next == '\'') {
        return std::nullopt;
      }
      result += escaped_for_regex(expression.substr(++i, 1));
      repeats = false;
    } else if (c == '{' || c == '}' || c == '(' || c == ')') {
      return std::nullopt;
    } else if (c == '|' || c == '^') {
      result += c;
      repeats = true;
    } else if (c == '$') {
      result += "\\Z"; // Python's $ stands before a last newline, too
      repeats = true;
    } else {
      any = any || c == '.';
      result += c;
      repeats = false;
    }
  }
  if (result.empty() || result.starts_with('|') || result.ends_with('|') ||
      result.find("||") != std::string::npos || result.find("^|") != std::string::npos) {
    return std::nullopt;
  }
  return (any ? "(?s)" : "") + result;
}

} // namespace s2f::passes
