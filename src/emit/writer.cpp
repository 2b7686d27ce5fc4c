// Writes statements: lays each out, and moves a comment that does not fit in its line above it.
#include "emit/writer.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "emit/text.hpp"

namespace s2f::emit {

namespace {

std::string blanks(std::uint32_t indent) {
  return std::string(std::size_t{indent} * indent_width, ' ');
}

bool is_breakable_type(const Node& type) {
  return type.kind == Node::Kind::subscript || type.kind == Node::Kind::arithmetic;
}

bool is_breakable_target(const Node& target) {
  return target.kind == Node::Kind::subscript || target.kind == Node::Kind::tuple;
}

} // namespace

void Writer::comments(const std::vector<flyte::Paragraph>& paragraphs, std::uint32_t indent) {
  for (const flyte::Paragraph& paragraph : paragraphs) {
    if (paragraph.verbatim) {
      line(blanks(indent) + written_comment(paragraph.text));
      lines.back().spans.push_back(paragraph.span);
      continue;
    }
    for (const std::string& wrapped :
         wrap_comment(paragraph.text, line_width - indent * indent_width)) {
      line(blanks(indent) + wrapped);
      if (paragraph.cites) {
        lines.back().spans.push_back(paragraph.span);
      }
    }
  }
}

// Comments that say themselves what they came from have that place alone.
void Writer::cite_rest(const flyte::Notes& notes, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    if (lines[i].spans.empty()) {
      lines[i].spans = notes.spans;
    }
  }
}

// As above; but what has no line of its own has all of them.
void Writer::cite_all(const flyte::Notes& notes, std::size_t begin) {
  const auto none = [](const Line& line) { return line.spans.empty(); };
  if (std::any_of(lines.begin() + static_cast<std::ptrdiff_t>(begin), lines.end(), none)) {
    cite_rest(notes, begin, lines.size());
    return;
  }
  for (std::size_t i = begin; i < lines.size(); ++i) {
    lines[i].spans.insert(lines[i].spans.end(), notes.spans.begin(), notes.spans.end());
  }
}

void Writer::block(const flyte::Notes& notes, std::string_view text, std::uint32_t indent) {
  const std::size_t from = lines.size();
  Moved moved;
  moved.above.insert(&notes);
  comments(comments_of(notes, moved).above, indent);
  std::size_t at = 0;
  while (true) {
    const std::size_t end = text.find('\n', at);
    line(std::string(text.substr(at, end - at)));
    if (end == std::string_view::npos) {
      break;
    }
    at = end + 1;
  }
  cite_all(notes, from);
}

void Writer::lay_out(const flyte::Notes& notes, std::uint32_t indent, const Build& build) {
  Moved moved;
  while (true) {
    const Comments own = comments_of(notes, moved);
    Layout layout;
    Ending ending{own.trailing, {}};
    build(layout, moved, ending);
    const auto pieces = static_cast<std::uint32_t>(layout.pieces.size());
    const Printed printed = print(std::move(layout.document), indent, pieces);

    bool again = false;
    const auto move = [&](const flyte::Notes* from,
                          const std::vector<const flyte::Notes*>& lifted) {
      if (lifted.empty()) {
        again |= moved.above.insert(from).second;
      } else {
        for (const flyte::Notes* each : lifted) {
          again |= moved.lowered.insert(each).second;
        }
      }
    };
    if (!ending.trailing.empty() &&
        (printed.lines.size() > 1 || display_width(printed.lines[0]) > line_width)) {
      move(&notes, ending.lifted);
    }
    for (std::uint32_t i = 0; i < pieces && !again; ++i) {
      const PiecePlace& place = printed.pieces[i];
      if (layout.pieces[i].has_trailing &&
          (place.first != place.last || display_width(printed.lines[place.last]) > line_width)) {
        move(layout.pieces[i].notes, layout.pieces[i].lifted);
      }
    }
    for (const auto& [comma, list] : layout.commas) {
      if (list != nullptr && printed.pieces[comma].printed) {
        again |= moved.exploded.insert(list).second;
      }
    }
    if (again) {
      continue;
    }

    const std::size_t from = lines.size();
    comments(own.above, indent);
    const std::size_t first = lines.size();
    for (const std::string& text : printed.lines) {
      line(text);
    }
    const auto cite = [&](const flyte::Notes* cited, std::size_t begin, std::size_t end) {
      if (cited == nullptr) {
        return;
      }
      for (std::size_t i = begin; i < end; ++i) {
        lines[i].spans.insert(lines[i].spans.end(), cited->spans.begin(), cited->spans.end());
      }
    };
    cite_rest(notes, from, first);
    cite(&notes, first, lines.size());
    for (const flyte::Notes* each : ending.lifted) {
      cite(each, first, lines.size());
    }
    for (std::uint32_t i = 0; i < pieces; ++i) {
      const PiecePlace& place = printed.pieces[i];
      cite(layout.pieces[i].notes, first + place.from, first + place.last + 1);
      for (const flyte::Notes* each : layout.pieces[i].lifted) {
        if (each != layout.pieces[i].notes) {
          cite(each, first + place.from, first + place.last + 1);
        }
      }
    }
    return;
  }
}

