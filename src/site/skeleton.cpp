// Writes a site file to fill in from the open questions of a review.
#include "site/skeleton.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "generated/tables/site_keys.hpp"
#include "review/formats.hpp"
#include "review/labels.hpp"
#include "review/visible.hpp"
#include "site/site.hpp"

namespace s2f::site {

namespace {

using review::counted;
using review::Finding;

// A dotted key that a finding names, in its parts; quotes are kept.
std::vector<std::string> parts_of(std::string_view key) {
  std::vector<std::string> parts(1);
  bool quoted = false;
  for (std::size_t i = 0; i < key.size(); ++i) {
    if (key[i] == '\\' && i + 1 < key.size()) {
      parts.back() += key[i++];
    } else if (key[i] == '"') {
      quoted = !quoted;
    } else if (key[i] == '.' && !quoted) {
      parts.emplace_back();
      continue;
    }
    parts.back() += key[i];
  }
  return parts;
}

std::vector<std::string> known_parts(const tables::SiteKeysRow& row) { return parts_of(row.key); }

// Whether a row of the table is what the key means: a key of its table, or the key itself.
bool belongs(const tables::SiteKeysRow& row, const std::vector<std::string>& parts,
             const std::string& rule) {
  const auto known = known_parts(row);
  if (known.front() != parts.front() || known.size() < parts.size())
    return false;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const bool last = i + 1 == parts.size();
    if (known[i] != "*" && known[i] != parts[i] &&
        !(last && std::ranges::find(row.answers, rule) != row.answers.end())) {
      return false;
    }
  }
  return true;
}

struct Question {
  std::vector<std::string> parts; // of the key
  std::string rule;
  std::set<std::string> rules; // several have one key: rules.ignore
  std::set<std::string> scripts;
  std::string first; // "jobs/train.sh:4"
  std::size_t order = 0;
};

struct Section {
  std::string header; // "partitions.gpu"
  std::size_t weight = 0;
  std::size_t order = 0;
  std::string text;
  std::set<std::string> lines;
};

std::string joined(const std::vector<std::string>& parts, std::size_t count) {
  return fmt::format(
      "{}", fmt::join(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(count), "."));
}

// A proposal where Slurm's own name may well be Flyte's.
std::string proposal(const tables::SiteKeysRow& row, const Question& question) {
  const auto known = known_parts(row);
  if (row.key == "rules.ignore")
    return fmt::format("[\"{}\"]", fmt::join(question.rules, "\", \""));
  if (known.back() == "queue") {
    const auto& name = question.parts[1];
    return name.starts_with('"') ? name : fmt::format("\"{}\"", name);
  }
  return std::string(row.example);
}

void add(Section& section, const Question& question) {
  const auto places = counted(question.scripts.size(), "script");
  section.text += fmt::format("# {} in {}, first in {}\n", fmt::join(question.rules, ", "), places,
                              review::visible(question.first));
  for (const auto& row : tables::site_keys) {
    if (!belongs(row, question.parts, question.rule))
      continue;
    const auto known = known_parts(row);
    const std::string key = known.back() == "*" ? question.parts.back() : known.back();
    if (section.lines.insert(key).second)
      section.text += fmt::format("# {} = {}  # {}\n", key, proposal(row, question), row.doc);
  }
}

} // namespace

std::string skeleton(const review::Review& review) {
  std::map<std::string, Question> by_key;
  std::set<std::string> asking;
  std::size_t open = 0;
  for (const auto& input : review.inputs) {
    for (const auto& placed : input.findings) {
      const Finding& finding = placed.finding;
      if (finding.severity != review::Severity::decision || !is_open(finding))
        continue;
      ++open;
      const auto key = review::answer_key(finding);
      if (key.empty() || !accepts(key))
        continue;
      const auto [entry, fresh] = by_key.try_emplace(key);
      Question& question = entry->second;
      if (fresh) {
        question.parts = parts_of(key);
        question.rule = finding.rule;
        question.first = fmt::format("{}:{}", input.path, placed.line);
        question.order = by_key.size();
      }
      question.rules.insert(finding.rule);
      question.scripts.insert(input.path);
      asking.insert(input.path);
    }
  }
  std::vector<const Question*> questions;
  questions.reserve(by_key.size());
  for (const auto& [key, question] : by_key)
    questions.push_back(&question);
  std::ranges::sort(questions, {}, [](const Question* q) {
    return std::tuple{-static_cast<std::int64_t>(q->scripts.size()), q->order};
  });
  std::vector<Section> sections;
  for (const Question* question : questions) {
    // `gpus.tesla` stands in [gpus], `modules."x"` and `partitions.x.queue` in a table of their
    // own.
    const bool flat = std::ranges::any_of(tables::site_keys, [&](const auto& row) {
      const auto known = known_parts(row);
      return known.front() == question->parts.front() && known.size() == 2;
    });
    const auto header =
        joined(question->parts, flat ? 1 : std::min<std::size_t>(question->parts.size(), 2));
    auto section = std::ranges::find(sections, header, &Section::header);
    if (section == sections.end())
      section = sections.insert(section, Section{.header = header, .text = {}, .lines = {}});
    add(*section, *question);
  }
  std::string out = fmt::format(
      "# Answers for slurm2flyte, which hold for every script below this directory.\n"
      "# {} asked by {}; those that a key answers stand here once, the most\n"
      "# frequent first. Values are examples: put in yours and take away the #. Names may hold\n"
      "# the wildcards * and ?. All keys: slurm2flyte config --keys\n",
      counted(open, "question"), counted(asking.size(), "script"));
  for (const Section& section : sections)
    out += fmt::format("\n[{}]\n{}", section.header, section.text);
  return out;
}

} // namespace s2f::site
