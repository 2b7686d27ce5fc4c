// The reader of drivers: what its parts (values, conditions, loops, submissions, scripts that the
// driver writes) share.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "passes/driver.hpp"

namespace s2f::passes {

using source::Span;

// Whether the command is sbatch itself.
[[nodiscard]] bool is_sbatch(const shell::SimpleCommand& command);

// Changes files where they lie: sed -i.
[[nodiscard]] bool edits_in_place(const shell::SimpleCommand& command);

// Cuts something out of text that it is given: awk, cut, grep ...
[[nodiscard]] bool is_filter(std::string_view program);

// Evaluates $(( )), (( )) and subscripts over `value`, which gives a variable's term; unknown where
// it cannot.
[[nodiscard]] ir::Term arithmetic(std::string_view expression,
                                  const std::function<ir::Term(const std::string& name)>& value);

// ${name op pattern} of a constant; nothing for what is not done here.
[[nodiscard]] std::optional<std::string> edited(const std::string& value, const std::string& op,
                                                const std::vector<std::string>& arguments);

// What the variables that hold ids of jobs look like, for the whole driver.
struct IdVariable {
  ir::Term::Type type = ir::Term::Type::job; // job, maybe_job, jobs, job_map
};
class IdVariables {
public:
  explicit IdVariables(const shell::Script& script);
  [[nodiscard]] const IdVariable* find(const std::string& name) const;
  [[nodiscard]] bool submits(const std::string& function) const {
    return functions_.contains(function);
  }
  // Whether the commands of a substitution do nothing but submit, or cut ids out of text.
  [[nodiscard]] bool gives_ids(const shell::CommandSubstitution& substitution) const;
  [[nodiscard]] bool mentions(const shell::Word& word) const;

private:
  bool note(const shell::Assignment& assignment);
  [[nodiscard]] bool single(const shell::Word& word) const;

  std::map<std::string, IdVariable> variables_;
  std::set<std::string> functions_; // those that submit
  std::set<std::string> emptied_;
};

// A file that the driver writes: text, and values in it.
struct WrittenFile {
  struct Piece {
    ir::Term value;
    Span span{};
  };
  std::vector<Piece> pieces;
  bool torn = false; // what it holds depends on which statements ran
  int begun = 0;     // which statement wrote it anew
  // The text of another interpreter's script stands in a here-document up to `end`.
  bool foreign = false;
  static constexpr std::string_view end = "END_OF_SCRIPT";
};
// A script for another interpreter as one for Bash, which writes and runs it; any other as it is;
// why not.
[[nodiscard]] std::expected<WrittenFile, std::string> in_shell(const WrittenFile& file);
[[nodiscard]] bool same_text(const WrittenFile& one, const WrittenFile& other);

// Whether the options of a directive only name jobs and logs.
[[nodiscard]] bool names_only(std::string_view directive);

// What `echo -e` and printf make of backslashes.
[[nodiscard]] std::string unescaped(const std::string& text);

class DriverReader {
public:
  explicit DriverReader(DriverContext& context);
  void run();

private:
  friend class DriverPlanner;
  using Why = std::string; // "" when all is well
  struct State {
    std::map<std::string, ir::Term> variables;
    std::set<std::string> bound; // those that are variables of `main` too
    std::set<std::string> exported;
    std::set<std::string> unset; // variables that no job inherits
    bool all_exported = false;   // set -a
    bool null_globs = false;     // shopt -s nullglob
    std::set<std::string> raw;   // ids that are sbatch's whole sentence: "Submitted batch job 5"
    std::map<std::string, WrittenFile> files;
    std::map<std::string, std::string> heads; // of texts that hold ids: "afterok:"
    std::map<std::string, std::string> separators;
    std::map<std::string, ir::Term> states; // of variables that hold the state of a job: the job
    std::set<std::string> maybe_exported;   // by a choice
    std::vector<ir::Term> waits_any, waits_ok;
    std::string directory;               // where it is, below its own
    std::vector<std::string> pushed;     // by pushd
    std::optional<std::string> previous; // what `cd -` goes to
    bool ended = false;
    bool unsure = false; // the last step ran only where another succeeded
  };
  struct Settlement {
    Span span{};
    review::Disposition disposition{}; // `open`: the job's own passes settle it
    std::string why, rule;
    review::EntryId parent{};
  };
  struct Outcome {
    review::EntryId entry{};
    review::Disposition disposition{};
    std::string why;
    std::string file = {}; // that it writes, by key
  };
  struct Field {
    ir::Term value;
    Span span{};
  };
  struct Mark { // to return to
    State state;
    std::size_t submissions, settlements, notes, steps;
  };

