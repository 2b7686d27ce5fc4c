// Counts what a whole repository of scripts comes to.
#include "review/audit.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>

#include "generated/tables/audit_waves.hpp"
#include "generated/tables/audit_weights.hpp"
#include "generated/tables/site_keys.hpp"
#include "review/formats.hpp"
#include "review/labels.hpp"

namespace s2f::review {

namespace {

std::string place(const Input& input, std::uint32_t line) {
  return fmt::format("{}:{}", input.path, line);
}

// Counts by what is counted, in the order of the first occurrence until they are sorted.
class Counter {
public:
  void add(const std::string& what, const std::string& script, std::string where) {
    const auto [entry, fresh] = index_.try_emplace(what, tallies_.size());
    if (fresh) {
      tallies_.push_back({what, 0, 0, std::move(where)});
    }
    Tally& tally = tallies_[entry->second];
    ++tally.count;
    tally.scripts += scripts_.insert({entry->second, script}).second ? 1 : 0;
  }
  // The most frequent first; equals stay in order.
  [[nodiscard]] std::vector<Tally> sorted() const {
    std::vector<Tally> result = tallies_;
    std::ranges::stable_sort(result, std::greater<>{}, &Tally::count);
    return result;
  }
  [[nodiscard]] std::size_t total() const {
    std::size_t sum = 0;
    for (const Tally& tally : tallies_) {
      sum += tally.count;
    }
    return sum;
  }

private:
  std::map<std::string, std::size_t> index_;
  std::set<std::pair<std::size_t, std::string>> scripts_;
  std::vector<Tally> tallies_;
};

bool has_rule(const Input& input, std::string_view rule) {
  return std::ranges::any_of(input.findings,
                             [&](const PlacedFinding& each) { return each.finding.rule == rule; });
}

bool waits(const Finding& finding) {
  return finding.severity == Severity::decision && is_open(finding);
}

// `partitions."gpu.1".queue`: the table, and the name with its quotes.
std::pair<std::string, std::string> name_in(std::string_view key) {
  const auto dot = key.find('.');
  if (dot == std::string_view::npos) {
    return {};
  }
  const std::string table(key.substr(0, dot));
  std::size_t end = dot + 1;
  bool quoted = false;
  for (; end < key.size() && (quoted || key[end] != '.'); ++end) {
    if (key[end] == '\\') {
      ++end;
    } else if (key[end] == '"') {
      quoted = !quoted;
    }
  }
  end = std::min(end, key.size());
  return {table, std::string(key.substr(dot + 1, end - dot - 1))};
}

// Whether the table's keys are names of the site: partitions, modules.
bool has_names(std::string_view table) {
  return std::ranges::any_of(tables::site_keys, [&](const auto& row) {
    return row.key.starts_with(fmt::format("{}.*", table));
  });
}

// What a message says without the names of one script: up to its first colon or comma.
std::string gist(const Finding& finding) {
  const std::string_view text = finding.message;
  const auto colon = text.find(": ");
  std::string_view rest = text;
  if (colon != std::string_view::npos && colon + 2 < text.size()) {
    rest = text.substr(colon + 2);
  }
  return std::string(rest.substr(0, rest.find_last_not_of('.') + 1));
}

std::string stem_of_path(std::string_view path) {
  std::string stem(path.substr(path.find_last_of('/') + 1));
  std::ranges::transform(stem, stem.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return stem;
}

std::string_view wave_of(const Input& input) {
  if (input.verdict == Verdict::keep_on_slurm) {
    return "on_slurm";
  }
  if (input.verdict == Verdict::not_converted) {
    return "by_hand";
  }
  if (input.kind == "driver") {
    return "pipelines";
  }
  if (input.shape.nodes > 1) {
    return "several_nodes";
  }
  if (input.shape.array) {
    return "independent";
  }
  const std::string stem = stem_of_path(input.path);
  for (const auto& row : tables::audit_waves) {
    if (std::ranges::any_of(row.words, [&](std::string_view word) {
          return stem.find(word) != std::string::npos;
        })) {
      return row.name;
    }
  }
  return "one_node";
}

std::vector<Family> families_of(const Review& review) {
  std::map<std::string, std::vector<const Input*>> by_text;
  for (const Input& input : review.inputs) {
    by_text[family_text(input.source_text)].push_back(&input);
  }
  std::vector<Family> families;
  for (const auto& [text, inputs] : by_text) {
    if (inputs.size() < 2) {
      continue;
    }
    Family family;
    for (const Input* input : inputs) {
      family.scripts.push_back(input->path);
    }
    family.differ = family_differences(inputs);
    families.push_back(std::move(family));
  }
  std::ranges::sort(families, {}, [](const Family& each) { return each.scripts.front(); });
  std::ranges::stable_sort(families, std::greater<>{},
                           [](const Family& each) { return each.scripts.size(); });
  return families;
}

// Decisions that the site file answers, and those of one script alone.
void count_decisions(const Review& review, Audit& audit) {
  Counter keys;
  Counter single;
  std::map<std::string, std::set<std::string>> rules;
  std::map<std::string, Counter> names;
  for (const Input& input : review.inputs) {
    for (const PlacedFinding& placed : input.findings) {
      const Finding& finding = placed.finding;
      if (!waits(finding)) {
        continue;
      }
      ++audit.open_decisions;
      // One line that takes the default of a rule everywhere is an answer, too.
      const std::string key = finding.config_key.empty() && !answer_key(finding).empty()
                                  ? fmt::format("rules.ignore = [\"{}\"]", finding.rule)
                                  : finding.config_key;
      if (key.empty()) {
        const Rule* rule = find_rule(finding.rule);
        single.add(fmt::format("{} {}", finding.rule, rule == nullptr ? "" : rule->title),
                   input.path, place(input, placed.line));
        continue;
      }
      keys.add(key, input.path, place(input, placed.line));
      rules[key].insert(finding.rule);
      if (const auto [table, name] = name_in(finding.config_key);
          !name.empty() && has_names(table)) {
        names[table].add(name, input.path, place(input, placed.line));
      }
    }
  }
  for (const Tally& tally : keys.sorted()) {
    const auto& of = rules[tally.what];
    audit.answers.push_back({tally, {of.begin(), of.end()}});
  }
  audit.single = single.sorted();
  for (const auto& [table, counter] : names) {
    audit.names[table] = counter.sorted();
  }
}

void count_effort(const Review& review, const Weights& weights, Audit& audit) {
  std::map<std::string_view, std::size_t> counts;
  counts["answer"] = audit.answers.size();
  for (const Tally& tally : audit.single) {
    counts["decision"] += tally.count;
  }
  for (const Input& input : review.inputs) {
    const bool refused = has_rule(input, "S2F110");
    counts["read"] += 1;
    counts["refused"] += refused ? 1 : 0;
    counts["by_hand"] += input.verdict == Verdict::not_converted && !refused ? 1 : 0;
    counts["on_slurm"] += input.verdict == Verdict::keep_on_slurm ? 1 : 0;
    counts["kept_bash"] += input.body == "kept" || input.body == "mixed" ? 1 : 0;
    counts["several_nodes"] += wave_of(input) == "several_nodes" ? 1 : 0;
  }
  for (const auto& row : tables::audit_weights) {
    const auto given = weights.find(std::string(row.name));
    const std::size_t count = counts[row.name];
    audit.effort.push_back({std::string(row.name), std::string(count == 1 ? row.one : row.many),
                            count, given == weights.end() ? row.minutes : given->second});
  }
}

} // namespace

std::vector<Wave> waves_of(const Review& review) {
  std::vector<Wave> waves;
  for (const auto& row : tables::audit_waves) {
    Wave wave{std::string(row.name), std::string(row.title), std::string(row.reason), {}};
    std::vector<std::pair<std::size_t, const Input*>> members;
    for (const Input& input : review.inputs) {
      if (wave_of(input) == row.name) {
        members.emplace_back(open_count_of(input, Severity::decision), &input);
      }
    }
    std::ranges::stable_sort(members, {}, [](const auto& member) { return member.first; });
    for (const auto& [open, input] : members) {
      wave.scripts.push_back(input->path);
    }
    waves.push_back(std::move(wave));
  }
  std::erase_if(waves, [](const Wave& wave) { return wave.scripts.empty(); });
  return waves;
}

Audit audit(const Review& review, const Weights& weights) {
  Audit audit;
  audit.tool = review.tool;
  audit.flyte = review.flyte;
  audit.scripts = review.inputs.size();
  Counter verdicts;
  Counter kinds;
  Counter bodies;
  Counter stays;
  Counter by_hand;
  for (const Input& input : review.inputs) {
    audit.lines += input.lines;
    audit.lines_accounted += input.lines_accounted;
    verdicts.add(std::string(to_string(input.verdict)), input.path, input.path);
    kinds.add(input.kind, input.path, input.path);
    if (!input.body.empty()) {
      bodies.add(input.body, input.path, input.path);
    }
    for (const PlacedFinding& placed : input.findings) {
      const Finding& finding = placed.finding;
      const bool on_slurm = finding.rule == "S2F702" || finding.rule == "S2F407";
      if (input.verdict == Verdict::keep_on_slurm && on_slurm) {
        stays.add(gist(finding), input.path, place(input, placed.line));
      } else if (input.verdict == Verdict::not_converted &&
                 (finding.severity == Severity::error || finding.rule == "S2F106")) {
        const Rule* rule = find_rule(finding.rule);
        by_hand.add(fmt::format("{} {}", finding.rule, rule == nullptr ? "" : rule->title),
                    input.path, place(input, placed.line));
      }
    }
  }
  audit.verdicts = verdicts.sorted();
  audit.kinds = kinds.sorted();
  audit.bodies = bodies.sorted();
  audit.stays = stays.sorted();
  audit.by_hand = by_hand.sorted();
  count_decisions(review, audit);
  count_effort(review, weights, audit);
  audit.waves = waves_of(review);
  audit.families = families_of(review);
  return audit;
}

} // namespace s2f::review
