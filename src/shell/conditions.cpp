// [[ ... ]]: its operators, so that its words are found and a broken one is not taken for whole.
#include "shell/names.hpp"
#include "shell/scanner.hpp"

namespace s2f::shell {

namespace {

bool is_binary(std::string_view word) {
  for (const std::string_view known :
       {"=", "==", "!=", "=~", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"}) {
    if (word == known) {
      return true;
    }
  }
  return false;
}

bool is_unary(std::string_view word) {
  return word.size() == 2 && word[0] == '-' &&
         std::string_view("abcdefghknoprstuvwxzGLNORS").find(word[1]) != std::string_view::npos;
}

} // namespace

void Scanner::test_command(Open& open) {
  const std::uint32_t begin = pos_;
  pos_ += 2;
  Test test;
  const std::uint32_t inside = pos_;
  const bool sound = test_list(test);
  test_newlines();
  const bool closed = looking_at("]]") && breaks_word(pos_ + 2);
  if (!sound || !closed) {
    problem(begin, "a [[ ]] that does not parse");
    // Its end is still worth finding: what follows may be sound.
    const std::size_t line = text_.substr(0, end_).find_first_of("\n;", pos_);
    const std::size_t close = text_.substr(0, end_).find("]]", pos_);
    if (close < line) {
      pos_ = static_cast<std::uint32_t>(close);
    } else {
      pos_ = line == std::string_view::npos ? end_ : static_cast<std::uint32_t>(line);
    }
  }
  test.expression = std::string(trim(raw(inside, pos_)));
  if (looking_at("]]")) {
    pos_ += 2;
  }
  const std::int32_t unit = add_unit(open, std::move(test));
  emit(open, TokenKind::unit, begin, pos_, true).unit = unit;
  closing_redirects(open);
}

void Scanner::test_newlines() {
  while (work()) {
    skip_blanks();
    if (peek() == '#') {
      comment();
    } else if (peek() == '\n') {
      ++pos_;
    } else {
      return;
    }
  }
}

// Terms with && and || between them.
bool Scanner::test_list(Test& test) {
  const Level level(shared_);
  if (level.too_deep()) {
    return false;
  }
  for (;;) {
    test_newlines();
    if (at_end() || !test_term(test)) {
      return false;
    }
    test_newlines();
    if (!looking_at("&&") && !looking_at("||")) {
      return true;
    }
    test.tokens.push_back({std::string(raw(pos_, pos_ + 2)), 0});
    pos_ += 2;
  }
}

bool Scanner::test_term(Test& test) {
  auto bare = [&] { // the characters up to the next metacharacter
    std::uint32_t end = pos_;
    while (!breaks_word(end)) {
      ++end;
    }
    return raw(pos_, end);
  };
  while (peek() == '!' && breaks_word(pos_ + 1)) {
    ++pos_;
    test.tokens.push_back({"!", 0});
    test_newlines();
  }
  if (peek() == '(') {
    ++pos_;
    test.tokens.push_back({"(", 0});
    if (!test_list(test)) {
      return false;
    }
    test_newlines();
    if (peek() != ')') {
      return false;
    }
    ++pos_;
    test.tokens.push_back({")", 0});
    return true;
  }
  const auto push_word = [&](Word&& operand) {
    test.tokens.push_back({"", test.words.size()});
    test.words.push_back(std::move(operand));
  };
  if (is_unary(bare())) {
    test.tokens.push_back({std::string(bare()), 0});
    pos_ += 2;
    skip_blanks();
    const std::uint32_t at = pos_;
    Word operand = word({.braces = false, .patterns = true});
    if (pos_ == at || raw(at, pos_) == "]]") {
      return false;
    }
    push_word(std::move(operand));
    return true;
  }
  const std::uint32_t left = pos_;
  Word first = word({.braces = false, .patterns = true});
  if (pos_ == left || raw(left, pos_) == "]]") {
    return false;
  }
  push_word(std::move(first));
  skip_blanks();
  std::string_view op = bare();
  if ((peek() == '<' || peek() == '>') && peek(1) != '(') {
    op = raw(pos_, pos_ + 1);
  }
  if (op != "<" && op != ">" && !is_binary(op)) {
    // One word alone asks whether it is empty; the next must be an operator of the list.
    return peek() == ')' || looking_at("]]") || looking_at("&&") || looking_at("||");
  }
  const bool regex = op == "=~";
  test.tokens.push_back({std::string(op), 0});
  pos_ += static_cast<std::uint32_t>(op.size());
  skip_blanks();
  const std::uint32_t right = pos_;
  Word second = word({.braces = false, .patterns = true, .regex = regex});
  if (pos_ == right || raw(right, pos_) == "]]") {
    return false;
  }
  push_word(std::move(second));
  return true;
}

} // namespace s2f::shell