  // ---- statements
  Why block(const std::vector<shell::Statement>& statements);
  Why statement(const shell::Statement& statement);
  Why value_statement(const shell::Statement& statement);
  Why simple(const shell::Statement& statement, const shell::SimpleCommand& command);
  Why command_by_name(const shell::Statement& statement, const shell::SimpleCommand& command,
                      const std::string& name);
  Why and_or(const shell::Statement& statement, const shell::AndOr& both);
  Why pipeline(const shell::Statement& statement, const shell::Pipeline& pipeline);
  Why call(const shell::SimpleCommand& command, const shell::Statement& body);
  Why leave(const shell::SimpleCommand& command, bool function);
  Why counted(std::string text, const Span& span);
  Why printed(const shell::Statement& statement);
  Why run_between(const shell::Statement& statement, const std::string& name);
  Why run_allocated(const shell::Statement& statement, const shell::SimpleCommand& command,
                    const std::string& name);
  // ---- how a job ended that it waited for (driver_status.cpp)
  [[nodiscard]] bool gives_up(const std::vector<shell::Statement>& statements) const;
  void find_asked(const std::vector<shell::Statement>& statements);
  void goes_on_after_success(const ir::Term& job);
  void goes_on_anyhow(const ir::Term& job);
  Why where_it_worked(const ir::Term& job, const std::vector<shell::Statement>& statements);
  Why choose_by_end(const ir::Term& job, bool failed, const std::vector<shell::Statement>& then,
                    const std::vector<shell::Statement>* otherwise);
  std::optional<Why> chooses_by_end(const shell::Statement& condition,
                                    const std::vector<shell::Statement>& then,
                                    const std::vector<shell::Statement>* otherwise, bool swapped);
  [[nodiscard]] bool reads_known(const shell::Statement& statement,
                                 ir::Submission& submission) const;
  Why start_directory(const shell::Statement& statement, const shell::Word& word);
  Why change_directory(const shell::Statement& statement, const shell::SimpleCommand& command,
                       const std::string& name);
  // A path from where it is, below the driver's own directory; nothing where that is not known.
  [[nodiscard]] std::optional<std::string> below(const ir::Term& path) const;
  [[nodiscard]] ir::Term located(ir::Term path) const; // of a file
  void looks_at(const ir::Term& file, const Span& span);
  bool starts_in(const ir::Term& value, ir::Submission& submission);
  Why assign(const shell::Assignment& assignment, const Span& span);
  Why declare(const shell::Statement& statement, const shell::SimpleCommand& command,
              const std::string& name);
  Why set_options(const shell::SimpleCommand& command);
  Why shell_option(const shell::Statement& statement, const shell::SimpleCommand& command);
  void unset(const shell::Statement& statement, const shell::SimpleCommand& command);
  Why in_subshell(const shell::Statement& statement, const shell::Subshell& shell);
  void note_assigned(const std::string& name);
  // What a job inherits, as far as it is known; a prefix of sbatch goes before.
  Why inherited(const shell::SimpleCommand& command, ir::Submission& submission);
  [[nodiscard]] Why inherit(const std::string& name, const ir::Term& value,
                            ir::Submission& submission) const;
  [[nodiscard]] Why argument(std::size_t position, const Field& field, ir::Submission& submission);
  Why assign_id(const shell::Assignment& assignment, const IdVariable& id, const Span& span);
  Why give_id(const std::string& name, const shell::Word& value, const IdVariable& id,
              const Span& span);
  Why extend_ids(const std::string& name, const ir::Term& added, bool replace, const Span& span);
  std::optional<ir::Term> submission_in(const shell::Word& word, Why& why);
  void set(const std::string& name, ir::Term value, const Span& span);
  void invalidate(const std::string& name, const Span& span);
  void drop(const shell::Statement& statement, const std::string& what, const std::string& why);
  [[nodiscard]] bool only_prints(const std::vector<shell::Statement>& statements) const;
  [[nodiscard]] std::string says(const std::vector<shell::Statement>& statements) const;

  // ---- a job that submits what follows it
  bool follow_on();
  bool submit_following(
      const ir::Reason& reason, bool errexit,
      const std::function<
          void(const std::function<void(const shell::Statement&, review::EntryId, bool)>&)>& each);

