// Cuts Bash text into tokens: the lexical half of the parse.
//
// Bash's grammar is small and its lexicon is large: what a character means depends on quoting, on
// whether a command may begin here, on whether a `case` pattern is due, on which heredocs wait for
// the next newline. tree-sitter's grammar goes wrong only there. So this scanner, like Bash's own
// lexer, reads words, redirections and heredocs exactly, and hands on tokens in which each simple
// command is one; tree-sitter then sees a skeleton of keywords, operators and placeholders (see
// lower.hpp). Two state machines written apart must agree, or the region becomes Unparsed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "shell/tokens.hpp"

namespace s2f::shell {

struct Problem {
  std::uint32_t offset = 0;
  std::string why;
};

// What the scanners of one source share.
struct Shared {
  source::SourceId source{};
  bool extglob = false; // the text turns extended patterns on somewhere
  int depth = 0;        // of substitutions, quotes and conditions in one another
  int commands = 0;     // compound commands that are open here, those around a substitution too
  int deepest = 0;      // that it was, the compound commands around counted as well
  std::vector<Comment> comments;
  std::vector<Problem> problems;
};

inline constexpr int max_depth = 200;
// Consumers recurse over `a && b && c`.
inline constexpr std::size_t max_list_length = 1000;

class Scanner {
public:
  // `offsets` gives for each byte of `text` its offset in the source; null when `text` is the
  // source.
  Scanner(Shared& shared, std::string_view text, const std::vector<std::uint32_t>* offsets)
      : shared_(shared), text_(text), offsets_(offsets),
        end_(static_cast<std::uint32_t>(text.size())),
        work_left_(10'000 + 8 * static_cast<std::int64_t>(text.size())) {}

  // The whole text as statements.
  Body script();

  class Builder; // of one word

private:
  enum class FrameKind : std::uint8_t { paren, brace, if_, loop, case_ };

  struct Frame {
    FrameKind kind{};
    bool stray = false; // a `(` where none may stand, kept only so that its `)` is found
    bool loop = false;  // a `{` that stands for `do`
    std::uint32_t begin = 0;
  };

  struct PendingHeredoc {
    std::size_t redirect = 0;
    std::string delimiter;
  };

  // A body while it is scanned.
  struct Open {
    Body body;
    std::vector<Frame> frames;
    std::vector<PendingHeredoc> heredocs;
    std::optional<Prefix> prefix; // waits for its command
    bool outermost = false;
    bool closed_by_paren = false;
    bool out_of_step = false; // a keyword closed what was not open: start afresh at the next line
    Chunk chunk;
  };

  struct WordRules {
    bool braces = true;      // brace expansion
    bool assignment = false; // the value of name=: tilde after `:` too
    bool patterns = false;   // extended patterns are on regardless of shopt
    bool regex = false;      // the right side of =~
  };

  struct OperandRules {
    bool quoted = false;  // inside double quotes
    bool pattern = false; // quotes count even inside double quotes
    bool globs = false;
    char stop = '\0'; // ends it, besides `closer`
    char closer = '}';
  };

  // ---- places (scanner.cpp)
  [[nodiscard]] bool at_end() const { return pos_ >= end_; }
  [[nodiscard]] char peek(std::uint32_t ahead = 0) const {
    return pos_ + ahead < end_ ? text_[pos_ + ahead] : '\0';
  }
  [[nodiscard]] bool looking_at(std::string_view what) const {
    return text_.substr(pos_, end_ - pos_).starts_with(what);
  }
  [[nodiscard]] std::string_view raw(std::uint32_t begin, std::uint32_t end) const {
    return text_.substr(begin, end - begin);
  }
  [[nodiscard]] std::uint32_t offset(std::uint32_t at) const;
  [[nodiscard]] std::uint32_t end_offset(std::uint32_t begin, std::uint32_t end) const;
  [[nodiscard]] Span span(std::uint32_t begin, std::uint32_t end) const;
  [[nodiscard]] bool breaks_word(std::uint32_t at) const;
  void problem(std::uint32_t at, std::string why);
  bool work(); // false when the budget is spent; the scan then runs to the end
  void skip_blanks();
  void comment();

  // ---- bodies and commands (scanner.cpp)
  Body body(bool outermost, bool closed_by_paren);
  void lexeme(Open& open);
  void newline(Open& open);
  void skip_newlines(Open& open);
  void finish_chunk(Open& open);
  void close_body(Open& open);
  // Goes into a compound command.
  void nest(Open& open, Frame frame) {
    open.frames.push_back(frame);
    ++shared_.commands;
    shared_.deepest = std::max(shared_.deepest, shared_.depth + shared_.commands);
  }
  Token& emit(Open& open, TokenKind kind, std::uint32_t begin, std::uint32_t end,
              bool compound = false);
  std::int32_t add_unit(Open& open, Unit unit);
  void emit_empty_command(Open& open);
  void need_no_prefix(Open& open);
  void need_command_before(Open& open, std::string_view what);
  void separate(Open& open);
  void semicolon(Open& open);
  void ampersand(Open& open);
  void bar(Open& open);
  void left_paren(Open& open);
  bool right_paren(Open& open); // true: it closes the body
  void command(Open& open);
  bool keyword(Open& open, std::string_view word);
  void opener(Open& open, TokenKind kind, std::optional<FrameKind> frame, std::uint32_t length);
  void middle(Open& open, TokenKind kind, FrameKind frame, std::uint32_t length);
  void closer(Open& open, TokenKind kind, FrameKind frame, std::uint32_t length);
  void closing_redirects(Open& open);
  void simple_command(Open& open);
  void for_header(Open& open, bool select);
  void case_header(Open& open);
  void case_item(Open& open);
  void function_header(Open& open);
  void function_body_follows(Open& open, std::uint32_t begin, std::string name);
  void time_prefix(Open& open);
  void coprocess_prefix(Open& open);
  bool arithmetic_command(Open& open);
  [[nodiscard]] std::string_view reserved_word() const;
  std::optional<Assignment> assignment(bool bare_names);
  std::vector<Word> array_elements();

  // ---- [[ ]] (conditions.cpp)
  void test_command(Open& open);
  bool test_list(Test& test);
  bool test_term(Test& test);
  void test_newlines();

  // ---- redirections and heredocs (redirects.cpp)
  bool redirect(Open& open);
  [[nodiscard]] bool redirect_begins() const;
  void heredoc_operator(Open& open, Redirect redirect, std::uint32_t begin, bool strips);
  void read_heredocs(Open& open);
  void read_heredoc(Open& open, const PendingHeredoc& pending);
  void heredoc_text(Redirect& redirect, std::uint32_t begin, std::uint32_t end);

  // ---- words (words.cpp)
  Word word(WordRules rules);
  bool tilde(Builder& builder, bool assignment);
  void single_quoted(Builder& builder);
  void ansi_quoted(Builder& builder);
  void double_quoted(Builder& builder);
  void double_quoted_text(Builder& builder, bool heredoc, bool strips);
  void backslash(Builder& builder);
  Word operand(OperandRules rules);

  // ---- expansions (expansions.cpp)
  bool dollar(Builder& builder, bool quoted);
  void parameter(Builder& builder, bool quoted);
  void parameter_operator(Parameter& parameter, bool quoted, std::uint32_t begin);
  std::vector<Statement> statements(std::uint32_t begin, bool closed_by_paren);
  void command_substitution(Builder& builder);
  void process_substitution(Builder& builder);
  void backquoted(Builder& builder, bool quoted);
  std::optional<Arithmetic> arithmetic(std::uint32_t begin, std::string_view closer);

  Shared& shared_;
  std::string_view text_;
  const std::vector<std::uint32_t>* offsets_;
  std::uint32_t pos_ = 0;
  std::uint32_t end_;
  std::int64_t work_left_;
  std::unordered_set<std::uint32_t> failed_; // where a guess was wrong: it is not made twice
};

// The compound commands of one body, as long as it is scanned.
class Commands {
public:
  explicit Commands(Shared& shared) : shared_(shared), around_(shared.commands) {}
  ~Commands() { shared_.commands = around_; }
  Commands(const Commands&) = delete;
  Commands& operator=(const Commands&) = delete;
  void are(std::size_t open) { shared_.commands = around_ + static_cast<int>(open); }

private:
  Shared& shared_;
  int around_;
};

// Counts one level of nesting for as long as it lives.
class Level {
public:
  explicit Level(Shared& shared) : shared_(shared) {
    ++shared_.depth;
    shared_.deepest = std::max(shared_.deepest, shared_.depth + shared_.commands);
  }
  ~Level() { --shared_.depth; }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;
  [[nodiscard]] bool too_deep() const { return shared_.depth > max_depth; }

private:
  Shared& shared_;
};

} // namespace s2f::shell
