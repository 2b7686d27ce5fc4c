// A driver that runs as it was, in a task of its own that notes what it
// submits.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "passes/driver_reader.hpp"

namespace s2f::passes {

class DriverPlanner {
public:
  explicit DriverPlanner(DriverReader& reader);
  // Fills Driver::plan and the jobs that it names; false where none of them is
  // known.
  bool run();

private:
  struct Edit {
    Span span{};
    std::string text;
  };
  // Text of a job script in the driver, and what the shell puts into it, by
  // name.
  struct Text {
    WrittenFile file;
    std::vector<std::pair<std::string, std::string>> values; // name, as the shell writes it
    std::vector<std::string> directives; // that the noting program reads, as the shell writes them
    bool array = false;                  // one of them asks for an array
  };
  // What is known of a variable that stands alone in a line of a job's text.
  enum class Line { text, directives, waits, modules };
  struct Writer { // cat > file <<EOF, echo ... >> file
    Span span{};
    std::string target; // as written
    bool append = false;
    bool empty = false;
    Text text;
    std::vector<Span> parts; // the statements before, which write the file's beginning
    std::vector<std::pair<Span, std::string>>
        maybe;             // those that may run; the variable that says so
    bool options = false;  // of sbatch's stand behind what may not be there
    bool inserted = false; // `span` is the end of the statement with the last of those
    [[nodiscard]] bool contains(const Span& at) const {
      const auto holds = [&](const Span& part) { return part.contains(at); };
      return holds(span) || std::ranges::any_of(parts, holds) ||
             std::ranges::any_of(maybe, [&](const auto& each) { return holds(each.first); });
    }
  };
  struct Site {
    const shell::Statement* statement = nullptr;
    const shell::Statement* pipeline = nullptr; // what prints its script stands before it
    review::EntryId entry{};
    std::size_t word = 0; // which is sbatch
  };
  // An sbatch as far as it can be read before it runs.
  struct Call {
    slurm::ReadOptions read;
    std::optional<shell::Word> script;
    std::optional<std::string> name; // of the script, where it is known
    std::optional<Text> text;        // on standard input or in --wrap
    std::size_t arguments = 0;
    bool computed_indices = false;
    std::string why; // it cannot be noted
  };

