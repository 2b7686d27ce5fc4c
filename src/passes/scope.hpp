// What names mean at one point of a body: constants, positionals, Slurm's variables; and words
// turned into values by them.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/workload.hpp"
#include "passes/arithmetic.hpp"
#include "passes/number_variables.hpp"

namespace s2f::passes {

class Scope {
public:
  explicit Scope(ir::Job& job) : job_(&job) {}

  // What a variable holds from here on. The binding has a `local` where the value must be computed
  // at this place; later words then refer to that.
  ir::Binding set(const std::string& name, ir::Value value);
  // The same for one that is unset from here on.
  ir::Binding unset_from_here(const std::string& name);
  // What a local that is set once was made of; nothing where that is not known.
  [[nodiscard]] const ir::Value* made_of(const ir::Local& local) const {
    const auto found = made_of_.find(local.name);
    return local.once && found != made_of_.end() ? &found->second : nullptr;
  }
  // From here on nothing is known of it.
  void forget(const std::string& name);
  [[nodiscard]] const ir::Value* find(const std::string& name) const;

  // For variables that the branches of an `if`, or the body of a loop, may or may not assign: from
  // here on each is a local. Gives the assignments that must stand before: what each holds now, ""
  // for one that is unset. Nothing where that is not known; then nothing has changed. `numbers`:
  // those that stay whole numbers if they are.
  [[nodiscard]] std::optional<std::vector<ir::Binding>>
  make_locals(const std::set<std::string>& names, const std::set<std::string>& numbers);
  // The variable as a local that something else assigns: a loop.
  // A local behind branches that ended so: it is what all of them say of it.
  void join(const std::string& name, const std::vector<const Scope*>& ends);
  // Whether it stays a local whatever it is given: `make_locals`.
  [[nodiscard]] bool is_local(const std::string& name) const { return locals_.contains(name); }
  ir::Value local(const std::string& name, bool one_word, bool splits = false, bool number = false);

  // A word as a value; what cannot be told is an Unknown or Variable part. A literal with globs, a
  // tilde, a brace expansion or a constant that the shell would split stays Unknown.
  [[nodiscard]] ir::Value value_of(const shell::Word& word);
  // All words that the shell makes of one: it splits what expands without quotes.
  [[nodiscard]] std::vector<ir::Value> words_of(const shell::Word& word);
  // The same where the words are what is wanted, as in `for`: each expansion without quotes is
  // split as the shell does it, whatever it may hold.
  [[nodiscard]] std::vector<ir::Value> words_apart(const shell::Word& word);
  // The same for the right side of an assignment, which the shell neither splits nor globs.
  [[nodiscard]] ir::Value assigned(const shell::Word& word);
  // The script's arguments, where the word is "$@" and nothing else; all others refuse it.
  [[nodiscard]] std::optional<ir::Value> all_arguments(const shell::Word& word) const;
  // The Slurm variables that value_of has met and Slurm would have set are listed in the job.

  // Nothing has given it a value so far.
  [[nodiscard]] bool unset(const std::string& name) const;
  // Variables that one statement outside of branches and loops sets, and no other.
  void set_once(std::set<std::string> names) { once_ = std::move(names); }
  // A variable that holds a list, of so many items if that is known.
  struct List {
    std::string python;
    std::optional<std::size_t> size;
    bool one_word = false; // each item, as of a Local
    bool splits = false;   // some item is meant to be several words without quotes
  };
  void set_list(const std::string& name, List list);
  [[nodiscard]] const List* list(const std::string& name) const;
  // What a number variable can be from here on.
  void set_range(const std::string& name, std::int64_t least, std::int64_t most) {
    ranges_[local_of(name)] = {least, most};
  }
  // The same: it is an index of the list, which nothing changes.
  void set_below(const std::string& name, const std::string& list) {
    below_[local_of(name)] = list;
  }
  // Variables that hold whole numbers and nothing else.
  void set_numbers(NumberVariables numbers) { numbers_ = std::move(numbers); }
  void no_number(const std::string& name);
  [[nodiscard]] bool number(const std::string& name) const { return numbers_.names.contains(name); }
  // What an expression comes to.
  [[nodiscard]] std::optional<Term> term_of(std::string_view expression,
                                            const std::vector<shell::WordPart>& expansions);
  // From here on reading a variable that nothing has set ends the script.
  void nounset() { nounset_ = true; }
  // A file that was not read may have set any variable.
  void sourced() { sourced_ = true; }
  // The same, but the shell's own variables are what they were.
  void left_out() { left_out_ = true; }
  // What $1, $2, ... are in the function that is being called; gives what they were.
  using Arguments = std::optional<std::vector<ir::Value>>;
  Arguments give_arguments(Arguments arguments) {
    return std::exchange(arguments_, std::move(arguments));
  }
  // From here on a pattern of files gives other words than Python's, or may: shopt -s nullglob.
  void patterns_differ() { patterns_differ_ = true; }
  // From here on a pattern that matches nothing is no word (shopt -s nullglob), or is itself.
  void patterns_vanish(bool vanish) { patterns_vanish_ = vanish; }
  // From here on $SECONDS counts from when a variable of Python's says.
  void count_seconds() { counts_seconds_ = true; }
  // From here on $1, $2, ... are not those that the script was given.
  void shifted() { shifted_ = true; }

