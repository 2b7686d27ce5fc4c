// The body of a script in another language: one task runs the file.
#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "generated/tables/interpreters.hpp"
#include "project/compiler.hpp"
#include "project/paths.hpp"

namespace s2f::project {

using review::Disposition;

namespace {

// Whether a script in another language looks at what it was called with.
bool reads_arguments(std::string_view text) {
  static constexpr std::array marks{"argv",  "argparse",    "@ARGV", "ARGV",     "import click",
                                    "typer", "commandArgs", "ARGS",  "absl.app", "import fire"};
  return std::ranges::any_of(
      marks, [&](const char* mark) { return text.find(mark) != std::string_view::npos; });
}

std::optional<std::string> slurm_word(const std::string& text) {
  for (const char* word : {"srun", "sbatch", "scontrol", "squeue", "scancel", "mpirun", "mpiexec",
                           "module load", "module purge", "module add"}) {
    const std::string_view needle = word;
    for (auto at = text.find(needle); at != std::string::npos; at = text.find(needle, at + 1)) {
      const auto boundary = [&](std::size_t i) {
        return i >= text.size() ||
               (std::isalnum(static_cast<unsigned char>(text[i])) == 0 && text[i] != '_');
      };
      const auto line = text.rfind('\n', at);
      const bool comment = text.find('#', line == std::string::npos ? 0 : line) < at;
      if ((at == 0 || boundary(at - 1)) && boundary(at + needle.size()) && !comment) {
        return std::string(needle);
      }
    }
  }
  return std::nullopt;
}

} // namespace

// A script in another language, or one with no shell to read it by: one task runs the file.
void Compiler::foreign_body(const Unit& unit, ir::Job& job, Pending& to) {
  const source::Source& source = sources_[unit.id];
  const std::uint32_t from =
      std::min(std::max<std::uint32_t>(job.header.end_line, 1), source.line_count());
  const source::Span body{unit.id, source.line_span(from).begin,
                          static_cast<std::uint32_t>(source.text.size())};
  std::set<std::uint32_t> taken;
  for (const auto& line : job.header.lines) {
    taken.insert(line.line);
  }
  for (const auto& line : job.header.inert) {
    taken.insert(line.line);
  }
  taken.insert(1);
  std::vector<review::EntryId> above; // lines that are no options
  for (std::uint32_t line = 1; line < from; ++line) {
    const std::string_view text = source.line(line);
    if (taken.contains(line) || text.find_first_not_of(" \t") == std::string_view::npos) {
      continue;
    }
    above.push_back(to.ledger.open(source.line_span(line), std::string(text)));
  }
  const auto settle_above = [&](const char* why, const char* rule) {
    for (const review::EntryId each : above) {
      to.ledger.settle(each, Disposition::kept, why, rule);
    }
  };
  const auto word = slurm_word(source.text.substr(body.begin));
  const auto entry = to.ledger.open(body, fmt::format("lines {}-{}", from, source.line_count()));
  review::Finding finding;
  finding.rule = "S2F104";
  finding.span = source.line_span(1);
  finding.message =
      fmt::format("The script is not Bash: its interpreter is {}.", job.interpreter.path);
  finding.slurm_does = "It reads the header all the same and runs the file under that interpreter.";
  if (word) {
    finding.rule = "S2F529";
    finding.message = fmt::format(
        "The script is run by {} and calls {}: it can neither run in a container nor be handed "
        "to Slurm by the connector, which takes Bash alone.",
        job.interpreter.path, *word);
    finding.output_does = "Nothing was converted.";
    finding.choices = {"it stays on Slurm, submitted as before",
                       "write it in Bash and convert it again"};
    finding.default_ = finding.choices[0];
    const auto id = to.findings.add(std::move(finding));
    to.ledger.settle(entry, Disposition::decision, "stays in the script, which was not converted",
                     "S2F529", id);
    settle_above("stays in the script, which was not converted", "S2F529");
    unconverted_.insert(unit.path);
    return;
  }
  finding.output_does = "One task runs the file under its interpreter; the image must have it.";
  const auto id = to.findings.add(std::move(finding));
  to.ledger.settle(entry, Disposition::kept, "one task runs the file under its interpreter",
                   "S2F104", id);
  settle_above("one task runs the file under its interpreter", "S2F104");
  ir::Launch launch;
  const std::string name = base_name(job.interpreter.path);
  launch.words.push_back(ir::Value::of(
      job.interpreter.language == ir::Interpreter::Language::python ? "python" : name));
  for (const std::string& argument : job.interpreter.arguments) {
    launch.words.push_back(ir::Value::of(argument));
  }
  launch.words.push_back(ir::Value::of(base_name(unit.path)));
  if (job.interpreter.language == ir::Interpreter::Language::python) {
    launch.payload = launch.words.size() - 1;
  }
  if (reads_arguments(source.text)) {
    ir::Parameter all;
    all.name = "arguments";
    all.type = ir::Type::text_list;
    all.origin = "$@";
    all.span = source.line_span(1);
    ir::Value each;
    each.append(ir::ParameterRef{all.name});
    launch.words.push_back(std::move(each));
    job.parameters.push_back(std::move(all));
  }
  ir::Step step;
  step.value = std::move(launch);
  step.span = body;
  step.entry = entry;
  job.body.push_back(std::move(step));
  job.include.push_back(base_name(unit.path));
  for (const auto& row : tables::interpreters) {
    if (row.name == name && !row.apt.empty()) {
      ir::Sourced<std::string> package;
      package.value = std::string(row.apt);
      package.spans = {source.line_span(1)};
      job.environment.apt.push_back(std::move(package));
    }
  }
}

} // namespace s2f::project