namespace {

// The value of a statement; where the statement has no comment of its own it takes the one that the
// value hands up.
template <typename Ending>
Node value_of(const flyte::Expr& expr, const Moved& moved, Ending& ending) {
  if (!ending.trailing.empty()) {
    return to_node(expr, moved);
  }
  Lifted lifted;
  Node node = to_node(expr, moved, &lifted);
  ending.trailing = lifted.trailing;
  ending.lifted = lifted.notes;
  return node;
}

void end_comment(Layout& layout, std::string_view trailing) {
  if (!trailing.empty()) {
    layout.document.trailing_comment(trailing);
  }
}

} // namespace

void Writer::assignment(const flyte::Assign& assign, const flyte::Notes& notes,
                        std::uint32_t indent, bool exploded) {
  lay_out(notes, indent, [&](Layout& layout, const Moved& moved, Ending& ending) {
    Node value = value_of(assign.value, moved, ending);
    value.exploded |= exploded && value.items.size() > 1;
    Node target = parse_reference(assign.target, moved);
    if (!assign.type.empty()) {
      layout.document.text(assign.target + ": ");
      Node type = parse_reference(assign.type, moved);
      if (is_breakable_type(type)) {
        layout.assignment_to_breakable(type, value, ending.trailing);
        return;
      }
      layout.document.text(assign.type);
    } else if (is_breakable_target(target)) {
      layout.assignment_to_breakable(target, value, ending.trailing);
      return;
    } else {
      layout.document.text(assign.target);
    }
    layout.document.text(" " + assign.op + "= ");
    layout.last_expression(value, ending.trailing);
  });
}

void Writer::decorator(const flyte::Expr& expr, const flyte::Notes& notes) {
  lay_out(notes, 0, [&](Layout& layout, const Moved& moved, Ending& ending) {
    Node value = value_of(expr, moved, ending);
    layout.document.text("@");
    layout.optional_parentheses_kept(value, Parent::plain_statement);
    end_comment(layout, ending.trailing);
  });
}

void Writer::function(std::string_view name, const std::vector<flyte::Parameter>& parameters,
                      std::string_view returns, bool is_async, const flyte::Notes& notes,
                      std::uint32_t indent) {
  lay_out(notes, indent, [&](Layout& layout, const Moved& moved, Ending& ending) {
    std::vector<Layout::Parameter> list;
    for (const flyte::Parameter& parameter : parameters) {
      Layout::Parameter& each = list.emplace_back();
      each.name = parameter.name;
      each.has_type = !parameter.type.empty();
      if (each.has_type) {
        each.type = parse_reference(parameter.type, moved);
      }
      each.has_default = parameter.default_.has_value();
      if (parameter.default_) {
        each.default_ = to_node(*parameter.default_, moved);
      }
      each.notes = &parameter.notes;
      Comments comments = comments_of(parameter.notes, moved);
      each.above = std::move(comments.above);
      each.trailing = std::move(comments.trailing);
    }
    // The only comment goes to the end of the line, if the whole head fits in one.
    const auto commented = [](const Layout::Parameter& each) {
      return !each.trailing.empty() || !each.above.empty();
    };
    const auto only = std::ranges::find_if(list, commented);
    if (only != list.end() && std::ranges::count_if(list, commented) == 1 && only->above.empty() &&
        !moved.lowered.contains(only->notes)) {
      ending.trailing = std::exchange(only->trailing, {});
      ending.lifted = {only->notes};
    }
    layout.document.text(is_async ? "async def " : "def ");
    layout.document.text(name);
    Node type = parse_reference(returns, moved);
    layout.signature(list, type);
    layout.document.text(":");
    end_comment(layout, ending.trailing);
  });
}

