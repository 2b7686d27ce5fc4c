// Durations: minutes, H:M:S, days. Seconds round up to a minute where Slurm counts minutes.
#include "slurm/values.hpp"

#include <array>

#include <fmt/format.h>

#include "slurm/header.hpp"
#include "slurm/text.hpp"

namespace s2f::slurm {

namespace {

// Slurm looks at the shape first: groups of digits, at most one dash, which may not follow a colon,
// at most two colons, and a group before and after each.
bool looks_like_time(std::string_view text) {
  int groups = 0;
  int dashes = 0;
  int colons = 0;
  bool in_group = false;
  for (const char c : text) {
    if (is_digit(c)) {
      groups += in_group ? 0 : 1;
      in_group = true;
      continue;
    }
    in_group = false;
    if (c == '-') {
      ++dashes;
      if (colons > 0)
        return false;
    } else if (c == ':') {
      ++colons;
    } else {
      return false;
    }
  }
  const int needed = colons == 0 ? 1 : colons + 1 + (dashes > 0 ? 1 : 0);
  return groups >= needed && dashes <= 1 && colons <= 2;
}

// sscanf("%d<separator>%d..."): numbers as far as the pattern fits.
std::size_t scan(std::string_view text, std::string_view separators,
                 std::array<std::uint32_t, 4>& out) {
  std::size_t count = 0;
  std::size_t at = 0;
  while (count < separators.size() + 1) {
    const auto number = read_number(text.substr(at));
    if (!number.any)
      break;
    out[count++] = static_cast<std::uint32_t>(number.value);
    at += number.end;
    if (count > separators.size() || at >= text.size() || text[at] != separators[count - 1])
      break;
    ++at;
  }
  return count;
}

} // namespace

std::int32_t read_seconds(std::string_view text) {
  if (text.empty())
    return no_time;
  if (text == "-1" || same_word(text, "INFINITE") || same_word(text, "UNLIMITED"))
    return unlimited_time;
  if (!looks_like_time(text))
    return no_time;
  // Unsigned, so that what overflows wraps as it does in Slurm: --time=-5 is 8166 years.
  std::array<std::uint32_t, 4> n{};
  std::uint32_t seconds = 0;
  if (text.contains('-')) {
    scan(text, "-::", n);
    seconds = n[0] * 86400 + n[1] * 3600 + n[2] * 60 + n[3];
  } else if (scan(text, "::", n) == 3) {
    seconds = n[0] * 3600 + n[1] * 60 + n[2];
  } else {
    seconds = n[0] * 60 + n[1];
  }
  return static_cast<std::int32_t>(seconds);
}

std::int32_t read_minutes(std::string_view text) {
  const auto seconds = read_seconds(text);
  if (seconds == unlimited_time || seconds == no_time)
    return seconds;
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(seconds) + 59U) / 60;
}

std::string show_seconds(std::int64_t seconds) {
  if (seconds == 0xffffffff)
    return "UNLIMITED";
  const auto days = seconds / 86400;
  const auto hours = seconds / 3600 % 24;
  const auto minutes = seconds / 60 % 60;
  const auto rest = seconds % 60;
  if (days < 0 || hours < 0 || minutes < 0 || rest < 0)
    return "INVALID";
  auto clock = fmt::format("{:02}:{:02}:{:02}", hours, minutes, rest);
  return days > 0 ? fmt::format("{}-{}", days, clock) : clock;
}

std::string show_minutes(std::uint32_t minutes) {
  return minutes == 0xffffffff ? "UNLIMITED" : show_seconds(std::int64_t{minutes} * 60);
}

std::optional<Minutes> parse_time(std::string_view text) {
  const auto minutes = read_minutes(text);
  if (minutes == no_time)
    return std::nullopt;
  if (minutes == unlimited_time || minutes == 0)
    return Minutes{};
  return Minutes{static_cast<std::int64_t>(static_cast<std::uint32_t>(minutes))};
}

} // namespace s2f::slurm
