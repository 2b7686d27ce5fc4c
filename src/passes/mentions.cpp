// The text of a statement in which a name may be one of the shell's variables.
//
// before:  awk '{n += $1} END {print n}' data.txt   # n lines
// after:   awk
//
// A program gets its words as they stand there, and no shell reads a comment: a name there is no
// variable's, whatever it looks like. In a word of the shell's own commands it may be: `read n`,
// `[[ n -lt 2 ]]`, `trap 'echo $n' EXIT`.
#include <algorithm>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "generated/tables/builtins.hpp"
#include "passes/kept_facts.hpp"

namespace s2f::passes {

namespace {

bool plain_part(const shell::WordPart& part) {
  return std::holds_alternative<shell::Literal>(part.value) ||
         std::holds_alternative<shell::SingleQuoted>(part.value) ||
         std::holds_alternative<shell::AnsiQuoted>(part.value);
}

void blank_plain(const std::vector<shell::WordPart>& parts,
                 const std::function<void(source::Span)>& blank) {
  for (const shell::WordPart& part : parts) {
    if (const auto* quoted = std::get_if<shell::DoubleQuoted>(&part.value)) {
      blank_plain(quoted->parts, blank);
    } else if (plain_part(part)) {
      blank(part.span);
    }
  }
}

} // namespace

std::string text_with_names(const PassContext& context, const shell::Statement& statement,
                            const std::set<std::string>& functions) {
  std::string text = context.text(statement.span);
  if (text.size() != statement.span.size()) {
    return text; // a secret has gone
  }
  const auto blank = [&](source::Span span) {
    if (statement.span.contains(span)) {
      std::fill_n(text.begin() + (span.begin - statement.span.begin), span.size(), ' ');
    }
  };
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& inner) {
    const auto* command = shell::as_simple(inner);
    const auto name = command != nullptr ? analysis::command_name(*command) : std::nullopt;
    const bool program = name && !name->empty() && !functions.contains(*name) &&
                         (*name == "echo" || tables::find_builtins(*name) == nullptr);
    for (std::size_t i = 1; program && i < command->words.size(); ++i) {
      blank_plain(command->words[i].parts, blank);
    }
  };
  analysis::walk(statement, visitor);
  if (context.job.script) {
    for (const shell::Comment& comment : context.job.script->comments) {
      blank(comment.span);
    }
  }
  return text;
}

} // namespace s2f::passes
