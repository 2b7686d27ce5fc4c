// Counts, sizes, node ranges.
#include "slurm/values.hpp"

#include <array>
#include <limits>

#include <fmt/format.h>

#include "slurm/header.hpp"
#include "slurm/text.hpp"

namespace s2f::slurm {

Read<std::int32_t> read_count(std::string_view what, std::string_view text, bool zero_allowed) {
  const auto number = read_number(text);
  // strtol leaves the end at the start where there is no digit, so "" is 0 and "x" is not.
  const auto end = number.any ? number.end : 0;
  if (end != text.size() || number.value < 0 || (!zero_allowed && number.value == 0))
    return std::unexpected(fmt::format("Invalid numeric value \"{}\" for {}.", text, what));
  if (number.value == std::numeric_limits<std::int64_t>::max())
    return std::unexpected(fmt::format("Numeric argument ({}) to big for {}.", number.value, what));
  return static_cast<std::int32_t>(number.value);
}

std::optional<std::uint64_t> read_mebibytes(std::string_view text) {
  const auto number = read_number(text);
  if (!number.any || number.overflow || number.value < 0)
    return std::nullopt;
  auto value = static_cast<std::uint64_t>(number.value);
  const auto unit = text.substr(number.end);
  if (unit.empty())
    return value;
  if (unit.size() > 2 || (unit.size() == 2 && lower(unit[1]) != 'b'))
    return std::nullopt;
  switch (lower(unit[0])) {
  case 'k':
    return (value + 1023) / 1024;
  case 'm':
    return value;
  case 'g':
    return value * 1024;
  case 't':
    return value * 1024 * 1024;
  default:
    return std::nullopt;
  }
}

std::string show_mebibytes(std::uint64_t mebibytes) {
  // No unit fits 0, so that Slurm shows it with a question mark: --mem=0 is "0?".
  constexpr std::string_view units = "MGTP?";
  std::size_t unit = 0;
  for (; units[unit] != '?'; ++unit) {
    if (mebibytes != 0 && mebibytes % 1024 != 0)
      break;
    mebibytes /= 1024;
  }
  return unit == 0 ? std::to_string(mebibytes) : fmt::format("{}{}", mebibytes, units[unit]);
}

namespace {

struct NodeNumber {
  std::int32_t value = -1;
  std::string_view rest;
};

NodeNumber read_node_number(std::string_view text) {
  const auto number = read_number(text);
  if (!number.any)
    return {-1, text};
  auto value = static_cast<std::uint64_t>(number.value);
  auto at = number.end;
  if (at < text.size() && lower(text[at]) == 'k') {
    value *= 1024;
    ++at;
  }
  if (at < text.size() && lower(text[at]) == 'm') {
    value *= 1024 * 1024;
    ++at;
  }
  return {static_cast<std::int32_t>(value), text.substr(at)};
}

std::string not_a_count(std::string_view text) {
  return fmt::format("\"{}\" is not a valid node count", text);
}

} // namespace

Read<NodeRange> read_node_range(std::string_view text) {
  NodeRange range;
  if (const auto dash = text.find('-'); dash != std::string_view::npos) {
    const auto low = read_node_number(text.substr(0, dash));
    if (!only_space(low.rest))
      return std::unexpected(not_a_count(text.substr(0, dash)));
    const auto high = read_node_number(text.substr(dash + 1));
    if (!only_space(high.rest))
      return std::unexpected(not_a_count(text.substr(dash + 1)));
    range = {low.value < 0 ? 1 : low.value, high.value};
  } else {
    const auto number = read_node_number(text);
    if (!only_space(number.rest) || number.value < 0)
      return std::unexpected(not_a_count(text));
    range = {number.value, number.value};
  }
  if (range.max != 0 && range.max < range.min)
    return std::unexpected(fmt::format("Maximum node count {} is less than minimum node count {}",
                                       range.max, range.min));
  return range;
}

namespace {

// "2", "1-4", "*" or nothing; only the lower number counts.
Read<std::optional<std::int32_t>> read_shape_part(std::string_view text, std::string_view what) {
  if (text.empty() || text.front() == '*')
    return std::nullopt;
  const auto bad = [&] {
    return std::unexpected(fmt::format("Invalid numeric value \"{}\" for {}.", text, what));
  };
  const auto scaled = [](std::string_view from, std::size_t& end) {
    const auto number = read_number(from);
    auto value = static_cast<std::uint64_t>(number.value); // wraps where Slurm overflows
    end = number.end;
    if (end < from.size() && lower(from[end]) == 'k') {
      value *= 1024;
      ++end;
    } else if (end < from.size() && lower(from[end]) == 'm') {
      value *= 1048576;
      ++end;
    }
    return static_cast<std::int64_t>(value);
  };
  constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();
  std::size_t end = 0;
  const auto low = scaled(text, end);
  if ((end != text.size() && text[end] != '-') || low < 0)
    return bad();
  if (low > largest)
    return std::unexpected(fmt::format("Numeric argument ({}) to big for {}.", low, what));
  if (end == text.size())
    return static_cast<std::int32_t>(low);
  const auto rest = text.substr(end + 1);
  const auto high = scaled(rest, end);
  if ((end != rest.size() && rest[end] != '-') || high <= 0)
    return bad();
  if (high > largest)
    return std::unexpected(fmt::format("Numeric argument ({}) to big for {}.", high, what));
  return static_cast<std::int32_t>(low);
}

} // namespace

Read<NodeShape> read_node_shape(std::string_view text) {
  const auto parts = pieces(text, ':');
  constexpr std::array<std::string_view, 3> names = {"first arg of -B", "second arg of -B",
                                                     "third arg of -B"};
  std::array<std::optional<std::int32_t>, 3> values;
  for (std::size_t i = 0; i < names.size() && i < parts.size(); ++i) {
    auto value = read_shape_part(parts[i], names[i]);
    if (!value)
      return std::unexpected(std::move(value).error());
    values[i] = *value;
  }
  return NodeShape{values[0], values[1], values[2]};
}

namespace {

// strtoull: a sign is allowed and wraps, and what is too large is the largest number.
Number read_unsigned(std::string_view text, std::uint64_t& value) {
  const auto number = read_number(text);
  value = static_cast<std::uint64_t>(number.value);
  if (!number.overflow)
    return number;
  const auto digits = text.substr(0, number.end);
  std::uint64_t sum = 0;
  for (const char c : digits.substr(digits.find_first_of("0123456789")))
    if (__builtin_mul_overflow(sum, std::uint64_t{10}, &sum) ||
        __builtin_add_overflow(sum, static_cast<std::uint64_t>(c - '0'), &sum)) {
      value = std::numeric_limits<std::uint64_t>::max();
      return number;
    }
  value = digits.contains('-') ? 0 - sum : sum;
  return number;
}

} // namespace

std::optional<std::uint64_t> read_gres_count(std::string_view text) {
  std::uint64_t value = 0;
  // Without a digit it is 0 with all of the text left over.
  const auto number = read_unsigned(text, value);
  if (value == std::numeric_limits<std::uint64_t>::max()) // -1, too
    return std::nullopt;
  const auto suffix = lowered(text.substr(number.any ? number.end : 0));
  constexpr std::string_view powers = "kmgtp";
  std::uint64_t factor = 1;
  if (!suffix.empty()) {
    const auto power = powers.find(suffix[0]);
    const auto unit = std::string_view(suffix).substr(1);
    if (power == std::string_view::npos || (unit != "" && unit != "ib" && unit != "b"))
      return std::nullopt;
    for (std::size_t i = 0; i <= power; ++i)
      factor *= unit == "b" ? 1000 : 1024;
  }
  return value * factor;
}

std::optional<Mebibytes> parse_memory(std::string_view text) {
  const auto mebibytes = read_mebibytes(text);
  if (!mebibytes)
    return std::nullopt;
  return Mebibytes{static_cast<std::int64_t>(*mebibytes)};
}

std::optional<NodeCount> parse_nodes(std::string_view text) {
  const auto range = read_node_range(text);
  if (!range)
    return std::nullopt;
  NodeCount count{.min = range->min, .max = std::nullopt};
  if (range->max != 0)
    count.max = range->max;
  return count;
}

} // namespace s2f::slurm
