// What a program reads: a file, or a text that stands in the script.
//
// before:  mail -s done me <<< "$JOB is over"
// after:   Launch{mail -s done me, input text "<job> is over\n"}
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "passes/launcher_words.hpp"
#include "passes/lifting.hpp"

namespace s2f::passes {

namespace {

// The text of a heredoc as a word in double quotes, which expands the same.
shell::Word heredoc_word(const shell::Redirect& redirect) {
  shell::Word word;
  word.span = redirect.heredoc_body;
  word.parts.push_back({shell::DoubleQuoted{redirect.heredoc_parts}, redirect.heredoc_body});
  return word;
}

// Whether the program is a shell.
bool runs_text(const ir::Launch& launch) {
  static constexpr std::array shells{"bash", "sh", "zsh", "ksh", "dash"};
  return std::ranges::any_of(launch.words, [](const ir::Value& word) {
    const std::string text = word.text().value_or("");
    const std::string name = text.substr(text.find_last_of('/') + 1);
    return std::ranges::any_of(shells, [&](const char* shell) { return name == shell; });
  });
}

} // namespace

std::string Lifting::input(const shell::Redirect& redirect, ir::Launch& launch) {
  if (redirect.descriptor.value_or(0) != 0) {
    return "a redirection of another descriptor";
  }
  if (launch.input) {
    return "two redirections of one stream";
  }
  ir::Input result;
  result.span = redirect.span;
  result.text = redirect.kind != shell::RedirectKind::input;
  if (redirect.kind == shell::RedirectKind::heredoc) {
    result.value = scope_.assigned(heredoc_word(redirect));
  } else if (redirect.kind == shell::RedirectKind::herestring) {
    result.value = scope_.assigned(redirect.target);
    result.value.append(ir::Text{"\n"});
  } else {
    result.value = scope_.value_of(redirect.target);
    if (result.value.text() == "/dev/null") {
      return {}; // it is that already
    }
    if (result.value.parts.empty() || may_split(result.value)) {
      return "a redirection from a file that may be none";
    }
  }
  if (!result.value.known()) {
    return why_unknown(result.value);
  }
  if (result.text && runs_text(launch)) {
    for (const ir::ValuePart& part : result.value.parts) {
      const auto* text = std::get_if<ir::Text>(&part);
      const auto word =
          text == nullptr ? std::nullopt : launcher_word(text->text, LauncherWords::any);
      if (word) {
        return fmt::format("a call of {}", *word);
      }
    }
  }
  if (result.text) { // `bash <<EOF ... $SLURM_...`
    for (const ir::ValuePart& part : result.value.parts) {
      if (const auto* text = std::get_if<ir::Text>(&part)) {
        job_.slurm_payload.merge(slurm_names(text->text));
      }
    }
  } else if (const auto path = result.value.text()) {
    include(*path);
  }
  launch.input = std::move(result);
  return {};
}

} // namespace s2f::passes
