// Writes the script that completes our command line, for each of three shells.
#include "cli/completions.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace s2f::cli {

namespace {

// In single quotes, for all three shells.
std::string double_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  }
  return out + "'";
}

// fish has no '\'' but a backslash within quotes.
std::string fish_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\')
      out += '\\';
    out += c;
  }
  return out + "'";
}

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

bool is_directory(const Argument& argument) { return argument.value == "DIR"; }

bool is_file(const Argument& argument) {
  return argument.value == "FILE" || argument.name() == "PATH" || argument.name() == "FILE";
}

// --- bash ---------------------------------------------------------------------------------------

std::string bash_reply(std::string_view command, const Argument& argument) {
  const auto values = values_of(command, argument);
  if (!values.empty())
    return fmt::format("mapfile -t COMPREPLY < <(compgen -W {} -- \"$current\")",
                       double_quoted(joined(values)));
  if (is_directory(argument))
    return "mapfile -t COMPREPLY < <(compgen -d -- \"$current\")";
  if (is_file(argument))
    return "mapfile -t COMPREPLY < <(compgen -f -- \"$current\")";
  return "COMPREPLY=()";
}

std::string bash_command(const Command& command) {
  std::string out =
      fmt::format("    {})\n        case $previous in\n", double_quoted(command.name));
  std::vector<std::string> words;
  for (const Argument& option : command.options) {
    words.insert(words.end(), option.names.begin(), option.names.end());
    if (!option.value.empty())
      out += fmt::format("        {})\n            {}\n            return\n            ;;\n",
                         fmt::join(option.names, " | "), bash_reply(command.name, option));
  }
  out += "        esac\n        if [[ $current == -* ]]; then\n";
  out += fmt::format(
      "            mapfile -t COMPREPLY < <(compgen -W {} -- \"$current\")\n        fi\n",
      double_quoted(joined(words)));
  if (!command.positionals.empty()) {
    out += "        [[ $current == -* ]] && return\n";
    // The first of several positionals has its place; the last one takes all that follow.
    for (std::size_t i = 0; i + 1 < command.positionals.size(); ++i)
      out += fmt::format(
          "        if ((position == {})); then\n            {}\n            return\n        fi\n",
          i, bash_reply(command.name, command.positionals[i]));
    out += fmt::format("        {}\n", bash_reply(command.name, command.positionals.back()));
  }
  return out + "        ;;\n";
}

std::string options_with_values(const Command& command) {
  std::vector<std::string> names;
  for (const Argument& option : command.options)
    if (!option.value.empty())
      names.insert(names.end(), option.names.begin(), option.names.end());
  return joined(names);
}

std::string for_bash(const std::vector<Command>& commands) {
  std::vector<std::string> names;
  std::vector<std::string> with_values;
  for (const Command& command : commands) {
    if (!command.name.empty())
      names.push_back(command.name);
    if (const auto options = options_with_values(command); !options.empty())
      with_values.push_back(options);
  }
  std::string out = fmt::format(
      R"(# Completes slurm2flyte in bash; to be sourced, or put among bash's completions.
_slurm2flyte() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}}
    local command='' word i position=0 taken=''
    COMPREPLY=()
    # Bash takes --option=value apart at the =.
    if [[ $current == '=' ]]; then
        current=''
    elif [[ $previous == '=' ]]; then
        previous=${{COMP_WORDS[COMP_CWORD - 2]}}
    fi
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${{COMP_WORDS[i]}}
        if [[ $word == '=' ]]; then
            taken=1
        elif [[ $taken ]]; then
            taken=''
        elif [[ $word == -* ]]; then
            [[ ' {} ' == *" $word "* ]] && taken=1
        elif [[ -z $command ]]; then
            command=$word
        else
            ((position++))
        fi
    done
    case $command in
)",
      joined(with_values));
  for (const Command& command : commands) {
    if (!command.name.empty())
      out += bash_command(command);
  }
  std::vector<std::string> words = names;
  for (const Argument& option : commands.front().options)
    words.insert(words.end(), option.names.begin(), option.names.end());
  out += fmt::format(R"(    '')
        mapfile -t COMPREPLY < <(compgen -W {} -- "$current")
        ;;
    esac
}}
complete -o filenames -F _slurm2flyte slurm2flyte
)",
                     double_quoted(joined(words)));
  return out;
}

// --- zsh ----------------------------------------------------------------------------------------

