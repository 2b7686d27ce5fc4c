// Reads a site file and checks every key and value of it against grammar/site-keys.json.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include "generated/tables/site_keys.hpp"
#include "review/finding.hpp"
#include "review/visible.hpp"
#include "site/site.hpp"
#include "source/source.hpp"

namespace s2f::site {

namespace {

using Row = tables::SiteKeysRow;
using Kind = tables::SiteKeysKind;
constexpr std::string_view star = "*";

std::vector<std::string_view> split(std::string_view dotted) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= dotted.size();) {
    const auto end = std::min(dotted.find('.', begin), dotted.size());
    parts.push_back(dotted.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// Whether the key's parts so far lead to `row`; a star stands for any name.
bool leads_to(const Row& row, const std::vector<std::string>& parts) {
  const auto known = split(row.key);
  if (parts.size() > known.size())
    return false;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (known[i] != star && known[i] != parts[i])
      return false;
  }
  return true;
}

const Row* row_of(const std::vector<std::string>& parts) {
  for (const Row& row : tables::site_keys) {
    if (split(row.key).size() == parts.size() && leads_to(row, parts))
      return &row;
  }
  return nullptr;
}

// What may stand after these parts; nothing where any name may.
std::vector<std::string> next_parts(const std::vector<std::string>& parts) {
  std::vector<std::string> names;
  for (const Row& row : tables::site_keys) {
    const auto known = split(row.key);
    if (known.size() > parts.size() && leads_to(row, parts)) {
      std::string name(known[parts.size()]);
      if (name != star && std::ranges::find(names, name) == names.end())
        names.push_back(std::move(name));
    }
  }
  return names;
}

bool queue_name(std::string_view name) {
  return name.empty() ||
         (std::isalnum(static_cast<unsigned char>(name[0])) != 0 &&
          std::ranges::all_of(name, [](unsigned char c) {
            return c < 128 && (std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-');
          }));
}

// "3.11" with a version that flyte runs on.
bool python_version(std::string_view text) {
  constexpr int lowest = 10;
  constexpr int highest = 14;
  if (!text.starts_with("3."))
    return false;
  int minor = 0;
  const auto digits = text.substr(2);
  const auto [end, error] = std::from_chars(digits.begin(), digits.end(), minor);
  return error == std::errc() && end == digits.end() && minor >= lowest && minor <= highest;
}

bool printable(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) { return c >= 0x20 && c != 0x7f; });
}

// "" where the text fits the key; else what it should be.
std::string wrong_text(const std::vector<std::string>& parts, std::string_view text) {
  const std::string_view last = parts.back();
  const std::string_view table = parts.front();
  if (!printable(text))
    return "a text without control characters";
  if (last == "queue" && !queue_name(text))
    return "the name of a queue (letters, digits, `.`, `_` and `-`), or \"\" for none";
  if (last == "python" && !python_version(text))
    return "a version from \"3.10\" to \"3.14\"";
  if (table == "secrets" && text.empty())
    return "the key of a secret";
  if ((last == "image" || last == "default") && text.find_first_of(" \t") != text.npos)
    return "the name of an image, without blanks";
  if (last == "requirements" &&
      (text.empty() || text.starts_with('/') || text.find("..") != text.npos)) {
    return "a path from the script, without `..`";
  }
  if (last == "pod_template" && text.empty())
    return "the name of a pod template";
  return {};
}

// TOML has no control characters but these; the library's parser stops the program at some others.
std::size_t control_character(std::string_view text) {
  const auto found = std::ranges::find_if(text, [](unsigned char c) {
    return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7F;
  });
  return found == text.end() ? text.npos : static_cast<std::size_t>(found - text.begin());
}

class Reader {
public:
  Reader(std::string path, std::string_view text) : path_(std::move(path)), text_(text) {
    label_ = path_.substr(path_.find_last_of('/') + 1);
  }