  // ---- loops and choices
  Why loop(const shell::Statement& statement, const shell::For& loop);
  Why loop(const shell::Statement& statement, const shell::ArithmeticFor& loop);
  Why loop(const shell::Statement& statement, const shell::While& loop);
  [[nodiscard]] std::set<std::string> polled(const shell::Statement& statement) const;
  [[nodiscard]] static bool waits_for_file(const shell::Statement& statement);
  Why wait_for_file(const shell::Statement& statement);
  Why wait_for_polled(const shell::Statement& statement, const std::set<std::string>& names);
  Why each(const Span& span, const std::string& variable, ir::Term over,
           const std::vector<shell::Statement>& body);
  [[nodiscard]] std::vector<ir::Term> there(const ir::Term& pattern) const;
  void say_there(const ir::Term& pattern, const std::vector<ir::Term>& found, const Span& span);
  Why unrolled(const std::string& variable, const std::vector<ir::Term>& values,
               const std::vector<shell::Statement>& body);
  Why choose(const shell::Statement& statement, const shell::If& choice);
  Why choose(const shell::Statement& statement, const shell::Case& choice);
  Why branches(
      const Span& span,
      const std::vector<std::pair<std::optional<ir::Term>, const std::vector<shell::Statement>*>>&
          list);
  bool checks_usage(const shell::IfBranch& branch);
  struct Check { // of how a job ended, and what it does then
    ir::Term job;
    std::string error;
    const std::vector<shell::Statement>* body = nullptr;
  };
  [[nodiscard]] std::optional<ir::Term> asked_job(const shell::Statement& statement) const;
  [[nodiscard]] std::optional<ir::Term> asked_job(const shell::Word& word) const;
  [[nodiscard]] std::optional<std::pair<ir::Term, std::string>>
  ended_as(const std::vector<shell::Statement>& condition) const;
  std::optional<Why> recover(const shell::Statement& statement, const shell::If& choice);
  std::optional<Why> recover(const shell::Statement& statement, const shell::Case& choice);
  Why recover(const std::vector<Check>& checks, const Span& span);
  void bind_before(const std::set<std::string>& written, const Span& span);
  [[nodiscard]] std::set<std::string>
  written_in(const std::vector<shell::Statement>& statements) const;
  [[nodiscard]] bool read_outside(const std::string& name, const Span& span) const;
  ir::Term all_arguments();
  [[nodiscard]] bool is_integer(const std::string& name) const { return integers_.contains(name); }

  // ---- values
  [[nodiscard]] bool is_secret(const shell::Word& word) const;
  ir::Term value_of(const shell::Word& word);
  std::vector<ir::Term> fields_of(const shell::Word& word);
  std::vector<ir::Term> fields_of(const std::vector<shell::Word>& words, std::size_t first = 0);
  ir::Term part_value(const shell::WordPart& part, bool quoted);
  // Whether a value may be several words, or none; `alone`: nothing else stands in the word.
  [[nodiscard]] bool may_part(const ir::Term& value, bool alone = true) const;
  ir::Term parameter_value(const shell::Parameter& parameter);
  ir::Term edited_value(const shell::Parameter& parameter, ir::Term value);
  ir::Term substitution_value(const shell::CommandSubstitution& substitution);
  ir::Term command_value(const shell::SimpleCommand& command, const shell::Statement& statement);
  ir::Term sorted_value(const shell::Pipeline& pipeline);
  ir::Term ids_in(const shell::CommandSubstitution& substitution);
  ir::Term positional(int position, const std::optional<std::string>& default_);
  ir::Term variable(const std::string& name);
  ir::Term outer_variable(const std::string& name, const std::optional<std::string>& default_);
  ir::Term arithmetic_value(const shell::Arithmetic& arithmetic);
  ir::Term arithmetic_text(std::string_view text);
  ir::Term id_value(const std::string& name, const shell::Parameter& parameter);
  ir::Term map_key(const shell::Word& word);

  // ---- conditions
  ir::Term condition(const std::vector<shell::Statement>& statements);
  ir::Term condition(const shell::Statement& statement);
  ir::Term test(const std::vector<ir::Term>& words);
  [[nodiscard]] ir::Term from_here(ir::Term test) const;
  ir::Term comparison(const std::string& op, const ir::Term& left, const ir::Term& right);
  ir::Term double_bracket(const shell::Statement& statement, const shell::Test& test);

  // ---- submissions
  Why submit(const shell::Statement& statement, const std::string& captured,
             const WrittenFile* from_input = nullptr);
  Why read_options(const std::vector<Field>& fields, std::size_t& at, slurm::ReadOptions& read,
                   ir::Submission& submission);
  Why read_option(const slurm::OptionInfo& info, const ir::Term& value, const Span& span,
                  slurm::ReadOptions& read, ir::Submission& submission);
  Why read_dependency(const ir::Term& value, ir::Submission& submission);
  Why read_export(const ir::Term& value, ir::Submission& submission);
  Why read_array(const ir::Term& value, const Span& span, slurm::ReadOptions& read,
                 ir::Submission& submission);
  void wait_for(const ir::Submission& submission, const Span& span);
  std::expected<std::size_t, std::string>
  load(const ir::Term& script, const slurm::ReadOptions& read, ir::Submission& submission);
  std::expected<std::size_t, std::string> load_written(const WrittenFile& file,
                                                       const slurm::ReadOptions& read,
                                                       const std::string& name,
                                                       ir::Submission& submission);
  // What became of a submission, for the ledger.
  [[nodiscard]] const char* called(std::size_t job) const {
    return context_.missing.contains(job) ? "a call of a stub: the script was not found"
                                          : "a call of the task";
  }
  void settle(const Span& span, review::Disposition disposition, std::string why,
              std::string rule = {});

