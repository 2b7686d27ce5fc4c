// What holds for every tree: places inside the text, inside one another and in order.
#pragma once

#include <algorithm>

#include "tests/shell/support.hpp"

namespace s2f::test {

class Checker {
public:
  explicit Checker(const Parsed& parsed)
      : size_(static_cast<std::uint32_t>(parsed.sources[source::SourceId{}].text.size())) {}

  bool script(const shell::Script& script) {
    const source::Span whole{source::SourceId{}, 0, size_};
    list(script.statements, whole);
    for (std::size_t i = 0; i < script.comments.size(); ++i) {
      inside(script.comments[i].span, whole);
      if (i > 0) {
        expect(script.comments[i - 1].span.end <= script.comments[i].span.begin);
      }
    }
    return good_;
  }

private:
  void expect(bool condition) { good_ = good_ && condition; }

  void inside(const source::Span& inner, const source::Span& outer) {
    expect(inner.begin <= inner.end);
    expect(outer.contains(inner));
  }

  static bool has_heredoc(const shell::Statement& statement, const source::Span& after) {
    // Its text may go on below what follows on its first line.
    return statement.span.end > after.begin;
  }

  void list(const std::vector<shell::Statement>& statements, const source::Span& outer) {
    for (std::size_t i = 0; i < statements.size(); ++i) {
      inside(statements[i].span, outer);
      if (i > 0) {
        expect(statements[i - 1].span.begin <= statements[i].span.begin);
        expect(statements[i - 1].span.end <= statements[i].span.begin ||
               has_heredoc(statements[i - 1], statements[i].span));
      }
      statement(statements[i]);
    }
  }

  void words(const std::vector<shell::Word>& list, const source::Span& outer) {
    for (const shell::Word& each : list) {
      word(each, outer);
    }
  }

  void word(const shell::Word& word, const source::Span& outer) {
    inside(word.span, outer);
    parts(word.parts, word.span);
  }

  void parts(const std::vector<shell::WordPart>& list_of_parts, const source::Span& outer) {
    std::uint32_t last = outer.begin;
    for (const shell::WordPart& part : list_of_parts) {
      inside(part.span, outer);
      expect(part.span.begin >= last);
      last = part.span.end;
      if (const auto* quoted = std::get_if<shell::DoubleQuoted>(&part.value)) {
        parts(quoted->parts, part.span);
      } else if (const auto* parameter = std::get_if<shell::Parameter>(&part.value)) {
        if (parameter->subscript) {
          word(**parameter->subscript, part.span);
        }
        words(parameter->arguments, part.span);
      } else if (const auto* command = std::get_if<shell::CommandSubstitution>(&part.value)) {
        list(command->body, part.span);
      } else if (const auto* process = std::get_if<shell::ProcessSubstitution>(&part.value)) {
        list(process->body, part.span);
      } else if (const auto* arithmetic = std::get_if<shell::Arithmetic>(&part.value)) {
        parts(arithmetic->expansions, part.span);
      } else if (const auto* brace = std::get_if<shell::BraceExpansion>(&part.value)) {
        words(brace->alternatives, part.span);
      }
    }
  }

  void assignments(const std::vector<shell::Assignment>& list, const source::Span& outer) {
    for (const shell::Assignment& each : list) {
      inside(each.span, outer);
      if (each.subscript) {
        word(**each.subscript, each.span);
      }
      if (each.value) {
        word(*each.value, each.span);
      }
      if (each.array) {
        words(*each.array, each.span);
      }
    }
  }

  void statement(const shell::Statement& each) {
    const source::Span& span = each.span;
    for (const shell::Redirect& redirect : each.redirects) {
      inside(redirect.span, span);
      word(redirect.target, redirect.span);
      if (redirect.kind == shell::RedirectKind::heredoc) {
        inside(redirect.heredoc_body, span);
        parts(redirect.heredoc_parts, redirect.heredoc_body);
      }
    }
    if (const auto* simple = shell::as_simple(each)) {
      assignments(simple->assignments, span);
      words(simple->words, span);
      assignments(simple->declared, span);
    } else if (const auto* pipeline = std::get_if<shell::Pipeline>(&each.value)) {
      list(pipeline->commands, span);
      expect(pipeline->pipes_stderr.size() + 1 == pipeline->commands.size());
    } else if (const auto* both = std::get_if<shell::AndOr>(&each.value)) {
      inside(both->left->span, span);
      inside(both->right->span, span);
      expect(both->left->span.begin <= both->right->span.begin);
      statement(*both->left);
      statement(*both->right);
    } else if (const auto* subshell = std::get_if<shell::Subshell>(&each.value)) {
      list(subshell->body, span);
    } else if (const auto* group = std::get_if<shell::Group>(&each.value)) {
      list(group->body, span);
    } else if (const auto* choice = std::get_if<shell::If>(&each.value)) {
      for (const shell::IfBranch& branch : choice->branches) {
        inside(branch.span, span);
        list(branch.condition, span);
        list(branch.body, span);
      }
    } else if (const auto* loop = std::get_if<shell::While>(&each.value)) {
      list(loop->condition, span);
      list(loop->body, span);
    } else if (const auto* items = std::get_if<shell::For>(&each.value)) {
      inside(items->variable_span, span);
      words(items->words, span);
      list(items->body, span);
    } else if (const auto* count = std::get_if<shell::ArithmeticFor>(&each.value)) {
      list(count->body, span);
    } else if (const auto* branches = std::get_if<shell::Case>(&each.value)) {
      word(branches->subject, span);
      for (const shell::CaseItem& item : branches->items) {
        inside(item.span, span);
        words(item.patterns, item.span);
        list(item.body, span);
      }
    } else if (const auto* function = std::get_if<shell::Function>(&each.value)) {
      inside(function->body->span, span);
      statement(*function->body);
    } else if (const auto* test = std::get_if<shell::Test>(&each.value)) {
      words(test->words, span);
    } else if (const auto* coprocess = std::get_if<shell::Coprocess>(&each.value)) {
      inside(coprocess->body->span, span);
      statement(*coprocess->body);
    }
  }

  std::uint32_t size_;
  bool good_ = true;
};

// Whether it holds for the tree of `text`, and each statement that could not be read is listed.
inline bool is_sound_tree(const std::string& text) {
  const Parsed parsed(text);
  bool lists_unparsed = true;
  for (const shell::Statement& each : parsed.script.statements) {
    if (std::holds_alternative<shell::Unparsed>(each.value)) {
      lists_unparsed = lists_unparsed && std::ranges::find(parsed.script.unparsed, each.span) !=
                                             parsed.script.unparsed.end();
    }
  }
  return lists_unparsed && Checker(parsed).script(parsed.script);
}

} // namespace s2f::test
