// Collects the parts of one word; plain characters gather in one literal until something else
// comes.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shell/scanner.hpp"

namespace s2f::shell {

class Scanner::Builder {
public:
  explicit Builder(const Scanner& scanner) : scanner_(scanner) {}

  // `text` is what the bytes [begin, end) stand for.
  void plain(std::string_view text, std::uint32_t begin, std::uint32_t end) {
    if (!open_) {
      open_ = true;
      begin_ = begin;
    }
    literal_.value += text;
    end_ = end;
  }
  void escaped(std::string_view text, std::uint32_t begin, std::uint32_t end) {
    plain(text, begin, end);
    literal_.escaped = true;
  }
  void globs() { literal_.globs = true; }
  void part(WordPartValue value, std::uint32_t begin, std::uint32_t end) {
    flush();
    parts_.push_back({std::move(value), scanner_.span(begin, end)});
  }
  // A brace or comma that may be part of a brace expansion: kept apart until the word is whole.
  void mark(char c, std::uint32_t at) {
    flush();
    plain(std::string_view(&c, 1), at, at + 1);
    flush();
    marks_.resize(parts_.size(), '\0');
    marks_.back() = c;
  }
  [[nodiscard]] bool has_mark(char c) const { return std::ranges::find(marks_, c) != marks_.end(); }
  [[nodiscard]] bool empty() const { return parts_.empty() && !open_; }

  void flush() {
    if (!open_) {
      return;
    }
    open_ = false;
    parts_.push_back({std::exchange(literal_, {}), scanner_.span(begin_, end_)});
  }
  // The parts with brace expansions in place; false when they nest too deeply.
  bool take(std::vector<WordPart>& parts);

private:
  friend class BraceExpander;

  const Scanner& scanner_;
  std::vector<WordPart> parts_;
  std::vector<char> marks_;
  Literal literal_;
  bool open_ = false;
  std::uint32_t begin_ = 0;
  std::uint32_t end_ = 0;
};

} // namespace s2f::shell
