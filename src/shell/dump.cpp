// Prints the typed tree.
#include "shell/dump.hpp"

#include <string_view>

namespace s2f::shell {

namespace {

template <class... Visitors> struct Overloaded : Visitors... {
  using Visitors::operator()...;
};

std::string_view name_of(RedirectKind kind) {
  switch (kind) {
  case RedirectKind::input:
    return "<";
  case RedirectKind::output:
    return ">";
  case RedirectKind::append:
    return ">>";
  case RedirectKind::clobber:
    return ">|";
  case RedirectKind::input_output:
    return "<>";
  case RedirectKind::duplicate_input:
    return "<&";
  case RedirectKind::duplicate_output:
    return ">&";
  case RedirectKind::output_both:
    return "&>";
  case RedirectKind::append_both:
    return "&>>";
  case RedirectKind::heredoc:
    return "<<";
  case RedirectKind::herestring:
    return "<<<";
  }
  return "?";
}

class Printer {
public:
  explicit Printer(const source::Source* source) : source_(source) {}

  std::string take() { return std::move(out_); }

  void script(const Script& script) {
    out_ += "(script";
    statements(script.statements);
    for (const Comment& comment : script.comments) {
      line();
      out_ += comment.whole_line ? "(comment" : "(trailing-comment";
      place(comment.span);
      out_ += ')';
    }
    out_ += ")\n";
  }

  void word(const Word& word) {
    if (word.parts.size() == 1) {
      part(word.parts.front());
      return;
    }
    out_ += "(w";
    parts(word.parts);
    out_ += ')';
  }

private:
  void line() {
    out_ += '\n';
    out_.append(indent_, ' ');
  }

  void text(std::string_view value, char quote) {
    out_ += quote;
    for (const char c : value) {
      if (c == '\n') {
        out_ += "\\n";
      } else if (c == '\t') {
        out_ += "\\t";
      } else {
        if (c == quote || c == '\\') {
          out_ += '\\';
        }
        out_ += c;
      }
    }
    out_ += quote;
  }

  void place(const Span& span) {
    if (source_ == nullptr) {
      return;
    }
    auto add = [&](std::uint32_t offset) {
      const source::Position position = source_->position(offset);
      out_ += std::to_string(position.line) + ':' + std::to_string(position.column);
    };
    out_ += " @";
    add(span.begin);
    out_ += '-';
    add(span.end);
  }

  void statements(const std::vector<Statement>& list) {
    indent_ += 2;
    for (const Statement& each : list) {
      line();
      statement(each);
    }
    indent_ -= 2;
  }

  void block(std::string_view name, const std::vector<Statement>& list) {
    indent_ += 2;
    line();
    out_ += '(';
    out_ += name;
    statements(list);
    out_ += ')';
    indent_ -= 2;
  }

  void words(const std::vector<Word>& list) {
    for (const Word& each : list) {
      out_ += ' ';
      word(each);
    }
  }

  void parts(const std::vector<WordPart>& list) {
    for (const WordPart& each : list) {
      out_ += ' ';
      part(each);
    }
  }

  void assignments(const std::vector<Assignment>& list, std::string_view name) {
    for (const Assignment& each : list) {
      out_ += " (";
      out_ += name;
      out_ += ' ' + each.name;
      if (each.subscript) {
        out_ += '[';
        word(**each.subscript);
        out_ += ']';
      }
      if (each.append) {
        out_ += " +";
      }
      if (each.value) {
        out_ += ' ';
        word(*each.value);
      }
      if (each.array) {
        out_ += " (array";
        words(*each.array);
        out_ += ')';
      }
      out_ += ')';
    }
  }

  void redirects(const std::vector<Redirect>& list) {
    for (const Redirect& each : list) {
      out_ += " (";
      if (each.descriptor) {
        out_ += std::to_string(*each.descriptor);
      }
      if (each.variable) {
        out_ += '{' + *each.variable + '}';
      }
      out_ += name_of(each.kind);
      if (each.heredoc_strips_tabs) {
        out_ += '-';
      }
      out_ += ' ';
      word(each.target);
      if (each.kind == RedirectKind::heredoc) {
        out_ += " (body";
        place(each.heredoc_body);
        parts(each.heredoc_parts);
        out_ += ')';
      }
      out_ += ')';
    }
  }

  void arithmetic(const Arithmetic& value) {
    text(value.expression, '"');
    if (value.assigns) {
      out_ += " assigns";
    }
    for (const std::string& name : value.variables) {
      out_ += ' ' + name;
    }
    for (const WordPart& each : value.expansions) {
      out_ += ' ';
      part(each);
    }
  }

  void parameter(const Parameter& value) {
    if (!value.braced) {
      out_ += '$' + value.name;
      return;
    }
    out_ += "(${} ";
    if (value.length) {
      out_ += "length ";
    }
    if (value.indirect) {
      out_ += "indirect ";
    }
    out_ += value.name;
    if (value.subscript) {
      out_ += '[';
      word(**value.subscript);
      out_ += ']';
    }
    if (!value.op.empty()) {
      out_ += ' ' + value.op;
    }
    words(value.arguments);
    out_ += ')';
  }

