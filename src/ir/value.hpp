// ir::Value: what a word of a script denotes, as a concatenation of known and unknown parts.
//
// Passes refine values: the array pass turns $SLURM_ARRAY_TASK_ID into ArrayIndex, the parameter
// pass "3e-4" into a ParameterRef. That is how they compose on one command line.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/box.hpp"
#include "source/source.hpp"

namespace s2f::ir {

using source::Span;

struct Value;
struct Launch;

struct Text {
  std::string text;
};
// A parameter of the job's task.
struct ParameterRef {
  std::string name;
};
struct ArrayIndex {};
// An element of a known list, by the array's index.
struct ItemOf {
  std::string list; // name of the ir::ItemList
};
// A SLURM_* variable that is known only at run time, for which a task has something else.
struct SlurmVariable {
  std::string name;
};
// A shell variable whose value is no constant here.
struct Variable {
  std::string name;
};
// A file or directory that jobs share, by the index of the ir::Artifact.
struct ArtifactRef {
  std::size_t artifact = 0;
};
// The id of a submitted job: `$(sbatch --parsable ...)` or the variable that holds it.
struct SubmissionId {
  std::size_t submission = 0;
};
// The directory that the job was submitted from.
struct SubmitDirectory {};
// A path in the task's own container that stands for one of the cluster: an input once it is
// fetched, or an output before it is handed over. The name is Python's.
struct TaskPath {
  std::string name;
};
// A variable of the task's Python, which holds what a variable of the script does: always text.
struct Local {
  std::string name;
  bool one_word = false; // never empty, and nothing in it that the shell would split or expand
  bool once = false;     // set by one statement that no branch or loop encloses
  bool splits = false;   // where it stands without quotes it is meant to be several words
  bool number = false;   // a whole number in Python
  bool natural = false;  // and never below 0
  bool digits = false;   // a whole number, as text
};
// The status of a command, which Python's variable has as a number: $?
struct Status {
  std::string name;
};
// What a program prints, less the newlines at the end: $(program ...). Of a pipeline, what the
// last prints.
struct Output {
  base::Box<Launch> launch;            // the first; whether a failure matters is said of it
  std::vector<base::Box<Launch>> next; // each reads what the one before prints
  bool pipefail = false;
};
enum class Operation {
  host_name,           // $HOSTNAME, $(hostname)
  user_name,           // $USER, $(whoami)
  home,                // $HOME, ~
  temporary_directory, // $TMPDIR
  working_directory,   // $PWD, where it is known only when the job runs
  random,              // $RANDOM
  process_id,          // $$
  now,                 // $(date +FORMAT): the format
  base_name,           // $(basename PATH [SUFFIX])
  directory_name,      // $(dirname PATH)
  words,               // what the shell makes of a text that stands without quotes: many words
  pattern,             // the names that a pattern matches: many words
  matches,             // the same, none where nothing matches (nullglob)
  file_lines,          // the lines of a file: many words
  seconds,             // $(date +%s)
  whole_number,        // a text as $(( )) reads it: 010 is 8, nothing is 0
  decimal,             // a text as [ ] reads it
  add,                 // of two numbers, as the next ones
  subtract,
  multiply,
  divide, // towards 0
  remainder,
  padded,          // $(printf %03d N): the number, the width
  items,           // "${list[@]}": many words
  joined,          // "${list[*]}": a text
  item,            // ${list[N]}: the list, the number
  item_or_nothing, // the same, where the list may have no such item
  count,           // ${#list[@]}
  escaped,         // a text within a pattern, of which no character is a pattern's
  // Of a text and, but for the last ones, the text that it is looked through for.
  length,         // ${#x}
  either,         // ${x:-y}
  instead,        // ${x:+y}
  without_prefix, // ${x#y}
  without_suffix, // ${x%y}
  after_first,    // ${x#*y}
  after_last,     // ${x##*y}
  before_last,    // ${x%y*}
  before_first,   // ${x%%y*}
  replaced,       // ${x//y/z}
  replaced_once,  // ${x/y/z}
  slice,          // ${x:N:M}
  substring,      // the same, where a number is below 0: it counts from the end
  substituted,    // ${x//[ _]/-}: the text, Python's pattern for the Bash one, the other text
  upper,          // ${x^^}
  lower,          // ${x,,}
};
// Whether it makes a whole number.
[[nodiscard]] bool is_numeric(Operation operation);
// What the shell, or a program that everyone knows, makes of other values.
struct Computed {
  Operation operation{};
  std::vector<Value> operands;
  bool one_word = false; // as of a Local
};
// A variable of the environment that the task runs in: $HOME, $PATH.
struct EnvironmentVariable {
  std::string name;
};
struct Unknown {
  std::string why;
};

using ValuePart = std::variant<Text, ParameterRef, ArrayIndex, ItemOf, SlurmVariable, Variable,
                               ArtifactRef, SubmissionId, SubmitDirectory, TaskPath, Local,
                               EnvironmentVariable, Output, Computed, Status, Unknown>;

struct Value {
  std::vector<ValuePart> parts; // adjacent Text parts are joined
  Span span{};
  // Unquoted: what a variable in it holds would be split and globbed by the shell.
  bool unquoted = false;

  [[nodiscard]] bool is_text() const;
  [[nodiscard]] std::optional<std::string>
  text() const;                     // its text if it is nothing but text ("" for no parts)
  [[nodiscard]] bool known() const; // has no Variable or Unknown part
  // Whether it is the same wherever it stands: it has no part that a later statement can change.
  // What is not known before the task runs, but for Locals, is not.
  [[nodiscard]] bool fixed() const;
  [[nodiscard]] bool of_the_moment() const; // it is another one each time it is made
  [[nodiscard]] bool runs_program() const;  // a program runs to make it
  [[nodiscard]] bool many() const;          // it stands for any number of words
  void append(ValuePart part);
  static Value of(std::string text, Span span = {});
};

} // namespace s2f::ir
