// Turns the statements of a job into steps; what one says about those behind it is kept in
// between: constants, the directory, what is exported.
//
// Each member gives why the statement cannot be lifted, "" when it was. They are defined in
// statements.cpp and, by the kind of statement, in lift_*.cpp.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/effects.hpp"
#include "passes/context.hpp"
#include "passes/scope.hpp"

namespace s2f::passes {

// The status of an assignment is that of the last program that its values run.
void fail_with_last(ir::Assign& assign, bool matters);

// The variables that a function makes its own.
[[nodiscard]] std::set<std::string> locals_of(const shell::Statement& definition);

class Lifting {
public:
  // `keeps_sources`: files that do not come with the script are read all the same.
  explicit Lifting(PassContext& context, bool keeps_sources = false)
      : context_(context), job_(context.job), scope_(context.job), keeps_sources_(keeps_sources) {
    scope_.set_substitution(
        [this](const shell::CommandSubstitution& command) { return substitution(command); });
    scope_.set_status([this] { return last_status(); });
    scope_.set_several([this](const std::string& name) { return lists_.contains(name); });
  }

  // Whether a file that is left out is needed after all: then nothing of it holds.
  [[nodiscard]] bool run();

  // For the tests of an `if`: a word of [ ] or, where nothing is split, of [[ ]].
  ir::Value test_operand(const shell::Word& word, bool doubled);
  // The pattern that the word of [ -f WORD ] is; nothing for any other word.
  std::optional<ir::Value> test_pattern(const shell::Word& word);
  ir::Value test_number(ir::Value value, bool doubled);
  [[nodiscard]] bool is_number(const ir::Value& value) const {
    return passes::is_number(value, job_);
  }
  bool may_be_pattern(const shell::Word& word);
  std::optional<std::string> pattern_of(const shell::Word& word);
  static ir::Condition matches(const ir::Value& value, const std::string& pattern);
  std::optional<std::string> regex_of(const shell::Word& word);
  // What a test says, piece by piece: an operator as plain text, or a word.
  struct Piece {
    std::string text;                  // of an operator, and of a word that is plain text
    const shell::Word* word = nullptr; // nothing for an operator of [[ ]]
  };
  // Whether the shell might make several words of it, or match files.
  static bool may_split(const ir::Value& value);
  static std::string why_unknown(const ir::Value& value);

private:
  void count_uses();
  void note_lists(const shell::Statement& statement);
  // Whether the shell makes several words of it, by the script's own doing.
  [[nodiscard]] bool names_list(const shell::Word& word) const;
  std::string lift_whole(ir::Step& step, bool last);
  // lift_kept.cpp
  void behind_kept(const ir::Step& step);
  void behind_unread();
  void behind_known(const std::set<std::string>& names);
  void give(const std::string& name, const shell::Statement& statement,
            const analysis::Effects& effects);
  void note_attributes(const shell::Statement& statement);
  std::string lift_statement(ir::Step& step, bool last);
  // Whether more than this statement reads a variable.
  bool read_elsewhere(const std::string& name, const shell::Statement& statement) const;
  std::string lift(ir::Step& step, const shell::SimpleCommand& command, bool last);
  static std::string kind_of(const shell::Statement& statement);
  [[nodiscard]] bool is_removed(const ir::Step& step) const;
  [[nodiscard]] bool shows_other(const shell::Statement& statement) const;

  // A directory that the job comes back to.
  struct Place {
    std::string name; // Python's variable that holds it
    std::string directory;
    bool elsewhere = false;
    std::size_t depth = 0; // of the list of commands that left it
    bool certain = true;   // that it was left
  };

  // What holds at one place of the script.
  struct State {
    Scope scope;
    std::string directory;
    bool elsewhere = false;
    std::set<std::string> made;
    std::set<std::string> exported;
    std::set<std::string> maybe_exported;
    std::map<std::string, std::string> tasks;
    bool launched = false;
    std::optional<Place> old;
    std::vector<Place> pushed;
  };
  // What a list of statements reads, and where last.
  struct Reads {
    std::map<std::string, std::size_t> last;
    std::size_t at = 0;
    std::size_t size = 0;
    bool loops = false; // the list runs again
  };
  // The list is open as long as this lives.
  class Later {
  public:
    Later(Lifting& lifting, const std::vector<const shell::Statement*>& statements);
    Later(const Later&) = delete;
    Later& operator=(const Later&) = delete;
    ~Later();