void Writer::expression(std::string_view before, const flyte::Expr& expr, std::uint32_t indent) {
  const flyte::Notes none;
  lay_out(none, indent, [&](Layout& layout, const Moved& moved, Ending& ending) {
    Node value = value_of(expr, moved, ending);
    layout.document.text(before);
    layout.last_expression(value, ending.trailing);
  });
}

void Writer::docstring(std::string_view text, std::uint32_t indent) {
  std::vector<std::string> paragraphs;
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t end = std::min(text.find("\n\n", at), text.size());
    std::string paragraph = docstring_text(one_line(text.substr(at, end - at)));
    if (!paragraph.empty()) {
      paragraphs.push_back(std::move(paragraph));
    }
    at = end + 2;
  }
  if (paragraphs.empty()) {
    return;
  }
  const std::uint32_t room = line_width - indent * indent_width;
  std::vector<std::string> out = docstring_opening(paragraphs[0], room, paragraphs.size() == 1);
  for (std::size_t i = 1; i < paragraphs.size(); ++i) {
    out.emplace_back();
    const auto wrapped = wrap_text(paragraphs[i], room, room);
    out.insert(out.end(), wrapped.begin(), wrapped.end());
  }
  for (std::string& each : out) {
    line(each.empty() ? "" : blanks(indent) + each);
  }
  close_docstring(out.size() == 1, indent);
}

void Writer::close_docstring(bool one_line, std::uint32_t indent) {
  if (one_line) {
    lines.back().text += "\"\"\"";
  } else {
    line(blanks(indent) + "\"\"\"");
  }
}

void Writer::statements(const std::vector<flyte::Stmt>& statements, std::uint32_t indent) {
  bool first = true;
  bool function = false; // blank lines stand around one
  for (const flyte::Stmt& each : statements) {
    const bool now = std::holds_alternative<flyte::FunctionDef>(each.value);
    if ((now && !first) || function) {
      line("");
    }
    statement(each, indent);
    function = now;
    first = false;
  }
}

void Writer::statement(const flyte::Stmt& statement, std::uint32_t indent) {
  std::visit([&](const auto& value) { visit(value, statement.notes, indent); }, statement.value);
}

// The body of a compound statement; Python wants a statement in it.
void Writer::suite(const std::vector<flyte::Stmt>& body, std::uint32_t indent) {
  statements(body, indent);
  const bool empty = std::ranges::all_of(body, [](const flyte::Stmt& each) {
    return std::holds_alternative<flyte::CommentOnly>(each.value);
  });
  if (empty) {
    line(blanks(indent) + "pass");
  }
}

void Writer::header(const flyte::Notes& notes, std::uint32_t indent,
                    const std::function<void(Layout&, const Moved&)>& build) {
  lay_out(notes, indent, [&](Layout& layout, const Moved& moved, Ending& ending) {
    build(layout, moved);
    layout.document.text(":");
    end_comment(layout, ending.trailing);
  });
}

void Writer::visit(const flyte::Assign& value, const flyte::Notes& notes, std::uint32_t indent) {
  assignment(value, notes, indent);
}

void Writer::visit(const flyte::ExprStmt& value, const flyte::Notes& notes, std::uint32_t indent) {
  lay_out(notes, indent, [&](Layout& layout, const Moved& moved, Ending& ending) {
    Node node = value_of(value.value, moved, ending);
    if (node.kind == Node::Kind::arithmetic && (node.text == "+" || node.text == "-")) {
      layout.optional_parentheses_kept(node, Parent::none);
    } else if (node.kind == Node::Kind::named) {
      node.parenthesized = true;
      layout.expression(node);
    } else {
      layout.expression(node);
    }
    end_comment(layout, ending.trailing);
  });
}

