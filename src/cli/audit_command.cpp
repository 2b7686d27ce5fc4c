// `slurm2flyte audit`: converts in memory, counts, and prints tables.
#include "cli/audit_command.hpp"

#include <charconv>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/inputs.hpp"
#include "cli/progress.hpp"
#include "cli/site_problems.hpp"
#include "cli/suggest.hpp"
#include "cli/table.hpp"
#include "generated/tables/audit_weights.hpp"
#include "project/batch.hpp"
#include "review/audit.hpp"
#include "review/paint.hpp"
#include "review/visible.hpp"

namespace s2f::cli {

namespace {

// A sentence on what is wrong, "" when all were read.
std::string read_weights(const std::vector<std::string>& words, review::Weights& weights) {
  std::vector<std::string> names;
  names.reserve(std::size(tables::audit_weights));
  for (const auto& row : tables::audit_weights)
    names.emplace_back(row.name);
  for (const std::string& word : words) {
    const auto equals = word.find('=');
    const auto name = word.substr(0, equals);
    if (std::ranges::find(names, name) == names.end())
      return fmt::format("there is no weight `{}`{}; there are {}", name, did_you_mean(name, names),
                         fmt::join(names, ", "));
    const auto number = equals == std::string::npos ? "" : word.substr(equals + 1);
    std::int64_t minutes = -1;
    const auto [end, error] =
        std::from_chars(number.data(), number.data() + number.size(), minutes);
    if (error != std::errc() || end != number.data() + number.size() || minutes < 0)
      return fmt::format("--weight wants NAME=MINUTES, a whole number of minutes, not `{}`", word);
    weights[name] = minutes;
  }
  return {};
}

std::string text_of(const review::Audit& audit, std::size_t most, const review::TextStyle& style) {
  std::string out;
  for (const auto& section : review::audit_sections(audit, most)) {
    out +=
        (out.empty() ? "" : "\n") + review::paint(section.title, review::Ink::bold, style) + '\n';
    if (!section.text.empty())
      out += review::wrapped(section.text, "  ", "  ", style.width);
    Table table{.head = section.head, .rows = section.rows, .right = 0};
    while (table.right < table.head.size() &&
           std::isdigit(static_cast<unsigned char>(
               table.rows.front()[table.right].empty() ? 'x' : table.rows.front()[table.right][0])))
      ++table.right;
    out += render(table, style);
    if (section.left_off != 0)
      out += fmt::format("  {} more; --top 0 shows all of them\n", section.left_off);
  }
  return out;
}

} // namespace

int audit(const AuditOptions& options, const Console& console) {
  review::Weights weights;
  if (const auto problem = read_weights(options.weights, weights); !problem.empty()) {
    complain(console, problem);
    return failed;
  }
  if (options.format != "text" && options.format != "markdown" && options.format != "json" &&
      options.format != "html") {
    complain(console, "--format wants text, markdown, json or html, not `" + options.format + "`");
    return failed;
  }
  project::CompileOptions compile;
  compile.site = {.config = options.config, .cluster = options.cluster};
  const auto compiled =
      project::compile_in_pieces(scripts_of_paths(options.paths, console), compile, console.files,
                                 options.jobs, progress_of(false, console));
  if (!compiled.site_problems.empty()) {
    complain_about_site(console, compiled.site_problems);
    return failed;
  }
  bool ok = true;
  for (const auto& failure : compiled.failures) {
    complain_about_input(console, failure.path, failure.message);
    ok = false;
  }
  if (compiled.review.inputs.empty()) {
    complain(console, "no job script was found");
    return failed;
  }
  const auto audit = review::audit(compiled.review, weights);
  const auto most = options.top == 0 ? std::numeric_limits<std::size_t>::max() : options.top;
  const bool to_file = !options.output.empty() && options.output != "-";
  const std::string text =
      options.format == "json"   ? review::render_audit_json(audit)
      : options.format == "html" ? review::render_audit_html(audit, most)
      : options.format == "markdown"
          ? review::render_audit_markdown(audit, most)
          : text_of(audit, most, to_file ? review::TextStyle{} : console.out_style);
  if (!to_file) {
    console.out(text);
  } else if (const auto written = console.write(options.output, text); !written) {
    complain(console, written.error());
    return failed;
  }
  return ok ? done : failed;
}

} // namespace s2f::cli