  private:
    Lifting& lifting_;
  };

  // lift_control.cpp
  static ir::Step make_step(const shell::Statement& statement);
  std::string lift_all(const std::vector<shell::Statement>& statements, std::uint32_t begin,
                       std::vector<ir::Step>& steps);
  std::string lift_one(const shell::Statement& statement, std::vector<ir::Step>& steps);
  std::string compound(ir::Step& step);
  // Whether all that it does to the state of the shell it runs in is over when it ends, and then
  // that Python comes back to the directory that it left.
  [[nodiscard]] bool ends_with_its_shell(const shell::Statement& statement) const;
  std::string comes_back(ir::Step& step, const std::function<std::string(ir::Step&)>& inner);
  std::string if_(ir::Step& step, const shell::If& command);
  std::string list_(ir::Step& step, const shell::AndOr& list);
  std::optional<std::string> either_(ir::Step& step, const shell::AndOr& list);
  std::optional<ir::Condition> entered(const shell::Statement& statement,
                                       std::optional<ir::Step>& enter, std::string& why);

  // lift_loops.cpp
  std::string for_(ir::Step& step, const shell::For& loop);
  std::string items_of(const shell::For& loop, std::vector<ir::Value>& items);
  void note_keys(const shell::For& loop);
  bool numbers_of(const shell::Word& word, std::vector<ir::Value>& items, std::string& why);
  std::string counted(ir::Step& step, const shell::ArithmeticFor& loop);
  // lift_counted.cpp
  std::string counted_by_value(ir::Step& step, const shell::ArithmeticFor& loop);
  // lift_read_loops.cpp
  std::string reads_of(const shell::While& loop, ir::LinesOf& lines, std::string& variable);
  std::string read_loop_with(ir::Step& step, const shell::While& loop, ir::LinesOf lines,
                             const std::string& variable);
  std::string read_loop_of_text(ir::Step& step, const shell::While& loop, ir::Value text);
  std::string text_of(const shell::Redirect& redirect, ir::Value& text);
  std::optional<std::string> piped_loop(ir::Step& step, const shell::Pipeline& pipeline);
  // lift_loops.cpp, too
  std::string while_(ir::Step& step, const shell::While& loop);
  std::string read_loop(ir::Step& step, const shell::While& loop);
  std::string loop_over(ir::Step& step, ir::For result, const std::string& variable,
                        const std::vector<shell::Statement>& body);
  std::string loop_body(ir::Step& step, ir::For result, const State& before,
                        const std::vector<shell::Statement>& body);
  void forget_written(const ir::Step& step);

  // lift_case.cpp
  std::string case_(ir::Step& step, const shell::Case& command);

  // lift_control.cpp, too
  std::string leave_loop(ir::Step& step, const shell::SimpleCommand& command) const;
  [[nodiscard]] bool read_before_written(const std::vector<shell::Statement>& body,
                                         const std::string& name) const;
  [[nodiscard]] bool stays_number(const shell::Statement& loop, const std::string& name) const;
  std::string open_variables(const shell::Statement& statement, std::vector<ir::Binding>& before);
  [[nodiscard]] State state() const;
  void restore(const State& state);
  void join(const State& before, const std::vector<State>& ends, const shell::Statement& statement);
  [[nodiscard]] bool read_later(const std::string& name) const;

  // lift_conditions.cpp
  std::optional<ir::Condition> condition(const shell::Statement& statement, std::string& why);
  std::optional<ir::Condition> condition_of(const shell::Statement& statement, std::string& why);
  std::optional<ir::Condition> command_test(const shell::SimpleCommand& command, std::string& why);
  std::optional<ir::Condition> test_without(const shell::SimpleCommand& command,
                                            std::vector<Piece>& pieces, std::string& why);
  std::optional<ir::Condition> double_test(const shell::Test& test, std::string& why);
  std::optional<ir::Condition> succeeds(const shell::Statement& statement, std::string& why);
  std::optional<ir::Condition> flag(const shell::SimpleCommand& command);

