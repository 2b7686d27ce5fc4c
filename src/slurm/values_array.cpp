// Job arrays, as the controller reads them: sbatch itself takes any text.
#include "slurm/header.hpp"

#include <algorithm>
#include <cstddef>

#include "slurm/text.hpp"

namespace s2f::slurm {

namespace {

// MaxArraySize cannot be set higher; a site's own limit is not known here.
constexpr std::int64_t largest_array = 4000001;

// Ranges that overlap this often are no request.
constexpr std::int64_t most_work = 100 * largest_array;

class Indices {
public:
  // "3", "1-9", "1-9:2", each with stray brackets and an ending %, as in "[1-3%2]".
  bool read(std::string_view text) {
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
    return at_end() && last >= first && last < largest_array && add(first, last, step);
  }

  [[nodiscard]] std::vector<std::int64_t> sorted() const {
    std::vector<std::int64_t> out;
    for (std::size_t index = 0; index < set_.size(); ++index)
      if (set_[index])
        out.push_back(static_cast<std::int64_t>(index));
    return out;
  }

private:
  bool add(std::int64_t first, std::int64_t last, std::int64_t step) {
    work_ += (last - first) / step + 1;
    if (work_ > most_work)
      return false;
    if (set_.size() <= static_cast<std::size_t>(last))
      set_.resize(static_cast<std::size_t>(last) + 1);
    if (step == 1)
      std::fill(set_.begin() + first, set_.begin() + last + 1, true);
    for (auto index = first; step > 1 && index <= last; index += step)
      set_[static_cast<std::size_t>(index)] = true;
    return true;
  }

  std::vector<bool> set_;
  std::int64_t work_ = 0;
};

} // namespace

std::optional<ArraySpec> parse_array(std::string_view text) {
  ArraySpec spec;
  spec.text = text;
  Indices indices;
  for (const auto range : tokens(text, ','))
    if (!indices.read(range))
      return std::nullopt;
  spec.indices = indices.sorted();
  // Wherever the first % stands, it holds for the whole array.
  if (const auto percent = text.find('%'); percent != std::string_view::npos) {
    const auto throttle = read_number(text.substr(percent + 1));
    if (throttle.value > 0)
      spec.throttle = throttle.value;
  }
  return spec;
}

} // namespace s2f::slurm
