// Brace expansions: found in a word once it is whole.
#include <optional>

#include "shell/builder.hpp"
#include "shell/names.hpp"
#include "shell/scanner.hpp"

namespace s2f::shell {

namespace {

// `1..9` and `a..z`, with an optional step.
std::optional<BraceExpansion> range_of(std::string_view text) {
  auto is_integer = [](std::string_view number) {
    if (number.starts_with('-') || number.starts_with('+')) {
      number.remove_prefix(1);
    }
    if (number.empty()) {
      return false;
    }
    for (const char c : number) {
      if (!is_digit(c)) {
        return false;
      }
    }
    return true;
  };
  auto is_letter = [](std::string_view letter) {
    return letter.size() == 1 && is_name_start(letter[0]) && letter[0] != '_';
  };
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view first = text.substr(0, dots);
  std::string_view last = text.substr(dots + 2);
  BraceExpansion result;
  if (const std::size_t more = last.find(".."); more != std::string_view::npos) {
    const std::string_view step = last.substr(more + 2);
    if (!is_integer(step)) {
      return std::nullopt;
    }
    result.step = std::string(step);
    last = last.substr(0, more);
  }
  if (!(is_integer(first) && is_integer(last)) && !(is_letter(first) && is_letter(last))) {
    return std::nullopt;
  }
  result.range = {std::string(first), std::string(last)};
  return result;
}

} // namespace

// Folds the marked parts of a word into brace expansions. Braces pair up as brackets do; a pair
// without a comma or a range, and a brace without a partner, are text.
class BraceExpander {
public:
  explicit BraceExpander(Scanner::Builder& builder)
      : parts_(builder.parts_), marks_(builder.marks_), partner_(parts_.size(), 0) {
    marks_.resize(parts_.size(), '\0');
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < marks_.size(); ++i) {
      if (marks_[i] == '{') {
        open.push_back(i);
        deepest_ = std::max(deepest_, open.size());
      } else if (marks_[i] == '}' && !open.empty()) {
        partner_[open.back()] = i;
        open.pop_back();
      }
    }
  }

  [[nodiscard]] bool too_deep() const { return deepest_ > max_depth; }

  std::vector<WordPart> expand(std::size_t begin, std::size_t end) {
    std::vector<WordPart> out;
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t close = marks_[i] == '{' ? partner_[i] : 0;
      if (close == 0 || close >= end || !expand_pair(i, close, out)) {
        append(out, std::move(parts_[i]));
        continue;
      }
      i = close;
    }
    return out;
  }

private:
  bool expand_pair(std::size_t open, std::size_t close, std::vector<WordPart>& out) {
    std::vector<std::size_t> cuts{open};
    for (std::size_t i = open + 1; i < close; ++i) {
      if (marks_[i] == '{' && partner_[i] != 0) {
        i = partner_[i];
      } else if (marks_[i] == ',') {
        cuts.push_back(i);
      }
    }
    cuts.push_back(close);
    Span span = parts_[open].span;
    span.end = parts_[close].span.end;
    if (cuts.size() == 2) {
      // {1..3}: plain text only
      if (close != open + 2) {
        return false;
      }
      const auto* text = std::get_if<Literal>(&parts_[open + 1].value);
      if (text == nullptr || text->escaped) {
        return false;
      }
      std::optional<BraceExpansion> range = range_of(text->value);
      if (!range) {
        return false;
      }
      out.push_back({std::move(*range), span});
      return true;
    }
    BraceExpansion list;
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
      Word word;
      word.span = parts_[cuts[i]].span;
      word.span.begin = word.span.end;
      word.span.end = parts_[cuts[i + 1]].span.begin;
      word.parts = expand(cuts[i] + 1, cuts[i + 1]);
      list.alternatives.push_back(std::move(word));
    }
    out.push_back({std::move(list), span});
    return true;
  }

  // Text that was only cut at a brace grows together again.
  static void append(std::vector<WordPart>& out, WordPart part) {
    auto* text = std::get_if<Literal>(&part.value);
    auto* before = out.empty() ? nullptr : std::get_if<Literal>(&out.back().value);
    if (text == nullptr || before == nullptr) {
      out.push_back(std::move(part));
      return;
    }
    before->value += text->value;
    before->globs |= text->globs;
    before->escaped |= text->escaped;
    out.back().span.end = part.span.end;
  }

  std::vector<WordPart>& parts_;
  std::vector<char>& marks_;
  std::vector<std::size_t> partner_;
  std::size_t deepest_ = 0;
};

bool Scanner::Builder::take(std::vector<WordPart>& parts) {
  flush();
  if (marks_.empty()) {
    parts = std::move(parts_);
    return true;
  }
  BraceExpander expander(*this);
  if (expander.too_deep()) {
    parts = std::move(parts_);
    return false;
  }
  parts = expander.expand(0, parts_.size());
  return true;
}

} // namespace s2f::shell
