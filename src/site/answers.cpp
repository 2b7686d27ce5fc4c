// Which setting of a site file holds for a name, with wildcards, prefixes of paths and clusters.
#include <algorithm>
#include <cctype>
#include <limits>
#include <tuple>

#include "site/site.hpp"

namespace s2f::site {

namespace {

// How much of a pattern is fixed: what is more specific goes first.
std::size_t fixed(std::string_view pattern) {
  return static_cast<std::size_t>(
      std::ranges::count_if(pattern, [](char c) { return c != '*' && c != '?'; }));
}

bool wild(std::string_view pattern) { return pattern.find_first_of("*?") != pattern.npos; }

// Backtracks to the last star only, so a hostile pattern costs the product of the lengths at most.
bool glob(std::string_view pattern, std::string_view text, bool stops_at_slash) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = pattern.npos;
  std::size_t star_end = 0;
  std::size_t mark = 0;
  bool deep = false;
  // A shallow star after a deep one may have to give way to the deep one.
  std::size_t deep_star_end = pattern.npos;
  std::size_t deep_mark = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p;
      while (p < pattern.size() && pattern[p] == '*')
        ++p;
      deep = !stops_at_slash || p - star > 1;
      star_end = p;
      mark = t;
      if (deep) {
        deep_star_end = p;
        deep_mark = t;
      }
    } else if (p < pattern.size() && (pattern[p] == text[t] ||
                                      (pattern[p] == '?' && !(stops_at_slash && text[t] == '/')))) {
      ++p;
      ++t;
    } else if (star != pattern.npos && (deep || text[mark] != '/')) {
      t = ++mark;
      p = star_end;
      if (deep)
        deep_mark = mark;
    } else if (deep_star_end != pattern.npos && deep_mark < text.size()) {
      t = ++deep_mark;
      p = deep_star_end;
      star = p - 1;
      star_end = p;
      mark = t;
      deep = true;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*')
    ++p;
  return p == pattern.size();
}

bool below(std::string_view path, std::string_view prefix) {
  while (prefix.size() > 1 && prefix.ends_with('/'))
    prefix.remove_suffix(1);
  if (wild(prefix)) {
    return matches_path(prefix, path) || matches_path(std::string(prefix) + "/**", path);
  }
  return path == prefix ||
         (path.starts_with(prefix) &&
          (prefix == "/" || (path.size() > prefix.size() && path[prefix.size()] == '/')));
}

// "$HOME" of "${HOME}".
std::string plain_variables(std::string_view path) {
  if (!path.starts_with("${") || path.find('}') == path.npos)
    return std::string(path);
  const auto close = path.find('}');
  return "$" + std::string(path.substr(2, close - 2)) + std::string(path.substr(close + 1));
}

bool for_cluster(const Site& site, const std::string& cluster, std::string_view path,
                 std::string_view chosen) {
  if (cluster.empty())
    return true;
  if (!chosen.empty())
    return cluster == chosen;
  return std::ranges::any_of(site.clusters, [&](const Cluster& one) {
    return one.name == cluster && std::ranges::any_of(one.match, [&](const std::string& pattern) {
             return matches_path(pattern, path);
           });
  });
}

} // namespace

bool matches(std::string_view pattern, std::string_view text) { return glob(pattern, text, false); }
bool matches_path(std::string_view pattern, std::string_view path) {
  return glob(pattern, path, true);
}

std::optional<std::int64_t> minutes_of(std::string_view duration) {
  constexpr std::int64_t most = 60LL * 24 * 366 * 10; // ten years are enough
  std::int64_t total = 0;
  if (duration.empty())
    return std::nullopt;
  while (!duration.empty()) {
    std::int64_t number = 0;
    std::size_t digits = 0;
    while (digits < duration.size() &&
           std::isdigit(static_cast<unsigned char>(duration[digits])) != 0) {
      number = number * 10 + (duration[digits++] - '0');
      if (number > most)
        return std::nullopt;
    }
    if (digits == 0 || digits == duration.size())
      return std::nullopt;
    const char unit = duration[digits];
    const std::int64_t factor = unit == 'm' ? 1 : unit == 'h' ? 60 : unit == 'd' ? 60 * 24 : 0;
    if (factor == 0)
      return std::nullopt;
    total += number * factor;
    duration.remove_prefix(digits + 1);
  }
  return total > 0 && total <= most ? std::optional(total) : std::nullopt;
}

