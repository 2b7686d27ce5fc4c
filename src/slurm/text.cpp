// Text the way the C library reads it.
#include "slurm/text.hpp"

#include <algorithm>
#include <limits>

namespace s2f::slurm {

std::string lowered(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), lower);
  return out;
}

std::string uppered(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), upper);
  return out;
}

bool same_word(std::string_view left, std::string_view right) {
  return std::ranges::equal(left, right, {}, lower, lower);
}

bool begins(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() && same_word(text.substr(0, prefix.size()), prefix);
}

bool contains_word(std::string_view text, std::string_view part) {
  return !std::ranges::search(text, part, {}, lower, lower).empty() || part.empty();
}

bool only_space(std::string_view text) { return std::ranges::all_of(text, is_space); }

std::vector<std::string_view> tokens(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  for (const auto piece : pieces(text, separator))
    if (!piece.empty())
      out.push_back(piece);
  return out;
}

std::vector<std::string_view> pieces(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  while (true) {
    const auto end = text.find(separator);
    out.push_back(text.substr(0, end));
    if (end == std::string_view::npos)
      return out;
    text.remove_prefix(end + 1);
  }
}

Number read_number(std::string_view text, int base) {
  std::size_t at = 0;
  while (at < text.size() && is_space(text[at]))
    ++at;
  bool negative = false;
  if (at < text.size() && (text[at] == '+' || text[at] == '-'))
    negative = text[at++] == '-';
  const auto hex_prefix = at + 2 < text.size() && text[at] == '0' && lower(text[at + 1]) == 'x' &&
                          is_hex_digit(text[at + 2]);
  if (base == 0)
    base = hex_prefix ? 16 : at < text.size() && text[at] == '0' ? 8 : 10;
  if (base == 16 && hex_prefix)
    at += 2;
  const auto digit = [base](char c) {
    const int value = is_digit(c) ? c - '0' : is_alpha(c) ? lower(c) - 'a' + 10 : 99;
    return value < base ? value : -1;
  };
  Number out;
  for (; at < text.size() && digit(text[at]) >= 0; ++at) {
    out.any = true;
    if (__builtin_mul_overflow(out.value, base, &out.value) ||
        __builtin_add_overflow(out.value, negative ? -digit(text[at]) : digit(text[at]),
                               &out.value))
      out.overflow = true;
  }
  if (out.overflow) {
    using Limits = std::numeric_limits<std::int64_t>;
    out.value = negative ? Limits::min() : Limits::max();
  }
  out.end = out.any ? at : 0;
  return out;
}

} // namespace s2f::slurm