  // lift_assignments.cpp
  std::string assign(ir::Step& step, const std::vector<shell::Assignment>& assignments,
                     bool exported);
  std::string bind(const ir::Step& step, const std::vector<shell::Assignment>& assignments,
                   bool exported, ir::Assign& result);
  // scope_clock.cpp
  std::string count_seconds(const shell::Assignment& assignment, ir::Assign& result);
  // lift_assignments.cpp, too
  std::string bind_list(const shell::Assignment& assignment, bool exported, ir::Assign& result);
  std::string bind_next(const shell::Assignment& assignment, bool exported, ir::Assign& result);
  bool holds_numbers(const shell::SimpleCommand& command);
  void note_inherited(const std::string& name, source::Span span, bool exported);
  std::string declare(ir::Step& step, const shell::SimpleCommand& command);
  std::string export_(ir::Step& step, const shell::SimpleCommand& command);

  // lift_mapfile.cpp
  std::string mapfile(ir::Step& step, const shell::SimpleCommand& command);

  // lift_arithmetic.cpp
  std::string compute(ir::Step& step, const std::vector<shell::Arithmetic>& sums, bool last);
  std::string let(ir::Step& step, const shell::SimpleCommand& command, bool last);
  std::optional<ir::Condition> arithmetic_test(const shell::Arithmetic& sum, source::Span span,
                                               std::string& why);

  // lift_printf.cpp
  std::string print_to(ir::Step& step, const shell::SimpleCommand& command);
  std::optional<ir::Value> formatted(const std::string& format,
                                     const std::vector<ir::Value>& arguments);

  // lift_pipelines.cpp
  std::string pipeline(ir::Step& step, const shell::Pipeline& pipeline);
  std::string stage(const shell::Statement& statement, bool first, bool last, ir::Step& step);
  void note_time(const ir::Step& step);

  // lift_input.cpp
  std::string input(const shell::Redirect& redirect, ir::Launch& launch);

  // lift_source.cpp
  std::string source(ir::Step& step, const shell::SimpleCommand& command);
  [[nodiscard]] bool needs_left_out() const;
  void settle_left_out();

  // lift_background.cpp
  void note_left_running();
  std::string background(ir::Step& step);
  bool takes_task(ir::Step& step, const shell::SimpleCommand& command);
  std::string wait(ir::Step& step, const shell::SimpleCommand& command);

  // lift_directories.cpp
  std::string change_directory(ir::Step& step, const shell::SimpleCommand& command);
  std::string enter(ir::Step& step, const shell::SimpleCommand& command);
  std::string enter_list(ir::Step& step, const shell::AndOr& list, const shell::Statement& left);
  bool is_here(const std::string& path, Span span);
  [[nodiscard]] std::optional<std::string> found_beside() const;
  void note_made(const ir::Launch& launch);

  // lift_directory_stack.cpp
  [[nodiscard]] std::optional<Place> place() const;
  [[nodiscard]] bool goes_back() const;
  [[nodiscard]] bool status_asked() const;
  std::string old_name();
  void not_printed(const ir::Step& step);
  void go_back(ir::Step& step, const Place& to, const std::string& saves);
  std::string back(ir::Step& step, const shell::SimpleCommand& command);
  std::string push_directory(ir::Step& step, const shell::SimpleCommand& command);
  std::string pop_directory(ir::Step& step, const shell::SimpleCommand& command);

  // lift_shell.cpp
  std::string options(ir::Step& step, const shell::SimpleCommand& command);
  bool turns_off_nothing(const shell::SimpleCommand& command) const;
  std::optional<std::string> allexport(ir::Step& step, const shell::SimpleCommand& command);
  [[nodiscard]] bool has_read_loop() const;
  std::string shell_option(ir::Step& step, const shell::SimpleCommand& command);
  [[nodiscard]] bool uses_extended_patterns() const;
  [[nodiscard]] bool makes_aliases() const;

  // lift_echo.cpp
  std::string echo(ir::Step& step, const shell::SimpleCommand& command);
  std::string escape(ir::Echo& echo) const;
  void without_option(ir::Launch& launch) const;

  // lift_masks.cpp
  std::string mask(ir::Step& step, const shell::SimpleCommand& command);

