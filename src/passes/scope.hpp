// What names mean at one point of a body: constants, positionals, Slurm's variables; and words
// turned into values by them.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ir/workload.hpp"

namespace s2f::passes {

class Scope {
public:
  explicit Scope(ir::Job& job) : job_(&job) {}

  // What a variable holds from here on. The binding has a `local` where the value must be computed
  // at this place; later words then refer to that.
  ir::Binding set(const std::string& name, ir::Value value);
  // From here on nothing is known of it.
  void forget(const std::string& name);
  [[nodiscard]] const ir::Value* find(const std::string& name) const;

  // For variables that the branches of an `if`, or the body of a loop, may or may not assign: from
  // here on each is a local. Gives the assignments that must stand before: what each holds now, ""
  // for one that is unset. Nothing where that is not known; then nothing has changed.
  [[nodiscard]] std::optional<std::vector<ir::Binding>>
  make_locals(const std::set<std::string>& names);
  // The variable as a local that something else assigns: a loop.
  // A local behind branches that ended so: it is what all of them say of it.
  void join(const std::string& name, const std::vector<const Scope*>& ends);
  // Whether it stays a local whatever it is given: `make_locals`.
  [[nodiscard]] bool is_local(const std::string& name) const { return locals_.contains(name); }
  ir::Value local(const std::string& name, bool one_word, bool splits = false);

  // A word as a value; what cannot be told is an Unknown or Variable part. A literal with globs, a
  // tilde, a brace expansion or a constant that the shell would split stays Unknown.
  [[nodiscard]] ir::Value value_of(const shell::Word& word);
  // All words that the shell makes of one: it splits what expands without quotes.
  [[nodiscard]] std::vector<ir::Value> words_of(const shell::Word& word);
  // The same for the right side of an assignment, which the shell neither splits nor globs.
  [[nodiscard]] ir::Value assigned(const shell::Word& word);
  // The script's arguments, where the word is "$@" and nothing else; all others refuse it.
  [[nodiscard]] std::optional<ir::Value> all_arguments(const shell::Word& word) const;
  // The Slurm variables that value_of has met and Slurm would have set are listed in the job.

  // Nothing has given it a value so far.
  [[nodiscard]] bool unset(const std::string& name) const;
  // Variables that one statement outside of branches and loops sets, and no other.
  void set_once(std::set<std::string> names) { once_ = std::move(names); }
  // From here on reading a variable that nothing has set ends the script.
  void nounset() { nounset_ = true; }
  // A file that was not read may have set any variable.
  void sourced() { sourced_ = true; }
  // From here on $1, $2, ... are not those that the script was given.
  void shifted() { shifted_ = true; }

  // Whether the shell leaves the value as it is where it stands without quotes.
  [[nodiscard]] static bool one_word(const ir::Value& value);

  // What $( ) gives; nothing is known of it without.
  using Substitution = std::function<ir::Value(const shell::CommandSubstitution&)>;
  void set_substitution(Substitution substitution) { substitution_ = std::move(substitution); }
  // Where `cd` has gone, below the directory that the job was submitted from: "" or "sub".
  [[nodiscard]] ir::Value directory() const;
  void set_directory(std::optional<std::string> directory) { directory_ = std::move(directory); }

private:
  struct Fields;
  [[nodiscard]] std::vector<ir::Value> fields_of(const shell::Word& word, bool quoted);
  void add(const shell::WordPart& part, bool quoted, Fields& fields);
  void add_ambient(const std::string& name, ir::Value& value) const;
  void add_slurm_variable(const std::string& name, ir::Value& value);
  [[nodiscard]] ir::Value parameter(const shell::Parameter& parameter);

  ir::Job* job_;
  std::map<std::string, ir::Value> values_;
  std::set<std::string> locals_; // those that stay locals whatever they are given
  Substitution substitution_;
  std::optional<std::string> directory_ = "";
  std::set<std::string> once_;
  std::set<std::string> forgotten_; // set to something that is not known
  bool nounset_ = false;
  bool shifted_ = false;
  bool sourced_ = false; // a file that was not read may have set any
};

// Notes that the job reads a SLURM_* variable; gives its literal value where the header tells it.
[[nodiscard]] const ir::SlurmRead* note_slurm_variable(ir::Job& job, const std::string& name);

// The SLURM_* names that stand in a text: a payload's, or quoted Bash's.
[[nodiscard]] std::set<std::string> slurm_names(std::string_view text);

} // namespace s2f::passes
