// What a dollar or a backquote begins: parameters, substitutions and arithmetic.
#include <algorithm>

#include "shell/builder.hpp"
#include "shell/lower.hpp"
#include "shell/names.hpp"
#include "shell/scanner.hpp"

namespace s2f::shell {

namespace {

// $(< file)
bool only_reads_file(const std::vector<Statement>& body) {
  if (body.size() != 1) {
    return false;
  }
  const Statement& statement = body.front();
  const auto* command = std::get_if<SimpleCommand>(&statement.value);
  return command != nullptr && command->words.empty() && command->assignments.empty() &&
         statement.redirects.size() == 1 &&
         statement.redirects.front().kind == RedirectKind::input && !statement.negated &&
         !statement.background;
}

void add_variable(Arithmetic& arithmetic, std::string_view name) {
  if (name.empty() || std::ranges::find(arithmetic.variables, name) != arithmetic.variables.end()) {
    return;
  }
  arithmetic.variables.emplace_back(name);
}

} // namespace

// At a `$`: reads what it begins; false when it is only a dollar.
bool Scanner::dollar(Builder& builder, bool quoted) {
  const std::uint32_t begin = pos_;
  const char next = peek(1);
  if (next == '(') {
    if (peek(2) == '(') {
      if (std::optional<Arithmetic> expression = arithmetic(begin + 3, "))")) {
        builder.part(std::move(*expression), begin, pos_);
        return true;
      }
    }
    command_substitution(builder);
    return true;
  }
  if (next == '{') {
    parameter(builder, quoted);
    return true;
  }
  if (next == '[') {
    std::optional<Arithmetic> expression = arithmetic(begin + 2, "]");
    if (!expression) {
      problem(begin, "a $[ that is not closed");
      return false;
    }
    builder.part(std::move(*expression), begin, pos_);
    return true;
  }
  if (next == '\'' && !quoted) {
    ansi_quoted(builder);
    return true;
  }
  if (next == '"' && !quoted) {
    double_quoted(builder);
    return true;
  }
  if (next == '\\' && peek(2) == '\n') {
    problem(begin, "a line is continued between a dollar and its name");
  }
  std::uint32_t end = begin + 1;
  if (is_name_start(next)) {
    while (end < end_ && is_name_character(text_[end])) {
      ++end;
    }
    if (end + 1 < end_ && text_[end] == '\\' && text_[end + 1] == '\n' && end + 2 < end_ &&
        is_name_character(text_[end + 2])) {
      problem(end, "a line is continued inside a variable's name");
    }
  } else if (is_digit(next) || (next != '\0' && is_special_parameter(next))) {
    ++end;
  } else {
    return false;
  }
  Parameter parameter;
  parameter.name = std::string(raw(begin + 1, end));
  pos_ = end;
  builder.part(std::move(parameter), begin, end);
  return true;
}

// ---- parameters --------------------------------------------------------------------------------

void Scanner::parameter(Builder& builder, bool quoted) {
  const Level level(shared_);
  const std::uint32_t begin = pos_;
  if (level.too_deep()) {
    problem(begin, "nested too deeply");
    pos_ = end_;
    return;
  }
  pos_ += 2;
  Parameter result;
  result.braced = true;
  const char second = peek(1);
  if (peek() == '#') {
    const bool name = is_name_character(second);
    // ${#?} is a length, ${#?message} tests $#.
    const bool special =
        is_special_parameter(second) && (peek(2) == '}' || (second == '#' && peek(2) == '}'));
    if (name || special) {
      result.length = true;
      ++pos_;
    }
  } else if (peek() == '!') {
    const bool special = (second == '@' || second == '*' || second == '#' || second == '?') &&
                         (peek(2) == '}' || second == '#' || second == '@');
    if (is_name_character(second) || special) {
      result.indirect = true;
      ++pos_;
    }
  }
  const std::uint32_t name = pos_;
  if (is_name_start(peek())) {
    while (is_name_character(peek())) {
      ++pos_;
    }
  } else if (is_digit(peek())) {
    while (is_digit(peek())) {
      ++pos_;
    }
  } else if (is_special_parameter(peek())) {
    ++pos_;
  } else {
    problem(begin, "a bad substitution");
  }
  result.name = std::string(raw(name, pos_));
  if (peek() == '[' && is_name(result.name)) {
    ++pos_;
    result.subscript = Box<Word>(operand({.quoted = false, .closer = ']'}));
    if (peek() == ']') {
      ++pos_;
    } else {
      problem(begin, "a subscript is not closed");
    }
  }
  if (peek() != '}' && !at_end()) {
    parameter_operator(result, quoted, begin);
  }
  if (peek() != '}') {
    problem(begin, "a parameter expansion is not closed");
    // Whatever it is, it ends at the brace.
    const std::size_t close = text_.substr(0, end_).find_first_of("}\n", pos_);
    pos_ = close == std::string_view::npos ? end_ : static_cast<std::uint32_t>(close);
    if (at_end() || text_[pos_] == '\n') {
      return;
    }
  }
  ++pos_;
  builder.part(std::move(result), begin, pos_);
}

void Scanner::parameter_operator(Parameter& parameter, bool quoted, std::uint32_t begin) {
  const char c = peek();
  auto take = [&](std::uint32_t length) {
    parameter.op = std::string(raw(pos_, pos_ + length));
    pos_ += length;
  };
  const OperandRules value = {.quoted = quoted, .globs = !quoted};
  OperandRules pattern = {.quoted = quoted, .pattern = true, .globs = true};
  switch (c) {
  case ':':
    if (std::string_view("-=?+").find(peek(1)) != std::string_view::npos && peek(1) != '\0') {
      take(2);
      parameter.arguments.push_back(operand(value));
      return;
    }
    take(1);
    parameter.arguments.push_back(operand({.quoted = quoted, .stop = ':'}));
    if (peek() == ':') {
      ++pos_;
      parameter.arguments.push_back(operand({.quoted = quoted}));
    }
    return;
  case '-':
  case '=':
  case '?':
  case '+':
    take(1);
    parameter.arguments.push_back(operand(value));
    return;
  case '#':
  case '%':
  case '^':
  case ',':
  case '~':
    take(peek(1) == c ? 2 : 1);
    parameter.arguments.push_back(operand(pattern));
    // ${x^^} has no pattern at all.
    if (parameter.arguments.back().parts.empty() && c != '#' && c != '%') {
      parameter.arguments.clear();
    }
    return;
  case '/':
    take(peek(1) == '/' || peek(1) == '#' || peek(1) == '%' ? 2 : 1);
    pattern.stop = '/';
    if (peek() == '/' && parameter.op == "/") {
      problem(begin, "a bad substitution");
      return;
    }
    parameter.arguments.push_back(operand(pattern));
    if (peek() == '/') {
      ++pos_;
      parameter.arguments.push_back(operand({.quoted = quoted, .pattern = true, .globs = false}));
    }
    return;
  case '@':
    if (parameter.indirect && peek(1) == '}') {
      take(1);
      return;
    }
    if (std::string_view("UuLQEPAKak").find(peek(1)) != std::string_view::npos && peek(1) != '\0') {
      take(2);
      return;
    }
    break;
  case '*':
    if (parameter.indirect) {
      take(1);
      return;
    }
    break;
  default:
    break;
  }
  problem(begin, "a bad substitution");
}

// ---- substitutions -----------------------------------------------------------------------------

// The body of a substitution. A problem in it spoils the statement around, so nothing is then lost
// by leaving it out.
std::vector<Statement> Scanner::statements(std::uint32_t begin, bool closed_by_paren) {
  const std::size_t problems = shared_.problems.size();
  Body inside = body(false, closed_by_paren);
  if (shared_.problems.size() != problems) {
    return {};
  }
  const auto count = static_cast<std::uint32_t>(inside.tokens.size());
  std::optional<std::vector<Statement>> result = lower(inside, shared_.source, 0, count);
  if (!result) {
    problem(begin, "a substitution does not parse");
    return {};
  }
  return std::move(*result);
}

void Scanner::command_substitution(Builder& builder) {
  const Level level(shared_);
  const std::uint32_t begin = pos_;
  if (level.too_deep()) {
    problem(begin, "nested too deeply");
    pos_ = end_;
    return;
  }
  pos_ += 2;
  CommandSubstitution result;
  result.body = statements(begin, true);
  result.reads_file = only_reads_file(result.body);
  builder.part(std::move(result), begin, pos_);
}

void Scanner::process_substitution(Builder& builder) {
  const Level level(shared_);
  const std::uint32_t begin = pos_;
  if (level.too_deep()) {
    problem(begin, "nested too deeply");
    pos_ = end_;
    return;
  }
  ProcessSubstitution result;
  result.direction = text_[pos_];
  pos_ += 2;
  result.body = statements(begin, true);
  builder.part(std::move(result), begin, pos_);
}

// `...`: ends at the next backquote that no backslash escapes; the backslashes then vanish before
// the inside is read, so the inside may be a text of its own.
void Scanner::backquoted(Builder& builder, bool quoted) {
  const Level level(shared_);
  const std::uint32_t begin = pos_;
  auto unescapes = [&](char c) {
    return c == '$' || c == '`' || c == '\\' || (quoted && c == '"');
  };
  std::uint32_t close = pos_ + 1;
  bool escapes = false;
  while (close < end_ && text_[close] != '`') {
    if (text_[close] == '\\' && close + 1 < end_) {
      escapes = escapes || unescapes(text_[close + 1]);
      ++close;
    }
    ++close;
  }
  if (close >= end_ || level.too_deep()) {
    problem(begin, level.too_deep() ? "nested too deeply" : "a backquote is not closed");
    pos_ = end_;
    return;
  }
  CommandSubstitution result;
  result.backquoted = true;
  if (escapes) {
    std::string text;
    std::vector<std::uint32_t> offsets;
    for (std::uint32_t at = begin + 1; at < close; ++at) {
      if (text_[at] == '\\' && at + 1 < close && unescapes(text_[at + 1])) {
        ++at;
      }
      text += text_[at];
      offsets.push_back(offset(at));
    }
    offsets.push_back(offset(close));
    Scanner inside(shared_, text, &offsets);
    result.body = inside.statements(0, false);
  } else {
    const std::uint32_t outer_end = std::exchange(end_, close);
    pos_ = begin + 1;
    result.body = statements(begin, false);
    end_ = outer_end;
  }
  pos_ = close + 1;
  result.reads_file = only_reads_file(result.body);
  builder.part(std::move(result), begin, pos_);
}

// ---- arithmetic --------------------------------------------------------------------------------

// Reads an expression from `begin` up to `closer`. Nothing, and no place moved, when the text is no
// expression: `((a);(b))` is two subshells in one.
std::optional<Arithmetic> Scanner::arithmetic(std::uint32_t begin, std::string_view closer) {
  if (failed_.contains(begin)) {
    return std::nullopt;
  }
  const Level level(shared_);
  const std::uint32_t start = pos_;
  const std::size_t problems = shared_.problems.size();
  const std::size_t comments = shared_.comments.size();
  Arithmetic result;
  Builder builder(*this);
  pos_ = begin;
  int parens = 0;
  bool closed = false;
  auto single = [&](char c) { return peek() == c && peek(1) != c; };
  while (!at_end() && !level.too_deep() && work()) {
    const char c = text_[pos_];
    if (closer == "]" ? c == ']' && parens == 0 : c == ')' && parens == 0) {
      closed = looking_at(closer);
      break;
    }
    if (is_name_start(c)) {
      const std::uint32_t name = pos_;
      while (is_name_character(peek())) {
        ++pos_;
      }
      add_variable(result, raw(name, pos_));
      continue;
    }
    if (is_digit(c)) {
      // 16#ff, 0x1F and 10#$n are numbers
      while (is_name_character(peek()) || peek() == '#' || peek() == '@') {
        ++pos_;
      }
      continue;
    }
    switch (c) {
    case '(':
    case '[':
      ++parens;
      ++pos_;
      continue;
    case ')':
    case ']':
      --parens;
      ++pos_;
      continue;
    case '\\':
      pos_ += 2;
      continue;
    case '\'':
      single_quoted(builder);
      continue;
    case '"':
      double_quoted(builder);
      continue;
    case '`':
      backquoted(builder, true);
      continue;
    case '$': {
      const std::uint32_t dollar_at = pos_;
      if (!dollar(builder, true)) {
        pos_ = dollar_at + 1;
      }
      continue;
    }
    case '=':
      if (peek(1) == '=') {
        ++pos_;
      } else {
        result.assigns = true;
      }
      ++pos_;
      continue;
    case '!':
    case '<':
    case '>':
      // <= and >= compare, <<= assigns
      if (peek(1) == '=') {
        pos_ += 2;
      } else if (peek(1) == c) {
        pos_ += 2;
        if (peek() == '=') {
          result.assigns = true;
          ++pos_;
        }
      } else {
        ++pos_;
      }
      continue;
    case '+':
    case '-':
      if (!single(c)) {
        result.assigns = true;
        ++pos_;
      }
      ++pos_;
      continue;
    default:
      ++pos_;
    }
  }
  if (pos_ > end_) {
    pos_ = end_;
  }
  const bool sound = closed && shared_.problems.size() == problems;
  if (!sound) {
    shared_.problems.resize(problems);
    shared_.comments.resize(comments);
    failed_.insert(begin);
    pos_ = start;
    return std::nullopt;
  }
  result.expression = std::string(trim(raw(begin, pos_)));
  pos_ += static_cast<std::uint32_t>(closer.size());
  builder.take(result.expansions);
  std::erase_if(result.expansions,
                [](const WordPart& part) { return std::holds_alternative<Literal>(part.value); });
  for (const WordPart& part : result.expansions) {
    if (const auto* parameter = std::get_if<Parameter>(&part.value)) {
      add_variable(result, parameter->name);
    }
  }
  return result;
}

} // namespace s2f::shell
