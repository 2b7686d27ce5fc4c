// The words of a directive, as sbatch splits them: quotes group, a backslash takes the next
// character as it is (in single quotes too), an unquoted # starts a comment even inside a word.
#include "slurm/words.hpp"

#include <fmt/format.h>

#include "slurm/text.hpp"

namespace s2f::slurm {

namespace {

class Splitter {
public:
  Splitter(std::string_view rest, std::uint32_t offset, std::uint32_t line, std::string_view file)
      : rest_(rest), offset_(offset), line_(line), file_(file) {}

  Words run() {
    while (one_word()) {
    }
    return std::move(out_);
  }

private:
  [[nodiscard]] std::uint32_t position(std::size_t at) const {
    return offset_ + static_cast<std::uint32_t>(at);
  }

  void refuse(std::size_t from, std::string message) {
    out_.error = WordError{std::move(message), position(from), position(rest_.size())};
  }

  bool one_word() {
    const auto call = at_; // sbatch quotes the line from here in its messages
    while (at_ < rest_.size() && is_space(rest_[at_]))
      ++at_;
    if (at_ == rest_.size())
      return false;
    if (is_hetjob(rest_.substr(at_))) {
      // sbatch blanks the word out and then reads an empty one, which ends the line.
      out_.ignored = position(at_);
      return false;
    }
    if (rest_[at_] == ':') {
      refuse(at_,
             fmt::format("{}: line {}: Unexpected `:` in [{}]", file_, line_, rest_.substr(call)));
      return false;
    }
    Word word;
    word.begin = position(at_);
    word.line = line_;
    const auto start = at_;
    char quote = '\0';
    bool escaped = false;
    bool comment = false;
    // An escaped blank still ends the word: sbatch looks at blanks before it looks at escapes.
    for (; at_ < rest_.size() && (quote != '\0' || !is_space(rest_[at_])); ++at_) {
      const char c = rest_[at_];
      if (escaped) {
        escaped = false;
      } else if (c == '\\') {
        escaped = true;
        continue;
      } else if (quote != '\0') {
        if (c == quote) {
          quote = '\0';
          continue;
        }
      } else if (c == '"' || c == '\'') {
        quote = c;
        continue;
      } else if (c == '#') {
        comment = true;
        break;
      }
      word.text.push_back(c);
      word.at.push_back(position(at_));
    }
    if (quote != '\0') {
      refuse(start, fmt::format("{}: line {}: Unmatched `{}` in [{}]", file_, line_, quote,
                                rest_.substr(call)));
      return false;
    }
    word.end = position(at_);
    if (comment) {
      out_.comment = position(at_);
      if (!word.text.empty()) {
        auto end = at_;
        while (end < rest_.size() && !is_space(rest_[end]))
          ++end;
        word.cut_off = std::string(rest_.substr(at_, end - at_));
      }
    }
    if (word.text.empty()) {
      if (!comment)
        out_.ignored = word.begin;
      return false;
    }
    out_.words.push_back(std::move(word));
    return !comment;
  }

  std::string_view rest_;
  std::uint32_t offset_;
  std::uint32_t line_;
  std::string_view file_;
  std::size_t at_ = 0;
  Words out_;
};

} // namespace

bool is_hetjob(std::string_view text) {
  for (const std::string_view name : {"hetjob", "packjob"})
    if (begins(text, name) && (text.size() == name.size() || is_space(text[name.size()])))
      return true;
  return false;
}

Words split_words(std::string_view rest, std::uint32_t offset, std::uint32_t line,
                  std::string_view file) {
  return Splitter(rest, offset, line, file).run();
}

} // namespace s2f::slurm
