// What a whole repository of scripts comes to: verdicts, open questions, effort, and in what order
// to move it.
//
// before:  the reviews of 1,200 scripts
// after:   812 of them wait for 31 answers; these go first, those stay
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "review/review.hpp"

namespace s2f::review {

// So many, so many different scripts, and the first of them ("jobs/train.sh:4").
struct Tally {
  std::string what;
  std::size_t count = 0;
  std::size_t scripts = 0;
  std::string first;
};

// One answer in the site file and the decisions that it closes.
struct Answer {
  Tally tally; // of the decisions; what: the key
  std::vector<std::string> rules;
};

struct Effort {
  std::string name; // of the weight: "decision"
  std::string what; // "decisions of one script alone"
  std::size_t count = 0;
  std::int64_t minutes_each = 0;
  [[nodiscard]] std::int64_t minutes() const {
    return static_cast<std::int64_t>(count) * minutes_each;
  }
};

struct Wave {
  std::string name; // "independent"
  std::string title, reason;
  std::vector<std::string> scripts; // those with the fewest open decisions first
};

// In what order to move scripts: those that show most at the least cost first.
[[nodiscard]] std::vector<Wave> waves_of(const Review& review);

// Scripts that differ only in partition, account, QOS, module versions or paths.
struct Family {
  std::vector<std::string> scripts;
  std::vector<std::string> differ; // "--partition", "modules", "paths"
};

struct Audit {
  std::string tool, flyte;
  std::size_t scripts = 0;
  std::size_t open_decisions = 0;
  std::size_t lines = 0, lines_accounted = 0;
  std::vector<Tally> verdicts, kinds, bodies;
  std::vector<Answer> answers; // what keys of a site file close, most decisions first
  std::vector<Tally> single;   // decisions of one script alone, by rule
  std::vector<Tally> stays;    // why jobs stay on Slurm
  std::vector<Tally> by_hand;  // why scripts were not converted
  std::map<std::string, std::vector<Tally>> names; // "partitions" -> gpu: so many scripts
  std::vector<Effort> effort;
  std::vector<Wave> waves;
  std::vector<Family> families; // the largest first
};

// Minutes by the name of a weight; those of grammar/audit-weights.json hold for the rest.
using Weights = std::map<std::string, std::int64_t>;
[[nodiscard]] Audit audit(const Review& review, const Weights& weights);

// The text of a script with all that a family may differ in replaced.
[[nodiscard]] std::string family_text(std::string_view script);
// In what members of a family differ: "--partition", "modules", "paths".
[[nodiscard]] std::vector<std::string> family_differences(const std::vector<const Input*>& members);

// ---- renderers: pure functions of the model; `most`: rows of one table
[[nodiscard]] std::string render_audit_json(const Audit& audit); // schema slurm2flyte-audit/1
[[nodiscard]] std::string render_audit_markdown(const Audit& audit, std::size_t most);
[[nodiscard]] std::string render_audit_html(const Audit& audit, std::size_t most);

// What the readable formats show, in order.
struct AuditSection {
  std::string title, text;
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
  std::size_t left_off = 0; // rows beyond `most`
};
[[nodiscard]] std::vector<AuditSection> audit_sections(const Audit& audit, std::size_t most);

} // namespace s2f::review
