// The sign-off file, and carrying it over to the findings of a new run.
#include "review/signoff.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "review/visible.hpp"
#include "source/source.hpp"

namespace s2f::review {

namespace {

using Json = nlohmann::ordered_json;
constexpr std::string_view schema = "slurm2flyte-signoff/1";
constexpr std::size_t hash_digits = 12;
constexpr std::array states{SignState::accepted, SignState::answered, SignState::rejected};

std::string hash_of(std::string_view text) {
  return source::sha256_hex(text).substr(0, hash_digits);
}

// Runs of white space as one blank: a new layout is no new text.
std::string one_line(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool blank = c == ' ' || (c >= '\t' && c <= '\r');
    if (!blank)
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  while (out.ends_with(' '))
    out.pop_back();
  return out;
}

bool digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// "train.sh:12-14" -> "train.sh:#", "line 11" -> "line #": an edit elsewhere moves those.
std::string without_line_numbers(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    const bool place =
        text[i] == ':' && i > 0 && std::isalnum(static_cast<unsigned char>(text[i - 1])) != 0;
    const bool line = text[i] == ' ' && (out.ends_with("line ") || out.ends_with("lines "));
    if ((!place && !line) || i + 1 >= text.size() || !digit(text[i + 1]))
      continue;
    // "a100:8" is no place: what stands before the colon has an ending.
    const auto begin = text.find_last_of(" \t\n\"'`(", i);
    const auto word =
        text.substr(begin == text.npos ? 0 : begin + 1, i - (begin == text.npos ? 0 : begin + 1));
    if (place && word.find('.') == word.npos)
      continue;
    out += '#';
    while (i + 1 < text.size() && (digit(text[i + 1]) || text[i + 1] == '-'))
      ++i;
  }
  return out;
}

// Lines of a text by their numbers; those that follow one another are found without going back.
class NextLines {
public:
  explicit NextLines(std::string_view text) : text_(text), rest_(text) {}

  std::string_view at(std::uint32_t number) {
    if (number < current_) {
      rest_ = text_;
      current_ = 1;
    }
    for (; current_ < number; ++current_) {
      const auto end = rest_.find('\n');
      rest_.remove_prefix(end == rest_.npos ? rest_.size() : end + 1);
    }
    return rest_.substr(0, rest_.find('\n'));
  }

private:
  std::string_view text_, rest_;
  std::uint32_t current_ = 1;
};

std::string span_text(const Input& input, const PlacedFinding& placed) {
  std::string out;
  NextLines lines(input.source_text);
  for (auto line = placed.line; line <= placed.end_line; ++line) {
    auto text = lines.at(line);
    if (line == placed.end_line)
      text =
          text.substr(0, std::min<std::size_t>(text.size(), std::max(placed.end_column, 1U) - 1));
    if (line == placed.line)
      text = text.substr(std::min<std::size_t>(text.size(), std::max(placed.column, 1U) - 1));
    out += std::string(text) + '\n';
  }
  return out;
}

std::string text_or(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::expected<SignEntry, std::string> entry_of(const Json& json, std::size_t number) {
  const auto wrong = [number](std::string_view what) {
    return std::unexpected(fmt::format("entry {}: {}", number, what));
  };
  if (!json.is_object())
    return wrong("it must be an object");
  SignEntry entry;
  entry.script = text_or(json, "script");
  entry.id = text_or(json, "id");
  entry.rule = text_or(json, "rule");
  entry.text = text_or(json, "text");
  entry.answer = text_or(json, "answer");
  entry.who = text_or(json, "who");
  entry.date = text_or(json, "date");
  entry.reason = text_or(json, "reason");
  entry.source_hash = text_or(json, "source");
  entry.output_hash = text_or(json, "output");
  if (entry.script.empty() || entry.id.empty() || entry.rule.empty())
    return wrong("`script`, `id` and `rule` must be texts");
  if (entry.who.empty())
    return wrong("`who` must say who signed");
  const auto state = text_or(json, "state");
  for (const SignState known : states) {
    if (to_string(known) == state) {
      entry.state = known;
      return entry;
    }
  }
  return wrong("`state` must be accepted, answered or rejected");
}

} // namespace

std::string_view to_string(SignState state) {
  switch (state) {
  case SignState::accepted:
    return "accepted";
  case SignState::answered:
    return "answered";
  case SignState::rejected:
    break;
  }
  return "rejected";
}

std::expected<SignOff, std::string> read_sign_off(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded())
    return std::unexpected("it is not valid JSON");
  if (!json.is_object() || text_or(json, "schema") != schema)
    return std::unexpected(fmt::format("`schema` must be \"{}\"", schema));
  const auto entries = json.find("entries");
  if (entries == json.end() || !entries->is_array())
    return std::unexpected("`entries` must be a list");
  SignOff sign_off;
  for (const Json& one : *entries) {
    auto entry = entry_of(one, sign_off.entries.size() + 1);
    if (!entry)
      return std::unexpected(std::move(entry.error()));
    put(sign_off, std::move(*entry));
  }
  return sign_off;
}

