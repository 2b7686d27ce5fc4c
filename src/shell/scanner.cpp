// The scanner's main loop: places, bodies, newlines and operators.
#include "shell/scanner.hpp"

#include <algorithm>

#include "shell/names.hpp"

namespace s2f::shell {

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
  Commands commands(shared_);
  while (work()) {
    commands.are(open.frames.size());
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
  nest(open, {FrameKind::paren, stray, false, begin});
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

} // namespace s2f::shell
