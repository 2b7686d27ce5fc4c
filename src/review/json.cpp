// Renders a review as JSON, schema slurm2flyte-review/1 (docs/schema/review.schema.json).
#include "review/formats.hpp"
#include "review/json_text.hpp"
#include "review/labels.hpp"
#include "review/line_ranges.hpp"
#include "review/on_slurm.hpp"
#include "review/parts_of.hpp"
#include "review/review.hpp"
#include "review/shown.hpp"

namespace s2f::review {

namespace {

void put(JsonText& json, const Item& item) {
  json.begin_object();
  json.key("line").number(item.line).key("end_line").number(item.end_line);
  json.key("column").number(item.column);
  json.key("text").text(item.text);
  json.key("disposition").text(to_string(item.disposition));
  json.key("why").text(item.why);
  json.key("rule").text_or_null(item.rule);
  json.key("output_lines").numbers(item.output_lines);
  json.key("output_ranges").text(ranges_text(item.output_lines));
  json.end_object();
}

void put(JsonText& json, const Acceptance& accepted) {
  json.begin_object();
  json.key("by").text(to_string(accepted.by)).key("place").text(accepted.place);
  json.key("answer").text_or_null(accepted.answer).key("who").text_or_null(accepted.who);
  json.key("date").text_or_null(accepted.date).key("reason").text_or_null(accepted.reason);
  json.end_object();
}

void put(JsonText& json, const PlacedFinding& placed) {
  const Finding& finding = placed.finding;
  json.begin_object();
  json.key("id").text(finding.id).key("rule").text(finding.rule);
  json.key("severity").text(to_string(finding.severity));
  json.key("line").number(placed.line).key("column").number(placed.column);
  json.key("end_line").number(placed.end_line).key("end_column").number(placed.end_column);
  json.key("message").text(finding.message);
  json.key("slurm_does").text(finding.slurm_does);
  json.key("output_does").text(finding.output_does);
  json.key("choices").texts(finding.choices);
  json.key("default").text_or_null(finding.default_);
  json.key("config_key").text_or_null(answer_key(finding));
  json.key("output_lines").numbers(placed.output_lines);
  json.key("output_ranges").text(ranges_text(placed.output_lines));
  if (finding.fix) {
    json.key("fix").begin_object();
    json.key("what").text(finding.fix->what).key("text").text(finding.fix->text);
    json.key("whole_lines").flag(finding.fix->whole_lines);
    json.end_object();
  }
  // Absent where nobody accepted it, as in reviews before there was a way to.
  if (finding.accepted)
    put(json.key("accepted"), *finding.accepted);
  json.end_object();
}

void put(JsonText& json, const NumberRow& row) {
  json.begin_object();
  json.key("asked").text(row.asked).key("given").text(row.given).key("how").text(row.how);
  json.end_object();
}

void put(JsonText& json, const Launches& launches) {
  json.begin_object();
  json.key("python").number(launches.python).key("bash").number(launches.bash);
  json.end_object();
}

void put(JsonText& json, const JobNode& node) {
  json.begin_object();
  json.key("name").text(node.name).key("note").text_or_null(node.note);
  json.end_object();
}

void put(JsonText& json, const JobEdge& edge) {
  json.begin_object();
  json.key("from").number(edge.from).key("to").number(edge.to).key("kind").text(edge.kind);
  json.end_object();
}

template <typename T>
void put_all(JsonText& json, std::string_view name, const std::vector<T>& all) {
  json.key(name).begin_array();
  for (const T& each : all)
    put(json, each);
  json.end_array();
}

void put(JsonText& json, const Input& input) {
  json.begin_object();
  json.key("path").text(input.path).key("sha256").text(input.sha256);
  json.key("kind").text(input.kind).key("verdict").text(to_string(input.verdict));
  json.key("output").text_or_null(input.output).key("entry").text_or_null(input.entry);
  json.key("body").text_or_null(input.body);
  json.key("launches");
  if (input.launches)
    put(json, *input.launches);
  else
    json.null();
  if (!input.needs_flyte.empty())
    json.key("needs_flyte").text(input.needs_flyte);
  json.key("includes").texts(input.included_in_output);
  json.key("lines").number(input.lines).key("lines_accounted").number(input.lines_accounted);
  put_all(json, "numbers", input.numbers);
  put_all(json, "items", input.items);
  put_all(json, "findings", input.findings);
  // Absent for all but jobs that stay on Slurm.
  if (const auto stays = staying(input)) {
    json.key("on_slurm").begin_object();
    json.key("why").text(stays->why).key("rule").text(stays->rule).key("line").number(stays->line);
    json.key("change").text(stays->change);
    json.key("needs").begin_array();
    for (const Need& need : stays->needs) {
      json.begin_object();
      json.key("what").text(need.what).key("here").text(need.here);
      json.end_object();
    }
    json.end_array();
    json.end_object();
  }
  // Absent for all but drivers, as in reviews before there was one.
  if (!input.graph.nodes.empty()) {
    json.key("graph").begin_object();
    put_all(json, "nodes", input.graph.nodes);
    put_all(json, "edges", input.graph.edges);
    json.end_object();
  }
  json.end_object();
}

void put_summary(JsonText& json, const Totals& totals) {
  json.begin_object();
  json.key("jobs").number(totals.inputs);
  for (std::size_t i = 0; i < all_verdicts.size(); ++i)
    json.key(to_string(all_verdicts[i])).number(totals.verdicts[i]);
  json.key("open_decisions").number(totals.decisions);
  json.key("lines").number(totals.lines).key("lines_accounted").number(totals.accounted);
  json.end_object();
}

} // namespace

std::string json_head(const Review& review, const Totals& totals) {
  JsonText json;
  json.begin_object();
  json.key("schema").text("slurm2flyte-review/1");
  json.key("tool").text(review.tool).key("flyte").text(review.flyte);
  put_summary(json.key("summary"), totals);
  json.key("inputs").begin_array();
  return std::move(json).text_so_far();
}

std::string json_part(const Input& input) {
  constexpr std::size_t depth = 2; // of the list of inputs
  JsonText json(depth);
  put(json, *Shown(input));
  return std::move(json).text_so_far();
}

} // namespace s2f::review
