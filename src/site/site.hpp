// The site file slurm2flyte.toml: answers that hold for every script of a site or a repository.
//
// Its keys are the table grammar/site-keys.json; nothing else may stand in it.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace s2f::site {

using Value = std::variant<bool, std::int64_t, std::string, std::vector<std::string>>;

// One key with its value. `partitions.gpu.queue = "high"` is {"partitions", "gpu", "queue"};
// `requeue.retries` has no name, `gpus.tesla` no key.
struct Setting {
  std::string table;
  std::string name; // may hold the wildcards * and ?
  std::string key;
  Value value;
  std::string place;   // "slurm2flyte.toml:12"
  std::string cluster; // of `[cluster.NAME]`, "" for every cluster
};

struct Cluster {
  std::string name;
  std::vector<std::string> match; // patterns for paths from the site file's directory
};

struct Site {
  std::string path; // "" when there is no site file
  std::string sha256;
  std::vector<Setting> settings; // in the order of the file
  std::vector<Cluster> clusters;
};

// What is wrong with a site file, and where.
struct Problem {
  std::string path;
  std::uint32_t line = 1, column = 1;
  std::string message; // no full stop, so that a suggestion can follow
  std::string source_line;
  std::string typed;                   // the word that is not known
  std::vector<std::string> candidates; // and those that are
  std::uint32_t width = 1;             // columns to underline
};

// `text` is the file's. Of a pyproject.toml only [tool.slurm2flyte] counts.
[[nodiscard]] std::expected<Site, std::vector<Problem>> read(const std::string& path,
                                                             std::string_view text);
// Whether a pyproject.toml has a table of ours.
[[nodiscard]] bool speaks_of_us(std::string_view pyproject);

// "partitions.gpu.queue", `modules."cuda/12.1"`; parts that are not bare keys are quoted.
[[nodiscard]] std::string key_of(std::string_view table, std::string_view name,
                                 std::string_view key = {});
// Whether a site file may have this key, or keys below it.
[[nodiscard]] bool accepts(std::string_view dotted_key);

// `*` matches any characters, `?` one. In paths `*` stops at a slash and `**` does not.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view text);
[[nodiscard]] bool matches_path(std::string_view pattern, std::string_view path);

template <typename T> struct Answer {
  T value{};
  std::string place; // "slurm2flyte.toml:12"
};

// The settings that hold for one script. Those of its cluster go first; an exact name goes before a
// pattern, a longer pattern before a shorter one.
class Answers {
public:
  Answers() = default;
  // `path`: the script's, from the directory of the site file; `cluster`: chosen by the user, or
  // "".
  Answers(const Site& site, std::string_view path, std::string_view cluster);

  [[nodiscard]] std::optional<Answer<std::string>>
  text(std::string_view table, std::string_view name, std::string_view key) const;
  [[nodiscard]] std::optional<Answer<std::vector<std::string>>>
  texts(std::string_view table, std::string_view name, std::string_view key) const;
  [[nodiscard]] std::optional<Answer<bool>> flag(std::string_view table, std::string_view name,
                                                 std::string_view key) const;
  [[nodiscard]] std::optional<Answer<std::int64_t>>
  number(std::string_view table, std::string_view name, std::string_view key) const;
  // The same for `[paths."PREFIX"]`: the longest prefix that the path lies below.
  [[nodiscard]] std::optional<Answer<std::string>> path(std::string_view path,
                                                        std::string_view key) const;
  // Every code in `rules.ignore`, and every `rules.severity`.
  [[nodiscard]] std::vector<Answer<std::string>> ignored() const;
  // Every code in `rules.on_slurm`.
  [[nodiscard]] std::vector<Answer<std::string>> on_slurm() const;
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> severities() const;

private:
  template <typename T>
  [[nodiscard]] std::optional<Answer<T>> get(std::string_view table, std::string_view name,
                                             std::string_view key) const;
  [[nodiscard]] const Setting* find(std::string_view table, std::string_view name,
                                    std::string_view key) const;
  std::vector<Setting> settings_;
};

// Minutes of "90m", "4h", "2d" or "1d12h"; nothing for anything else.
[[nodiscard]] std::optional<std::int64_t> minutes_of(std::string_view duration);

} // namespace s2f::site
