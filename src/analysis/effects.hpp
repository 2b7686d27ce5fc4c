// What a statement reads and writes: variables, working directory, shell options, traps, jobs,
// `$?`, positionals.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "shell/tree.hpp"

namespace s2f::analysis {

struct Effects {
  // Variables whose value from before may be read: not what a `for` gives its own body, nor those
  // that have a default where they are read.
  std::set<std::string> reads;
  std::set<std::string> reads_defaulted; // ${name:-x}
  std::set<std::string> writes;          // assigned, read into, loop variables ...
  std::set<std::string>
      commands;                 // the first words of simple commands, as far as they are plain text
  std::set<int> positionals;    // $1 ... $9
  bool all_positionals = false; // $@, $*, $#, shift, getopts
  bool status = false;          // $?
  bool exits = false;           // exit, exec of a program, return at top level
  bool traps = false;
  bool changes_directory = false; // cd, pushd, popd
  bool options = false;           // set, shopt, ulimit, umask
  bool background = false;        // &, wait, coproc, $!
  bool functions = false;         // defines one
  bool anything = false;          // eval, source of a file that was not read: may do everything
  bool unparsed = false;
  bool writes_match = false; // =~, which sets BASH_REMATCH
};

[[nodiscard]] Effects effects_of(const shell::Statement& statement);
void merge(Effects& into, const Effects& other);

// Whether a shell of its own runs all of it: what it does to the shell ends with it.
[[nodiscard]] bool in_own_shell(const shell::Statement& statement);

// The first word of a simple command, if it is plain text.
[[nodiscard]] std::optional<std::string> command_name(const shell::SimpleCommand& command);
// Variables that the environment of any job has (HOME, USER, PATH, LANG ...) or the shell makes
// (RANDOM, SECONDS ...).
[[nodiscard]] bool ambient_variable(std::string_view name);

} // namespace s2f::analysis
