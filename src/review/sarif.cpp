// Renders a review as SARIF 2.1.0 (OASIS), as code scanning takes it.
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "review/formats.hpp"
#include "review/json_text.hpp"
#include "review/line_ranges.hpp"
#include "review/parts_of.hpp"
#include "review/shown.hpp"
#include "review/signoff.hpp"
#include "review/visible.hpp"

namespace s2f::review {

namespace {

using Json = nlohmann::ordered_json;

// A path as a URI reference; what a URI may not hold is escaped.
std::string uri_of(std::string_view path) {
  constexpr std::string_view plain = "/-._~!$&'()*+,;=@";
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const unsigned char c : path) {
    if (c < 0x80 && (std::isalnum(c) != 0 || plain.find(static_cast<char>(c)) != plain.npos))
      uri += static_cast<char>(c);
    else
      uri += fmt::format("%{:02X}", c);
  }
  return uri;
}

// Columns of the model count bytes, those of SARIF characters.
std::uint32_t characters(std::string_view line, std::uint32_t byte_column) {
  const auto end = std::min<std::size_t>(std::max(byte_column, 1U) - 1, line.size());
  return static_cast<std::uint32_t>(std::ranges::count_if(
             line.substr(0, end),
             [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; })) +
         1;
}

Json region_of(const Lines& lines, const PlacedFinding& placed) {
  Json region{{"startLine", placed.line},
              {"startColumn", characters(lines[placed.line], placed.column)}};
  if (placed.end_line > placed.line || placed.end_column > placed.column) {
    region["endLine"] = std::max(placed.line, placed.end_line);
    region["endColumn"] = characters(lines[placed.end_line], placed.end_column);
  }
  return region;
}

std::string_view level_of(Severity severity) {
  switch (severity) {
  case Severity::error:
    return "error";
  case Severity::decision:
  case Severity::warning:
    return "warning";
  case Severity::note:
    break;
  }
  return "note";
}

// The first paragraph of the page's `## What`.
std::string what_of(const Rule& rule) {
  const auto page = rule_page(rule.code);
  constexpr std::string_view heading = "## What\n\n";
  const auto at = page.find(heading);
  if (at == page.npos)
    return std::string(rule.title) + ".";
  const auto begin = at + heading.size();
  auto text = std::string(page.substr(begin, page.find("\n\n", begin) - begin));
  std::ranges::replace(text, '\n', ' ');
  return text;
}

Json rule_json(const Rule& rule) {
  return {{"id", rule.code},
          {"name", rule.name},
          {"shortDescription", {{"text", std::string(rule.title) + "."}}},
          {"fullDescription", {{"text", what_of(rule)}}},
          {"help",
           {{"text", fmt::format("slurm2flyte explain {}", rule.code)},
            {"markdown", rule_page(rule.code)}}},
          {"defaultConfiguration", {{"level", level_of(rule.severity)}}},
          {"properties",
           {{"tags", {"slurm", "flyte", to_string(rule.severity)}}, {"precision", "very-high"}}}};
}

std::string message_of(const Finding& finding) {
  std::string text = visible(finding.message);
  const auto more = [&text](std::string_view label, std::string_view what) {
    if (!what.empty())
      text += fmt::format("\n{}: {}", label, visible(what));
  };
  more("Slurm", finding.slurm_does);
  more("Output", finding.output_does);
  more("Default", finding.default_);
  if (const auto key = answer_text(finding); !key.empty())
    more("Answer", key + " in slurm2flyte.toml");
  return text;
}

Json suppression_of(const Acceptance& accepted) {
  std::string why = accepted.place;
  if (!accepted.who.empty())
    why += fmt::format(", {}{}", accepted.who, accepted.date.empty() ? "" : " on " + accepted.date);
  if (!accepted.reason.empty())
    why += ": " + accepted.reason;
  return {{"kind", accepted.by == Answerer::script ? "inSource" : "external"},
          {"status", "accepted"},
          {"justification", visible(why)}};
}

Json place_of(std::string_view path, Json region) {
  return {{"artifactLocation", {{"uri", uri_of(path)}}}, {"region", std::move(region)}};
}

// What stands in the place of the finding, or of its lines.
Json fix_of(const Input& input, const Lines& lines, const PlacedFinding& placed) {
  const Fix& fix = *placed.finding.fix;
  Json region = region_of(lines, placed);
  if (fix.whole_lines) {
    region = {{"startLine", placed.line},
              {"startColumn", 1},
              {"endLine", std::max(placed.line, placed.end_line) + 1},
              {"endColumn", 1}};
  }
  Json replacement{{"deletedRegion", std::move(region)}};
  if (!fix.text.empty())
    replacement["insertedContent"] = {{"text", fix.text}};
  return {{"description", {{"text", visible(fix.what)}}},
          {"artifactChanges",
           {{{"artifactLocation", {{"uri", uri_of(input.path)}}},
             {"replacements", Json::array({std::move(replacement)})}}}}};
}

// Before all inputs are known, a rule's place in the list is not: its code stands there.
constexpr char unplaced = '\x01';

Json result_of(const Input& input, const Lines& lines, const PlacedFinding& placed) {
  const Finding& finding = placed.finding;
  Json result{
      {"ruleId", finding.rule},
      {"ruleIndex", unplaced + finding.rule},
      {"level", level_of(finding.severity)},
      {"message", {{"text", message_of(finding)}}},
      {"locations", {{{"physicalLocation", place_of(input.path, region_of(lines, placed))}}}},
      {"partialFingerprints",
       {{"slurm2flyte/v1", finding.id}, {"sourceText/v1", source_hash(input, placed)}}}};
  Json related = Json::array();
  for (const auto& [first, last] : line_ranges(placed.output_lines)) {
    if (input.output.empty())
      break;
    Json lines{{"startLine", first}};
    if (last > first)
      lines["endLine"] = last;
    related.push_back({{"id", related.size() + 1},
                       {"message", {{"text", "what it became"}}},
                       {"physicalLocation", place_of(input.output, std::move(lines))}});
  }
  if (!related.empty())
    result["relatedLocations"] = std::move(related);
  if (finding.fix)
    result["fixes"] = Json::array({fix_of(input, lines, placed)});
  // An empty list says that nothing is suppressed; leaving it out would say that nobody knows.
  result["suppressions"] = Json::array();
  if (finding.accepted)
    result["suppressions"].push_back(suppression_of(*finding.accepted));
  Json choices = Json::array();
  for (const std::string& choice : finding.choices)
    choices.push_back(visible(choice));
  result["properties"] = {{"severity", to_string(finding.severity)},
                          {"choices", std::move(choices)},
                          {"default", visible(finding.default_)},
                          {"configKey", visible(answer_key(finding))}};
  return result;
}

// One line: there are thousands of results, and no person reads them here.
std::string line_of_json(const Json& json) {
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

} // namespace

std::string sarif_head(const Review& review, const Totals& totals) {
  JsonText json;
  json.begin_object();
  json.key("$schema").text("https://json.schemastore.org/sarif-2.1.0.json");
  json.key("version").text("2.1.0");
  json.key("runs").begin_array().begin_object();
  json.key("tool").begin_object().key("driver").begin_object();
  const auto blank = review.tool.find(' ');
  json.key("name").text(std::string_view(review.tool).substr(0, blank));
  if (blank != std::string::npos)
    json.key("version").text(std::string_view(review.tool).substr(blank + 1));
  json.key("rules").begin_array();
  for (const std::string& code : totals.rules) {
    const Rule* rule = find_rule(code);
    json.raw(line_of_json(rule != nullptr ? rule_json(*rule) : Json{{"id", code}}));
  }
  json.end_array().end_object().end_object();
  json.key("columnKind").text("unicodeCodePoints");
  json.key("results").begin_array();
  return std::move(json).text_so_far();
}

std::string sarif_part(const Input& given) {
  constexpr std::size_t depth = 4; // of the list of results
  const Shown shown(given);
  const Input& input = *shown;
  const Lines lines(input.source_text);
  JsonText json(depth);
  for (const PlacedFinding& placed : input.findings)
    json.raw(line_of_json(result_of(input, lines, placed)));
  return std::move(json).text_so_far();
}

std::string sarif_placed(std::string_view lines, const Totals& totals) {
  constexpr std::string_view lead = R"("ruleIndex":)";
  constexpr std::string_view mark =
      R"("ruleIndex":"\u0001)"; // no text holds it: its quotes are escaped
  std::string out;
  out.reserve(lines.size());
  while (true) {
    const auto at = lines.find(mark);
    if (at == lines.npos)
      return out.append(lines);
    const auto code =
        lines.substr(at + mark.size(), lines.find('"', at + mark.size()) - at - mark.size());
    const auto place = std::distance(totals.rules.begin(), totals.rules.find(code));
    out.append(lines.substr(0, at)).append(lead).append(std::to_string(place));
    lines.remove_prefix(at + mark.size() + code.size() + 1);
  }
}

} // namespace s2f::review
