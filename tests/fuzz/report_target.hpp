// Any texts in every place of a review: all renderers take it, and nothing in what they make acts
// on a reader.
#pragma once

#include "tests/fuzz/bytes.hpp"
#include "tests/fuzz/convert_target.hpp"

namespace s2f::fuzz {

inline std::vector<std::uint32_t> some_lines(Bytes& bytes) {
  std::vector<std::uint32_t> lines;
  for (auto left = bytes.upto(3); left > 0; --left) {
    lines.push_back(1 + bytes.upto(40));
  }
  std::ranges::sort(lines);
  return lines;
}

inline review::PlacedFinding some_finding(Bytes& bytes) {
  const auto rules = review::rules();
  review::PlacedFinding placed;
  auto& finding = placed.finding;
  finding.rule = rules[bytes.upto(static_cast<std::uint32_t>(rules.size() - 1))].code;
  finding.severity = static_cast<review::Severity>(bytes.upto(3));
  finding.message = bytes.text();
  finding.slurm_does = bytes.text();
  finding.output_does = bytes.text();
  for (auto left = bytes.upto(3); left > 0; --left) {
    finding.choices.push_back(bytes.text());
  }
  if (!finding.choices.empty()) {
    finding.default_ = finding.choices.front();
  }
  finding.config_key = bytes.text();
  finding.id = "0123456789ab";
  if (bytes.upto(3) == 0) {
    finding.accepted = review::Acceptance{.by = static_cast<review::Answerer>(bytes.upto(2)),
                                          .place = bytes.text(),
                                          .answer = bytes.text(),
                                          .who = bytes.text(),
                                          .date = bytes.text(),
                                          .reason = bytes.text()};
  }
  if (bytes.upto(3) == 0) {
    finding.fix = review::Fix{bytes.text(), bytes.text(), bytes.upto(1) == 1};
  }
  placed.line = 1 + bytes.upto(30);
  placed.end_line = placed.line + bytes.upto(3);
  placed.column = 1 + bytes.upto(90);
  placed.end_column = 1 + bytes.upto(90);
  placed.output_lines = some_lines(bytes);
  return placed;
}

inline review::Input some_input(Bytes& bytes) {
  review::Input input;
  input.path = bytes.text();
  input.sha256 = source::sha256_hex(input.path);
  input.kind = "job";
  input.verdict = static_cast<review::Verdict>(bytes.upto(4));
  input.output = bytes.text();
  input.entry = bytes.text();
  input.entry_arguments = bytes.text();
  input.body = "lifted";
  input.source_text = bytes.text() + bytes.text();
  input.output_text = bytes.text() + bytes.text();
  for (auto left = bytes.upto(2); left > 0; --left) {
    input.secrets.push_back(bytes.text());
  }
  for (auto left = bytes.upto(4); left > 0; --left) {
    review::Item item;
    item.line = 1 + bytes.upto(30);
    item.end_line = item.line + bytes.upto(3);
    item.column = 1 + bytes.upto(90);
    item.text = bytes.text();
    item.disposition = static_cast<review::Disposition>(1 + bytes.upto(7));
    item.why = bytes.text();
    item.output_lines = some_lines(bytes);
    input.items.push_back(std::move(item));
  }
  for (auto left = bytes.upto(4); left > 0; --left) {
    input.findings.push_back(some_finding(bytes));
  }
  for (auto left = bytes.upto(2); left > 0; --left) {
    input.numbers.push_back({bytes.text(), bytes.text(), bytes.text()});
  }
  const auto nodes = bytes.upto(3);
  for (std::uint32_t i = 0; i < nodes; ++i) {
    input.graph.nodes.push_back({"job_" + std::to_string(i), "in a loop"}); // a name of Python's
  }
  for (auto left = nodes == 0 ? 0 : bytes.upto(3); left > 0; --left) {
    input.graph.edges.push_back(
        {bytes.upto(nodes - 1), bytes.upto(nodes - 1), left % 2 == 0 ? "afterok" : "afterany"});
  }
  input.lines = bytes.upto(30);
  input.lines_accounted = input.lines;
  return input;
}

inline void report_target(std::string_view data) {
  Bytes bytes(data);
  review::Review review{"slurm2flyte 0.1.0", "2.12", {}};
  for (auto left = 1 + bytes.upto(2); left > 0; --left) {
    review.inputs.push_back(some_input(bytes));
  }
  check_reports(review);
  for (const review::Input& input : review.inputs) {
    for (const review::PlacedFinding& placed : input.findings) {
      require_harmless(review::render_diagnostic(input, placed, {.colour = false, .width = 40}),
                       "nothing in a diagnostic acts on a terminal");
    }
  }
}

} // namespace s2f::fuzz
