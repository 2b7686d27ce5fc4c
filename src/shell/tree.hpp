// The typed Bash tree: what a script says, in the words of Bash's own grammar, with a span on every
// node.
//
// Values only: a tree can be copied, compared by span, and outlives the parser. Offsets point into
// the source's `text`. Nothing here knows of Slurm or Flyte.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/box.hpp"
#include "source/source.hpp"

namespace s2f::shell {

using source::Span;

using base::Box;

struct Word;
struct Statement;
struct WordPart;

// ---- words -------------------------------------------------------------------------------------

// Unquoted text after backslash removal. `globs`: has an unescaped `*`, `?`, `[`, or an extended
// pattern. The span covers what was written, escapes included.
struct Literal {
  std::string value;
  bool globs = false;
  bool escaped = false; // some character was taken literally by a backslash
};
// '...'
struct SingleQuoted {
  std::string value;
};
// $'...', with its escapes decoded.
struct AnsiQuoted {
  std::string value;
};
// "..." (or $"..."): its parts are Literal (never globbing), Parameter, CommandSubstitution,
// Arithmetic.
struct DoubleQuoted {
  std::vector<WordPart> parts;
};
// $name, ${name}, ${name op word}, ${#name}, ${!name}, ${name[sub]}, $1, $?, $@ ...
struct Parameter {
  std::string name; // "HOME", "1", "@", "?", "#"
  std::string
      op; // "" or the operator as written: ":-", "-", ":=", ":?", ":+", "#", "##", "%", "%%", "/",
          // "//", "/#", "/%", ":", "^", "^^", ",", ",,", "@Q" ...
  bool braced = false;
  bool length = false;                // ${#name}
  bool indirect = false;              // ${!name}
  std::optional<Box<Word>> subscript; // ${name[...]}: the text between the brackets
  std::vector<Word> arguments; // the operator's words: one, or two for replacement and substring
};
// $( ... ) or ` ... `
struct CommandSubstitution {
  std::vector<Statement> body;
  bool backquoted = false;
  bool reads_file = false; // $(< file)
};
// $(( ... )) or $[ ... ]; the expression as text, its variables listed.
struct Arithmetic {
  std::string expression;             // between the parentheses, trimmed
  std::vector<std::string> variables; // names read (or assigned) in it
  bool assigns = false;               // has =, +=, ++ ...
  std::vector<WordPart> expansions;   // the quotes, $parameters and substitutions inside, in order
};
// <( ... ) or >( ... )
struct ProcessSubstitution {
  char direction = '<';
  std::vector<Statement> body;
};
// {a,b,c} or {1..9..2}
struct BraceExpansion {
  std::vector<Word> alternatives;                           // for a list
  std::optional<std::pair<std::string, std::string>> range; // for first..last, as written
  std::optional<std::string> step;
};
// ~ or ~user at the start of a word (or after = and : in an assignment)
struct Tilde {
  std::string user;
};

using WordPartValue =
    std::variant<Literal, SingleQuoted, AnsiQuoted, DoubleQuoted, Parameter, CommandSubstitution,
                 Arithmetic, ProcessSubstitution, BraceExpansion, Tilde>;
struct WordPart {
  WordPartValue value;
  Span span;
};

struct Word {
  std::vector<WordPart> parts;
  Span span;