  std::expected<Site, std::vector<Problem>> read() {
    if (const auto at = control_character(text_); at != text_.npos) {
      control_character_at(at);
      return std::unexpected(std::move(problems_));
    }
    const toml::parse_result parsed = toml::parse(text_);
    if (!parsed) {
      problem(parsed.error().source().begin, 1, std::string(parsed.error().description()));
      return std::unexpected(std::move(problems_));
    }
    const toml::table* root = &parsed.table();
    if (label_ == "pyproject.toml")
      root = parsed["tool"]["slurm2flyte"].as_table();
    site_.path = path_;
    site_.sha256 = source::sha256_hex(text_);
    if (root != nullptr)
      tables_of(*root, {});
    if (!problems_.empty()) {
      std::ranges::stable_sort(problems_, {}, &Problem::line);
      return std::unexpected(std::move(problems_));
    }
    std::ranges::stable_sort(site_.settings, {},
                             [this](const Setting& s) { return lines_.at(s.place); });
    return std::move(site_);
  }

private:
  struct Node {
    const toml::table* table;
    std::vector<std::string> parts; // below the cluster
    std::string cluster;
  };

  void tables_of(const toml::table& root, std::vector<std::string> parts) {
    std::vector<Node> pending{{&root, std::move(parts), ""}};
    while (!pending.empty()) {
      const Node node = std::move(pending.back());
      pending.pop_back();
      for (const auto& [key, value] : *node.table)
        entry(node, key, value, pending);
    }
  }

  void entry(const Node& node, const toml::key& key, const toml::node& value,
             std::vector<Node>& pending) {
    auto parts = node.parts;
    parts.emplace_back(key.str());
    std::string cluster = node.cluster;
    if (cluster.empty() && node.parts.size() == 1 && node.parts[0] == "cluster") {
      cluster = parts.back(); // its tables are those of the file
      site_.clusters.push_back({cluster, {}});
      parts.clear();
      if (value.as_table() == nullptr)
        return problem(key.source().begin, key.str().size(),
                       fmt::format("cluster.{} must be a table", cluster));
      pending.push_back({value.as_table(), {}, cluster});
      return;
    }
    if (!cluster.empty() && parts.size() == 1 && parts[0] == "match")
      return match(cluster, key, value);
    if (!cluster.empty() && parts[0] == "cluster")
      return problem(key.source().begin, key.str().size(), "a cluster cannot hold another");
    const bool leads = parts == std::vector<std::string>{"cluster"} ||
                       std::ranges::any_of(tables::site_keys,
                                           [&](const Row& row) { return leads_to(row, parts); });
    if (!leads)
      return unknown(node, key, cluster);
    const Row* row = row_of(parts);
    if (row == nullptr) {
      if (value.as_table() == nullptr) {
        return problem(key.source().begin, key.str().size(),
                       fmt::format("{} must be a table with {}", fmt::join(parts, "."),
                                   fmt::join(next_parts(parts), ", ")));
      }
      pending.push_back({value.as_table(), std::move(parts), cluster});
      return;
    }
    setting(*row, parts, cluster, key, value);
  }

  void unknown(const Node& node, const toml::key& key, const std::string& cluster) {
    auto names = next_parts(node.parts);
    if (node.parts.empty() && !cluster.empty()) {
      std::erase(names, "cluster");
      names.emplace_back("match");
    }
    const std::string where = node.parts.empty() ? std::string("a site file")
                                                 : fmt::format("[{}]", fmt::join(node.parts, "."));
    problem(key.source().begin, key.str().size(),
            fmt::format("{} has no key `{}`", where, key.str()));
    problems_.back().typed = std::string(key.str());
    problems_.back().candidates = std::move(names);
  }

  void match(const std::string& cluster, const toml::key& key, const toml::node& value) {
    const auto list = texts(value);
    if (!list)
      return problem(key.source().begin, key.str().size(),
                     "match must be a list of patterns for paths");
    for (Cluster& one : site_.clusters) {
      if (one.name == cluster)
        one.match = *list;
    }
  }

