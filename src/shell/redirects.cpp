// Redirections, and the heredocs whose bodies begin at the next newline.
#include "shell/builder.hpp"
#include "shell/names.hpp"
#include "shell/scanner.hpp"

namespace s2f::shell {

namespace {

struct Operator {
  std::string_view text;
  RedirectKind kind;
};

// Longer ones first.
constexpr Operator operators[] = {
    {"&>>", RedirectKind::append_both}, {"&>", RedirectKind::output_both},
    {"<<<", RedirectKind::herestring},  {"<<-", RedirectKind::heredoc},
    {"<<", RedirectKind::heredoc},      {"<&", RedirectKind::duplicate_input},
    {"<>", RedirectKind::input_output}, {"<", RedirectKind::input},
    {">>", RedirectKind::append},       {">&", RedirectKind::duplicate_output},
    {">|", RedirectKind::clobber},      {">", RedirectKind::output},
};

bool is_descriptor(const Word& word) {
  const std::optional<std::string> text = word.literal();
  if (!text || text->empty()) {
    return false;
  }
  std::string_view rest = *text;
  if (rest == "-") {
    return true;
  }
  // `>&3-` moves a descriptor.
  if (rest.ends_with('-')) {
    rest.remove_suffix(1);
  }
  for (const char c : rest) {
    if (!is_digit(c)) {
      return false;
    }
  }
  return true;
}

} // namespace

// `> 2> f`: the number belongs to the second operator, so the first has no target.
bool Scanner::redirect_begins() const {
  std::uint32_t at = pos_;
  while (at < end_ && is_digit(text_[at])) {
    ++at;
  }
  return at > pos_ && at < end_ && (text_[at] == '<' || text_[at] == '>') &&
         (at + 1 >= end_ || text_[at + 1] != '(');
}

// Reads a redirection if one stands here.
bool Scanner::redirect(Open& open) {
  const std::uint32_t begin = pos_;
  std::uint32_t at = pos_;
  Redirect result;
  if (is_digit(peek())) {
    while (at < end_ && is_digit(text_[at])) {
      ++at;
    }
    if (at - begin > 9) {
      return false;
    }
    int number = 0;
    for (const char c : raw(begin, at)) {
      number = number * 10 + (c - '0');
    }
    result.descriptor = number;
  } else if (peek() == '{') {
    while (at + 1 < end_ && is_name_character(text_[at + 1])) {
      ++at;
    }
    const std::string_view name = raw(begin + 1, at + 1);
    if (!is_name(name) || at + 1 >= end_ || text_[at + 1] != '}') {
      return false;
    }
    result.variable = std::string(name);
    at += 2;
  }
  if (at >= end_ || (text_[at] != '<' && text_[at] != '>' && text_[at] != '&')) {
    return false;
  }
  if (text_[at] == '&' && at > begin) {
    return false;
  }
  if (at + 1 < end_ && text_[at + 1] == '(') {
    return false;
  } // a process substitution
  const std::string_view rest = text_.substr(at, end_ - at);
  const Operator* found = nullptr;
  for (const Operator& candidate : operators) {
    if (rest.starts_with(candidate.text)) {
      found = &candidate;
      break;
    }
  }
  if (found == nullptr) {
    return false;
  }
  result.kind = found->kind;
  pos_ = at + static_cast<std::uint32_t>(found->text.size());
  skip_blanks();
  // In `2>&1>f` Bash takes the number for the descriptor that it looks like.
  const bool duplicates =
      result.kind == RedirectKind::duplicate_input || result.kind == RedirectKind::duplicate_output;
  if (peek() == '#' || (!duplicates && redirect_begins())) {
    problem(pos_, "a redirection without a target");
    return true;
  }
  if (result.kind == RedirectKind::heredoc) {
    heredoc_operator(open, std::move(result), begin, found->text == "<<-");
    return true;
  }
  result.target = word({});
  if (result.target.parts.empty()) {
    problem(pos_, "a redirection without a target");
  }
  if (result.kind == RedirectKind::duplicate_output && !result.descriptor && !result.variable &&
      result.target.literal() && !is_descriptor(result.target)) {
    result.kind = RedirectKind::output_both;
  }
  result.span = span(begin, pos_);
  open.body.redirect_ends.push_back(result.span.end);
  open.body.redirects.push_back(std::move(result));
  return true;
}

// The delimiter: a word in which quotes count and expansions do not.
void Scanner::heredoc_operator(Open& open, Redirect redirect, std::uint32_t begin, bool strips) {
  const std::uint32_t at = pos_;
  std::string delimiter;
  while (!breaks_word(pos_)) {
    const char c = text_[pos_];
    if (c == '\\') {
      if (peek(1) == '\n') {
        pos_ += 2;
        continue;
      }
      redirect.heredoc_quoted = true;
      if (pos_ + 1 < end_) {
        delimiter += text_[pos_ + 1];
      }
      pos_ += 2;
    } else if (c == '\'' || c == '"') {
      redirect.heredoc_quoted = true;
      const std::size_t close = text_.substr(0, end_).find(c, pos_ + 1);
      if (close == std::string_view::npos) {
        problem(pos_, "a quote is not closed");
        pos_ = end_;
        break;
      }
      const auto stop = static_cast<std::uint32_t>(close);
      delimiter += raw(pos_ + 1, stop);
      pos_ = stop + 1;
    } else {
      delimiter += c;
      ++pos_;
    }
  }
  if (pos_ > end_) {
    pos_ = end_;
  }
  if (pos_ == at) {
    problem(pos_, "a here-document without a delimiter");
  }
  redirect.heredoc_strips_tabs = strips;
  redirect.target.span = span(at, pos_);
  redirect.target.parts.push_back({redirect.heredoc_quoted
                                       ? WordPartValue(SingleQuoted{delimiter})
                                       : WordPartValue(Literal{delimiter, false, false}),
                                   redirect.target.span});
  redirect.span = span(begin, pos_);
  open.body.redirect_ends.push_back(redirect.span.end);
  open.body.redirects.push_back(std::move(redirect));
  open.heredocs.push_back({open.body.redirects.size() - 1, std::move(delimiter)});
}

// At the beginning of a line: the bodies of all heredocs that wait.
void Scanner::read_heredocs(Open& open) {
  const std::vector<PendingHeredoc> pending = std::exchange(open.heredocs, {});
  for (const PendingHeredoc& heredoc : pending) {
    read_heredoc(open, heredoc);
  }
}

void Scanner::read_heredoc(Open& open, const PendingHeredoc& pending) {
  Redirect& redirect = open.body.redirects[pending.redirect];
  const std::uint32_t begin = pos_;
  std::uint32_t body_end = end_;
  std::uint32_t closing_end = end_;
  std::uint32_t next = end_;
  for (std::uint32_t line = begin; line < end_;) {
    std::uint32_t at = line;
    while (redirect.heredoc_strips_tabs && at < end_ && text_[at] == '\t') {
      ++at;
    }
    const std::size_t newline = text_.substr(0, end_).find('\n', at);
    auto stop = newline == std::string_view::npos ? end_ : static_cast<std::uint32_t>(newline);
    if (raw(at, stop) == pending.delimiter) {
      body_end = line;
      closing_end = stop;
      next = stop < end_ ? stop + 1 : end_;
      break;
    }
    // Unless it is quoted, a line that ends in a backslash goes on in the next.
    while (!redirect.heredoc_quoted && stop < end_) {
      std::uint32_t slashes = 0;
      while (stop - slashes > at && text_[stop - slashes - 1] == '\\') {
        ++slashes;
      }
      if (slashes % 2 == 0) {
        break;
      }
      at = stop + 1;
      const std::size_t more = text_.substr(0, end_).find('\n', at);
      stop = more == std::string_view::npos ? end_ : static_cast<std::uint32_t>(more);
    }
    line = stop < end_ ? stop + 1 : end_;
  }
  const bool closed = closing_end < end_ || body_end < end_;
  if (!closed && !open.outermost) {
    problem(begin, "a here-document does not end");
  }
  redirect.heredoc_body = span(begin, body_end);
  open.body.redirect_ends[pending.redirect] =
      closed ? end_offset(begin, closing_end) : redirect.heredoc_body.end;
  heredoc_text(redirect, begin, body_end);
  pos_ = next;
}

void Scanner::heredoc_text(Redirect& redirect, std::uint32_t begin, std::uint32_t end) {
  if (begin == end) {
    return;
  }
  if (redirect.heredoc_quoted) {
    std::string text;
    std::uint32_t at = begin;
    while (at < end) {
      while (redirect.heredoc_strips_tabs && at < end && text_[at] == '\t') {
        ++at;
      }
      const std::size_t newline = text_.substr(0, end).find('\n', at);
      const auto stop =
          newline == std::string_view::npos ? end : static_cast<std::uint32_t>(newline) + 1;
      text += raw(at, stop);
      at = stop;
    }
    redirect.heredoc_parts.push_back({Literal{std::move(text), false, false}, span(begin, end)});
    return;
  }
  const std::uint32_t outer_end = std::exchange(end_, end);
  pos_ = begin;
  Builder builder(*this);
  double_quoted_text(builder, true, redirect.heredoc_strips_tabs);
  builder.take(redirect.heredoc_parts);
  end_ = outer_end;
}

} // namespace s2f::shell
