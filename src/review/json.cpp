// Renders a review as JSON, schema slurm2flyte-review/1 (docs/schema/review.schema.json).
#include <nlohmann/json.hpp>

#include "review/formats.hpp"
#include "review/labels.hpp"
#include "review/line_ranges.hpp"
#include "review/review.hpp"

namespace s2f::review {

namespace {

using Json = nlohmann::ordered_json;

Json or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json item_json(const Item& item) {
  return {{"line", item.line},
          {"end_line", item.end_line},
          {"column", item.column},
          {"text", item.text},
          {"disposition", to_string(item.disposition)},
          {"why", item.why},
          {"rule", or_null(item.rule)},
          {"output_lines", item.output_lines},
          {"output_ranges", ranges_text(item.output_lines)}};
}

Json accepted_json(const Acceptance& accepted) {
  return {{"by", to_string(accepted.by)},       {"place", accepted.place},
          {"answer", or_null(accepted.answer)}, {"who", or_null(accepted.who)},
          {"date", or_null(accepted.date)},     {"reason", or_null(accepted.reason)}};
}

Json finding_json(const PlacedFinding& placed) {
  const Finding& finding = placed.finding;
  Json json{{"id", finding.id},
            {"rule", finding.rule},
            {"severity", to_string(finding.severity)},
            {"line", placed.line},
            {"column", placed.column},
            {"end_line", placed.end_line},
            {"end_column", placed.end_column},
            {"message", finding.message},
            {"slurm_does", finding.slurm_does},
            {"output_does", finding.output_does},
            {"choices", finding.choices},
            {"default", or_null(finding.default_)},
            {"config_key", or_null(answer_key(finding))},
            {"output_lines", placed.output_lines},
            {"output_ranges", ranges_text(placed.output_lines)}};
  if (finding.fix) {
    json["fix"] = {{"what", finding.fix->what},
                   {"text", finding.fix->text},
                   {"whole_lines", finding.fix->whole_lines}};
  }
  // Absent where nobody accepted it, as in reviews before there was a way to.
  if (finding.accepted)
    json["accepted"] = accepted_json(*finding.accepted);
  return json;
}

Json input_json(const Input& input) {
  Json items = Json::array();
  for (const Item& item : input.items)
    items.push_back(item_json(item));
  Json findings = Json::array();
  for (const PlacedFinding& placed : input.findings)
    findings.push_back(finding_json(placed));
  Json numbers = Json::array();
  for (const NumberRow& row : input.numbers)
    numbers.push_back({{"asked", row.asked}, {"given", row.given}, {"how", row.how}});
  Json nodes = Json::array();
  for (const JobNode& node : input.graph.nodes)
    nodes.push_back({{"name", node.name}, {"note", or_null(node.note)}});
  Json edges = Json::array();
  for (const JobEdge& edge : input.graph.edges)
    edges.push_back({{"from", edge.from}, {"to", edge.to}, {"kind", edge.kind}});
  Json json{{"path", input.path},
            {"sha256", input.sha256},
            {"kind", input.kind},
            {"verdict", to_string(input.verdict)},
            {"output", or_null(input.output)},
            {"entry", or_null(input.entry)},
            {"body", or_null(input.body)},
            {"launches", input.launches ? Json{{"python", input.launches->python},
                                               {"bash", input.launches->bash}}
                                        : Json()},
            {"includes", input.included_in_output},
            {"lines", input.lines},
            {"lines_accounted", input.lines_accounted},
            {"numbers", std::move(numbers)},
            {"items", std::move(items)},
            {"findings", std::move(findings)}};
  // Absent for all but drivers, as in reviews before there was one.
  if (!input.graph.nodes.empty())
    json["graph"] = {{"nodes", std::move(nodes)}, {"edges", std::move(edges)}};
  return json;
}

Json summary_json(const Review& review) {
  Json summary{{"jobs", review.inputs.size()}};
  for (const auto verdict : all_verdicts) {
    std::size_t count = 0;
    for (const Input& input : review.inputs)
      count += input.verdict == verdict ? 1 : 0;
    summary[std::string(to_string(verdict))] = count;
  }
  std::size_t decisions = 0;
  std::size_t lines = 0;
  std::size_t accounted = 0;
  for (const Input& input : review.inputs) {
    for (const PlacedFinding& placed : input.findings)
      decisions += placed.finding.severity == Severity::decision && is_open(placed.finding) ? 1 : 0;
    lines += input.lines;
    accounted += input.lines_accounted;
  }
  summary["open_decisions"] = decisions;
  summary["lines"] = lines;
  summary["lines_accounted"] = accounted;
  return summary;
}

} // namespace

std::string render_json(const Review& review) {
  Json inputs = Json::array();
  for (const Input& input : review.inputs)
    inputs.push_back(input_json(redacted(input)));
  const Json whole{{"schema", "slurm2flyte-review/1"},
                   {"tool", review.tool},
                   {"flyte", review.flyte},
                   {"summary", summary_json(review)},
                   {"inputs", std::move(inputs)}};
  // All but ASCII is escaped, so that a report on standard output cannot steer a terminal.
  return whole.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

} // namespace s2f::review
