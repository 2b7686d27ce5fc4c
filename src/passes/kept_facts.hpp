// What is asked of the steps of a body again and again, when it is told which of them stay Bash.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/behind.hpp"
#include "analysis/effects.hpp"
#include "passes/context.hpp"

namespace s2f::passes {

[[nodiscard]] bool opaque(const ir::Step& step);
[[nodiscard]] bool holds_others(const ir::Step& step);
[[nodiscard]] bool ends_job(const ir::Step& step);

// The text of a statement, blanks where no name can be one of the shell's variables: mentions.cpp.
[[nodiscard]] std::string text_with_names(const PassContext& context,
                                          const shell::Statement& statement,
                                          const std::set<std::string>& functions);

// By the index of the step, unless it is said.
struct KeptFacts {
  explicit KeptFacts(const PassContext& context);

  // The variables that the script sets whose names stand in a text.
  [[nodiscard]] std::set<std::string> mentions(const std::string& text) const;
  // Variables of the script that a step gives a value.
  [[nodiscard]] static std::set<std::string> written(const ir::Step& step,
                                                     const analysis::Effects& effects);
  // The functions that a step may call: whose names stand in its text, or in theirs.
  [[nodiscard]] const std::set<std::string>& called(std::size_t step) const { return calls[step]; }

  std::vector<analysis::Effects> effects;
  std::vector<analysis::Effects> left;         // those that the shell shows behind it
  std::vector<std::set<std::string>> locals;   // that Python reads
  std::vector<std::set<std::string>> held;     // that Python has, "" where it is unset behind it
  std::vector<std::set<std::string>> assigned; // that Python has a value for behind it, by name
  std::vector<std::set<std::string>> exports;  // by a kept `export`, whatever happens
  std::vector<bool> errexit;                   // a command that fails ends the script
  std::vector<bool> allexport;                 // set -a: programs see what is assigned
  std::vector<bool> starts_jobs;               // & within it
  std::vector<bool> asks_jobs;                 // $!, wait $pid, jobs: of what runs beside
  std::vector<bool> waits;                     // for all that runs beside
  std::vector<bool> unread;                    // a file or a text that Python goes on behind
  std::vector<bool> attributes;                // it gives variables such that cannot be handed on
  std::vector<std::string> texts;
  std::vector<std::set<std::string>> mentioned; // variables by name, in whatever place
  std::vector<std::set<std::string>> calls;     // functions, and those that they call

  std::map<std::string, std::vector<std::size_t>> functions; // where each is defined
  bool plain_functions = true;           // their names are such that variables have, too
  std::set<std::string> exported, lists; // variables of the script
  std::set<std::string> asked;           // whether they are set at all
  std::set<std::string> arrays;          // that a kept statement makes a list of
  std::set<std::string> declared;        // those that a kept `declare` made what they are

  // Where to look, so that a long script is not read again for each region.
  std::map<std::string, std::vector<std::size_t>> writers; // of a variable
  std::map<std::string, std::size_t> last_read;            // of a local, by Python's name
  std::vector<std::size_t> always;                         // steps that any region may need
  std::size_t first_move = std::string::npos;
  std::size_t last_command = 0;

private:
  std::vector<std::set<std::string>> named_directly; // functions

  void merge_calls(const ir::Job& job);
  void note_arrays(const shell::Statement& statement);
  [[nodiscard]] std::set<std::string> functions_named(const std::string& text) const;
  [[nodiscard]] std::set<std::string> closed_calls(std::size_t step) const;
  void index(const ir::Step& step, std::size_t i);
};

} // namespace s2f::passes