  static std::optional<std::vector<std::string>> texts(const toml::node& value) {
    const toml::array* array = value.as_array();
    if (array == nullptr)
      return std::nullopt;
    std::vector<std::string> list;
    for (const toml::node& element : *array) {
      const auto text = element.value_exact<std::string>();
      if (!text || !printable(*text))
        return std::nullopt;
      list.push_back(*text);
    }
    return list;
  }

  void setting(const Row& row, const std::vector<std::string>& parts, const std::string& cluster,
               const toml::key& key, const toml::node& node) {
    std::string wanted;
    std::optional<Value> value;
    const auto text = node.value_exact<std::string>();
    switch (row.kind) {
    case Kind::text:
      wanted = text ? wrong_text(parts, *text) : "a text";
      if (text)
        value = *text;
      break;
    case Kind::flag:
      wanted = "true or false";
      if (const auto flag = node.value_exact<bool>())
        value = *flag;
      break;
    case Kind::count: {
      constexpr std::int64_t most = 1'000'000'000;
      wanted = "a whole number, 0 or more";
      if (const auto count = node.value_exact<std::int64_t>();
          count && *count >= 0 && *count <= most)
        value = *count;
      break;
    }
    case Kind::texts:
      wanted = "a list of texts";
      if (auto list = texts(node))
        value = std::move(*list);
      break;
    case Kind::duration:
      wanted = "a time such as \"90m\", \"4h\" or \"2d\"";
      if (const auto minutes = text ? minutes_of(*text) : std::nullopt)
        value = *minutes;
      break;
    case Kind::choice:
    case Kind::severity:
      wanted = fmt::format("\"{}\"", fmt::join(row.choices, "\", \""));
      if (text && std::ranges::find(row.choices, *text) != row.choices.end())
        value = *text;
      break;
    case Kind::codes:
      wanted = "a list of codes such as \"S2F205\"";
      if (auto list = texts(node))
        value = std::move(*list);
      break;
    }
    if (value && row.kind != Kind::text)
      wanted.clear();
    if (!value || !wanted.empty()) {
      return problem(node.source().begin, 1,
                     fmt::format("{} must be {}", fmt::join(parts, "."), wanted));
    }
    if (!codes_are_known(row, parts, key, node, *value))
      return;
    Setting setting = named(row, parts);
    setting.value = std::move(*value);
    setting.cluster = cluster;
    setting.place = fmt::format("{}:{}", label_, node.source().begin.line);
    lines_[setting.place] = node.source().begin.line;
    site_.settings.push_back(std::move(setting));
  }

  bool codes_are_known(const Row& row, const std::vector<std::string>& parts, const toml::key& key,
                       const toml::node& node, const Value& value) {
    std::vector<std::string> codes;
    if (row.kind == Kind::codes)
      codes = std::get<std::vector<std::string>>(value);
    if (row.kind == Kind::severity)
      codes = {parts.back()};
    for (const std::string& code : codes) {
      const review::Rule* rule = review::find_rule(code);
      if (rule == nullptr || rule->severity == review::Severity::error) {
        problem(row.kind == Kind::severity ? key.source().begin : node.source().begin, 1,
                rule == nullptr
                    ? fmt::format("there is no rule `{}`", code)
                    : fmt::format("{} is an error, which nobody can wave through", code));
        if (rule == nullptr) {
          problems_.back().typed = code;
          for (const review::Rule& known : review::rules())
            problems_.back().candidates.emplace_back(known.code);
        }
        return false;
      }
    }
    return true;
  }

  // "partitions.*.queue" has a name and a key, "gpus.*" a name, "requeue.retries" a key.
  static Setting named(const Row& row, const std::vector<std::string>& parts) {
    const auto known = split(row.key);
    Setting setting;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (known[i] == star)
        setting.name = parts[i];
      else if (i + 1 == parts.size() && i > 0)
        setting.key = parts[i];
      else
        setting.table += (setting.table.empty() ? "" : ".") + parts[i];
    }
    return setting;
  }

