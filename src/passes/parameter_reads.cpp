// Lets all reads of a variable follow the parameter that stands for one of them.
//
// before:  N=16                        after:  n: int = 16
//          echo "Size: $N"                     print(f"Size: {n}")
//          python fit.py --n $N                run(..., "--n", n)
//
// Where one of them cannot, as it is a part of another variable, no parameter is made.
#include "passes/parameter_reads.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "ir/steps.hpp"

namespace s2f::passes {

namespace {

bool name_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Where `$name` or `${name...}` begins, from `from` on.
std::size_t find_read(std::string_view text, std::string_view name, std::size_t from) {
  for (auto at = text.find('$', from); at != std::string_view::npos; at = text.find('$', at + 1)) {
    const std::size_t begin = at + (text.substr(at + 1).starts_with('{') ? 2 : 1);
    const std::string_view rest = text.substr(std::min(begin, text.size()));
    if (rest.starts_with(name) &&
        (rest.size() == name.size() || !name_character(rest[name.size()]))) {
      return at;
    }
  }
  return std::string_view::npos;
}

// The end of `$name` or `${name}` that begins there; nothing for `${name:-x}` and its like.
std::optional<std::size_t> end_of_read(std::string_view text, std::string_view name,
                                       std::size_t at) {
  if (!text.substr(at + 1).starts_with('{')) {
    return at + 1 + name.size();
  }
  const std::size_t end = at + 2 + name.size();
  return text.substr(end).starts_with('}') ? std::optional(end + 1) : std::nullopt;
}

// The word with the parameter in the variable's place; nothing where that is not all there is to
// it.
std::optional<ir::Value> followed(std::string word, const ir::Value& value,
                                  const ParameterRead& read, const std::string& name) {
  const auto text = value.text();
  std::erase(word, '"');
  if (!text || !read.exact || word.find_first_of("'\\`") != std::string::npos) {
    return std::nullopt;
  }
  ir::Value result;
  result.span = value.span;
  std::string whole;
  std::size_t from = 0;
  for (auto at = find_read(word, read.variable, 0); at != std::string::npos;
       at = find_read(word, read.variable, from)) {
    const auto end = end_of_read(word, read.variable, at);
    if (!end) {
      return std::nullopt;
    }
    const std::string before = word.substr(from, at - from);
    whole += before + read.value;
    if (!before.empty()) {
      result.append(ir::Text{before});
    }
    result.append(ir::ParameterRef{name});
    from = *end;
  }
  const std::string rest = word.substr(from);
  whole += rest;
  if (!rest.empty()) {
    result.append(ir::Text{rest});
  }
  return whole == *text ? std::optional(std::move(result)) : std::nullopt;
}

// Offers the words that a program is given or the task prints.
template <typename Take> void for_words(ir::Job& job, const Take& take) {
  ir::for_each_step(job.body, [&](ir::Step& step) {
    if (auto* launch = std::get_if<ir::Launch>(&step.value)) {
      for (ir::Value& word : launch->words) {
        take(word);
      }
    } else if (auto* echo = std::get_if<ir::Echo>(&step.value)) {
      for (ir::Value& word : echo->words) {
        take(word);
      }
    }
  });
}

// Whether arithmetic or `export` name the variable, which needs no `$` there.
bool named_otherwise(std::string_view text, std::string_view name) {
  for (auto at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool whole = (at == 0 || (!name_character(text[at - 1]) && text[at - 1] != '-')) &&
                       (end >= text.size() || !name_character(text[end]));
    const auto line = text.substr(0, at).rfind('\n');
    const std::string_view before =
        text.substr(line == std::string_view::npos ? 0 : line + 1,
                    at - (line == std::string_view::npos ? 0 : line + 1));
    if (whole && (before.find("((") != std::string_view::npos ||
                  before.find("export ") != std::string_view::npos ||
                  before.find("declare ") != std::string_view::npos)) {
      return true;
    }
  }
  return false;
}

} // namespace

std::string variable_of_word(std::string_view word) {
  if (word.starts_with("--")) {
    const auto equals = word.find('=');
    word.remove_prefix(equals == std::string_view::npos ? word.size() : equals + 1);
  }
  std::string name(word);
  std::erase_if(name, [](char c) { return c == '"' || c == '{' || c == '}'; });
  if (!name.starts_with('$') || name.size() < 2 ||
      !std::ranges::all_of(name.substr(1), name_character)) {
    return {};
  }
  return name.substr(1);
}

bool reads_follow(PassContext& context, const ParameterRead& read, const std::string& name) {
  ir::Job& job = context.job;
  const std::string_view text = context.sources[job.source].text;
  if (read.variable.empty()) {
    return true;
  }
  if (named_otherwise(text, read.variable)) {
    return false;
  }
  std::vector<Span> can = read.own;
  for_words(job, [&](ir::Value& word) {
    if (word.span.source != job.source || word.span.size() == 0 ||
        std::ranges::find(read.own, word.span) != read.own.end()) {
      return;
    }
    const std::string written = context.text(word.span);
    if (find_read(written, read.variable, 0) == std::string::npos) {
      return;
    }
    if (auto value = followed(written, word, read, name)) {
      can.push_back(word.span);
      if (!name.empty()) {
        value->unquoted = false; // a number, or a word without blanks
        word = std::move(*value);
      }
    }
  });
  for (auto at = find_read(text, read.variable, 0); at != std::string_view::npos;
       at = find_read(text, read.variable, at + 1)) {
    const auto here = static_cast<std::uint32_t>(at);
    const auto holds = [&](const Span& span) { return span.begin <= here && here < span.end; };
    if (std::ranges::none_of(can, holds) &&
        std::ranges::none_of(job.script->comments,
                             [&](const shell::Comment& each) { return holds(each.span); })) {
      return false;
    }
  }
  return true;
}

} // namespace s2f::passes
