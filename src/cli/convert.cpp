// `slurm2flyte convert PATH...`: compiles scripts, writes the results, and tells what to do next.
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>

#include "cli/batch_summary.hpp"
#include "cli/commands.hpp"
#include "cli/convert_many.hpp"
#include "cli/groups.hpp"
#include "cli/inputs.hpp"
#include "cli/next_steps.hpp"
#include "cli/outputs.hpp"
#include "cli/progress.hpp"
#include "cli/site_problems.hpp"
#include "cli/stale.hpp"
#include "project/batch.hpp"
#include "project/family.hpp"
#include "review/formats.hpp"
#include "review/labels.hpp"
#include "review/paint.hpp"
#include "review/visible.hpp"

namespace s2f::cli {

namespace {

namespace fs = std::filesystem;

// The script that comes from standard input, under its name.
std::string stdin_name(const ConvertOptions& options) {
  return options.stdin_filename.empty() ? "stdin.sh" : options.stdin_filename;
}

std::optional<std::string> misuse(const ConvertOptions& options, const Console& console) {
  if (!options.output.empty() && !options.out_dir.empty())
    return "-o and --out-dir exclude each other";
  for (const auto& path : options.reports) {
    if (const auto format = report_format(path); !format)
      return format.error();
  }
  if (options.format != "text" && options.format != "github")
    return "--format wants text or github, not `" + options.format + "`";
  const bool from_stdin = std::ranges::find(options.paths, "-") != options.paths.end();
  if (!options.stdin_filename.empty() && !from_stdin)
    return "--stdin-filename names the script of the path -, which is not given";
  if ((options.check || options.diff) && options.output == "-")
    return "--check and --diff compare with files; -o - writes none";
  if (!options.templates.empty() && !console.files.is_directory(options.templates))
    return "--templates " + options.templates + ": there is no such directory";
  return std::nullopt;
}

// The scripts that can be given to the compiler, none twice: those that are named, and those below
// a directory that is named.
std::vector<std::string> scripts_of(const ConvertOptions& options, const Console& console,
                                    bool& ok) {
  std::vector<std::string> scripts;
  std::set<std::string> seen;
  const project::Wanted wanted{options.include, options.exclude, options.no_ignore};
  for (const auto& path : options.paths) {
    const auto found =
        path == "-" ? std::vector{stdin_name(options)} : scripts_of_paths({path}, console, wanted);
    if (found.empty()) {
      complain_about_input(console, path, {});
      ok = false;
    }
    for (const auto& script : found) {
      if (seen.insert(fs::path(script).lexically_normal().string()).second)
        scripts.push_back(script);
    }
  }
  return scripts;
}

// The directory below which all the paths lie that are outside; "" where there is none of them.
std::string root_of(const std::vector<std::string>& paths, const Console& console) {
  fs::path root;
  for (const auto& given : paths) {
    const auto path = fs::path(given).lexically_normal();
    if (!outside(path.string()))
      continue;
    auto directory = fs::absolute(path).lexically_normal();
    if (!console.files.is_directory(given) || !directory.has_filename())
      directory = directory.parent_path();
    fs::path shared;
    const auto differ = std::ranges::mismatch(root, directory);
    for (auto part = root.begin(); part != differ.in1; ++part)
      shared /= *part;
    root = root.empty() ? directory : shared;
  }
  return root.string();
}

// The outputs that now stand on the disk.
std::set<std::string> write_all(const std::vector<Group>& groups,
                                const std::vector<std::string>& scripts,
                                const ConvertOptions& options, const Console& console, bool& ok) {
  std::set<std::string> inputs;
  for (const auto& script : scripts)
    inputs.insert(same_file(script));
  std::map<std::string, std::string> taken;
  std::set<std::string> written;
  bool modules_stand = true;
  for (const Group& group : groups) {
    auto problems = objections(group, inputs, taken, options, console);
    if (problems.empty()) {
      if (auto problem = write(group, options, console, modules_stand); !problem.empty())
        problems.push_back(std::move(problem));
    }
    for (const auto& problem : problems)
      complain(console, problem);
    if (!problems.empty()) {
      ok = false;
      continue;
    }
    for (const Output& output : group.outputs)
      written.insert(output.path);
  }
  return written;
}

// Says what would be written, or how it would change; nothing is. The status is 1 if something is
// stale: an output, or a signature that was given for what has changed since.
int compare(const std::vector<Group>& groups, const review::Review& review,
            const ConvertOptions& options, const Console& console) {
  std::size_t all = 0;
  std::size_t stale = 0;
  for (const Group& group : groups) {
    for (const Output& output : group.outputs) {
      ++all;
      if (!is_stale(output, console.files))
        continue;
      ++stale;
      if (options.diff) {
        console.out(unified_diff(output.path,
                                 project::read_output(console.files, output.path).value_or(""),
                                 output.text, console.out_style));
      } else {
        console.out(fmt::format("stale: {}\n", review::visible(output.path)));
      }
    }
  }
  const auto reopened = std::ranges::count_if(
      review.inputs, [](const auto& input) { return has_rule(input, "S2F902"); });
  if (reopened > 0 && !options.diff)
    console.out(fmt::format("stale: signatures of {}\n", review::counted(reopened, "script")));
  if (!options.quiet && !options.diff) {
    console.out(fmt::format("{} of {} up to date\n", all - stale, review::counted(all, "output")));
  }
  return stale > 0 || reopened > 0 ? findings : done;
}

// Standard input in the place of a file of that name.
project::Files with_stdin(const ConvertOptions& options, const Console& console) {
  project::Files files = console.files;
  if (std::ranges::find(options.paths, "-") == options.paths.end())
    return files;
  const auto name = stdin_name(options);
  files.read = [name, text = console.standard_input(), read = files.read](
                   const std::string& path) -> std::expected<std::string, source::ReadFailure> {
    if (path == name)
      return text;
    return read(path);
  };
  files.is_file = [name, is_file = files.is_file](const std::string& path) {
    return path == name || is_file(path);
  };
  return files;
}

std::vector<Runnable> runnables(const std::vector<Group>& groups, const review::Review& review,
                                const std::set<std::string>& written) {
  std::vector<Runnable> found;
  for (const auto& input : review.inputs) {
    const bool own = std::ranges::any_of(groups, [&input](const Group& group) {
      return group.source == input.path && !group.outputs.empty() &&
             group.outputs.front().path == input.output;
    });
    if (own && !input.entry.empty() && written.contains(input.output))
      found.push_back(
          {input.output, input.entry + input.entry_arguments, input.body != "on_slurm"});
  }
  return found;
}

void show_errors(const review::Review& review, const Console& console) {
  for (const auto& input : review.inputs)
    for (const auto& placed : input.findings)
      if (placed.finding.severity == review::Severity::error)
        console.err(review::render_diagnostic(input, placed, console.err_style));
}

// What the summary only counts.
std::string warnings_and_notes(const review::Review& review, const review::TextStyle& style) {
  std::string out;
  for (const auto& input : review.inputs)
    for (const auto& placed : input.findings)
      if (placed.finding.severity < review::Severity::decision)
        out += review::render_diagnostic(input, placed, style);
  return out.empty() ? out
                     : '\n' + review::paint("To know:", review::Ink::bold, style) + '\n' + out;
}

int status_of(const review::Review& review, const ConvertOptions& options, const Console& console,
              bool ok) {
  bool at_or_above = false;
  bool internal = false;
  for (const auto& input : review.inputs) {
    internal = internal || has_rule(input, "S2F900") || has_rule(input, "S2F901");
    at_or_above = at_or_above || std::ranges::any_of(input.findings, [&](const auto& placed) {
                    return fails(placed.finding, options);
                  });
  }
  return status_for(internal, at_or_above, console, ok);
}

} // namespace

int convert(const ConvertOptions& given, const Console& console) {
  ConvertOptions options = given;
  const bool alone = options.paths.size() == 1 && options.paths.front() == "-";
  if (alone && options.output.empty() && options.out_dir.empty() && !options.check && !options.diff)
    options.output = "-";
  if (const auto problem = misuse(options, console)) {
    complain(console, *problem);
    hint(console, "slurm2flyte convert --help tells more.");
    return failed;
  }
  bool ok = true;
  const auto scripts = scripts_of(options, console, ok);
  options.root = root_of(options.paths, console);
  const bool directory = std::ranges::any_of(options.paths, console.files.is_directory);
  if (!options.output.empty() && (options.paths.size() > 1 || (directory && scripts.size() > 1))) {
    complain(console, fmt::format("-o names one file, but there are {} scripts; use --out-dir",
                                  scripts.size()));
    hint(console, "slurm2flyte convert --help tells more.");
    return failed;
  }
  project::CompileOptions compile{.keep_going = options.keep_going,
                                  .slurm_release = options.slurm_version,
                                  .flyte_release = options.flyte_version};
  compile.site = {.config = options.config, .cluster = options.cluster};
  compile.sign_off = options.sign_off;
  if (!options.output.empty() && options.output != "-" && !options.family && scripts.size() == 1)
    compile.module_file = {scripts.front(), fs::path(options.output).filename().string()};
  compile.limits = options.limits;
  if (!options.templates.empty())
    compile.templates = emit::templates_from(options.templates);
  const auto files = with_stdin(options, console);
  if (goes_one_by_one(options, scripts.size())) {
    Console with_input = console;
    with_input.files = files;
    return convert_many(scripts, options, compile, with_input, ok);
  }
  auto compiled = project::compile_in_pieces(scripts, compile, files, options.jobs,
                                             progress_of(options.quiet, console));
  if (!compiled.site_problems.empty() || !compiled.sign_off_problems.empty()) {
    complain_about_site(console, compiled.site_problems);
    for (const auto& problem : compiled.sign_off_problems)
      complain(console, problem);
    return failed;
  }
  for (const auto& failure : compiled.failures) {
    complain_about_input(console, failure.path, failure.message);
    ok = false;
  }
  if (options.family) {
    if (const auto joined = project::join_family(compiled); !joined) {
      complain(console, joined.error().message);
      for (const auto& line : joined.error().hints)
        hint(console, line);
      return failed;
    }
  }

  if (!options.output.empty() && compiled.modules.size() > 1) {
    const auto named = std::ranges::find_if(compiled.modules, [&](const auto& module) {
      return !scripts.empty() && same_file(module.input) == same_file(scripts.front());
    });
    if (named != compiled.modules.end())
      options.main_module = named->path;
  }
  review::Review review = std::move(compiled.review);
  for (auto& input : review.inputs)
    if (!input.output.empty())
      input.output = place_for(input.output, options);

  const bool to_stdout = options.output == "-";
  std::vector<Group> groups;
  if (to_stdout) {
    for (const auto& module : compiled.modules)
      console.out(module.text);
  } else {
    groups = group(compiled, review, options);
  }
  for (const auto& path : options.reports)
    groups.push_back({"--report " + path, {report(path, *report_format(path), review)}});
  std::erase_if(groups, [&console, &ok](const Group& group) {
    const auto problem = no_file_in(group);
    if (!problem.empty())
      complain(console, problem);
    ok = ok && problem.empty();
    return !problem.empty();
  });
  if (options.check || options.diff) {
    const int compared = compare(groups, review, options, console);
    return std::max(compared, status_of(review, options, console, ok));
  }
  const auto written = write_all(groups, scripts, options, console, ok);

  if (options.format == "github") {
    (to_stdout ? console.err : console.out)(review::render_github(review));
  } else if (options.quiet) {
    show_errors(review, console);
  } else if (!review.inputs.empty()) {
    const auto& style = to_stdout ? console.err_style : console.out_style;
    const auto& print = to_stdout ? console.err : console.out;
    if (review.inputs.size() >= scripts_of_a_batch && !options.verbose) {
      show_errors(review, console);
      BatchSummary summary;
      for (const auto& input : review.inputs)
        summary.add(input);
      print(summary.text(style));
    } else {
      print(review::render_text(review, style));
      if (options.verbose)
        print(warnings_and_notes(review, style));
    }
    print(next_steps(runnables(groups, review, written), style));
  }
  return status_of(review, options, console, ok);
}

} // namespace s2f::cli
