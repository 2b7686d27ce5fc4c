// Whether a shell refuses a text: it runs what stands before it, and nothing else.
//
// before:  NAME=<NAME>          model_dir=$$(pwd)        cd <run directory>
// after:   a redirection to nothing; a ( behind a word; a redirection to nothing
#include "passes/refused_text.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace s2f::passes {

namespace {

class Reader {
public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool refused() {
    while (!unsure_ && at_ < text_.size()) {
      if (command()) {
        return true;
      }
    }
    return false;
  }

private:
  [[nodiscard]] char peek(std::size_t by = 0) const {
    return at_ + by < text_.size() ? text_[at_ + by] : '\n';
  }
  [[nodiscard]] bool next_is(std::string_view what) const {
    return text_.substr(at_).starts_with(what);
  }

  void blanks() {
    while (at_ < text_.size() && (peek() == ' ' || peek() == '\t' || next_is("\\\n"))) {
      at_ += next_is("\\\n") ? 2 : 1;
    }
  }

  // One line of commands; true where it is refused.
  bool command() {
    bool first = true; // the word that names the program
    word_.clear();
    while (!unsure_ && at_ < text_.size()) {
      blanks();
      const char c = peek();
      if (at_ >= text_.size() || c == '\n') {
        ++at_;
        return false;
      }
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
        continue;
      }
      if (c == ';' || c == '|' || c == '&') {
        unsure_ = next_is(";;") || next_is("&>");
        at_ += next_is("&&") || next_is("||") || next_is("|&") ? 2 : 1;
        blanks();
        while (peek() == '\n' && at_ < text_.size() && c != ';') { // the list goes on
          ++at_;
          blanks();
        }
        first = true;
        continue;
      }
      if (c == '<' || c == '>') {
        if (redirection()) {
          return true;
        }
        continue;
      }
      if (c == '(' || c == ')') {
        unsure_ = true;
        return false;
      }
      if (word(first)) {
        return true;
      }
      first = first && word_.find('=') != std::string::npos;
    }
    return false;
  }

  // Behind < and > a word must stand.
  bool redirection() {
    if ((next_is("<<") && !next_is("<<<")) || next_is("<(") || next_is(">(")) {
      unsure_ = true; // a document, or a program
      return false;
    }
    static constexpr std::array<std::string_view, 8> operators{"<<<", "<&", "<>", "<",
                                                               ">>",  ">&", ">|", ">"};
    const auto* found =
        std::ranges::find_if(operators, [this](std::string_view each) { return next_is(each); });
    at_ += found->size();
    blanks();
    if (next_is("<(") || next_is(">(")) {
      unsure_ = true;
      return false;
    }
    return at_ >= text_.size() ||
           std::string_view("\n<>|&;()").find(peek()) != std::string_view::npos;
  }

  // Goes behind a word; true where a ( stands at its end, which makes nothing of it.
  bool word(bool first) {
    word_.clear();
    while (at_ < text_.size() && !unsure_) {
      const char c = peek();
      if (std::string_view(" \t\n;|&<>)").find(c) != std::string_view::npos) {
        break;
      }
      if (c == '(') {
        const char before = word_.empty() ? '=' : word_.back();
        const bool function = first && peek(1) == ')';
        unsure_ = function || std::string_view("=?*+@!").find(before) != std::string_view::npos;
        return !unsure_;
      }
      part();
    }
    static constexpr std::array<std::string_view, 16> keywords{
        "if", "then", "elif", "else", "fi",     "for", "while", "until",
        "do", "done", "case", "esac", "select", "{",   "[[",    "function"};
    unsure_ = unsure_ || (first && std::ranges::find(keywords, word_) != keywords.end());
    return false;
  }

  void part() {
    const char c = peek();
    if (c == '\\') {
      word_ += "\\";
      at_ += 2;
    } else if (c == '\'') {
      quoted('\'');
    } else if (c == '"' || c == '`') {
      quoted(c);
    } else if (next_is("$$")) { // the number of the process
      word_ += "$$";
      at_ += 2;
    } else if (c == '$' && (peek(1) == '(' || peek(1) == '{' || peek(1) == '[')) {
      unsure_ = true; // what stands in it is not looked at
      expansion();
    } else {
      word_ += c;
      ++at_;
    }
  }

  // Up to the same quote; one that is not closed here may be closed elsewhere.
  void quoted(char quote) {
    word_ += quote;
    for (++at_; at_ < text_.size() && peek() != quote; ++at_) {
      at_ += quote != '\'' && peek() == '\\' ? 1 : 0;
      unsure_ = unsure_ || (quote == '"' && (next_is("$(") || next_is("${") || peek() == '`'));
    }
    unsure_ = unsure_ || at_ >= text_.size();
    ++at_;
  }

  // ${NAME}, and no other.
  void expansion() {
    const auto end = text_.find('}', at_);
    const std::string_view name =
        end == std::string_view::npos ? "" : text_.substr(at_ + 2, end - at_ - 2);
    if (peek(1) == '{' && !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
          return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                 (c >= 'A' && c <= 'Z');
        })) {
      unsure_ = false;
      word_ += '$';
      at_ = end + 1;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string word_; // the last one, quotes and all
  bool unsure_ = false;
};

} // namespace

bool shell_refuses(std::string_view text) { return Reader(text).refused(); }

} // namespace s2f::passes