  // The word's value if it is nothing but text (quoted or not, no globs, tilde or expansion);
  // quotes removed.
  [[nodiscard]] std::optional<std::string> literal() const;
  [[nodiscard]] bool quoted() const; // any part is quoted
};

// ---- commands ----------------------------------------------------------------------------------

enum class RedirectKind {
  input,            // <
  output,           // >
  append,           // >>
  clobber,          // >|
  input_output,     // <>
  duplicate_input,  // <&
  duplicate_output, // >&
  output_both,      // &> or >& file
  append_both,      // &>>
  heredoc,          // << and <<-
  herestring,       // <<<
};

struct Redirect {
  RedirectKind kind{};
  std::optional<int> descriptor;       // as written before the operator
  std::optional<std::string> variable; // {fd}> file
  Word target; // the file, the descriptor ("1", "-"), the here-string, the delimiter
  // For a heredoc:
  bool heredoc_quoted = false;         // the delimiter was quoted: nothing expands
  bool heredoc_strips_tabs = false;    // <<-
  Span heredoc_body{};                 // in the source, without the closing delimiter's line
  std::vector<WordPart> heredoc_parts; // the body's text and, unless quoted, its expansions
  Span span{};                         // operator and target, not the heredoc's body
};

struct Assignment {
  std::string name;
  std::optional<Box<Word>> subscript; // name[...]=
  bool append = false;                // +=
  std::optional<Word> value; // empty word for `name=`; nothing for a bare name in `export name`
  std::optional<std::vector<Word>>
      array; // name=(...); elements as written, `[i]=x` elements kept as one word
  Span span;
};

// name=value ... command argument ... ; with no words it only assigns. Declaration commands
// (export, declare, local, readonly, typeset) are simple commands whose words[0] is that name;
// their assignments are in `declared`, in order, and their options (-x, -a) stay in words.
struct SimpleCommand {
  std::vector<Assignment> assignments; // before the command's name
  std::vector<Word> words;             // words[0] is the command
  std::vector<Assignment> declared;    // of a declaration command
};
struct Pipeline {
  std::vector<Statement> commands;
  std::vector<bool> pipes_stderr; // one for each pipe: |& rather than |
};
// left && right, left || right (left-associative)
struct AndOr {
  bool is_and = true;
  Box<Statement> left;
  Box<Statement> right;
};
struct Subshell {
  std::vector<Statement> body;
};
struct Group {
  std::vector<Statement> body;
};
struct IfBranch {
  std::vector<Statement> condition; // empty for else
  std::vector<Statement> body;
  Span span;
};
struct If {
  std::vector<IfBranch> branches; // if, elif..., else
  bool has_else = false;
};
struct While {
  bool until = false;
  std::vector<Statement> condition;
  std::vector<Statement> body;
};
struct For {
  std::string variable;
  Span variable_span;
  bool in = false; // has `in`: else over "$@"
  std::vector<Word> words;
  std::vector<Statement> body;
  bool select = false;
};
// for ((init; condition; step))
struct ArithmeticFor {
  std::string init, condition, step;
  std::vector<Statement> body;
};
struct CaseItem {
  std::vector<Word> patterns;
  std::vector<Statement> body;
  std::string terminator; // ";;", ";&", ";;&", or "" for the last
  Span span;
};
struct Case {
  Word subject;
  std::vector<CaseItem> items;
};
struct Function {
  std::string name;
  Box<Statement> body; // a Group, Subshell, ... with its own redirects
};
// One piece of a [[ ... ]]: an operator ("!", "(", ")", "&&", "||", "-f", "==" ...) or a word.
struct TestToken {
  std::string op;       // "" for a word
  std::size_t word = 0; // index into Test::words
};
// [[ ... ]]: kept as text, with the words that it expands.
struct Test {
  std::string expression;
  std::vector<Word> words;
  std::vector<TestToken> tokens; // in order
};
// (( ... ))
struct ArithmeticCommand {
  Arithmetic arithmetic;
};
struct Coprocess {
  std::string name;
  Box<Statement> body;
};
// A region that does not parse. Never silently misread: whoever meets it keeps it as it is.
struct Unparsed {
  std::string why;
};

using StatementValue =
    std::variant<SimpleCommand, Pipeline, AndOr, Subshell, Group, If, While, For, ArithmeticFor,
                 Case, Function, Test, ArithmeticCommand, Coprocess, Unparsed>;

struct Statement {
  StatementValue value;
  std::vector<Redirect>
      redirects;           // on this command (for a pipeline: none; they are on its commands)
  bool negated = false;    // ! before it (for a pipeline: the whole pipeline)
  bool timed = false;      // `time` before it, as the keyword
  bool background = false; // & after it
  // From the first byte to the last, the closing delimiter of its last heredoc included; `&`
  // included, `;` not.
  Span span;
};

struct Comment {
  Span span; // from # to the end of the line
  bool whole_line = false;
};

struct Script {
  source::SourceId source{};
  std::vector<Statement> statements;
  std::vector<Comment> comments; // all, in order, also those inside compound commands
  std::vector<Span> unparsed;    // of the Unparsed statements, at any depth
  int depth = 0; // of compound commands, substitutions, quotes and conditions in one another
};

// All words of a simple statement that are plain text from words[0] on stop at the first that is
// not.
[[nodiscard]] const SimpleCommand* as_simple(const Statement& statement);

} // namespace s2f::shell