  void part(const WordPart& part) {
    std::visit(Overloaded{
                   [&](const Literal& value) {
                     text(value.value, '"');
                     if (value.globs) {
                       out_ += '*';
                     }
                     if (value.escaped) {
                       out_ += '\\';
                     }
                   },
                   [&](const SingleQuoted& value) { text(value.value, '\''); },
                   [&](const AnsiQuoted& value) {
                     out_ += '$';
                     text(value.value, '\'');
                   },
                   [&](const DoubleQuoted& value) {
                     out_ += "(dq";
                     parts(value.parts);
                     out_ += ')';
                   },
                   [&](const Parameter& value) { parameter(value); },
                   [&](const CommandSubstitution& value) {
                     out_ += value.backquoted ? "(`" : "($(";
                     if (value.reads_file) {
                       out_ += " reads-file";
                     }
                     statements(value.body);
                     out_ += value.backquoted ? "`)" : "))";
                   },
                   [&](const Arithmetic& value) {
                     out_ += "($(( ";
                     arithmetic(value);
                     out_ += ')';
                   },
                   [&](const ProcessSubstitution& value) {
                     out_ += '(';
                     out_ += value.direction;
                     out_ += '(';
                     statements(value.body);
                     out_ += "))";
                   },
                   [&](const BraceExpansion& value) {
                     out_ += "(brace";
                     words(value.alternatives);
                     if (value.range) {
                       out_ += " range " + value.range->first + ' ' + value.range->second;
                     }
                     if (value.step) {
                       out_ += " step " + *value.step;
                     }
                     out_ += ')';
                   },
                   [&](const Tilde& value) {
                     out_ += value.user.empty() ? "(tilde)" : "(tilde " + value.user + ')';
                   },
               },
               part.value);
  }

  void statement(const Statement& each) {
    out_ += '(';
    if (each.negated) {
      out_ += "! ";
    }
    if (each.timed) {
      out_ += "time ";
    }
    std::visit(Overloaded{
                   [&](const SimpleCommand& value) {
                     head("simple", each);
                     assignments(value.assignments, "set");
                     words(value.words);
                     assignments(value.declared, "declare");
                     redirects(each.redirects);
                   },
                   [&](const Pipeline& value) {
                     head("pipeline", each);
                     for (std::size_t i = 0; i < value.pipes_stderr.size(); ++i) {
                       if (value.pipes_stderr[i]) {
                         out_ += " |&" + std::to_string(i + 1);
                       }
                     }
                     statements(value.commands);
                   },
                   [&](const AndOr& value) {
                     head(value.is_and ? "and" : "or", each);
                     indent_ += 2;
                     line();
                     statement(*value.left);
                     line();
                     statement(*value.right);
                     indent_ -= 2;
                   },
                   [&](const Subshell& value) {
                     head("subshell", each);
                     redirects(each.redirects);
                     statements(value.body);
                   },
                   [&](const Group& value) {
                     head("group", each);
                     redirects(each.redirects);
                     statements(value.body);
                   },
                   [&](const If& value) {
                     head("if", each);
                     redirects(each.redirects);
                     for (std::size_t i = 0; i < value.branches.size(); ++i) {
                       const IfBranch& branch = value.branches[i];
                       if (value.has_else && i + 1 == value.branches.size()) {
                         block("else", branch.body);
                       } else {
                         block("condition", branch.condition);
                         block("then", branch.body);
                       }
                     }
                   },
                   [&](const While& value) {
                     head(value.until ? "until" : "while", each);
                     redirects(each.redirects);
                     block("condition", value.condition);
                     block("do", value.body);
                   },
                   [&](const For& value) {
                     head(value.select ? "select" : "for", each);
                     out_ += ' ' + value.variable;
                     if (value.in) {
                       out_ += " in";
                     }
                     words(value.words);
                     redirects(each.redirects);
                     statements(value.body);
                   },
                   [&](const ArithmeticFor& value) {
                     head("for((", each);
                     for (const std::string* field : {&value.init, &value.condition, &value.step}) {
                       out_ += ' ';
                       text(*field, '"');
                     }
                     redirects(each.redirects);
                     statements(value.body);
                   },
                   [&](const Case& value) {
                     head("case", each);
                     out_ += ' ';
                     word(value.subject);
                     redirects(each.redirects);
                     indent_ += 2;
                     for (const CaseItem& item : value.items) {
                       line();
                       out_ += "(item";
                       words(item.patterns);
                       out_ += ' ' + (item.terminator.empty() ? "-" : item.terminator);
                       statements(item.body);
                       out_ += ')';
                     }
                     indent_ -= 2;
                   },
                   [&](const Function& value) {
                     head("function", each);
                     out_ += ' ' + value.name;
                     indent_ += 2;
                     line();
                     statement(*value.body);
                     indent_ -= 2;
                   },
                   [&](const Test& value) {
                     head("test", each);
                     out_ += ' ';
                     text(value.expression, '"');
                     words(value.words);
                     redirects(each.redirects);
                   },
                   [&](const ArithmeticCommand& value) {
                     head("arithmetic", each);
                     out_ += ' ';
                     arithmetic(value.arithmetic);
                     redirects(each.redirects);
                   },
                   [&](const Coprocess& value) {
                     head("coproc", each);
                     out_ += ' ' + value.name;
                     indent_ += 2;
                     line();
                     statement(*value.body);
                     indent_ -= 2;
                   },
                   [&](const Unparsed& value) {
                     head("unparsed", each);
                     out_ += ' ';
                     text(value.why, '"');
                   },
               },
               each.value);
    if (each.background) {
      out_ += " &";
    }
    out_ += ')';
  }

  void head(std::string_view name, const Statement& statement) {
    out_ += name;
    place(statement.span);
  }

  const source::Source* source_;
  std::string out_;
  std::size_t indent_ = 0;
};

} // namespace

std::string dump(const Script& script, const source::Source& source) {
  Printer printer(&source);
  printer.script(script);
  return printer.take();
}

std::string dump(const Word& word) {
  Printer printer(nullptr);
  printer.word(word);
  return printer.take();
}

} // namespace s2f::shell