void Writer::visit(const flyte::Return& value, const flyte::Notes& notes, std::uint32_t indent) {
  if (!value.value) {
    keyword("return", notes, indent);
    return;
  }
  lay_out(notes, indent, [&](Layout& layout, const Moved& moved, Ending& ending) {
    Node node = value_of(*value.value, moved, ending);
    layout.document.text("return ");
    layout.last_expression(node, ending.trailing);
  });
}

void Writer::visit(const flyte::Raise& value, const flyte::Notes& notes, std::uint32_t indent) {
  lay_out(notes, indent, [&](Layout& layout, const Moved& moved, Ending& ending) {
    const auto* name = std::get_if<flyte::Name>(&value.value.value);
    if (name != nullptr && name->dotted.empty()) { // what is being handled
      layout.document.text("raise");
      end_comment(layout, ending.trailing);
      return;
    }
    layout.document.text("raise ");
    Node node = to_node(value.value, moved);
    layout.optional_parentheses_kept(node, Parent::none);
    if (value.cause) {
      Node cause = to_node(*value.cause, moved);
      layout.document.text(" from ");
      layout.optional_parentheses_kept(cause, Parent::none);
    }
    end_comment(layout, ending.trailing);
  });
}

void Writer::visit(const flyte::IfStmt& value, const flyte::Notes& notes, std::uint32_t indent) {
  bool first = true;
  for (const flyte::Branch& branch : value.branches) {
    // The first branch shares the statement's notes.
    flyte::Notes both = branch.notes;
    if (first) {
      both.above.insert(both.above.begin(), notes.above.begin(), notes.above.end());
      if (both.trailing.empty()) {
        both.trailing = notes.trailing;
      } else if (!notes.trailing.empty()) {
        both.above.push_back(notes.trailing);
      }
      both.spans.insert(both.spans.end(), notes.spans.begin(), notes.spans.end());
    }
    header(both, indent, [&](Layout& layout, const Moved& moved) {
      if (!branch.condition) {
        layout.document.text(first ? "if True" : "else");
        return;
      }
      layout.document.text(first ? "if " : "elif ");
      Node condition = to_node(*branch.condition, moved);
      layout.optional_parentheses(condition, Parent::none);
    });
    suite(branch.body, indent + 1);
    first = false;
  }
}

void Writer::visit(const flyte::ForStmt& value, const flyte::Notes& notes, std::uint32_t indent) {
  header(notes, indent, [&](Layout& layout, const Moved& moved) {
    layout.document.text(value.is_async ? "async for " : "for ");
    Node target = parse_reference(value.target, moved);
    layout.loop_target(target);
    layout.document.text(" in ");
    Node iterable = to_node(value.iterable, moved);
    layout.optional_parentheses(iterable, Parent::plain_statement);
  });
  suite(value.body, indent + 1);
}

namespace {

// A `with` and those that stand alone in each other: one statement.
std::vector<const flyte::WithStmt*> joined(const flyte::WithStmt& outer) {
  std::vector<const flyte::WithStmt*> all{&outer};
  while (all.back()->body.size() == 1) {
    const flyte::Stmt& only = all.back()->body.front();
    const auto* inner = std::get_if<flyte::WithStmt>(&only.value);
    if (inner == nullptr || inner->is_async != outer.is_async || inner->as.empty() ||
        outer.as.empty() || !only.notes.above.empty() || !only.notes.trailing.empty()) {
      break;
    }
    all.push_back(inner);
  }
  return all;
}

} // namespace

void Writer::visit(const flyte::WhileStmt& value, const flyte::Notes& notes, std::uint32_t indent) {
  header(notes, indent, [&](Layout& layout, const Moved& moved) {
    layout.document.text("while ");
    Node condition = to_node(value.condition, moved);
    layout.optional_parentheses(condition, Parent::none);
  });
  suite(value.body, indent + 1);
}

void Writer::visit(const flyte::WithStmt& value, const flyte::Notes& notes, std::uint32_t indent) {
  if (const auto all = joined(value); all.size() > 1) {
    header(notes, indent, [&](Layout& layout, const Moved& moved) {
      layout.document.text(value.is_async ? "async with " : "with ");
      std::vector<std::pair<Node, std::string_view>> contexts;
      contexts.reserve(all.size());
      for (const flyte::WithStmt* each : all) {
        contexts.emplace_back(to_node(each->context, moved), each->as);
      }
      layout.with_targets(contexts);
    });
    suite(all.back()->body, indent + 1);
    return;
  }
  header(notes, indent, [&](Layout& layout, const Moved& moved) {
    layout.document.text(value.is_async ? "async with " : "with ");
    Node context = to_node(value.context, moved);
    if (value.as.empty()) {
      layout.optional_parentheses(context, Parent::plain_statement);
    } else {
      layout.with_target(context, value.as);
    }
  });
  suite(value.body, indent + 1);
}

