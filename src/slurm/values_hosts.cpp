// Host lists: c[1-3,7],d.
#include "slurm/values.hpp"

#include <map>
#include <utility>

#include <fmt/format.h>

#include "slurm/text.hpp"

namespace s2f::slurm {

namespace {

constexpr std::size_t most_hosts = 64 * 1024; // as many as Slurm takes in one range

struct Numbered {
  std::string_view prefix;
  std::string_view digits;
};

Numbered numbered(std::string_view host) {
  auto end = host.size();
  while (end > 0 && is_digit(host[end - 1]))
    --end;
  return {host.substr(0, end), host.substr(end)};
}

bool expand(std::string_view prefix, std::string_view rest, std::vector<std::string>& out) {
  const auto open = rest.find('[');
  if (open == std::string_view::npos) {
    out.push_back(fmt::format("{}{}", prefix, rest));
    return out.size() <= most_hosts;
  }
  const auto close = rest.find(']', open);
  if (close == std::string_view::npos)
    return false;
  const auto head = fmt::format("{}{}", prefix, rest.substr(0, open));
  for (const auto range : pieces(rest.substr(open + 1, close - open - 1), ',')) {
    const auto dash = range.find('-');
    const auto low = range.substr(0, dash);
    const auto high = dash == std::string_view::npos ? low : range.substr(dash + 1);
    const auto first = read_number(low);
    const auto last = read_number(high);
    if (low.empty() || first.end != low.size() || last.end != high.size() || first.overflow ||
        last.overflow || last.value < first.value ||
        last.value - first.value > static_cast<std::int64_t>(most_hosts))
      return false;
    for (auto number = first.value; number <= last.value; ++number)
      if (!expand(fmt::format("{}{:0{}}", head, number, low.size()), rest.substr(close + 1), out))
        return false;
  }
  return true;
}

std::string show_ranges(const std::vector<std::string_view>& digits) {
  std::string out;
  for (std::size_t from = 0; from < digits.size();) {
    auto to = from;
    while (to + 1 < digits.size() && digits[to + 1].size() == digits[from].size() &&
           read_number(digits[to + 1]).value == read_number(digits[to]).value + 1)
      ++to;
    out += out.empty() ? "" : ",";
    out += digits[from];
    if (to > from)
      out += fmt::format("-{}", digits[to]);
    from = to + 1;
  }
  return out;
}

} // namespace

std::optional<std::vector<std::string>> read_hosts(std::string_view text) {
  std::vector<std::string> out;
  std::size_t start = 0;
  int depth = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    if (at < text.size() && text[at] == '[')
      ++depth;
    if (at < text.size() && text[at] == ']')
      --depth;
    const bool ends = at == text.size() || (depth == 0 && (text[at] == ',' || is_space(text[at])));
    if (!ends)
      continue;
    const auto host = text.substr(start, at - start);
    start = at + 1;
    if (!host.empty() && !expand("", host, out))
      return std::nullopt;
  }
  return out;
}

std::string show_hosts(const std::vector<std::string>& hosts) {
  struct Group {
    std::string_view prefix;
    std::vector<std::string_view> digits;
    bool numbered = false;
  };
  std::vector<Group> groups;
  std::map<std::pair<std::string_view, bool>, std::size_t> index;
  for (const auto& host : hosts) {
    const auto parts = numbered(host);
    const auto key = std::pair(parts.prefix, !parts.digits.empty());
    const auto [found, added] = index.emplace(key, groups.size());
    if (added)
      groups.push_back({.prefix = parts.prefix, .digits = {}, .numbered = key.second});
    groups[found->second].digits.push_back(parts.digits);
  }
  std::string out;
  for (const auto& group : groups) {
    if (!out.empty())
      out += ',';
    out += group.prefix;
    if (!group.numbered) {
      for (std::size_t again = 1; again < group.digits.size(); ++again)
        (out += ',') += group.prefix;
      continue;
    }
    const auto ranges = show_ranges(group.digits);
    out += group.digits.size() == 1 ? ranges : fmt::format("[{}]", ranges);
  }
  return out;
}

} // namespace s2f::slurm