std::string render_sign_off(const SignOff& sign_off) {
  Json entries = Json::array();
  for (const SignEntry& entry : sign_off.entries) {
    entries.push_back({{"script", entry.script},
                       {"id", entry.id},
                       {"rule", entry.rule},
                       {"text", entry.text},
                       {"state", to_string(entry.state)},
                       {"answer", entry.answer},
                       {"who", entry.who},
                       {"date", entry.date},
                       {"reason", entry.reason},
                       {"source", entry.source_hash},
                       {"output", entry.output_hash}});
  }
  const Json whole{{"schema", schema}, {"entries", std::move(entries)}};
  return whole.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

void put(SignOff& sign_off, SignEntry entry) {
  const auto key = [](const SignEntry& e) { return std::tie(e.script, e.id); };
  const auto at = std::ranges::lower_bound(sign_off.entries, key(entry), {},
                                           [&](const SignEntry& e) { return key(e); });
  if (at != sign_off.entries.end() && key(*at) == key(entry))
    *at = std::move(entry);
  else
    sign_off.entries.insert(at, std::move(entry));
}

std::string text_of(const Input& input, const PlacedFinding& placed) {
  constexpr std::size_t longest = 120;
  auto text = one_line(span_text(input, placed));
  if (text.size() > longest) {
    auto end = longest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
      --end; // not within a character
    text.resize(end);
    text += "…";
  }
  return text;
}

std::string source_hash(const Input& input, const PlacedFinding& placed) {
  return hash_of(one_line(span_text(input, placed)));
}

std::string output_hash(const Input& input, const PlacedFinding& placed) {
  std::string seen;
  NextLines lines(input.output_text);
  for (const auto line : placed.output_lines)
    (seen += lines.at(line)) += '\n';
  return hash_of(without_line_numbers(one_line(seen)));
}

SignEntry entry_for(const Input& input, const PlacedFinding& placed, std::string script) {
  return {.script = std::move(script),
          .id = placed.finding.id,
          .rule = placed.finding.rule,
          .state = SignState::accepted,
          .text = text_of(input, placed),
          .answer = {},
          .who = {},
          .date = {},
          .reason = {},
          .source_hash = source_hash(input, placed),
          .output_hash = output_hash(input, placed)};
}

PlacedFinding finding_at(const Input& input, std::string rule, std::uint32_t line,
                         std::string message, std::string_view key) {
  PlacedFinding placed;
  placed.finding.rule = std::move(rule);
  const Rule* known = find_rule(placed.finding.rule);
  placed.finding.severity = known != nullptr ? known->severity : Severity::error;
  placed.finding.message = std::move(message);
  placed.finding.id = hash_of(placed.finding.rule + '\0' + std::string(key));
  placed.line = placed.end_line = line;
  const auto text = line_of(input.source_text, line);
  const auto begin = std::min(text.find_first_not_of(" \t"), text.size());
  placed.column = static_cast<std::uint32_t>(begin) + 1;
  placed.end_column = static_cast<std::uint32_t>(text.size()) + 1;
  return placed;
}

namespace {

std::string signed_by(const SignEntry& entry) {
  return entry.date.empty() ? entry.who : fmt::format("{} on {}", entry.who, entry.date);
}

// What an entry says that does not accept the default.
std::string other_answer(const SignEntry& entry) {
  std::string text = entry.state == SignState::rejected
                         ? fmt::format("{} refused {}", signed_by(entry), entry.rule)
                         : fmt::format("{} answered {}: {}", signed_by(entry), entry.rule,
                                       entry.answer.empty() ? "otherwise" : entry.answer);
  if (!entry.reason.empty())
    text += fmt::format(" ({})", entry.reason);
  return text + "; the module does not follow that yet.";
}

} // namespace

void apply_sign_off(Input& input, const SignOff& sign_off, std::string_view script,
                    std::string_view place) {
  std::vector<PlacedFinding> raised;
  std::map<std::string, const SignEntry*> gone; // by rule: entries whose finding is not there
  for (const SignEntry& entry : sign_off.entries) {
    if (entry.script != script)
      continue;
    const auto found = std::ranges::find_if(input.findings, [&](const PlacedFinding& placed) {
      return placed.finding.id == entry.id && placed.finding.rule == entry.rule;
    });
    if (found == input.findings.end()) {
      gone[entry.rule + entry.id] = &entry;
      continue;
    }
    const bool same = source_hash(input, *found) == entry.source_hash &&
                      output_hash(input, *found) == entry.output_hash;
    const Acceptance said{.by = Answerer::sign_off,
                          .place = std::string(place),
                          .answer = entry.answer,
                          .who = entry.who,
                          .date = entry.date,
                          .reason = entry.reason};
    if (entry.state != SignState::accepted) {
      raised.push_back(finding_at(input, "S2F905", found->line, other_answer(entry), entry.id));
    } else if (found->finding.severity == Severity::error) {
      continue; // nobody can sign an error away
    } else if (same) {
      found->finding.accepted = said;
    } else {
      raised.push_back(
          finding_at(input, "S2F902", found->line,
                     fmt::format("{} was accepted by {}; the module has changed there since.",
                                 entry.rule, signed_by(entry)),
                     entry.id));
    }
  }
  for (const auto& [key, entry] : gone) {
    const auto open = std::ranges::find_if(input.findings, [&](const PlacedFinding& placed) {
      return placed.finding.rule == entry->rule && is_open(placed.finding) &&
             placed.finding.severity == Severity::decision;
    });
    raised.push_back(finding_at(
        input, "S2F902", open == input.findings.end() ? 1 : open->line,
        open == input.findings.end()
            ? fmt::format("{} on `{}`, signed by {}, is not there any more; `slurm2flyte signoff "
                          "prune` takes the entry out.",
                          entry->rule, visible(entry->text), signed_by(*entry))
            : fmt::format("{} signed {} for `{}`; the script has changed there since.",
                          signed_by(*entry), entry->rule, visible(entry->text)),
        entry->id));
  }
  for (PlacedFinding& placed : raised)
    input.findings.push_back(std::move(placed));
  std::ranges::stable_sort(input.findings, {}, &PlacedFinding::line);
}

} // namespace s2f::review