  void control_character_at(std::size_t offset) {
    const auto before = text_.substr(0, offset);
    const auto line = std::ranges::count(before, '\n') + 1;
    const auto column = offset - (before.rfind('\n') + 1); // npos + 1 is 0
    problem({.line = static_cast<toml::source_index>(line),
             .column = static_cast<toml::source_index>(column + 1)},
            1, "A site file has no control characters: this one is in the way");
  }

  void problem(const toml::source_position& at, std::size_t width, std::string message) {
    Problem one;
    one.path = path_;
    one.line = std::max<std::uint32_t>(at.line, 1);
    one.column = std::max<std::uint32_t>(at.column, 1);
    one.message = std::move(message);
    one.width = static_cast<std::uint32_t>(std::max<std::size_t>(width, 1));
    std::size_t begin = 0;
    for (std::uint32_t line = 1; line < one.line && begin != text_.npos; ++line) {
      begin = text_.find('\n', begin);
      begin = begin == text_.npos ? begin : begin + 1;
    }
    if (begin != text_.npos)
      one.source_line = std::string(text_.substr(begin, text_.find('\n', begin) - begin));
    problems_.push_back(std::move(one));
  }

  std::string path_;
  std::string label_;
  std::string_view text_;
  Site site_;
  std::vector<Problem> problems_;
  std::map<std::string, std::uint32_t> lines_;
};

} // namespace

std::expected<Site, std::vector<Problem>> read(const std::string& path, std::string_view text) {
  return Reader(path, text).read();
}

bool speaks_of_us(std::string_view pyproject) {
  if (pyproject.find("slurm2flyte") == pyproject.npos)
    return false;
  if (control_character(pyproject) != pyproject.npos)
    return false;
  const toml::parse_result parsed = toml::parse(pyproject);
  return parsed && parsed["tool"]["slurm2flyte"].is_table();
}

namespace {

// As it stands in a string of TOML; what no one can see is written as its number.
std::string escaped(std::string_view text) {
  constexpr std::string_view invisible = "<U+";
  std::string out;
  for (const review::Glyph& glyph : review::glyphs(text)) {
    const auto c = static_cast<unsigned char>(text[glyph.offset]);
    if (c == '"' || c == '\\') {
      out += {'\\', static_cast<char>(c)};
    } else if (c < 0x20 || c == 0x7f) {
      out += fmt::format("\\u{:04X}", c);
    } else if (c >= 0x80 && glyph.text.starts_with(invisible)) {
      const auto digits = glyph.text.substr(invisible.size(), glyph.text.size() - 4);
      out += fmt::format("\\U{:0>8}", digits);
    } else {
      out += glyph.text;
    }
  }
  return out;
}

} // namespace

std::string key_of(std::string_view table, std::string_view name, std::string_view key) {
  const auto part = [](std::string_view text) {
    const bool bare = !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
      return c < 128 && (std::isalnum(c) != 0 || c == '_' || c == '-');
    });
    if (bare)
      return std::string(text);
    return '"' + escaped(text) + '"';
  };
  std::string out(table);
  if (!name.empty())
    out += "." + part(name);
  if (!key.empty())
    out += "." + std::string(key);
  return out;
}

bool accepts(std::string_view dotted_key) {
  const std::string text = std::string(dotted_key) + " = 1\n";
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed)
    return false;
  std::vector<std::string> parts;
  const toml::table* table = &parsed.table();
  while (table != nullptr && table->size() == 1) {
    parts.emplace_back(table->begin()->first.str());
    table = table->begin()->second.as_table();
  }
  return std::ranges::any_of(tables::site_keys,
                             [&](const Row& row) { return leads_to(row, parts); });
}

} // namespace s2f::site
