// `slurm2flyte convert PATH...`: compiles scripts, writes the results, and tells what to do next.
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>

#include "cli/batch_summary.hpp"
#include "cli/commands.hpp"
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

// What belongs together is written together or not at all.
struct Group {
  std::string source; // the script, for messages
  std::vector<Output> outputs;
};

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

std::string same_file(const std::string& path) {
  std::error_code error;
  // Made absolute first: what does not exist yet would stay relative.
  const auto resolved = fs::weakly_canonical(fs::absolute(path), error);
  return error ? fs::path(path).lexically_normal().string() : resolved.string();
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

// Not below the working directory.
bool outside(const fs::path& path) {
  return path.is_absolute() || std::ranges::find(path, fs::path("..")) != path.end();
}

// The directory below which all the paths lie that are outside; "" where there is none of them.
std::string root_of(const std::vector<std::string>& paths, const Console& console) {
  fs::path root;
  for (const auto& given : paths) {
    const auto path = fs::path(given).lexically_normal();
    if (!outside(path))
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

std::string place_for(const std::string& module_path, const ConvertOptions& options) {
  if (!options.output.empty())
    return options.output == "-" ? "standard output" : options.output;
  if (options.out_dir.empty())
    return module_path;
  const fs::path path = fs::path(module_path).lexically_normal();
  if (outside(path) && !options.root.empty()) {
    const auto below_root = fs::absolute(path).lexically_normal().lexically_relative(options.root);
    if (!outside(below_root))
      return (fs::path(options.out_dir) / below_root).string();
  }
  return below(options.out_dir, module_path);
}

// Where the module of a script would stand, if it had one: beside it, for its review.
std::string usual_module_path(const std::string& script) {
  const fs::path path(script);
  return (path.parent_path() / (path.stem().string() + "_flyte.py")).string();
}

bool has_rule(const review::Input& input, std::string_view rule) {
  return std::ranges::any_of(input.findings, [rule](const review::PlacedFinding& placed) {
    return placed.finding.rule == rule;
  });
}

// The modules with their reviews; a script without a module has a review of its own, but for one
// that sbatch refuses: that one is to be mended first.
std::vector<Group> group(const project::Compiled& compiled, const review::Review& review,
                         const ConvertOptions& options) {
  std::vector<Group> groups;
  std::map<std::string, std::size_t> by_output;
  std::vector<review::Review> reviews;
  for (const auto& module : compiled.modules) {
    const auto path = place_for(module.path, options);
    by_output[path] = groups.size();
    groups.push_back({module.input, {{path, module.text, Format::module}}});
    reviews.push_back({review.tool, review.flyte, {}});
  }
  for (const auto& input : review.inputs) {
    const auto found = by_output.find(input.output);
    if (found != by_output.end()) {
      reviews[found->second].inputs.push_back(input);
    } else if (!has_rule(input, "S2F110")) {
      groups.push_back({input.path, {}});
      reviews.push_back({review.tool, review.flyte, {input}});
    }
  }
  for (std::size_t i = 0; i < groups.size(); ++i) {
    auto& outputs = groups[i].outputs;
    const auto module = outputs.empty() ? place_for(usual_module_path(groups[i].source), options)
                                        : outputs.front().path;
    outputs.push_back(report(review_path(module), Format::markdown, reviews[i]));
  }
  return groups;
}

// What stands in the way of a group, each a sentence.
std::vector<std::string> objections(const Group& group, const std::set<std::string>& inputs,
                                    std::map<std::string, std::string>& taken,
                                    const ConvertOptions& options, const Console& console) {
  std::vector<std::string> found;
  for (const Output& output : group.outputs) {
    const auto file = same_file(output.path);
    if (inputs.contains(file)) {
      found.push_back(output.path + " is one of the scripts, so it was not overwritten");
      continue;
    }
    const auto [other, fresh] = taken.emplace(file, group.source);
    if (!fresh) {
      found.push_back(fmt::format("{} would be written for {} and for {}; convert them apart, "
                                  "with -o",
                                  output.path, other->second, group.source));
    } else if (const auto why = objection(output, console.files); why && !options.force) {
      found.push_back(*why + "; --force overwrites it, -o - shows what is new");
    }
  }
  return found;
}

// A pipe or a device in the place of an output: to read one may take for ever, and no file can take
// its place.
void drop_what_is_no_file(std::vector<Group>& groups, const Console& console, bool& ok) {
  std::erase_if(groups, [&](const Group& group) {
    for (const Output& output : group.outputs) {
      std::error_code error;
      if (fs::is_other(fs::status(output.path, error))) {
        complain(console, fmt::format("cannot write {}: this is not a regular file", output.path));
        ok = false;
        return true;
      }
    }
    return false;
  });
}

// What stands there already is not written again, and keeps its time; a review also keeps what a
// verification of the same module said.
bool stands(const Output& output, bool same_module, const Console& console) {
  const auto there = project::read_output(console.files, output.path);
  return there && (*there == output.text || (same_module && output.format == Format::markdown &&
                                             without_verification(*there) == output.text));
}

bool write(const Group& group, const ConvertOptions& options, const Console& console) {
  bool same_module = false;
  for (const Output& output : group.outputs) {
    if (stands(output, same_module, console)) {
      same_module = same_module || output.format == Format::module;
      continue;
    }
    const auto parent = fs::path(output.path).parent_path();
    if (!options.out_dir.empty() && !parent.empty()) {
      if (const auto made = console.make_directories(parent.string()); !made) {
        complain(console, made.error());
        return false;
      }
    }
    if (const auto written = console.write(output.path, output.text); !written) {
      complain(console, written.error());
      return false;
    }
  }
  return true;
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
  for (const Group& group : groups) {
    const auto problems = objections(group, inputs, taken, options, console);
    for (const auto& problem : problems)
      complain(console, problem);
    if (!problems.empty() || !write(group, options, console)) {
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
    for (const auto& placed : input.findings)
      at_or_above =
          at_or_above || (options.fail_on && placed.finding.severity >= *options.fail_on &&
                          review::is_open(placed.finding));
  }
  if (internal) {
    complain(console, "internal error: a line was lost or settled twice. Please report this with "
                      "the script; do not use the output unread.");
  }
  if (!ok || internal)
    return failed;
  return at_or_above ? findings : done;
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
                                  .slurm_release = options.slurm_version};
  compile.site = {.config = options.config, .cluster = options.cluster};
  compile.sign_off = options.sign_off;
  compile.limits = options.limits;
  if (!options.templates.empty())
    compile.templates = emit::templates_from(options.templates);
  const auto files = with_stdin(options, console);
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

  review::Review review = compiled.review;
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
  drop_what_is_no_file(groups, console, ok);
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
      print(batch_summary(review, style));
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
