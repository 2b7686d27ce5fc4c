// What names mean at one point of a body: constants, positionals, Slurm's variables; and words
// turned into values by them.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "ir/workload.hpp"

namespace s2f::passes {

class Scope {
public:
  explicit Scope(ir::Job& job) : job_(job) {}

  void set(const std::string& name, ir::Value value) { constants_[name] = std::move(value); }
  void forget(const std::string& name) { constants_.erase(name); }
  [[nodiscard]] const ir::Value* find(const std::string& name) const;

  // A word as a value; what cannot be told is an Unknown or Variable part. A literal with globs, a
  // tilde, a brace expansion or a constant that the shell would split stays Unknown.
  [[nodiscard]] ir::Value value_of(const shell::Word& word);
  // The Slurm variables that value_of has met and Slurm would have set are listed in the job.

private:
  void add(const shell::WordPart& part, bool quoted, ir::Value& value);
  void add_parameter(const shell::Parameter& parameter, bool quoted, ir::Value& value);

  ir::Job& job_;
  std::map<std::string, ir::Value> constants_;
};

// Notes that the job reads a SLURM_* variable; gives its literal value where the header tells it.
[[nodiscard]] const ir::SlurmRead* note_slurm_variable(ir::Job& job, const std::string& name);

// The SLURM_* names that stand in a text: a payload's, or quoted Bash's.
[[nodiscard]] std::set<std::string> slurm_names(std::string_view text);

} // namespace s2f::passes