  // ---- files that the driver writes
  std::optional<Why> writes_file(const shell::Statement& statement);
  std::optional<WrittenFile> printed_text(const shell::Statement& statement);
  std::optional<WrittenFile> files_together(const shell::SimpleCommand& command);
  std::optional<Why> tee_writes(const shell::Statement& statement);
  void write(const std::string& key, const WrittenFile& text, bool append, const Span& span);
  void tear_within(const shell::Statement& statement);
  WrittenFile heredoc(const shell::Redirect& redirect);
  [[nodiscard]] std::string virtual_text(const WrittenFile& file, ir::Submission& submission,
                                         std::vector<source::Run>& runs, Why& why);
  void unused_files();
  void tear_files(const std::vector<State>& ends);
  void tear_added(const State& before);
  [[nodiscard]] bool adds_to_script(const State& before) const;
  [[nodiscard]] static bool added(const WrittenFile* before, const WrittenFile& file);
  static std::string file_key(const ir::Term& name);
  [[nodiscard]] std::string key_of(const ir::Term& name) const; // from where it is

  // ---- results
  void push(auto value, const Span& span) {
    ir::DriverStep step;
    step.value = std::move(value);
    step.span = span;
    out_->push_back(std::move(step));
  }
  void give_up(ir::Step& step, const std::string& why);
  std::string submitted_text(const shell::Statement& statement, const shell::SimpleCommand& command,
                             bool fed);
  void open_settlements();
  void number_dependencies();
  void note_submissions(const ir::Step& step);
  [[nodiscard]] std::string at(const Span& span) const;
  [[nodiscard]] Mark mark() const;
  void back_to(Mark mark);

  DriverContext& context_;
  ir::Driver& driver_;
  IdVariables ids_;
  std::set<std::string> integers_;
  std::map<std::string, const shell::Statement*> functions_;
  std::vector<std::vector<ir::Term>> frames_; // arguments of the functions that are read
  State state_;
  std::vector<ir::DriverStep>* out_ = nullptr;
  std::vector<Settlement> settlements_;
  review::EntryId entry_{};
  int begun_ = 0;
  std::optional<std::string> returned_; // the variable that a function's submission is kept in
  std::string hint_;                    // the variable that is assigned to: names a parameter
  int driver_shift_ = 0;                // by `shift`
  std::map<std::string, std::vector<std::uint32_t>> reads_, writes_; // where
  std::set<std::string> loop_variables_;                             // those that nothing else sets
  bool skip_rest_ = false;  // continue, break, return or exit was read
  std::size_t choices_ = 0; // how deep
  std::size_t loops_ = 0;   // how deep
  std::vector<Outcome> outcomes_;
  std::string dropped_;                          // why a statement has no counterpart
  std::string wrote_;                            // the file that it writes, by key
  std::map<std::string, Span> cluster_patterns_; // that it looks for files with
  std::string said_;                    // what became of a statement that leaves nothing else
  std::string message_;                 // that a failing exit says
  std::vector<ir::Term> background_;    // sbatch --wait ... &
  std::map<std::string, Span> written_; // files, by key: where they are written first
  std::set<std::string> submitted_files_;
  bool last_raw_ = false;              // the last id that was kept is sbatch's whole sentence
  bool printed_id_ = false;            // a function printed an id that it had cut out
  bool keep_ambient_ = false;          // $HOME stays $HOME: the text is read by a job
  std::optional<ir::Term> ended_;      // the job that the last statement waited for
  std::optional<ir::Term> asked_;      // the same of the statement before
  std::set<std::uint32_t> asked_for_;  // where statements begin whose status the next one reads
  std::set<std::string> parted_;       // variables that may hold several words, or none
  std::set<std::string> programs_;     // jobs that are programs of the driver's own
  bool status_counts_ = false;         // of the command that is read
  bool wait_ = false;                  // --wait was given
  bool allocates_ = false;             // the options are those of srun or salloc
  bool parsable_ = false;              // --parsable was given
  std::optional<WrittenFile> wrapped_; // --wrap
  std::size_t call_choices_ = 0;       // how deep the function was called
  std::size_t unrolled_ = 0;           // iterations that were written out
  std::size_t temporaries_ = 0;
  bool needs_constants_ = false; // unrolling the loop around would help
};

// Whether the id of a job is any part of it: a task has none to give.
[[nodiscard]] bool holds_job(const ir::Term& term);

} // namespace s2f::passes
