// Colours for a terminal; without TextStyle::colour every function gives its text back unchanged.
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "review/review.hpp"

namespace s2f::review {

enum class Ink { bold, dim, red, yellow, cyan, green, blue };

[[nodiscard]] inline std::string paint(std::string_view text, Ink ink, const TextStyle& style) {
  if (!style.colour)
    return std::string(text);
  const std::string_view code = ink == Ink::bold     ? "1"
                                : ink == Ink::dim    ? "2"
                                : ink == Ink::red    ? "1;31"
                                : ink == Ink::yellow ? "1;33"
                                : ink == Ink::cyan   ? "1;36"
                                : ink == Ink::green  ? "1;32"
                                                     : "1;34";
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

// The line with its number, and a caret and an underline below columns [column, end_column); ""
// for a blank line.
[[nodiscard]] std::string source_excerpt(std::string_view line, std::uint32_t number,
                                         std::uint32_t column, std::uint32_t end_column, Ink ink,
                                         const TextStyle& style);

[[nodiscard]] inline Ink ink_of(Severity severity) {
  switch (severity) {
  case Severity::error:
    return Ink::red;
  case Severity::warning:
    return Ink::yellow;
  case Severity::decision:
    return Ink::cyan;
  case Severity::note:
    return Ink::blue;
  }
  return Ink::red;
}

} // namespace s2f::review
