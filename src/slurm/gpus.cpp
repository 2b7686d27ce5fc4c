// Generic resources of one option, read for the GPUs in them.
#include "slurm/gpus.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

#include "slurm/header.hpp"
#include "slurm/text.hpp"
#include "slurm/values.hpp"

namespace s2f::slurm {

namespace {

struct Counts { // of each type, in order
  std::vector<GpuCount> list;
  std::unordered_map<std::string, std::size_t> index;
};

// What does not fit is the most that does: nobody has so many.
std::int64_t as_count(std::uint64_t count) {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  return count > static_cast<std::uint64_t>(most) ? most : static_cast<std::int64_t>(count);
}

// A count as it is meant: below zero it stays so, where Slurm's own number is a very large one, or
// with -1, which is its largest, none.
std::optional<std::int64_t> read_gpu_count(std::string_view text) {
  if (text == "-1") {
    return -1;
  }
  const auto count = read_gres_count(text);
  if (!count) {
    return std::nullopt;
  }
  return text.contains('-') ? static_cast<std::int64_t>(*count) : as_count(*count);
}

// "[type:]count" or "type"; false when it is malformed.
bool read_one(std::string_view text, Counts& out) {
  GpuCount one{.count = 1, .type = ""};
  const auto colon = text.find(':');
  if (colon != std::string_view::npos) {
    const auto count = read_gpu_count(text.substr(colon + 1));
    if (colon == 0 || colon + 1 == text.size() || !count)
      return false;
    one = {*count, std::string(text.substr(0, colon))};
  } else if (const auto count = read_gpu_count(text)) {
    one.count = *count;
  } else {
    one.type = text;
  }
  const auto [found, added] = out.index.emplace(one.type, out.list.size());
  if (added)
    out.list.push_back(std::move(one));
  else
    out.list[found->second].count = one.count;
  return true;
}

std::optional<GpuCount> sum(const Counts& counts) {
  if (counts.list.empty())
    return std::nullopt;
  GpuCount out;
  for (const auto& one : counts.list) {
    if (__builtin_add_overflow(out.count, one.count, &out.count))
      out.count = std::numeric_limits<std::int64_t>::max();
    if (!one.type.empty())
      out.type += (out.type.empty() ? "" : ",") + one.type;
  }
  return out;
}

} // namespace

std::optional<GpuCount> gpus_of_gres(std::string_view text) {
  Counts counts;
  for (auto item : tokens(text, ',')) {
    if (item.starts_with("gres:"))
      item.remove_prefix(5);
    if (item == "gpu")
      item = "gpu:1";
    if (item.starts_with("gpu:") && !read_one(item.substr(4), counts))
      return std::nullopt;
  }
  return sum(counts);
}

std::optional<GpuCount> gpus_of_count(std::string_view text) {
  Counts counts;
  for (const auto item : tokens(text, ','))
    if (!read_one(item, counts))
      return std::nullopt;
  return sum(counts);
}

TaskResources resources_per_task(std::string_view text) {
  TaskResources out;
  Counts counts;
  for (const auto item : tokens(text, ',')) {
    auto plain = std::string(item); // a release takes = where another takes :
    std::ranges::replace(plain, '=', ':');
    const std::string_view view = plain;
    if (view.starts_with("cpu:"))
      out.cpus = read_number(view.substr(4)).value;
    else if (view == "gres/gpu")
      read_one("1", counts);
    else if (view.starts_with("gres/gpu:"))
      read_one(view.substr(9), counts);
  }
  out.gpus = sum(counts);
  return out;
}

std::optional<GpuRequest> parse_gres(std::string_view text) {
  const auto gpus = gpus_of_gres(text);
  if (!gpus)
    return std::nullopt;
  return GpuRequest{.count = gpus->count, .per = Per::node, .type = gpus->type};
}

} // namespace s2f::slurm