  // Whether the shell leaves the value as it is where it stands without quotes.
  [[nodiscard]] static bool one_word(const ir::Value& value);
  // Whether it is meant to be several words where it stands without quotes, or none.
  [[nodiscard]] static bool splits_apart(const ir::Value& value);

  // What $( ) gives; nothing is known of it without.
  using Substitution = std::function<ir::Value(const shell::CommandSubstitution&)>;
  void set_substitution(Substitution substitution) { substitution_ = std::move(substitution); }
  // Whether the script gives a variable several words somewhere.
  void set_several(std::function<bool(const std::string&)> several) {
    several_ = std::move(several);
  }
  // What $? is.
  void set_status(std::function<ir::Value()> status) { status_ = std::move(status); }
  // Where `cd` has gone, below the directory that the job was submitted from: "" or "sub".
  [[nodiscard]] ir::Value directory() const;
  void set_directory(std::optional<std::string> directory) { directory_ = std::move(directory); }

private:
  struct Fields;
  [[nodiscard]] std::vector<ir::Value> fields_of(const shell::Word& word, bool quoted,
                                                 bool one = false, bool apart = false);
  void add(const shell::WordPart& part, bool quoted, Fields& fields);
  bool add_arguments(const shell::WordPart& part, bool quoted, Fields& fields);
  bool add_keys(const shell::WordPart& part, bool quoted, Fields& fields);
  // scope_arguments.cpp
  [[nodiscard]] const ir::Parameter* argument_list() const;
  [[nodiscard]] std::optional<ir::Value> argument(const shell::Parameter& parameter) const;
  bool add_list(const shell::Parameter& parameter, bool quoted, Fields& fields);
  void add_ambient(const std::string& name, ir::Value& value) const;
  void add_slurm_variable(const std::string& name, ir::Value& value);
  [[nodiscard]] ir::Value parameter(const shell::Parameter& parameter);
  [[nodiscard]] ir::Value own_name(const shell::Parameter& parameter);
  [[nodiscard]] ir::Value clock(const std::string& name); // scope_clock.cpp
  [[nodiscard]] std::string local_of(const std::string& name) const;

  // scope_operators.cpp
  [[nodiscard]] ir::Value operated(const shell::Parameter& parameter);
  [[nodiscard]] ir::Value defaulted(const shell::Parameter& parameter, ir::Value value, bool set);

  // scope_cuts.cpp
  struct Pattern {
    bool before = false, after = false; // *text, text*
    ir::Value text;
    std::string regex; // Python's, of a pattern that is no text; "" for one that is
  };
  [[nodiscard]] std::optional<Pattern> pattern(const shell::Word& word);
  [[nodiscard]] ir::Value without(const shell::Parameter& parameter, ir::Value value);
  [[nodiscard]] ir::Value replaced(const shell::Parameter& parameter, ir::Value value);

  // scope_lists.cpp
  [[nodiscard]] ir::Value list_parameter(const shell::Parameter& parameter, const List& list);
  [[nodiscard]] ir::Value slice_of(const shell::Parameter& parameter, const List& list);
  [[nodiscard]] ir::Value item_of(const List& list, ir::Value index,
                                  const std::string& name = {}) const;
  [[nodiscard]] std::optional<std::pair<std::int64_t, std::int64_t>>
  range_of(const ir::Value& value) const;

  ir::Job* job_;
  std::map<std::string, ir::Value> values_;
  std::map<std::string, ir::Value> made_of_; // by Python's name
  std::set<std::string> locals_;             // those that stay locals whatever they are given
  Substitution substitution_;
  std::function<ir::Value()> status_;
  std::function<bool(const std::string&)> several_;
  std::optional<std::string> directory_ = "";
  std::set<std::string> once_;
  NumberVariables numbers_;
  std::map<std::string, List> lists_;
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> ranges_; // by Python's name
  std::map<std::string, std::string> below_; // by Python's name: a list that it is an index of
  std::set<std::string> forgotten_;          // set to something that is not known
  std::set<std::string> unset_;              // by the script itself
  Arguments arguments_;
  bool nounset_ = false;
  bool shifted_ = false;
  bool patterns_differ_ = false;
  bool patterns_vanish_ = false;
  bool counts_seconds_ = false;
  bool left_out_ = false;
  bool sourced_ = false; // a file that was not read may have set any
};

// Notes that the job reads a SLURM_* variable; gives its literal value where the header tells it.
[[nodiscard]] const ir::SlurmRead* note_slurm_variable(ir::Job& job, const std::string& name);

// The SLURM_* names that stand in a text: a payload's, or quoted Bash's.
[[nodiscard]] std::set<std::string> slurm_names(std::string_view text);
[[nodiscard]] std::set<std::string> slurm_names(const ir::Value& value);

} // namespace s2f::passes
