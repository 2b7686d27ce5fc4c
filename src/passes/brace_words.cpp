// Expands braces, as the shell does before anything else.
#include "passes/brace_words.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>

#include <fmt/format.h>

namespace s2f::passes {

namespace {

constexpr std::size_t most_words = 1000;

struct Number {
  std::int64_t value = 0;
  std::size_t width = 0; // of one with leading zeros
};

std::optional<Number> number(std::string_view text) {
  Number result;
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result.value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    return std::nullopt;
  }
  if (digits.size() > 1 && digits[0] == '0') {
    result.width = text.size();
  }
  return result;
}

bool is_letter(const std::string& text) {
  return text.size() == 1 && std::isalpha(static_cast<unsigned char>(text[0])) != 0;
}

// As Bash pads: the sign counts.
std::string padded(std::int64_t value, std::size_t width) {
  return fmt::format("{:0{}}", value, width);
}

} // namespace

std::optional<std::vector<std::string>> range_of(const shell::BraceExpansion& braces) {
  if (!braces.range) {
    return std::nullopt;
  }
  const auto& [from, to] = *braces.range;
  const bool letters = is_letter(from) && is_letter(to);
  const auto first = letters ? std::optional(Number{from[0], 0}) : number(from);
  const auto last = letters ? std::optional(Number{to[0], 0}) : number(to);
  const auto given = braces.step ? number(*braces.step) : std::optional(Number{1, 0});
  if (!first || !last || !given || given->value == 0) {
    return std::nullopt;
  }
  constexpr std::int64_t bound = 1'000'000'000;
  for (const Number& each : {*first, *last, *given}) {
    if (each.value > bound || each.value < -bound) {
      return std::nullopt;
    }
  }
  // Which way it goes is told by the ends, not by the step.
  const std::int64_t size = given->value < 0 ? -given->value : given->value;
  const std::int64_t step = first->value <= last->value ? size : -size;
  const std::int64_t count = (last->value - first->value) / step + 1;
  if (count > static_cast<std::int64_t>(most_words)) {
    return std::nullopt;
  }
  const std::size_t width =
      std::max(first->width, last->width) == 0 ? 0 : std::max(from.size(), to.size());
  std::vector<std::string> texts;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t value = first->value + i * step;
    texts.push_back(letters ? std::string(1, static_cast<char>(value)) : padded(value, width));
  }
  return texts;
}

std::optional<std::vector<shell::Word>> without_braces(const shell::Word& word) {
  const auto found = std::ranges::find_if(word.parts, [](const shell::WordPart& part) {
    return std::holds_alternative<shell::BraceExpansion>(part.value);
  });
  if (found == word.parts.end()) {
    return std::vector<shell::Word>{word};
  }
  const auto& braces = std::get<shell::BraceExpansion>(found->value);
  std::vector<std::vector<shell::WordPart>> middles;
  if (braces.range) {
    const auto texts = range_of(braces);
    if (!texts) {
      return std::nullopt;
    }
    for (const std::string& text : *texts) {
      middles.push_back({{shell::Literal{text, false, false}, found->span}});
    }
  } else {
    for (const shell::Word& each : braces.alternatives) {
      middles.push_back(each.parts);
    }
  }
  std::vector<shell::Word> result;
  for (const auto& middle : middles) {
    shell::Word one;
    one.span = word.span;
    one.parts.assign(word.parts.begin(), found);
    one.parts.insert(one.parts.end(), middle.begin(), middle.end());
    one.parts.insert(one.parts.end(), found + 1, word.parts.end());
    auto more = without_braces(one);
    if (!more || result.size() + more->size() > most_words) {
      return std::nullopt;
    }
    result.insert(result.end(), more->begin(), more->end());
  }
  return result;
}

} // namespace s2f::passes