  // lift_statuses.cpp
  ir::Value last_status();
  std::string exit(ir::Step& step, const shell::SimpleCommand& command, bool last);
  std::string exit_with(ir::Step& step, const shell::Word& word, bool last);
  static bool or_exit(ir::Step& step, const shell::AndOr& list, ir::Condition& left);

  // lift_substitutions.cpp
  ir::Value substitution(const shell::CommandSubstitution& substitution);
  ir::Value file_content(const shell::Statement& statement, const shell::SimpleCommand& command);
  ir::Value piped_output(const shell::Statement& statement, const shell::Pipeline& piped);
  std::optional<ir::Value> well_known(const std::vector<ir::Value>& words);
  std::optional<ir::Value> printed(const std::string& format, const ir::Value& word);
  bool clock_changed() const;

  // lift_hosts.cpp
  std::optional<ir::Value> hosts(const std::vector<shell::Statement>& body);

  // lift_launches.cpp
  std::string launch_of(const shell::Statement& statement, const shell::SimpleCommand& command,
                        ir::Launch& result);
  std::string launch(ir::Step& step, const shell::SimpleCommand& command);

  // lift_programs.cpp
  std::string program_of(const ir::Value& program, const shell::SimpleCommand& command);
  [[nodiscard]] std::string why_no_program(std::string_view name) const;

  // lift_eval.cpp
  std::string eval(ir::Step& step, const shell::SimpleCommand& command);

  // What an attempt that comes to nothing must take back.
  class Attempt {
  public:
    explicit Attempt(Lifting& lifting);
    void undo() const;

  private:
    Lifting& lifting_;
    State state_;
    std::set<std::string> here_paths_, payload_, changing_, numbers_, inlined_, lists_, functions_;
    std::map<std::string, std::string> locals_;
    std::size_t findings_, include_, reads_, reviews_, number_reads_, pattern_reads_;
    bool index_ = false;
  };

  // A function of the script that is one of the task, and what held where it was made.
  struct Made {
    struct Argument {
      bool one_word = false, digits = false, splits = false;
    };
    std::string python;
    std::vector<Argument> arguments;
    std::size_t place = 0; // in the body
    std::string known;     // of what it reads
    bool asked = false;    // its calls are conditions, where errexit does not hold
    bool exact = false;    // it looks at all of its arguments
  };

  // lift_calls.cpp
  std::string made_call(ir::Step& step, const shell::SimpleCommand& command,
                        const shell::Statement& definition);
  std::string make(const std::string& name, const shell::Statement& definition,
                   const std::vector<ir::Value>& given);
  std::string parameters_of(const std::string& name, const shell::Statement& definition,
                            const std::vector<ir::Value>& given, Made& made,
                            ir::Function& function);
  [[nodiscard]] std::string why_no_function(const shell::Statement& definition) const;
  [[nodiscard]] bool private_to(const std::string& name, const shell::Statement& definition) const;
  [[nodiscard]] std::string known_to(const shell::Statement& definition) const;
  [[nodiscard]] std::vector<const shell::SimpleCommand*> calls_of(const std::string& name) const;
  std::string arguments_of(const shell::SimpleCommand& command, std::vector<ir::Value>& arguments);
  std::string return_(ir::Step& step, const shell::SimpleCommand& command);
  std::string shift(ir::Step& step, const shell::SimpleCommand& command);

  // lift_functions.cpp
  std::string call(ir::Step& step, const shell::SimpleCommand& command,
                   const std::vector<const shell::Statement*>& definitions);
  std::string inline_call(ir::Step& step, const shell::SimpleCommand& command,
                          const std::vector<const shell::Statement*>& definitions);
  std::string local(ir::Step& step, const shell::SimpleCommand& command);
  [[nodiscard]] bool only_local(const std::string& name) const;
  // What a statement reads and writes, in the functions that it calls, too.
  [[nodiscard]] analysis::Effects effects_of(const shell::Statement& statement) const;

  // lift_inner.cpp
  [[nodiscard]] std::string why_not_inner(const shell::Statement& statement) const;
  bool give_inner(const shell::Statement& statement, ir::Launch& launch);
  bool give_inner_arguments(const shell::Statement& statement, ir::Launch& launch);
  [[nodiscard]] std::string inner_lines(const shell::Statement& statement) const;
  bool inner(ir::Step& step, bool last, const std::string& why);
  std::string lift_within(ir::Step& step, bool last);
  [[nodiscard]] bool worth_mixing(const ir::Step& step,
                                  const std::set<std::string>& functions) const;
  std::string lift_mixed(ir::Step& step, bool last);