  void find_constants();
  void find_exported();
  void find_lines();
  void edit_slurm_commands();
  void says_that_it_waits(const Span& span, std::string slurm_does);
  void rename_in_messages();
  bool waits_here(const shell::SimpleCommand& command);
  bool changes_dependency(const shell::SimpleCommand& command);
  bool releases(const shell::SimpleCommand& command);
  void find_writers(const shell::Statement& statement);
  void find_sites();
  void find_changes();
  bool changes(const shell::Word& script);
  [[nodiscard]] std::optional<std::string> constant(const shell::Word& word) const;
  [[nodiscard]] std::optional<std::string>
  constant(const std::vector<shell::WordPart>& parts) const;
  void add_text(Text& to, const std::vector<shell::WordPart>& parts, bool unescape);
  void add_word(Text& to, const shell::Word& word, bool unescape = false);
  [[nodiscard]] std::optional<Text> printed(const shell::Statement& statement);
  void add_writer(const shell::Statement& statement, const std::vector<shell::Statement>& printers,
                  const shell::Redirect& to);
  void merge_writers();
  [[nodiscard]] bool join(Writer& before, Writer& after);
  [[nodiscard]] bool next_to(const Span& before, const Span& after) const;
  [[nodiscard]] bool together(const Writer& before, const Writer& after, bool maybe) const;
  // The statement that both stand behind or in, where the second runs once or
  // never.
  [[nodiscard]] std::optional<Span> choice_of(const Writer& before, const Writer& after) const;
  void add_choice(Writer& before, Writer& after, const Span& choice);
  static void add_pieces(Writer& before, const Writer& after);
  void find_blocks();
  void add_program_that_writes(const shell::Statement& statement,
                               const shell::SimpleCommand& command);
  void leave_modules_out();
  void look_around();
  void say_where();
  void known_at_run_time(const Span& span);
  void waits_for_whole(const Span& span);
  // sbatch --wait (driver_plan_waits.cpp)
  void waits_for_it(const Span& span, Call& call);
  [[nodiscard]] bool only_submits_behind(const Span& span) const;
  // A directive whose value only the running driver knows is left out of the
  // script; what it says of dependencies and arrays goes to the noting program.
  void leave_directives_out(Text& text);
  void directive_at_run_time(const std::string& line, const std::string& written, const Span& span);
  [[nodiscard]] std::string as_written(const Text& text, const WrittenFile::Piece& piece) const;
  [[nodiscard]] Line line_of(const Text& text, const std::vector<WrittenFile::Piece>& line) const;
  static void take_array(const Text& text, Call& call);
  [[nodiscard]] static std::string noted_text(const Text& text);
  Call read(const Site& site, std::vector<Edit>& edits);
  void read_option(const slurm::OptionInfo& info, const shell::Word& word,
                   std::optional<std::string> value, const Span& span, Call& call);
  bool note(const Site& site);
  [[nodiscard]] bool names_itself(const Call& call) const;
  void find_named_scripts();
  void directories(const std::string& command, const shell::Word& word);
  [[nodiscard]] std::vector<std::string> meanings(const std::string& name) const;
  void note_named(const Site& site, const Call& call, ir::Plan::Site& planned);
  [[nodiscard]] bool always_named(const shell::Word& script) const;
  [[nodiscard]] static bool passes_argument(const shell::Word& word);
  void say_unknown(const ir::Plan::Site& planned, const Call& call);
  bool note_written(const Site& site, const Call& call, ir::Plan::Site& planned);
  std::optional<std::size_t> load(const Text& text, const slurm::ReadOptions& read,
                                  const std::string& name, ir::Submission& submission,
                                  std::map<std::string, std::string>& values);
  void submission_of(std::size_t job, const Site& site, const Call& call,
                     ir::Submission submission);
  [[nodiscard]] std::string place(const Span& span);
  [[nodiscard]] std::string values_text(const std::map<std::string, std::string>& values) const;
  bool make_job();

  DriverReader& reader_;
  DriverContext& context_;
  ir::Driver& driver_;
  std::map<std::string, std::string> constants_;
  std::set<std::string> exported_;
  std::map<std::string, Line> lines_; // by variable
  std::vector<Writer> writers_;
  struct Block {
    Span span{};
    bool chooses = false; // what is in it runs once or never
  };
  std::vector<Block> blocks_; // statements with others in them, and their branches
  int choices_ = 0;
  std::map<std::size_t, std::string> written_; // of writers that became notes: their places
  std::vector<std::string> changed_;           // files, as written
  std::vector<std::string> named_;             // job scripts, from the driver's own directory
  std::vector<std::string> directories_;       // that it goes to
  std::vector<Site> sites_;
  std::vector<Edit> edits_;
  std::set<std::string> places_;
  std::size_t unnamed_ = 0;
  bool asks_ = false;
  bool own_submit_ = false;   // it has a function `submit` of its own
  bool later_ = false;        // at, batch
  std::optional<Span> moved_; // where it first changes its directory
  ir::Plan plan_;
};

// The option of sbatch that a name, an abbreviation or a letter stands for.
[[nodiscard]] const slurm::OptionInfo* option_named(std::string_view name);

// As one would write it without quotes and braces: what two spellings of one
// name have in common.
[[nodiscard]] std::string plain_name(std::string_view text);

[[nodiscard]] bool is_variable(std::string_view name);
// Whether $TOKEN or the like stands in a word.
[[nodiscard]] bool holds_secret(const std::vector<shell::WordPart>& parts);
// TOKEN of $TOKEN, ${TOKEN} and ${TOKEN:-x}; "" of anything else.
[[nodiscard]] std::string secret_in(const shell::WordPart& part);
// The text before the first part that is not literal.
[[nodiscard]] std::string literal_start(const shell::Word& word);

// "module load bwa; module load samtools": nothing but module commands.
[[nodiscard]] bool only_modules(std::string_view text);

} // namespace s2f::passes