void Writer::visit(const flyte::TryStmt& value, const flyte::Notes& notes, std::uint32_t indent) {
  if (value.handlers.empty() && value.finally.empty()) {
    visit(flyte::CommentOnly{}, notes, indent);
    statements(value.body, indent);
    return;
  }
  header(notes, indent, [](Layout& layout, const Moved&) { layout.document.text("try"); });
  suite(value.body, indent + 1);
  const flyte::Notes none;
  for (const flyte::Handler& handler : value.handlers) {
    header(none, indent, [&](Layout& layout, const Moved& moved) {
      layout.document.text("except");
      if (handler.exception.empty()) {
        return;
      }
      layout.document.text(" ");
      Node exception = parse_reference(handler.exception, moved);
      exception.bare = false;
      layout.optional_parentheses(exception, Parent::plain_statement);
      if (!handler.as.empty()) {
        layout.document.text(" as ");
        layout.document.text(handler.as);
      }
    });
    suite(handler.body, indent + 1);
  }
  if (!value.finally.empty()) {
    header(none, indent, [](Layout& layout, const Moved&) { layout.document.text("finally"); });
    suite(value.finally, indent + 1);
  }
}

void Writer::visit(const flyte::FunctionDef& value, const flyte::Notes& notes,
                   std::uint32_t indent) {
  std::vector<flyte::Parameter> parameters;
  parameters.reserve(value.parameters.size());
  for (const flyte::FunctionDef::Parameter& each : value.parameters) {
    parameters.push_back({each.name, each.type, each.default_, {}});
  }
  function(value.name, parameters, value.returns, true, notes, indent);
  suite(value.body, indent + 1);
}

void Writer::keyword(std::string_view word, const flyte::Notes& notes, std::uint32_t indent) {
  lay_out(notes, indent, [&](Layout& layout, const Moved&, Ending& ending) {
    layout.document.text(word);
    end_comment(layout, ending.trailing);
  });
}

void Writer::visit(const flyte::Break&, const flyte::Notes& notes, std::uint32_t indent) {
  keyword("break", notes, indent);
}

void Writer::visit(const flyte::Continue&, const flyte::Notes& notes, std::uint32_t indent) {
  keyword("continue", notes, indent);
}

void Writer::visit(const flyte::Pass&, const flyte::Notes& notes, std::uint32_t indent) {
  keyword("pass", notes, indent);
}

void Writer::visit(const flyte::CommentOnly&, const flyte::Notes& notes, std::uint32_t indent) {
  const std::size_t from = lines.size();
  Moved moved;
  moved.above.insert(&notes);
  comments(comments_of(notes, moved).above, indent);
  cite_all(notes, from);
}

std::uint32_t flat_width(const flyte::Expr& expr) {
  Layout layout;
  Node node = to_node(expr, {});
  layout.expression(node);
  // Without the comments of its arguments.
  std::vector<Element> kept;
  bool in_comment = false;
  for (Element& element : layout.document.elements()) {
    in_comment |= element.kind == Element::Kind::start_line_suffix;
    const bool breaks =
        element.kind == Element::Kind::expand_parent || element.kind == Element::Kind::comment;
    const bool ends = element.kind == Element::Kind::end_line_suffix;
    if (!in_comment && !breaks) {
      kept.push_back(std::move(element));
    }
    if (ends) {
      in_comment = false;
    }
  }
  layout.document.elements() = std::move(kept);
  const auto pieces = static_cast<std::uint32_t>(layout.pieces.size());
  const Printed printed =
      print(std::move(layout.document), 0, pieces, std::numeric_limits<std::uint32_t>::max() / 4);
  std::uint32_t width = 0;
  for (const std::string& each : printed.lines) {
    width = std::max(width, display_width(each));
  }
  return width;
}

} // namespace s2f::emit
