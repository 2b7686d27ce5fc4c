// `slurm2flyte inspect FILE`: what sbatch would see in a script.
#include <algorithm>
#include <expected>
#include <filesystem>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/inputs.hpp"
#include "cli/table.hpp"
#include "project/compile.hpp"
#include "review/paint.hpp"
#include "review/visible.hpp"
#include "slurm/header.hpp"
#include "source/source.hpp"

namespace s2f::cli {

namespace {

using review::Ink;
using review::paint;
using review::visible;

std::string_view to_string(slurm::Kind kind) {
  switch (kind) {
  case slurm::Kind::job:
    return "a job script";
  case slurm::Kind::driver:
    return "a script that submits jobs";
  case slurm::Kind::both:
    return "a job script that submits jobs";
  case slurm::Kind::template_:
    return "a template: placeholders stand where values should be";
  case slurm::Kind::other:
    return "no job script: it has no directives and submits nothing";
  }
  return "";
}

std::string place(const slurm::OptionUse& use) {
  switch (use.origin) {
  case slurm::Origin::script:
  case slurm::Origin::pbs:
    return std::to_string(use.line);
  case slurm::Origin::environment:
    return "variable";
  case slurm::Origin::command_line:
    return "argument";
  }
  return "";
}

std::string heading(std::string_view text, const review::TextStyle& style) {
  return '\n' + paint(text, Ink::bold, style) + '\n';
}

std::string uses_table(const slurm::Header& header, std::uint32_t component,
                       const review::TextStyle& style) {
  Table table{.head = {"line", "option", "value", "becomes"}, .rows = {}, .right = 1};
  for (const auto& use : header.uses) {
    if (use.component != component)
      continue;
    const auto* info = slurm::find_option(use.name);
    table.rows.push_back({place(use), use.name, use.value.value_or("-"),
                          use.overridden    ? "nothing: overridden by a later one"
                          : info == nullptr ? "nothing: not known"
                                            : std::string(info->becomes)});
  }
  return table.rows.empty() ? "  no options\n" : render(table, style);
}

std::string share_lines(const slurm::Share& share, const review::TextStyle& style) {
  Table table{.head = {"", "one node gets", "because of"}, .rows = {}};
  const auto add = [&table](std::string what, std::string value, const std::string& how) {
    table.rows.push_back({std::move(what), std::move(value), how});
  };
  if (share.cpus)
    add("CPUs", std::to_string(*share.cpus), share.cpus_how);
  if (share.whole_node_memory)
    add("memory", "all of the node", share.memory_how);
  else if (share.memory_mib)
    add("memory", fmt::format("{} MiB", *share.memory_mib), share.memory_how);
  if (share.gpus) {
    add("GPUs",
        share.gpu_type.empty() ? std::to_string(*share.gpus)
                               : fmt::format("{} ({})", *share.gpus, share.gpu_type),
        share.gpus_how);
  }
  return table.rows.empty() ? "" : '\n' + render(table, style);
}

std::string diagnostic(const source::Source& script, std::uint32_t line, const source::Span& span,
                       std::string_view severity, Ink ink, std::string_view message,
                       const review::TextStyle& style) {
  if (line == 0) {
    return review::wrapped(
        message, fmt::format("{}: {}: ", visible(script.path), paint(severity, ink, style)), "    ",
        style.width);
  }
  const auto begin = script.position(span.begin);
  const auto column = begin.line == line ? begin.column : 1;
  std::string out = fmt::format("{}:{}:{}: {}: {}\n", visible(script.path), line, column,
                                paint(severity, ink, style), visible(message));
  const auto number = std::to_string(line);
  out += fmt::format(" {:>4} | {}\n", number, visible(script.line(line)));
  const auto text = script.line(line);
  const auto shown_to = [&text](std::uint32_t bytes) {
    return review::columns_of(visible(text.substr(0, std::min<std::size_t>(bytes, text.size()))));
  };
  const auto left = shown_to(column - 1);
  const auto end = shown_to(column - 1 + std::max<std::uint32_t>(span.size(), 1));
  const auto marks = std::string(1, '^') + std::string(end > left + 1 ? end - left - 1 : 0, '~');
  return out + fmt::format("      | {}{}\n", std::string(left, ' '), paint(marks, ink, style));
}

std::string table_of(const source::Source& script, const slurm::Header& header, slurm::Kind kind,
                     const review::TextStyle& style) {
  std::string out =
      fmt::format("{}: {}\n", paint(visible(script.path), Ink::bold, style), to_string(kind));
  out += header.accepted() ? paint("sbatch accepts it", Ink::green, style) + ".\n"
                           : paint("sbatch refuses it", Ink::red, style) + ".\n";
  for (const auto& rejection : header.rejections) {
    const auto message = rejection.by_controller
                             ? rejection.message + " (a controller says so, not sbatch itself)"
                             : rejection.message;
    out += '\n' +
           diagnostic(script, rejection.line, rejection.span, "error", Ink::red, message, style);
  }
  for (const auto& warning : header.warnings) {
    out += '\n' + diagnostic(script, warning.line, warning.span, "warning", Ink::yellow,
                             warning.message, style);
  }
  for (std::uint32_t component = 0; component < header.components.size(); ++component) {
    out += header.components.size() == 1
               ? heading("Options", style)
               : heading(fmt::format("Options of component {}", component), style);
    out += uses_table(header, component, style);
    out += share_lines(header.components[component].share, style);
  }
  if (!header.inert.empty()) {
    out += heading("Lines that Slurm does not read", style);
    Table table{.head = {"line", "text", "why"}, .rows = {}, .right = 1};
    for (const auto& inert : header.inert)
      table.rows.push_back({std::to_string(inert.line), inert.text, inert.why});
    out += render(table, style);
  }
  return out;
}

std::expected<slurm::ReadOptions, std::string> read_options(const InspectOptions& options) {
  slurm::ReadOptions read;
  read.arguments = options.arguments;
  read.site_release = options.slurm_version;
  read.script_name =
      options.path == "-" ? "sbatch" : std::filesystem::path(options.path).filename().string();
  if (!options.now.empty())
    read.now = options.now;
  for (const std::string& pair : options.environment) {
    const auto equals = pair.find('=');
    if (equals == 0 || equals == std::string::npos)
      return std::unexpected("--env wants NAME=VALUE, not `" + pair + "`");
    read.environment[pair.substr(0, equals)] = pair.substr(equals + 1);
  }
  return read;
}

} // namespace

int inspect(const InspectOptions& options, const Console& console) {
  const auto read = read_options(options);
  if (!read) {
    complain(console, read.error());
    return failed;
  }
  std::string bytes;
  if (options.path == "-") {
    bytes = console.standard_input();
  } else {
    auto content = console.files.read(options.path);
    if (!content) {
      complain_about_input(console, options.path, content.error().message);
      return failed;
    }
    bytes = std::move(*content);
  }
  source::Sources sources;
  const auto& script = sources[sources.add(options.path, bytes)];
  const auto header = slurm::read_header(script, *read);
  const auto kind = project::kind_of(script);
  if (options.json) {
    auto json = slurm::inspect_json(header, kind);
    if (!json.ends_with('\n'))
      json += '\n';
    console.out(json);
  } else {
    console.out(table_of(script, header, kind, console.out_style));
  }
  return header.accepted() ? done : findings;
}

} // namespace s2f::cli