  // lift_colon.cpp
  std::string colon(ir::Step& step, const shell::SimpleCommand& command);

  // lift_traps.cpp
  std::string trap(ir::Step& step, const shell::SimpleCommand& command);
  std::string at_exit(ir::Step& step, const shell::Word& word);
  [[nodiscard]] bool signals_itself() const;
  [[nodiscard]] bool reads_plainly(const std::vector<shell::Statement>& statements);

  // lift_limits.cpp
  std::string limit(ir::Step& step, const shell::SimpleCommand& command);
  std::string unset(ir::Step& step, const shell::SimpleCommand& command);
  std::string redirections(const shell::Statement& statement, ir::Launch& launch);
  std::string duplicate(const shell::Redirect& redirect, bool out, bool err, ir::Launch& launch);
  void note_splitting(const ir::Value& value);
  void include(const std::string& path);
  void find_payload(ir::Launch& launch);
  const ir::SrunStep* srun_step(const shell::SimpleCommand& command) const;
  [[nodiscard]] const ir::Prefix* prefix_of(const shell::Word& word) const;
  static std::string take_over(const ir::Prefix& prefix, const shell::Word& word,
                               ir::Launch& launch);
  static void take_over(const ir::SrunStep& step, ir::Launch& launch);
  static void local_rank(const ir::SrunStep& step, bool here, ir::Launch& launch);
  void missing_payload(const ir::Value& value, const std::string& path);

  PassContext& context_;
  ir::Job& job_;
  Scope scope_;
  std::map<std::string, std::vector<const shell::Statement*>> functions_; // where each is defined
  std::set<std::string> active_locals_; // of the functions that are being called
  std::string directory_;      // "" or "sub/": where `cd` has gone, below the submit directory
  bool elsewhere_ = false;     // it has gone to where nothing is known of
  std::set<std::string> made_; // directories that the job makes, as `directory_`
  std::optional<Place> old_;   // where `cd -` goes
  std::vector<Place> pushed_;  // where `popd` goes, the last one first
  std::set<std::string> here_paths_; // directories of the cluster that are the submit directory
  std::set<std::string> exported_;
  std::set<std::string> lists_;          // variables that hold several words
  std::set<std::string> maybe_exported_; // in a branch that may not have been taken
  std::map<std::string, std::set<const shell::Statement*>> readers_; // of a variable
  std::map<std::string, int> writes_;        // how many statements set a variable
  std::map<std::string, std::string> tasks_; // Python's, of a variable that has a $!
  // Files that are not read: the statement of the body that each stands in, and its own place.
  std::vector<std::pair<std::size_t, Span>> left_out_;
  bool keeps_sources_ = false;
  std::set<std::string> by_functions_; // variables that a function of the script may set
  std::set<std::string> attributes_;   // variables that a kept `declare` made what they are
  bool beside_ = false;                // something was started in the background
  bool launched_ = false;
  bool nounset_ = false;                // set -u
  bool errexit_ = false;                // set -e, or the interpreter's
  bool allexport_ = false;              // set -a
  bool at_exit_ = false;                // a trap of EXIT has been lifted
  std::set<std::string> at_exit_reads_; // variables that it reads
  std::vector<Reads> later_;            // of the lists that are open, the outermost first
  std::size_t loops_ = 0;               // how many are open
  std::vector<std::string> read_words_; // variables of the next loop's `read`, where it has several
  std::string below_;     // the list that the next loop's counter stays below the size of
  std::size_t calls_ = 0; // of functions, within each other
  std::map<std::string, Made> made_functions_;
  std::set<std::string> making_;   // functions that are being made, within each other
  bool asked_ = false;             // the one that is being made is for conditions
  std::size_t function_level_ = 0; // how many lists were open where the innermost one begins
  std::size_t depth_ = 0;          // of conditions within each other
  bool mixes_ = false;             // what stands within a statement may stay Bash by itself
  ir::Step* previous_ = nullptr;   // the one before in its list
};

} // namespace s2f::passes
