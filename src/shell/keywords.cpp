// Reserved words: what opens, continues and closes compound commands, and their headers.
#include <algorithm>
#include <array>

#include "shell/names.hpp"
#include "shell/scanner.hpp"

namespace s2f::shell {

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
    nest(open, {*frame, false, false, begin});
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
      nest(open, {FrameKind::loop, false, false, pos_});
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
      nest(open, {FrameKind::brace, false, true, pos_});
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
  nest(open, {FrameKind::case_, false, false, begin});
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

} // namespace s2f::shell
