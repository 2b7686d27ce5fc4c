// Job arrays, as the controller reads them: sbatch itself takes any text.
#include "slurm/header.hpp"

#include <algorithm>

#include "slurm/text.hpp"

namespace s2f::slurm {

namespace {

// MaxArraySize cannot be set higher; a site's own limit is not known here.
constexpr std::int64_t largest_array = 4000001;

// "3", "1-9", "1-9:2", each with stray brackets and an ending %, as in "[1-3%2]".
bool read_range(std::string_view text, std::vector<std::int64_t>& indices) {
  if (text.starts_with('['))
    text.remove_prefix(1);
  const auto number = [&text] {
    const auto read = read_number(text);
    text.remove_prefix(read.any ? read.end : 0);
    if (text.starts_with(']'))
      text.remove_prefix(1);
    return read.value;
  };
  const auto at_end = [&text] { return text.empty() || text.front() == '%'; };
  const auto first = number();
  if (first < 0)
    return false;
  auto last = first;
  std::int64_t step = 1;
  if (text.starts_with('-')) {
    text.remove_prefix(1);
    last = number();
    if (text.starts_with(':')) {
      text.remove_prefix(1);
      step = number();
      if (step <= 0 || step >= largest_array)
        return false;
    }
  }
  if (!at_end() || last < first || last >= largest_array)
    return false;
  for (auto index = first; index <= last; index += step)
    indices.push_back(index);
  return true;
}

} // namespace

std::optional<ArraySpec> parse_array(std::string_view text) {
  ArraySpec spec;
  spec.text = text;
  for (const auto range : tokens(text, ','))
    if (!read_range(range, spec.indices))
      return std::nullopt;
  std::ranges::sort(spec.indices);
  const auto [first, last] = std::ranges::unique(spec.indices);
  spec.indices.erase(first, last);
  // Wherever the first % stands, it holds for the whole array.
  if (const auto percent = text.find('%'); percent != std::string_view::npos) {
    const auto throttle = read_number(text.substr(percent + 1));
    if (throttle.value > 0)
      spec.throttle = throttle.value;
  }
  return spec;
}

} // namespace s2f::slurm
