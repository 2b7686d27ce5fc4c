// The names that a word of a script can come to, also where a part of them is known only when the
// job runs.
//
// before:  for c in conf/a.yaml conf/b.yaml; do python p.py $c data/part_$SLURM_ARRAY_TASK_ID.csv
// after:   $c -> {"conf/a.yaml", "conf/b.yaml"}; the other -> {"data/part_" open_part ".csv"}
//
// Unlike ScriptValues it says what a word may be, not what it must be: names that a file beside the
// script may answer to, of every assignment whatever its order.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "shell/tree.hpp"

namespace s2f::passes {

// In such a name: text that only the run knows, and the directory that the job is submitted from.
inline constexpr char open_part = '\x01';
inline constexpr char submit_part = '\x02';

class ScriptNames {
public:
  using Texts = std::vector<std::string>;

  // Takes note of what the statement assigns; it must outlive this.
  void note(const shell::Statement& statement);
  // The directory of the script that is read now, below the submit directory: "" or "sub".
  void lies_in(std::string directory) { own_ = std::move(directory); }

  // Never empty: what is not known at all is an open part.
  [[nodiscard]] Texts of(const shell::Word& word) const { return of_parts(word.parts, 0); }

private:
  struct Name {
    std::vector<const shell::Word*> words; // assigned, run over by a `for`, items of an array
    bool other = false;                    // something else gives it a value as well
  };

  [[nodiscard]] Texts of_parts(const std::vector<shell::WordPart>& parts, int depth) const;
  [[nodiscard]] Texts of_part(const shell::WordPart& part, int depth) const;
  [[nodiscard]] Texts of_parameter(const shell::Parameter& parameter, int depth) const;
  [[nodiscard]] Texts of_name(const std::string& name, int depth) const;
  [[nodiscard]] Texts of_command(const shell::CommandSubstitution& command, int depth) const;
  [[nodiscard]] Texts of_braces(const shell::BraceExpansion& braces, int depth) const;
  [[nodiscard]] Texts of_script() const;

  std::map<std::string, Name> names_;
  std::string own_;
  mutable std::set<std::string> asking_; // names whose values are being asked for
};

// "run" of "run/x.csv", "." of "x.csv".
[[nodiscard]] std::string parent_of(const std::string& path);

} // namespace s2f::passes
