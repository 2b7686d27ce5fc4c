// The scanner's main loop: operators, keywords and simple commands.
#include "shell/scanner.hpp"

#include <algorithm>
#include <array>

#include "shell/lower.hpp"
#include "shell/names.hpp"

namespace s2f::shell {

namespace {

// A command, and with it a reserved word, may begin after these.
bool begins_command(TokenKind last) {
  switch (last) {
  case TokenKind::unit:
  case TokenKind::close_paren:
  case TokenKind::close_brace:
  case TokenKind::fi:
  case TokenKind::done:
  case TokenKind::esac:
  case TokenKind::for_header:
  case TokenKind::case_header:
  case TokenKind::case_end:
    return false;
  default:
    return true;
  }
}

// A list of commands may end after these.
bool ends_list(TokenKind last) {
  switch (last) {
  case TokenKind::unit:
  case TokenKind::separator:
  case TokenKind::background:
  case TokenKind::close_paren:
  case TokenKind::close_brace:
  case TokenKind::fi:
  case TokenKind::done:
  case TokenKind::esac:
    return true;
  default:
    return false;
  }
}

bool ends_command(TokenKind last) {
  return ends_list(last) && last != TokenKind::separator && last != TokenKind::background;
}

bool takes_prefix(TokenKind kind) {
  switch (kind) {
  case TokenKind::unit:
  case TokenKind::open_paren:
  case TokenKind::open_brace:
  case TokenKind::if_:
  case TokenKind::while_:
  case TokenKind::until:
  case TokenKind::for_header:
  case TokenKind::case_header:
    return true;
  default:
    return false;
  }
}

TokenKind last_kind(const Body& body) {
  return body.tokens.empty() ? TokenKind::none : body.tokens.back().kind;
}

constexpr std::array<std::string_view, 22> reserved_words = {
    "!",        "[[", "case", "coproc", "do",   "done", "elif",  "else",  "esac", "fi", "for",
    "function", "if", "in",   "select", "then", "time", "until", "while", "{",    "}",  "]]"};

bool is_declaration(std::string_view name) {
  return name == "export" || name == "declare" || name == "local" || name == "readonly" ||
         name == "typeset";
}

// The word as one literal without quotes or escapes, else nothing.
std::string_view plain_text(const Word& word) {
  if (word.parts.size() != 1) {
    return {};
  }
  const auto* literal = std::get_if<Literal>(&word.parts.front().value);
  return literal != nullptr && !literal->escaped ? std::string_view(literal->value)
                                                 : std::string_view();
}

// Whether a subscript has text in it that would end a word elsewhere.
bool has_blanks(const Word& word) {
  return std::ranges::any_of(word.parts, [](const WordPart& part) {
    const auto* literal = std::get_if<Literal>(&part.value);
    return literal != nullptr && std::ranges::any_of(literal->value, is_metacharacter);
  });
}

} // namespace

// ---- places ------------------------------------------------------------------------------------

std::uint32_t Scanner::offset(std::uint32_t at) const {
  if (offsets_ == nullptr) {
    return at;
  }
  if (offsets_->empty()) {
    return 0;
  }
  return at < offsets_->size() ? (*offsets_)[at] : offsets_->back() + 1;
}

std::uint32_t Scanner::end_offset(std::uint32_t begin, std::uint32_t end) const {
  return end > begin ? offset(end - 1) + 1 : offset(begin);
}

Span Scanner::span(std::uint32_t begin, std::uint32_t end) const {
  return {shared_.source, offset(begin), end_offset(begin, end)};
}

// Whether a word that has begun ends before `at`.
bool Scanner::breaks_word(std::uint32_t at) const {
  if (at >= end_) {
    return true;
  }
  const char c = text_[at];
  // A process substitution goes on with the word.
  if (c == '<' || c == '>') {
    return at + 1 >= end_ || text_[at + 1] != '(';
  }
  return is_metacharacter(c);
}

void Scanner::problem(std::uint32_t at, std::string why) {
  shared_.problems.push_back({offset(at), std::move(why)});
}

bool Scanner::work() {
  if (--work_left_ > 0) {
    return true;
  }
  if (pos_ < end_) {
    problem(pos_, "too much nesting to read in reasonable time");
    pos_ = end_;
  }
  return false;
}

void Scanner::skip_blanks() {
  while (!at_end()) {
    const char c = text_[pos_];
    if (c == ' ' || c == '\t') {
      ++pos_;
    } else if (c == '\\' && peek(1) == '\n') {
      pos_ += 2;
    } else {
      return;
    }
  }
}

void Scanner::comment() {
  const std::uint32_t begin = pos_;
  const std::size_t newline = text_.substr(0, end_).find('\n', pos_);
  pos_ = newline == std::string_view::npos ? end_ : static_cast<std::uint32_t>(newline);
  std::uint32_t line = begin;
  while (line > 0 && (text_[line - 1] == ' ' || text_[line - 1] == '\t')) {
    --line;
  }
  shared_.comments.push_back({span(begin, pos_), line == 0 || text_[line - 1] == '\n'});
}

// ---- bodies ------------------------------------------------------------------------------------

Body Scanner::script() { return body(true, false); }

Body Scanner::body(bool outermost, bool closed_by_paren) {
  Open open;
  open.outermost = outermost;
  open.closed_by_paren = closed_by_paren;
  open.chunk.begin = pos_;
  while (work()) {
    skip_blanks();
    if (at_end()) {
      break;
    }
    const char c = text_[pos_];
    if (c == '#') {
      comment();
    } else if (c == '\n') {
      newline(open);
    } else if (c == ')') {
      if (right_paren(open)) {
        return std::move(open.body);
      }
    } else {
      if (open.chunk.empty) {
        open.chunk.empty = false;
        open.chunk.begin = pos_;
      }
      lexeme(open);
    }
  }
  close_body(open);
  if (closed_by_paren) {
    problem(pos_, "a substitution is not closed");
  }
  return std::move(open.body);
}

void Scanner::lexeme(Open& open) {
  const TokenKind last = last_kind(open.body);
  const bool in_case = !open.frames.empty() && open.frames.back().kind == FrameKind::case_;
  if (in_case && (last == TokenKind::case_header || last == TokenKind::case_end)) {
    case_item(open);
    return;
  }
  switch (text_[pos_]) {
  case ';':
    semicolon(open);
    return;
  case '&':
    if (peek(1) == '>') {
      break;
    }
    ampersand(open);
    return;
  case '|':
    bar(open);
    return;
  case '(':
    left_paren(open);
    return;
  default:
    break;
  }
  command(open);
}

// What must be settled where the text of a body ends.
void Scanner::close_body(Open& open) {
  if (open.prefix) {
    emit_empty_command(open);
  }
  for (const PendingHeredoc& pending : open.heredocs) {
    // Bash warns and takes an empty document, but in a substitution not even that is certain.
    Redirect& redirect = open.body.redirects[pending.redirect];
    redirect.heredoc_body = {shared_.source, redirect.span.end, redirect.span.end};
    if (!open.outermost) {
      problem(pos_, "a here-document has no body");
    }
  }
  open.heredocs.clear();
  for (const Frame& frame : open.frames) {
    problem(frame.begin, "a compound command is not closed");
  }
  const TokenKind last = last_kind(open.body);
  if (last != TokenKind::none && !ends_list(last)) {
    problem(pos_, "a command is missing at the end");
  }
  if (open.outermost) {
    finish_chunk(open);
  }
}

void Scanner::finish_chunk(Open& open) {
  Chunk& chunk = open.chunk;
  chunk.end = pos_;
  chunk.end_token = static_cast<std::uint32_t>(open.body.tokens.size());
  while (chunk.end > chunk.begin && (text_[chunk.end - 1] == '\n' || text_[chunk.end - 1] == ' ' ||
                                     text_[chunk.end - 1] == '\t')) {
    --chunk.end;
  }
  if (!chunk.empty) {
    open.body.chunks.push_back(chunk);
  }
  chunk = Chunk{};
  chunk.first_token = static_cast<std::uint32_t>(open.body.tokens.size());
  chunk.begin = pos_;
}

void Scanner::newline(Open& open) {
  ++pos_;
  if (open.prefix && !open.prefix->needs_compound()) {
    emit_empty_command(open);
  }
  const TokenKind last = last_kind(open.body);
  if (ends_command(last)) {
    emit(open, TokenKind::separator, pos_ - 1, pos_);
  }
  if (!open.heredocs.empty()) {
    read_heredocs(open);
  }
  while (!open.frames.empty() && open.frames.back().stray) {
    open.frames.pop_back();
  }
  if (open.out_of_step && open.outermost) {
    open.frames.clear();
    emit(open, TokenKind::separator, pos_ - 1, pos_); // whatever was due is no longer
  }
  if (!open.outermost || !open.frames.empty()) {
    return;
  }
  const TokenKind now = last_kind(open.body);
  const bool whole = now == TokenKind::none || ends_list(now) || open.out_of_step;
  if (whole && !open.prefix) {
    open.out_of_step = false;
    finish_chunk(open);
  }
}

// Newlines, blanks and comments where the grammar lets newlines stand.
void Scanner::skip_newlines(Open& open) {
  while (work()) {
    skip_blanks();
    if (peek() == '#') {
      comment();
    } else if (peek() == '\n') {
      ++pos_;
      if (!open.heredocs.empty()) {
        read_heredocs(open);
      }
    } else {
      return;
    }
  }
}

Token& Scanner::emit(Open& open, TokenKind kind, std::uint32_t begin, std::uint32_t end,
                     bool compound) {
  Token token;
  token.kind = kind;
  token.compound = compound;
  token.begin = offset(begin);
  token.end = end_offset(begin, end);
  if (open.prefix && takes_prefix(kind)) {
    if (open.prefix->needs_compound() && kind == TokenKind::unit && !compound) {
      problem(begin, "a function's body must be a compound command");
    }
    token.prefix = static_cast<std::int32_t>(open.body.prefixes.size());
    Prefix prefix = std::move(*open.prefix);
    if (!prefix.function && !prefix.coprocess) {
      prefix.command_begin = token.begin;
    }
    prefix.begin = std::min(prefix.begin, prefix.command_begin);
    open.body.prefixes.push_back(std::move(prefix));
    open.prefix.reset();
  }
  open.body.tokens.push_back(token);
  return open.body.tokens.back();
}

std::int32_t Scanner::add_unit(Open& open, Unit unit) {
  open.body.units.push_back(std::move(unit));
  return static_cast<std::int32_t>(open.body.units.size() - 1);
}

// `!` or `time` with nothing after it.
void Scanner::emit_empty_command(Open& open) {
  if (open.prefix->coprocess || open.prefix->needs_compound()) {
    problem(pos_, "a command is missing");
  }
  open.prefix->function.reset();
  const std::int32_t unit = add_unit(open, SimpleCommand{});
  emit(open, TokenKind::unit, pos_, pos_).unit = unit;
}

// Where not even an empty command may stand after `!` or `time`.
void Scanner::need_no_prefix(Open& open) {
  if (!open.prefix) {
    return;
  }
  problem(pos_, "a command is missing");
  emit_empty_command(open);
}

void Scanner::need_command_before(Open& open, std::string_view what) {
  if (what != ";") {
    need_no_prefix(open);
  } else if (open.prefix) {
    emit_empty_command(open);
  }
  if (!ends_command(last_kind(open.body))) {
    problem(pos_, "no command before `" + std::string(what) + "`");
  }
}

// tree-sitter wants a separator where Bash is content with a closing keyword before the next one.
void Scanner::separate(Open& open) {
  if (ends_command(last_kind(open.body))) {
    emit(open, TokenKind::separator, pos_, pos_);
  }
}

// ---- operators ---------------------------------------------------------------------------------

void Scanner::semicolon(Open& open) {
  const std::uint32_t begin = pos_;
  if (peek(1) != ';' && peek(1) != '&') {
    need_command_before(open, ";");
    ++pos_;
    emit(open, TokenKind::separator, begin, pos_);
    return;
  }
  std::uint8_t flavor = 0;
  std::uint32_t length = 2;
  if (peek(1) == '&') {
    flavor = 1;
  } else if (peek(2) == '&') {
    flavor = 2;
    length = 3;
  }
  need_no_prefix(open);
  const TokenKind last = last_kind(open.body);
  const bool in_case = !open.frames.empty() && open.frames.back().kind == FrameKind::case_;
  if (!in_case || (last != TokenKind::case_pattern && !ends_list(last))) {
    problem(begin, "`;;` outside of a case clause");
  }
  pos_ += length;
  if (in_case) {
    emit(open, TokenKind::case_end, begin, pos_).flavor = flavor;
  }
}

void Scanner::ampersand(Open& open) {
  const std::uint32_t begin = pos_;
  const bool both = peek(1) == '&';
  need_command_before(open, both ? "&&" : "&");
  pos_ += both ? 2 : 1;
  emit(open, both ? TokenKind::and_if : TokenKind::background, begin, pos_);
}

void Scanner::bar(Open& open) {
  const std::uint32_t begin = pos_;
  TokenKind kind = TokenKind::pipe;
  if (peek(1) == '|') {
    kind = TokenKind::or_if;
  } else if (peek(1) == '&') {
    kind = TokenKind::pipe_both;
  }
  need_command_before(open, "|");
  pos_ += kind == TokenKind::pipe ? 1 : 2;
  emit(open, kind, begin, pos_);
}

void Scanner::left_paren(Open& open) {
  const std::uint32_t begin = pos_;
  const bool stray = !begins_command(last_kind(open.body)) && !open.prefix;
  if (stray) {
    problem(begin, "`(` where no command can begin");
  } else if (peek(1) == '(' && arithmetic_command(open)) {
    return;
  }
  if (open.frames.size() >= max_depth) {
    problem(begin, "nested too deeply");
    pos_ = end_;
    return;
  }
  ++pos_;
  open.frames.push_back({FrameKind::paren, stray, false, begin});
  if (!stray) {
    emit(open, TokenKind::open_paren, begin, pos_);
  }
}

bool Scanner::right_paren(Open& open) {
  const std::uint32_t begin = pos_;
  need_no_prefix(open);
  const TokenKind last = last_kind(open.body);
  const bool ours = !open.frames.empty() && open.frames.back().kind == FrameKind::paren;
  if (ours) {
    const bool stray = open.frames.back().stray;
    open.frames.pop_back();
    ++pos_;
    if (stray) {
      return false;
    }
    if (!ends_list(last)) {
      problem(begin, "no command before `)`");
    }
    separate(open);
    emit(open, TokenKind::close_paren, begin, pos_);
    closing_redirects(open);
    return false;
  }
  const bool inner = std::ranges::any_of(
      open.frames, [](const Frame& frame) { return frame.kind == FrameKind::paren; });
  if (open.closed_by_paren && !inner) {
    close_body(open);
    ++pos_;
    return true;
  }
  problem(begin, "`)` without `(`");
  open.chunk.empty = false;
  open.out_of_step = true;
  ++pos_;
  return false;
}

bool Scanner::arithmetic_command(Open& open) {
  const std::uint32_t begin = pos_;
  std::optional<Arithmetic> expression = arithmetic(begin + 2, "))");
  if (!expression) {
    return false;
  }
  const std::int32_t unit = add_unit(open, ArithmeticCommand{std::move(*expression)});
  emit(open, TokenKind::unit, begin, pos_, true).unit = unit;
  closing_redirects(open);
  return true;
}

// ---- keywords ----------------------------------------------------------------------------------

// The reserved word that stands at the present place, if one does.
std::string_view Scanner::reserved_word() const {
  const char c = peek();
  if (!((c >= 'a' && c <= 'z') || c == '{' || c == '}' || c == '!' || c == '[' || c == ']')) {
    return {};
  }
  std::uint32_t end = pos_;
  while (!breaks_word(end)) {
    if (++end - pos_ > 8) {
      return {};
    }
  }
  const std::string_view word = raw(pos_, end);
  const auto* found = std::ranges::find(reserved_words, word);
  return found == reserved_words.end() ? std::string_view() : *found;
}

void Scanner::command(Open& open) {
  const TokenKind last = last_kind(open.body);
  const std::string_view word = reserved_word();
  if (!word.empty() && keyword(open, word)) {
    return;
  }
  if (last == TokenKind::for_header) {
    problem(pos_, "`do` expected");
  } else if (!begins_command(last)) {
    problem(pos_, "a word after a compound command");
    separate(open);
  }
  simple_command(open);
}

void Scanner::opener(Open& open, TokenKind kind, std::optional<FrameKind> frame,
                     std::uint32_t length) {
  const std::uint32_t begin = pos_;
  if (!begins_command(last_kind(open.body))) {
    problem(begin, "a compound command after another");
  }
  if (open.frames.size() >= max_depth) {
    problem(begin, "nested too deeply");
    pos_ = end_;
    return;
  }
  pos_ += length;
  if (frame) {
    open.frames.push_back({*frame, false, false, begin});
  }
  emit(open, kind, begin, pos_);
}

void Scanner::middle(Open& open, TokenKind kind, FrameKind frame, std::uint32_t length) {
  const std::uint32_t begin = pos_;
  need_no_prefix(open);
  if (open.frames.empty() || open.frames.back().kind != frame || !ends_list(last_kind(open.body))) {
    problem(begin, "`" + std::string(raw(begin, begin + length)) + "` out of place");
  }
  separate(open);
  pos_ += length;
  emit(open, kind, begin, pos_);
}

void Scanner::closer(Open& open, TokenKind kind, FrameKind frame, std::uint32_t length) {
  const std::uint32_t begin = pos_;
  need_no_prefix(open);
  const TokenKind last = last_kind(open.body);
  const bool complete =
      ends_list(last) || (kind == TokenKind::esac && last == TokenKind::case_pattern);
  const bool matches = !open.frames.empty() && open.frames.back().kind == frame;
  if (!matches || !complete) {
    problem(begin, "`" + std::string(raw(begin, begin + length)) + "` out of place");
  }
  separate(open);
  pos_ += length;
  const bool loop = matches && open.frames.back().loop;
  if (matches) {
    open.frames.pop_back();
  } else {
    open.out_of_step = true;
  }
  emit(open, kind, begin, pos_).flavor = loop ? 1 : 0;
  closing_redirects(open);
}

// Redirections after the last token, which closed a compound command.
void Scanner::closing_redirects(Open& open) {
  const auto first = static_cast<std::uint32_t>(open.body.redirects.size());
  const std::size_t token = open.body.tokens.size() - 1;
  for (;;) {
    skip_blanks();
    if (!redirect(open)) {
      break;
    }
  }
  open.body.tokens[token].first_redirect = first;
  open.body.tokens[token].redirects =
      static_cast<std::uint32_t>(open.body.redirects.size()) - first;
}

// Reads what begins with a reserved word; false when it is an ordinary word here.
bool Scanner::keyword(Open& open, std::string_view word) {
  const auto length = static_cast<std::uint32_t>(word.size());
  const TokenKind last = last_kind(open.body);
  if (word == "time" && (last == TokenKind::pipe || last == TokenKind::pipe_both ||
                         (open.prefix && open.prefix->coprocess))) {
    return false;
  }
  if (word == "if") {
    opener(open, TokenKind::if_, FrameKind::if_, length);
  } else if (word == "then") {
    middle(open, TokenKind::then, FrameKind::if_, length);
  } else if (word == "elif") {
    middle(open, TokenKind::elif, FrameKind::if_, length);
  } else if (word == "else") {
    middle(open, TokenKind::else_, FrameKind::if_, length);
  } else if (word == "fi") {
    closer(open, TokenKind::fi, FrameKind::if_, length);
  } else if (word == "while") {
    opener(open, TokenKind::while_, FrameKind::loop, length);
  } else if (word == "until") {
    opener(open, TokenKind::until, FrameKind::loop, length);
  } else if (word == "do") {
    if (last == TokenKind::for_header) {
      open.frames.push_back({FrameKind::loop, false, false, pos_});
      pos_ += length;
      emit(open, TokenKind::do_, pos_ - length, pos_);
    } else {
      middle(open, TokenKind::do_, FrameKind::loop, length);
    }
  } else if (word == "done") {
    closer(open, TokenKind::done, FrameKind::loop, length);
  } else if (word == "for" || word == "select") {
    for_header(open, word == "select");
  } else if (word == "case") {
    case_header(open);
  } else if (word == "esac") {
    closer(open, TokenKind::esac, FrameKind::case_, length);
  } else if (word == "{") {
    if (last == TokenKind::for_header) {
      open.frames.push_back({FrameKind::brace, false, true, pos_});
      ++pos_;
      emit(open, TokenKind::open_brace, pos_ - 1, pos_).flavor = 1;
    } else {
      opener(open, TokenKind::open_brace, FrameKind::brace, length);
    }
  } else if (word == "}") {
    closer(open, TokenKind::close_brace, FrameKind::brace, length);
  } else if (word == "function") {
    function_header(open);
  } else if (word == "!") {
    if (last == TokenKind::pipe || last == TokenKind::pipe_both || !begins_command(last)) {
      problem(pos_, "`!` out of place");
    }
    if (!open.prefix) {
      open.prefix = Prefix{offset(pos_), offset(pos_), false, false, false, {}, {}};
    }
    if (open.prefix->coprocess || open.prefix->function) {
      problem(pos_, "`!` out of place");
    }
    open.prefix->negated = !open.prefix->negated;
    pos_ += length;
  } else if (word == "time") {
    time_prefix(open);
  } else if (word == "coproc") {
    coprocess_prefix(open);
  } else if (word == "[[") {
    if (!begins_command(last)) {
      problem(pos_, "`[[` after a compound command");
    }
    test_command(open);
  } else { // `in` or `]]`
    problem(pos_, "`" + std::string(word) + "` out of place");
    return false;
  }
  return true;
}

void Scanner::time_prefix(Open& open) {
  if (!begins_command(last_kind(open.body))) {
    problem(pos_, "`time` out of place");
  }
  if (!open.prefix) {
    open.prefix = Prefix{offset(pos_), offset(pos_), false, false, false, {}, {}};
  }
  if (open.prefix->coprocess || open.prefix->function) {
    problem(pos_, "`time` out of place");
  }
  open.prefix->timed = true;
  pos_ += 4;
  for (const std::string_view option : {"-p", "--"}) {
    skip_blanks();
    if (looking_at(option) && breaks_word(pos_ + 2)) {
      pos_ += 2;
    }
  }
}

void Scanner::coprocess_prefix(Open& open) {
  const std::uint32_t begin = pos_;
  if (!begins_command(last_kind(open.body))) {
    problem(pos_, "`coproc` out of place");
  }
  pos_ += 6;
  if (!open.prefix) {
    open.prefix = Prefix{offset(begin), offset(begin), false, false, false, {}, {}};
  }
  if (open.prefix->coprocess || open.prefix->function) {
    problem(begin, "`coproc` out of place");
  }
  open.prefix->coprocess = true;
  open.prefix->command_begin = offset(begin);
  open.prefix->coprocess_name = "COPROC";
  skip_blanks();
  // A name only stands before a compound command: `coproc sort -u` runs sort.
  const std::uint32_t name = pos_;
  if (!reserved_word().empty()) {
    return;
  }
  while (!at_end() && is_name_character(text_[pos_])) {
    ++pos_;
  }
  const std::uint32_t name_end = pos_;
  if (name_end > name && breaks_word(name_end)) {
    skip_blanks();
    const std::string_view word = reserved_word();
    if (peek() == '(' || (!word.empty() && word != "!" && word != "time" && word != "}" &&
                          word != "in" && word != "]]")) {
      open.prefix->coprocess_name = std::string(raw(name, name_end));
      return;
    }
  }
  pos_ = name;
}

void Scanner::function_header(Open& open) {
  const std::uint32_t begin = pos_;
  if (!begins_command(last_kind(open.body))) {
    problem(pos_, "`function` out of place");
  }
  pos_ += 8;
  skip_blanks();
  const std::uint32_t name = pos_;
  while (!breaks_word(pos_)) {
    ++pos_;
  }
  if (pos_ == name) {
    problem(pos_, "a function without a name");
  }
  const std::uint32_t name_end = pos_;
  skip_blanks();
  if (peek() == '(') {
    const std::uint32_t paren = pos_;
    ++pos_;
    skip_blanks();
    // `function f ( a )` has a subshell for its body.
    pos_ = peek() == ')' ? pos_ + 1 : paren;
  }
  function_body_follows(open, begin, std::string(raw(name, name_end)));
}

// After `name()`: newlines, then a compound command.
void Scanner::function_body_follows(Open& open, std::uint32_t begin, std::string name) {
  if (!open.prefix) {
    open.prefix = Prefix{offset(begin), offset(begin), false, false, false, {}, {}};
  }
  if (open.prefix->coprocess || open.prefix->function) {
    problem(begin, "a function definition out of place");
  }
  open.prefix->function = std::move(name);
  open.prefix->command_begin = offset(begin);
  skip_newlines(open);
  const std::string_view word = reserved_word();
  const bool compound = peek() == '(' || word == "{" || word == "if" || word == "while" ||
                        word == "until" || word == "for" || word == "select" || word == "case" ||
                        word == "[[";
  if (!compound) {
    problem(pos_, "a function's body must be a compound command");
    open.prefix->function.reset();
  }
}

void Scanner::for_header(Open& open, bool select) {
  const std::uint32_t begin = pos_;
  if (!begins_command(last_kind(open.body))) {
    problem(pos_, "a loop after a compound command");
  }
  if (open.frames.size() >= max_depth) {
    problem(begin, "nested too deeply");
    pos_ = end_;
    return;
  }
  pos_ += select ? 6 : 3;
  skip_blanks();
  if (!select && looking_at("((")) {
    const std::uint32_t inside = pos_ + 2;
    const std::optional<Arithmetic> header = arithmetic(inside, "))");
    if (!header) {
      problem(begin, "the header of an arithmetic loop does not end");
      return;
    }
    ArithmeticFor loop;
    std::array<std::string*, 3> fields = {&loop.init, &loop.condition, &loop.step};
    std::size_t field = 0;
    for (const char c : raw(inside, pos_ - 2)) {
      if (c == ';') {
        if (++field == fields.size()) {
          problem(begin, "the header of an arithmetic loop has too many parts");
          break;
        }
      } else {
        *fields[field] += c;
      }
    }
    if (field < 2) {
      problem(begin, "the header of an arithmetic loop has too few parts");
    }
    for (std::string* text : fields) {
      *text = std::string(trim(*text));
    }
    const std::uint32_t end = pos_;
    skip_blanks();
    if (peek() == ';') {
      ++pos_;
    }
    skip_newlines(open);
    const std::int32_t unit = add_unit(open, std::move(loop));
    emit(open, TokenKind::for_header, begin, end).unit = unit;
    return;
  }
  For loop;
  loop.select = select;
  const std::uint32_t name = pos_;
  while (!breaks_word(pos_)) {
    ++pos_;
  }
  loop.variable = std::string(raw(name, pos_));
  loop.variable_span = span(name, pos_);
  // Bash reads any word here and refuses it when it runs.
  if (!is_name(loop.variable)) {
    problem(name, "a loop variable that is not a name");
  }
  std::uint32_t end = pos_;
  skip_blanks();
  if (peek() == ';') {
    ++pos_;
    skip_newlines(open);
  } else {
    skip_newlines(open);
    if (reserved_word() == "in") {
      loop.in = true;
      pos_ += 2;
      end = pos_;
      for (;;) {
        skip_blanks();
        if (peek() == '#' || breaks_word(pos_)) {
          break;
        }
        if (!work()) {
          break;
        }
        loop.words.push_back(word({}));
        end = pos_;
      }
      if (peek() == ';' && peek(1) != ';') {
        ++pos_;
      } else if (peek() != '\n' && peek() != '#') {
        problem(pos_, "a loop's words do not end");
      }
      skip_newlines(open);
    }
  }
  const std::int32_t unit = add_unit(open, std::move(loop));
  emit(open, TokenKind::for_header, begin, end).unit = unit;
  const std::string_view next = reserved_word();
  if (next != "do" && next != "{") {
    problem(pos_, "`do` expected");
  }
}

void Scanner::case_header(Open& open) {
  const std::uint32_t begin = pos_;
  if (!begins_command(last_kind(open.body))) {
    problem(pos_, "`case` after a compound command");
  }
  if (open.frames.size() >= max_depth) {
    problem(begin, "nested too deeply");
    pos_ = end_;
    return;
  }
  pos_ += 4;
  skip_blanks();
  Case header;
  if (breaks_word(pos_)) {
    problem(pos_, "`case` without a word");
    return;
  }
  header.subject = word({.braces = false});
  skip_newlines(open);
  if (reserved_word() != "in") {
    problem(pos_, "`in` expected");
    return;
  }
  pos_ += 2;
  open.frames.push_back({FrameKind::case_, false, false, begin});
  const std::int32_t unit = add_unit(open, std::move(header));
  emit(open, TokenKind::case_header, begin, pos_).unit = unit;
}

// `esac`, or the patterns of the next item.
void Scanner::case_item(Open& open) {
  if (reserved_word() == "esac") {
    const std::uint32_t begin = pos_;
    pos_ += 4;
    open.frames.pop_back();
    emit(open, TokenKind::esac, begin, pos_);
    closing_redirects(open);
    return;
  }
  const std::uint32_t begin = pos_;
  if (peek() == '(') {
    ++pos_;
    skip_blanks();
  }
  CaseItem item;
  for (;;) {
    if (breaks_word(pos_) || !work()) {
      problem(pos_, "a pattern expected");
      break;
    }
    item.patterns.push_back(word({.braces = false}));
    skip_blanks();
    if (peek() == ')') {
      break;
    }
    if (peek() != '|') {
      problem(pos_, "`)` expected after a pattern");
      break;
    }
    ++pos_;
    skip_blanks();
  }
  if (peek() == ')') {
    ++pos_;
  } else {
    // A misread pattern: nothing after it can be trusted, so the rest of the line goes too.
    const std::size_t newline = text_.substr(0, end_).find('\n', pos_);
    pos_ = newline == std::string_view::npos ? end_ : static_cast<std::uint32_t>(newline);
  }
  const std::int32_t unit = add_unit(open, std::move(item));
  emit(open, TokenKind::case_pattern, begin, pos_).unit = unit;
}

// ---- simple commands ---------------------------------------------------------------------------

void Scanner::simple_command(Open& open) {
  SimpleCommand command;
  const std::uint32_t begin = pos_;
  std::uint32_t end = pos_;
  const auto first_redirect = static_cast<std::uint32_t>(open.body.redirects.size());
  bool declares = false;
  bool takes_arrays = false;
  for (;;) {
    skip_blanks();
    if (at_end() || !work()) {
      break;
    }
    const char c = text_[pos_];
    if (c == '\n' || c == ';' || c == '|' || c == ')' || c == '#') {
      break;
    }
    if (c == '&' && peek(1) != '>') {
      break;
    }
    if (c == '(') {
      const std::uint32_t paren = pos_;
      const bool name = command.words.size() == 1 && command.assignments.empty() &&
                        open.body.redirects.size() == first_redirect;
      ++pos_;
      skip_blanks();
      if (name && peek() == ')') {
        ++pos_;
        function_body_follows(open, begin, std::string(raw(begin, end)));
        return;
      }
      pos_ = paren;
      break; // left_paren() says what is wrong
    }
    if (redirect(open)) {
      end = pos_;
      continue;
    }
    if (command.words.empty() || declares) {
      if (std::optional<Assignment> found = assignment(declares)) {
        (declares ? command.declared : command.assignments).push_back(std::move(*found));
        end = pos_;
        continue;
      }
    }
    const std::uint32_t word_begin = pos_;
    if (command.words.size() == 1 && open.prefix && open.prefix->coprocess &&
        !reserved_word().empty()) {
      problem(pos_, "a keyword after the name of a coprocess");
    }
    Word word = this->word({});
    if (takes_arrays && peek() == '(' && text_[pos_ - 1] == '=') {
      // An array among the arguments of eval, let or alias: text to us.
      pos_ = word_begin;
      const std::optional<Assignment> array = assignment(false);
      word = Word{
          {{Literal{std::string(raw(word_begin, pos_)), false, false}, span(word_begin, pos_)}},
          span(word_begin, pos_)};
      if (!array) {
        problem(word_begin, "`(` in an argument");
      }
    }
    end = pos_;
    if (pos_ == word_begin) {
      problem(pos_, "a word expected");
      ++pos_;
      continue;
    }
    if (command.words.empty()) {
      const std::string_view name = plain_text(word);
      declares = is_declaration(name);
      takes_arrays = name == "eval" || name == "let" || name == "alias";
      // `i\<newline>f` is a keyword to Bash.
      if (!name.empty() && name.size() != word.span.size() && offsets_ == nullptr &&
          std::ranges::find(reserved_words, name) != reserved_words.end()) {
        problem(word_begin, "a keyword that is broken over two lines");
      }
    }
    command.words.push_back(std::move(word));
  }
  const std::int32_t unit = add_unit(open, std::move(command));
  Token& token = emit(open, TokenKind::unit, begin, end);
  token.unit = unit;
  token.first_redirect = first_redirect;
  token.redirects = static_cast<std::uint32_t>(open.body.redirects.size()) - first_redirect;
}

// name=value, name+=value, name[subscript]=value, name=(...); with `bare_names` also a name alone.
std::optional<Assignment> Scanner::assignment(bool bare_names) {
  const std::uint32_t begin = pos_;
  if (!is_name_start(peek())) {
    return std::nullopt;
  }
  std::uint32_t at = pos_;
  while (at < end_ && is_name_character(text_[at])) {
    ++at;
  }
  Assignment result;
  result.name = std::string(raw(begin, at));
  if (bare_names && breaks_word(at) && (at >= end_ || text_[at] != '(')) {
    pos_ = at;
    result.span = span(begin, pos_);
    return result;
  }
  const char next = at < end_ ? text_[at] : '\0';
  if (next == '[') {
    if (failed_.contains(begin)) {
      return std::nullopt;
    }
    const std::size_t problems = shared_.problems.size();
    const std::size_t comments = shared_.comments.size();
    pos_ = at + 1;
    Word subscript = operand({.closer = ']'});
    const bool closed = peek() == ']' && shared_.problems.size() == problems;
    const bool assigns = closed && !(bare_names && has_blanks(subscript)) &&
                         (peek(1) == '=' || (peek(1) == '+' && peek(2) == '='));
    if (!assigns) {
      // Before a command's name Bash reads on to the bracket whatever comes of it.
      const bool joins = !bare_names && (!closed || has_blanks(subscript));
      shared_.problems.resize(problems);
      shared_.comments.resize(comments);
      failed_.insert(begin);
      pos_ = begin;
      if (joins) {
        problem(begin, "a subscript that is no assignment's");
      }
      return std::nullopt;
    }
    result.subscript = Box<Word>(std::move(subscript));
    ++pos_;
  } else if (next == '=' || next == '+') {
    pos_ = at;
  } else {
    return std::nullopt;
  }
  if (peek() == '+') {
    if (peek(1) != '=') {
      pos_ = begin;
      return std::nullopt;
    }
    result.append = true;
    ++pos_;
  }
  ++pos_; // =
  if (peek() == '(') {
    ++pos_;
    result.array = array_elements();
  } else {
    result.value = word({.braces = false, .assignment = true});
  }
  result.span = span(begin, pos_);
  return result;
}

// After `name=(`, up to and with `)`.
std::vector<Word> Scanner::array_elements() {
  std::vector<Word> elements;
  const std::uint32_t begin = pos_;
  while (work()) {
    skip_blanks();
    if (at_end()) {
      break;
    }
    const char c = text_[pos_];
    if (c == '\n') {
      ++pos_;
    } else if (c == '#') {
      comment();
    } else if (c == ')') {
      ++pos_;
      return elements;
    } else if (breaks_word(pos_)) {
      problem(pos_, "an operator in an array");
      ++pos_;
    } else {
      const std::uint32_t element = pos_;
      elements.push_back(word({}));
      // `[a b]=c` is one element.
      if (c == '[' && raw(element, pos_).find(']') == std::string_view::npos) {
        problem(element, "a subscript with blanks");
      }
      // In `[i]=x` nothing globs.
      if (c == '[' && raw(element, pos_).find("]=") != std::string_view::npos) {
        for (WordPart& part : elements.back().parts) {
          if (auto* literal = std::get_if<Literal>(&part.value)) {
            literal->globs = false;
          }
        }
      }
    }
  }
  problem(begin, "an array is not closed");
  return elements;
}

} // namespace s2f::shell
