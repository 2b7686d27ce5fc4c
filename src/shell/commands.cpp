// Simple commands: assignments, arrays, words and where they end.
#include <algorithm>

#include "shell/names.hpp"
#include "shell/scanner.hpp"

namespace s2f::shell {

namespace {

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
    if (word.parts.empty() && pos_ == text_.size()) { // a backslash at the end of the script
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
