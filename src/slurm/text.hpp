// Text the way the C library reads it, because Slurm's own answers follow from that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace s2f::slurm {

// isspace() and friends of the C locale.
[[nodiscard]] constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
[[nodiscard]] constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }
[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool is_alpha(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
[[nodiscard]] constexpr bool is_hex_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
[[nodiscard]] constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
[[nodiscard]] constexpr char upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

[[nodiscard]] std::string lowered(std::string_view text);
[[nodiscard]] std::string uppered(std::string_view text);
[[nodiscard]] bool same_word(std::string_view left, std::string_view right);    // in any case
[[nodiscard]] bool begins(std::string_view text, std::string_view prefix);      // in any case
[[nodiscard]] bool contains_word(std::string_view text, std::string_view part); // in any case
[[nodiscard]] bool only_space(std::string_view text);

// strtok: pieces between separators, the empty ones left out.
[[nodiscard]] std::vector<std::string_view> tokens(std::string_view text, char separator);
// strsep: pieces between separators, the empty ones too; at least one.
[[nodiscard]] std::vector<std::string_view> pieces(std::string_view text, char separator);

// strtol: blanks, a sign, digits; what follows them is the caller's to judge.
struct Number {
  std::int64_t value = 0;
  std::size_t end = 0;   // of the digits; 0 when there are none
  bool any = false;      // there was a digit
  bool overflow = false; // then `value` is the largest or the smallest
};
[[nodiscard]] Number read_number(std::string_view text, int base = 10);

} // namespace s2f::slurm