Answers::Answers(const Site& site, std::string_view path, std::string_view cluster) {
  for (const Setting& setting : site.settings) {
    if (for_cluster(site, setting.cluster, path, cluster))
      settings_.push_back(setting);
  }
  std::ranges::stable_sort(settings_, {}, [](const Setting& setting) {
    const bool pattern = wild(setting.name);
    return std::tuple{setting.cluster.empty(), pattern,
                      pattern ? std::numeric_limits<std::size_t>::max() - fixed(setting.name) : 0};
  });
}

const Setting* Answers::find(std::string_view table, std::string_view name,
                             std::string_view key) const {
  for (const Setting& setting : settings_) {
    if (setting.table == table && setting.key == key &&
        (setting.name == name || (wild(setting.name) && matches(setting.name, name)))) {
      return &setting;
    }
  }
  return nullptr;
}

template <typename T>
std::optional<Answer<T>> Answers::get(std::string_view table, std::string_view name,
                                      std::string_view key) const {
  const Setting* setting = find(table, name, key);
  const T* value = setting != nullptr ? std::get_if<T>(&setting->value) : nullptr;
  if (value == nullptr)
    return std::nullopt;
  return Answer<T>{*value, setting->place};
}

std::optional<Answer<std::string>> Answers::text(std::string_view table, std::string_view name,
                                                 std::string_view key) const {
  return get<std::string>(table, name, key);
}
std::optional<Answer<std::vector<std::string>>>
Answers::texts(std::string_view table, std::string_view name, std::string_view key) const {
  return get<std::vector<std::string>>(table, name, key);
}
std::optional<Answer<bool>> Answers::flag(std::string_view table, std::string_view name,
                                          std::string_view key) const {
  return get<bool>(table, name, key);
}
std::optional<Answer<std::int64_t>> Answers::number(std::string_view table, std::string_view name,
                                                    std::string_view key) const {
  return get<std::int64_t>(table, name, key);
}

std::optional<Answer<std::string>> Answers::path(std::string_view path,
                                                 std::string_view key) const {
  const std::string plain = plain_variables(path);
  const Setting* best = nullptr;
  for (const Setting& setting : settings_) {
    if (setting.table != "paths" || setting.key != key ||
        !below(plain, plain_variables(setting.name))) {
      continue;
    }
    if (best == nullptr || (best->cluster.empty() == setting.cluster.empty() &&
                            fixed(setting.name) > fixed(best->name))) {
      best = &setting;
    }
  }
  const auto* value = best != nullptr ? std::get_if<std::string>(&best->value) : nullptr;
  if (value == nullptr)
    return std::nullopt;
  return Answer<std::string>{*value, best->place};
}

namespace {

std::vector<Answer<std::string>> codes_of(const std::vector<Setting>& settings,
                                          std::string_view key) {
  std::vector<Answer<std::string>> codes;
  for (const Setting& setting : settings) {
    const auto* list = std::get_if<std::vector<std::string>>(&setting.value);
    if (setting.table != "rules" || setting.key != key || list == nullptr)
      continue;
    for (const std::string& code : *list)
      codes.push_back({code, setting.place});
  }
  return codes;
}

} // namespace

std::vector<Answer<std::string>> Answers::ignored() const { return codes_of(settings_, "ignore"); }

std::vector<Answer<std::string>> Answers::on_slurm() const {
  return codes_of(settings_, "on_slurm");
}

std::vector<std::pair<std::string, std::string>> Answers::severities() const {
  std::vector<std::pair<std::string, std::string>> all;
  for (const Setting& setting : settings_) {
    const auto* value = std::get_if<std::string>(&setting.value);
    if (setting.table == "rules.severity" && value != nullptr)
      all.emplace_back(setting.name, *value);
  }
  return all;
}

} // namespace s2f::site