// Within [...] and :...: of _arguments.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\')
      out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_action(std::string_view command, const Argument& argument) {
  const auto values = values_of(command, argument);
  if (!values.empty())
    return fmt::format("({})", joined(values));
  if (is_directory(argument))
    return "_files -/";
  return is_file(argument) ? "_files" : " ";
}

std::string zsh_command(const Command& command) {
  std::string out = fmt::format("        {})\n            _arguments -s \\\n", command.name);
  const auto add = [&out](const std::string& specification) {
    out += "                " + double_quoted(specification) + " \\\n";
  };
  for (const Argument& option : command.options) {
    for (const auto& name : option.names) {
      const auto value = option.value.empty() ? std::string()
                                              : fmt::format(":{}:{}", zsh_text(option.value),
                                                            zsh_action(command.name, option));
      add(fmt::format("{}{}[{}]{}", option.many ? "*" : "", name, zsh_text(option.about), value));
    }
  }
  for (const Argument& positional : command.positionals)
    add(fmt::format("{}:{}:{}", positional.many ? "*" : "", zsh_text(positional.name()),
                    zsh_action(command.name, positional)));
  out.erase(out.size() - 3); // the last " \" and its newline
  return out + "\n            ;;\n";
}

std::string for_zsh(const std::vector<Command>& commands) {
  std::string list;
  std::string cases;
  for (const Command& command : commands) {
    if (command.name.empty())
      continue;
    list += "            " + double_quoted(zsh_text(command.name) + ":" + command.about) + "\n";
    cases += zsh_command(command);
  }
  std::string own;
  for (const Argument& option : commands.front().options)
    for (const auto& name : option.names)
      own +=
          "        " + double_quoted(fmt::format("{}[{}]", name, zsh_text(option.about))) + " \\\n";
  return fmt::format(R"(#compdef slurm2flyte
# Completes slurm2flyte in zsh; to be put into a directory of fpath as _slurm2flyte.
_slurm2flyte() {{
    local -a commands
    local line state
    _arguments -C \
{}        '1:command:->command' \
        '*::argument:->argument'
    case $state in
    command)
        commands=(
{}        )
        _describe command commands
        ;;
    argument)
        case $line[1] in
{}        esac
        ;;
    esac
}}
if [[ $funcstack[1] == _slurm2flyte ]]; then
    _slurm2flyte "$@"
else
    compdef _slurm2flyte slurm2flyte
fi
)",
                     own, list, cases);
}

// --- fish ---------------------------------------------------------------------------------------

std::string fish_option(std::string_view condition, std::string_view command,
                        const Argument& option) {
  std::string out = fmt::format("complete -c slurm2flyte -n {}", fish_quoted(condition));
  for (const auto& name : option.names)
    out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (!option.value.empty()) {
    const auto values = values_of(command, option);
    if (!values.empty())
      out += fmt::format(" -x -a {}", fish_quoted(joined(values)));
    else if (is_directory(option))
      out += " -x -a '(__fish_complete_directories)'";
    else
      out += is_file(option) ? " -r -F" : " -x";
  }
  return out + fmt::format(" -d {}\n", fish_quoted(option.about));
}

std::string for_fish(const std::vector<Command>& commands) {
  std::string out =
      "# Completes slurm2flyte in fish; to be put into its completions as slurm2flyte.fish.\n"
      "complete -c slurm2flyte -f\n";
  for (const Command& command : commands) {
    if (command.name.empty()) {
      for (const Argument& option : command.options)
        out += fish_option("__fish_use_subcommand", "", option);
      continue;
    }
    out += fmt::format("complete -c slurm2flyte -n __fish_use_subcommand -a {} -d {}\n",
                       command.name, fish_quoted(command.about));
    const auto condition = "__fish_seen_subcommand_from " + command.name;
    for (const Argument& option : command.options)
      out += fish_option(condition, command.name, option);
    for (const Argument& positional : command.positionals) {
      const auto values = values_of(command.name, positional);
      if (!values.empty())
        out += fmt::format("complete -c slurm2flyte -n {} -a {}\n", fish_quoted(condition),
                           fish_quoted(joined(values)));
      else if (is_file(positional))
        out += fmt::format("complete -c slurm2flyte -n {} -F\n", fish_quoted(condition));
    }
  }
  return out;
}

} // namespace

std::string completions(std::string_view shell, const std::vector<Command>& commands) {
  if (shell == "bash")
    return for_bash(commands);
  if (shell == "zsh")
    return for_zsh(commands);
  return shell == "fish" ? for_fish(commands) : std::string();
}

} // namespace s2f::cli
