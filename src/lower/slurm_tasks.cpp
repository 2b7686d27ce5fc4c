// A job that stays on Slurm: flyteplugins.slurm.SlurmScriptTask with its options and its script.
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ir/arguments.hpp"
#include "lower/directive_comments.hpp"
#include "lower/parts.hpp"

namespace s2f::lower {

namespace {

// sbatch options that Slurm(...) has a field for (flyteplugins.slurm.task), and the field's name.
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> fields{{
    {"partition", "partition"},
    {"nodes", "nodes"},
    {"ntasks", "ntasks"},
    {"cpus-per-task", "cpus_per_task"},
    {"gres", "gres"},
    {"gpus-per-node", "gpus_per_node"},
    {"mem", "mem"},
    {"time", "time_limit"},
    {"account", "account"},
    {"qos", "qos"},
    {"reservation", "reservation"},
    {"constraint", "constraint"},
}};
// Refused in sbatch_options, or meaningless there.
constexpr std::array refused{"job-name", "output",   "error", "chdir",     "wrap",  "uid",
                             "gid",      "parsable", "wait",  "test-only", "help",  "usage",
                             "version",  "verbose",  "quiet", "input",     "array", "ignore-pbs"};

bool digits(std::string_view text) {
  return !text.empty() && text.size() < 10 &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

flyte::Expr option_value(std::string_view value, bool field) {
  if (digits(value) && (value.size() == 1 || value[0] != '0')) {
    return flyte::number(std::string(value));
  }
  (void)field;
  return flyte::str(std::string(value));
}

// `--export=ALL,TOKEN=abc` is `--export=ALL,TOKEN`: what calls sbatch has the variable.
std::string without_secrets(const LowerContext& context, const ir::Job& job, std::string text) {
  for (const Span& span : job.secret_spans) {
    const std::string given = "=" + std::string(context.sources.text(span));
    for (auto at = text.find(given); at != std::string::npos; at = text.find(given, at)) {
      text.erase(at, given.size());
    }
  }
  return text;
}

// Takes over what sbatch gave, which the job's environment holds; what the script needs ends it.
std::string given_lines(const ir::Job& job) {
  std::string lines;
  std::string needed;
  bool arguments = false;
  bool all_optional = true;
  for (const ir::Parameter& parameter : job.parameters) {
    if (ir::is_argument(parameter)) {
      arguments = true;
      all_optional = all_optional && (parameter.position == 0 || parameter.default_);
    } else if (!parameter.default_) {
      const std::string name = parameter.origin.substr(1);
      // What a driver gives it may be empty; what a person is to fill in may not.
      const bool given = job.always_given.contains(name);
      needed += fmt::format(" \"${{{}{}}}\"", name, given ? "?" : ":?");
    }
  }
  if (!needed.empty()) {
    lines += fmt::format(":{}\n", needed);
  }
  if (arguments) {
    lines +=
        fmt::format("eval \"set -- ${{{}{}}}\"\n", submit_arguments, all_optional ? "-" : ":?");
  }
  return lines;
}

// A constant for each, to be filled in; the words that stood behind the script are one.
std::vector<flyte::Constant> constants_of(const ir::Job& job, const std::set<std::string>& taken) {
  std::vector<flyte::Constant> result;
  std::vector<std::string> arguments;
  std::vector<std::string> variables;
  for (const ir::Parameter& parameter : job.parameters) {
    if (ir::is_argument(parameter)) {
      arguments.push_back(parameter.origin);
    } else if (!parameter.default_) {
      variables.push_back(parameter.origin);
    }
  }
  const auto add = [&](std::string name, std::string review) {
    while (taken.contains(name) || flyte::reserved_python_name(name)) {
      name += "_VALUE";
    }
    result.push_back({std::move(name), flyte::str(""), {}});
    result.back().notes.above.push_back(std::move(review));
  };
  const std::string script = base_name(job.path);
  if (!arguments.empty()) {
    add(submit_arguments,
        fmt::format("REVIEW S2F715: {} reads {} from the command line of its sbatch. Write what "
                    "stood behind the script's name, as a shell reads it.",
                    script, fmt::join(arguments, ", ")));
  }
  for (const std::string& variable : variables) {
    add(variable.substr(1), fmt::format("REVIEW S2F715: {} reads {} from the shell that submitted "
                                        "it.",
                                        script, variable));
  }
  return result;
}

// A text, and where in the script each of its lines stood.
struct CopiedText {
  std::string text;
  std::vector<Span> lines{Span{}};

  void add(std::string_view own) { put(own, {}); }
  void copy(const source::Source& source, std::uint32_t begin, std::uint32_t end) {
    put(std::string_view(source.text).substr(begin, end - begin), Span{source.id, begin, end});
  }

private:
  void put(std::string_view added, const Span& from) {
    std::uint32_t at = from.begin;
    for (const char c : added) {
      Span& line = lines.back();
      if (from.size() != 0 && c != '\n') {
        line = line.size() == 0 ? Span{from.source, at, at + 1}
                                : Span{from.source, line.begin, at + 1};
      }
      ++at;
      text += c;
      if (c == '\n') {
        lines.emplace_back();
      }
    }
  }
};

void add_body(LowerContext& context, const ir::Job& job, CopiedText& to) {
  const source::Source& source = context.sources[job.source];
  const std::uint32_t begin = job.header.end_line <= source.line_count()
                                  ? source.line_span(job.header.end_line).begin
                                  : static_cast<std::uint32_t>(source.text.size());
  std::uint32_t at = begin;
  std::vector<ir::Removal> removals;
  for (const ir::Removal& removal : job.removals) {
    // Modules and srun belong to Slurm; only a secret goes.
    const bool secret = std::ranges::any_of(job.secrets,
                                            [&](const ir::Secret& s) {
                                              return removal.span.contains(s.value_span);
                                            }) ||
                        removal.what.ends_with("a secret");
    if (secret) {
      removals.push_back(removal);
    }
  }
  std::ranges::sort(removals, {}, [](const ir::Removal& r) { return r.span.begin; });
  for (const ir::Removal& removal : removals) {
    if (removal.span.begin < at) {
      continue;
    }
    to.copy(source, at, removal.span.begin);
    to.add(removal.replacement.empty() ? ":" : removal.replacement);
    at = removal.span.end;
  }
  to.copy(source, at, static_cast<std::uint32_t>(source.text.size()));
}

// melt.log -> melt_log
std::string output_name(std::string_view path) {
  std::string name;
  for (const char c : path) {
    name += std::isalnum(static_cast<unsigned char>(c)) != 0
                ? static_cast<char>(std::tolower(static_cast<unsigned char>(c)))
                : '_';
  }
  return std::isdigit(static_cast<unsigned char>(name[0])) != 0 ? "out_" + name : name;
}

// The plugin takes what lies at $FLYTE_OUTPUT_NAME. The job's status stays that of its last
// command.
std::string handed_over(const ir::Job& job) {
  if (job.outputs.empty()) {
    return {};
  }
  std::string text = "rc=$?\n";
  for (const ir::OutputFile& output : job.outputs) {
    std::string variable = "FLYTE_OUTPUT_" + output_name(*output.path.text());
    std::ranges::transform(variable, variable.begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    text += fmt::format("cp {} \"${}\"\n", *output.path.text(), variable);
  }
  return text + "exit $rc\n";
}

} // namespace

LoweredSlurmTask slurm_task(LowerContext& context, const ir::Job& job) {
  LoweredSlurmTask result;
  const source::Source& source = context.sources[job.source];
  std::string variable = job.function;
  std::string constant = variable;
  std::ranges::transform(constant, constant.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  if (constant == "SUBMIT_DIR" || flyte::reserved_python_name(constant)) {
    constant += "_SCRIPT";
  }

  const bool several = job.header.components.size() > 1;
  CopiedText script;
  script.add("#!/bin/bash\n");
  if (several) { // only #SBATCH lines can say a heterogeneous job
    for (const slurm::DirectiveLine& line : job.header.lines) {
      script.copy(context.sources[line.span.source], line.span.begin, line.span.end);
      script.add("\n");
    }
  }
  if (job.interpreter.login) {
    script.add("source /etc/profile\n");
  }
  if (job.interpreter.errexit) {
    script.add("set -e\n");
  }
  script.add("cd \"${SUBMIT_DIR:?}\" || exit\n");
  script.add(given_lines(job));
  add_body(context, job, script);
  if (!script.text.ends_with('\n')) {
    script.add("\n");
  }
  script.add(handed_over(job));
  result.script.variable = constant;
  result.script.text = std::move(script.text);
  result.script.lines = std::move(script.lines);
  std::vector<ir::Comment> comments = job.comments;
  const auto first_line = std::min(job.header.end_line, source.line_count());
  const std::string cited = fmt::format(
      "{}:{}, as it was, {}", base_name(job.path),
      first_line == source.line_count() ? std::to_string(first_line)
                                        : fmt::format("{}-{}", first_line, source.line_count()),
      job.outputs.empty() ? "after a `cd`" : "between a `cd` and what hands over its logs");
  const std::uint32_t begin =
      job.header.end_line <= source.line_count() ? source.line_span(job.header.end_line).begin : 0;
  result.script.notes.spans = {
      Span{source.id, begin, static_cast<std::uint32_t>(source.text.size())}};

  std::vector<flyte::Arg> config;
  flyte::DictExpr options;
  const slurm::Component& component = job.header.components.front();
  if (!several) {
    for (const auto& [name, index] : component.winner) {
      const slurm::OptionUse& use = job.header.uses[index];
      if (std::ranges::find(refused, name) != refused.end()) {
        continue;
      }
      const std::string value = without_secrets(context, job, use.value.value_or(""));
      if (value.find_first_of(" \t\n") != std::string::npos) {
        continue;
      }
      flyte::Notes notes;
      if (use.origin != slurm::Origin::environment) {
        notes.trailing = without_secrets(context, job, std::string(context.sources.text(use.span)));
        notes.spans = {use.span};
        take_comments(context.sources, job, use.span, comments, notes);
      }
      const auto* field =
          std::ranges::find_if(fields, [&](const auto& f) { return f.first == name; });
      const bool integral = name == "nodes" || name == "ntasks" || name == "cpus-per-task";
      if (field != fields.end() && (!integral || digits(value)) && use.value) {
        const bool number = integral || (name == "gpus-per-node" && digits(value));
        flyte::Arg argument = flyte::arg(std::string(field->second),
                                         number ? option_value(value, true) : flyte::str(value));
        argument.notes = std::move(notes);
        config.push_back(std::move(argument));
      } else {
        flyte::Arg element =
            flyte::arg(use.value ? option_value(value, false) : flyte::name("True"));
        element.key = flyte::str(name);
        element.notes = std::move(notes);
        options.elements.push_back(std::move(element));
      }
    }
    if (job.header.components.front().array) {
      const slurm::OptionUse& use = job.header.uses[component.winner.at("array")];
      flyte::Arg element = flyte::arg(flyte::str(use.value.value_or("")));
      element.key = flyte::str("array");
      element.notes.trailing = std::string(context.sources.text(use.span));
      element.notes.spans = {use.span};
      take_comments(context.sources, job, use.span, comments, element.notes);
      options.elements.push_back(std::move(element));
    }
  }
  flyte::Arg name = flyte::arg("name", flyte::str(job.environment_name));
  name.notes.trailing = job.name_asked;
  name.notes.spans = job.name_spans;
  for (const Span& span : job.name_spans) {
    take_comments(context.sources, job, span, comments, name.notes);
  }
  result.script.notes.above = paragraphs(comments);
  result.script.notes.above.push_back(cited);
  if (!options.elements.empty()) {
    config.push_back(flyte::arg("sbatch_options", flyte::Expr{std::move(options)}));
  }
  flyte::DictExpr env;
  flyte::Arg directory = flyte::arg(flyte::name("SUBMIT_DIR"));
  directory.key = flyte::str("SUBMIT_DIR");
  env.elements.push_back(std::move(directory));
  if (!context.main_gives) {
    result.inputs = constants_of(job, {constant, "SUBMIT_DIR"});
    std::vector<std::string> names;
    if (std::ranges::any_of(job.parameters, ir::is_argument)) {
      names.emplace_back(submit_arguments);
    }
    for (const ir::Parameter& parameter : job.parameters) {
      if (!ir::is_argument(parameter) && !parameter.default_) {
        names.push_back(parameter.origin.substr(1));
      }
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      flyte::Arg element = flyte::arg(flyte::name(result.inputs[i].variable));
      element.key = flyte::str(names[i]);
      env.elements.push_back(std::move(element));
    }
  }
  config.push_back(flyte::arg("env", flyte::Expr{std::move(env)}));

  const auto& access = job.slurm;
  for (const auto& [field, value] : {std::pair{"host", access.host},
                                     {"username", access.username},
                                     {"ssh_private_key", access.ssh_key_secret}}) {
    if (value) {
      config.push_back(flyte::arg(field, flyte::str(value->value)));
      config.back().notes.trailing = value->asked;
    }
  }
  result.task.variable = variable;
  result.task.environment = variable + "_env";
  result.task.environment_name = job.environment_name;
  result.task.arguments.push_back(std::move(name));
  result.task.arguments.push_back(flyte::arg("script", flyte::name(constant)));
  if (!job.outputs.empty()) {
    flyte::DictExpr outputs;
    for (const ir::OutputFile& output : job.outputs) {
      flyte::Arg element = flyte::arg(flyte::name("File"));
      element.key = flyte::str(output_name(*output.path.text()));
      element.notes.trailing =
          fmt::format("{} of {}", *output.path.text(), at(context.sources, output.span));
      element.notes.spans = {output.span};
      outputs.elements.push_back(std::move(element));
    }
    result.task.arguments.push_back(flyte::arg("outputs", flyte::Expr{std::move(outputs)}));
  }
  flyte::Arg plugin = flyte::arg("plugin_config", flyte::call("Slurm", std::move(config)));
  if (!access.host) {
    plugin.notes.above.push_back(
        "REVIEW S2F711: the connector's own settings name the login node, the user and the SSH key "
        "(FLYTE_SLURM_HOST, _USERNAME, _SSH_PRIVATE_KEY); else give them here.");
  }
  result.task.arguments.push_back(std::move(plugin));
  if (job.stays_on_slurm) {
    result.task.notes.above.push_back(fmt::format("REVIEW {}: {} ({}).", job.stays_on_slurm->rule,
                                                  job.stays_on_slurm->text,
                                                  at(context.sources, job.stays_on_slurm->span)));
  }
  return result;
}

} // namespace s2f::lower
