// The review of a conversion: one model that every report format is rendered from.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "review/finding.hpp"
#include "review/ledger.hpp"

namespace s2f::review {

enum class Verdict { ready, ready_with_notes, needs_decision, keep_on_slurm, not_converted };
[[nodiscard]] std::string_view to_string(Verdict verdict);

// One row of the numbers table: what was asked of Slurm, what Flyte is given, and the arithmetic.
struct NumberRow {
  std::string asked; // "--mem-per-cpu=2G"
  std::string given; // "memory=\"16Gi\""
  std::string how;   // "2G x 8 CPUs"
};

// One leaf (or settled parent) of the ledger, as a report shows it.
struct Item {
  std::uint32_t line = 1, end_line = 1, column = 1;
  std::string text;
  Disposition disposition{};
  std::string why;
  std::string rule;
  std::vector<std::uint32_t> output_lines; // sorted, 1-based
};

struct PlacedFinding {
  Finding finding;
  std::uint32_t line = 1, column = 1, end_line = 1, end_column = 1;
  std::vector<std::uint32_t> output_lines;
};

// The jobs of a driver, one node a submission, and what waits for what.
struct JobNode {
  std::string name; // of the task
  std::string note; // "8 elements, in a loop"
};
struct JobEdge {
  std::size_t from = 0, to = 0; // indices of nodes
  std::string kind;             // afterok, afterany, afternotok, files
};
struct JobGraph {
  std::vector<JobNode> nodes;
  std::vector<JobEdge> edges;
};

// What the job is by its header.
struct Shape {
  std::int64_t nodes = 1; // at least
  bool array = false;
};

// The programs that a job's script starts, as it says them: by the task itself, and in kept Bash.
struct Launches {
  std::size_t python = 0, bash = 0;
};

struct Input {
  std::string path;
  Shape shape;
  std::string sha256;
  std::string kind; // job | driver | both | template | other
  Verdict verdict{};
  std::string output;          // path of the module, "" if none
  std::string entry_arguments; // " --data DATA": what `flyte run` must be given, "" if nothing
  std::string entry;           // the task that stands for running the script, "" if none
  std::string body;            // lifted | kept | mixed | on_slurm | ""
  std::string needs_flyte;     // "2.5.0": the oldest release that the module runs with; "": all do
  std::optional<Launches> launches; // of a job that is a task
  std::string source_text;          // for reports that show both sides
  std::string output_text;
  std::vector<std::string> included_in_output; // other inputs whose jobs stand in this output
  std::vector<std::string> secrets; // values that no report may show; renderers blot them out
  std::vector<Item> items;
  std::vector<PlacedFinding> findings;
  std::vector<NumberRow> numbers;
  JobGraph graph;                    // of a driver
  std::uint32_t lines = 0;           // physical lines with content
  std::uint32_t lines_accounted = 0; // of those, covered by at least one item
};

struct Review {
  std::string tool;  // "slurm2flyte 0.1.0"
  std::string flyte; // "2.12"
  std::vector<Input> inputs;
};

// Items (in source order) of the entries that lie in source `id`, with the lines of the output that
// came from them. `output_map`: for a line of the output (1-based) the span it came from; several
// entries a line are allowed.
using OutputMap = std::vector<std::pair<std::uint32_t, Span>>;
[[nodiscard]] std::vector<Item> items_of(const Ledger& ledger, const source::Sources& sources,
                                         source::SourceId id, const OutputMap& output_map);
// The findings that lie in source `id`, in source order, with the lines of the output that came
// from their spans.
[[nodiscard]] std::vector<PlacedFinding> findings_of(const Findings& findings,
                                                     const source::Sources& sources,
                                                     source::SourceId id,
                                                     const OutputMap& output_map);
// Counts the physical lines with content (not blank) and those that an item covers.
void count_lines(Input& input, const source::Source& source);
[[nodiscard]] Verdict
verdict_of(const Input& input); // from the findings alone; never keep_on_slurm or not_converted

// The same without the secrets: for renderers, which all begin with it.
[[nodiscard]] Input redacted(Input input);

// ---- renderers: pure functions of the model ----------------------------------------------------
[[nodiscard]] std::string render_json(const Review& review);     // schema slurm2flyte-review/1
[[nodiscard]] std::string render_markdown(const Review& review); // for a pull request
// The same by a template of the user's (templates/report/review.md.mustache shows its values);
// fails only where that cannot be rendered.
[[nodiscard]] std::expected<std::string, std::string> render_markdown(const Review& review,
                                                                      std::string_view page);
struct TextStyle {
  bool colour = false;
  std::uint32_t width = 80;
};
// What the terminal shows after `convert`: per input the verdict, what was decided by default, what
// is to be answered, and findings with source line, caret and what to do.
[[nodiscard]] std::string render_text(const Review& review, const TextStyle& style);
// One finding in the style of a compiler: path:line:column, severity, code, the line, a caret, what
// to do.
[[nodiscard]] std::string render_diagnostic(const Input& input, const PlacedFinding& finding,
                                            const TextStyle& style);
// `explain S2F210` and `rules`.
[[nodiscard]] std::string render_rule(std::string_view code,
                                      const TextStyle& style); // "" for an unknown code
[[nodiscard]] std::string render_rules(const TextStyle& style);

} // namespace s2f::review
