// Lays a command's help out as a manual page.
#include "cli/manual.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "project/version.hpp"

namespace s2f::cli {

namespace {

std::string roff(std::string_view text) {
  std::string out;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\''))
      out += "\\&";
    line_begins = c == '\n';
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out;
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string full_name(const Command& command) {
  return command.name.empty() ? "slurm2flyte" : "slurm2flyte-" + command.name;
}

// Of "The name. The rest.": the name, as NAME wants it.
std::string first_sentence(std::string_view text) {
  auto end = std::min(text.find(".\n"), text.find('\n'));
  end = std::min(end, text.size());
  auto sentence = std::string(text.substr(0, end));
  while (sentence.ends_with('.'))
    sentence.pop_back();
  return sentence;
}

std::string synopsis(const Command& command) {
  std::string out = ".SH SYNOPSIS\n.B " +
                    roff(command.name.empty() ? "slurm2flyte" : "slurm2flyte " + command.name) +
                    "\n[\\fIOPTIONS\\fR]";
  if (command.name.empty())
    return out + " \\fICOMMAND\\fR\n";
  for (const Argument& positional : command.positionals) {
    const auto name =
        fmt::format("\\fI{}\\fR{}", roff(positional.name()), positional.many ? "..." : "");
    out += positional.required ? " " + name : " [" + name + "]";
  }
  return out + '\n';
}

std::string entry(const Argument& argument, bool positional) {
  std::string head;
  for (const auto& name : argument.names) {
    if (!head.empty())
      head += ", ";
    head += (positional ? "\\fI" : "\\fB") + roff(name) + "\\fR";
  }
  if (!positional && !argument.value.empty())
    head += " \\fI" + roff(argument.value) + "\\fR";
  return ".TP\n" + head + '\n' + roff(argument.about) + '\n';
}

// Sections stand behind lines such as "Examples:"; their text is laid out already.
std::string sections(std::string_view footer) {
  std::string out;
  bool open = false;
  std::istringstream lines{std::string(footer)};
  for (std::string line; std::getline(lines, line);) {
    const bool heading = line.ends_with(':') && !line.starts_with(' ') && line.size() < 20;
    if (heading) {
      out += open ? ".EE\n" : "";
      line.pop_back();
      out += ".SH " + roff(upper(line)) + "\n.EX\n";
      open = true;
    } else {
      if (!open && !line.empty())
        out += ".SH NOTES\n.EX\n";
      open = open || !line.empty();
      out += roff(line) + '\n';
    }
  }
  return out + (open ? ".EE\n" : "");
}

} // namespace

std::string manual_page(const Command& command, const std::vector<Command>& commands) {
  std::string out =
      fmt::format(".TH {} 1 \"\" \"{} {}\" \"User Commands\"\n", roff(upper(full_name(command))),
                  project::tool_name, project::tool_version);
  out += fmt::format(".SH NAME\n{} \\- {}\n", roff(full_name(command)),
                     roff(first_sentence(command.about)));
  out += synopsis(command);
  out += ".SH DESCRIPTION\n" + roff(command.about) + '\n';
  for (const Argument& positional : command.positionals)
    out += entry(positional, true);
  if (command.name.empty()) {
    out += ".SH COMMANDS\n";
    for (const Command& other : commands)
      if (!other.name.empty())
        out += fmt::format(".TP\n.BR {} (1)\n{}\n", roff(full_name(other)), roff(other.about));
  }
  out += ".SH OPTIONS\n";
  for (const Argument& option : command.options)
    out += entry(option, false);
  out += sections(command.footer);
  if (!command.name.empty())
    out += ".SH SEE ALSO\n.BR slurm2flyte (1)\n";
  return out;
}

} // namespace s2f::cli
