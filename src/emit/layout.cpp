// Lays out expressions: where they break, and where a break needs parentheses. Follows ruff's
// formatter rule by rule.
#include "emit/layout.hpp"

#include <algorithm>

namespace s2f::emit {

namespace {

using Kind = Node::Kind;

enum class Own : std::uint8_t { none, empty, filled };

// Brackets that belong to the expression itself.
Own own_brackets(const Node& node) {
  switch (node.kind) {
  case Kind::list_comprehension:
  case Kind::subscript:
    return Own::filled;
  case Kind::generator:
    return node.bare ? Own::none : Own::filled;
  case Kind::tuple:
    if (node.bare) {
      return Own::none;
    }
    [[fallthrough]];
  case Kind::list:
  case Kind::dict:
  case Kind::call:
    return node.items.empty() ? Own::empty : Own::filled;
  default:
    return Own::none;
  }
}

Own brackets(const Node& node) {
  const Own own = own_brackets(node);
  return own != Own::filled && node.parenthesized ? Own::filled : own;
}

// Operators that bind less come later; the loosest break first.
enum class Precedence : std::uint8_t {
  none,
  attribute,
  multiplicative,
  additive,
  bit_or,
  comparator,
  boolean,
  conditional,
};

Precedence precedence(const Node& node) {
  switch (node.kind) {
  case Kind::compare:
    return Precedence::comparator;
  case Kind::boolean:
    return Precedence::boolean;
  case Kind::conditional:
    return Precedence::conditional;
  default:
    break;
  }
  if (node.text == "+" || node.text == "-") {
    return Precedence::additive;
  }
  return node.text == "|" ? Precedence::bit_or : Precedence::multiplicative;
}

bool is_binary(const Node& node) {
  return node.kind == Kind::arithmetic || node.kind == Kind::compare || node.kind == Kind::boolean;
}

// What decides whether an expression may break inside its own brackets rather than in added
// parentheses.
struct OmitVisitor {
  Precedence loosest = Precedence::none;
  std::size_t count = 0;
  bool any_brackets = false;
  const Node* last = nullptr;
  const Node* first = nullptr;
  bool starts_with_token = false;

  void operator_(Precedence of, std::size_t times) {
    if (loosest < of) {
      loosest = of;
      count = times;
    } else if (loosest == of) {
      count += times;
    }
  }

  void set_first(const Node* node) {
    if (first == nullptr && !starts_with_token) {
      first = node;
      starts_with_token = node == nullptr;
    }
  }

  void expression(const Node& node) {
    last = &node;
    if (node.parenthesized) {
      any_brackets = true;
    } else {
      inside(node);
    }
    set_first(&node);
  }

  void inside(const Node& node) {
    switch (node.kind) {
    case Kind::dict:
    case Kind::list:
    case Kind::list_comprehension:
      any_brackets = true;
      return;
    case Kind::tuple:
    case Kind::generator:
      if (!node.bare) {
        any_brackets = true;
        return;
      }
      break;
    case Kind::boolean:
      operator_(Precedence::boolean, node.kids.size() - 1);
      break;
    case Kind::arithmetic:
    case Kind::compare:
      operator_(precedence(node), 1);
      break;
    case Kind::conditional:
      operator_(Precedence::conditional, 2);
      break;
    case Kind::call:
    case Kind::subscript:
      any_brackets = true;
      expression(node.kids[0]);
      last = &node;
      return;
    case Kind::attribute:
      expression(node.kids[0]);
      if (brackets(node.kids[0]) != Own::none) {
        operator_(Precedence::attribute, 1);
      }
      last = &node;
      return;
    case Kind::unary:
    case Kind::await:
    case Kind::starred:
      set_first(nullptr);
      break;
    case Kind::named: {
      // The target is a name.
      set_first(&node);
      break;
    }
    default:
      return;
    }
    for (const Node& kid : node.kids) {
      expression(kid);
    }
    for (const Item& item : node.items) {
      expression(item.value);
    }
  }
};

} // namespace

bool Layout::can_omit(const Node& node) {
  OmitVisitor visitor;
  visitor.inside(node);
  if (!visitor.any_brackets || visitor.count > 1) {
    return false;
  }
  if (visitor.loosest == Precedence::none || visitor.loosest == Precedence::attribute) {
    return true;
  }
  const auto bracketed = [](const Node* part) {
    return part != nullptr && part->kind != Kind::subscript && part->kind != Kind::named &&
           brackets(*part) == Own::filled;
  };
  return bracketed(visitor.last) || bracketed(visitor.first);
}

// Two or more attributes of what was called or subscripted make a chain that is broken before its
// dots.
bool Layout::is_fluent(const Node& node) {
  int links = 0;
  const Node* at = &node;
  while (true) {
    if (at->kind == Kind::attribute) {
      const Node& value = at->kids[0];
      if (value.parenthesized) {
        ++links;
        break;
      }
      if (value.kind == Kind::call || value.kind == Kind::subscript) {
        ++links;
      }
      at = &value;
    } else if (at->kind == Kind::call || at->kind == Kind::subscript) {
      if (at->kids[0].parenthesized) {
        break;
      }
      at = &at->kids[0];
    } else {
      break;
    }
  }
  return links >= 2;
}

Layout::Needs Layout::needs(const Node& node, Parent parent) {
  const auto of_value = [&](Parent as) {
    return node.kids[0].parenthesized ? Needs::never : needs(node.kids[0], as);
  };
  switch (node.kind) {
  case Kind::arithmetic:
  case Kind::compare:
  case Kind::boolean:
  case Kind::conditional:
    return parent == Parent::await ? Needs::always : Needs::multiline;
  case Kind::named:
    return parent == Parent::none ? Needs::multiline : Needs::always;
  case Kind::unary:
    return parent == Parent::await ? Needs::always : of_value(Parent::none);
  case Kind::list:
  case Kind::dict:
  case Kind::tuple:
  case Kind::list_comprehension:
    return Needs::never;
  case Kind::generator:
    return parent == Parent::await ? Needs::always : Needs::never;
  case Kind::starred:
    return Needs::multiline;
  case Kind::await:
    return parent == Parent::await ? Needs::always : of_value(Parent::await);
  case Kind::call:
  case Kind::attribute:
  case Kind::subscript:
    return is_fluent(node) ? Needs::multiline : of_value(Parent::none);
  default:
    return Needs::best_fit;
  }
}

template <typename Inside>
void Layout::in_parentheses(std::string_view left, std::string_view right, Inside inside) {
  const Level outer = level_;
  const auto content = [&] {
    document.group([&] {
      document.soft_block_indent([&] { at({Level::Kind::parenthesized, GroupId::none}, inside); });
    });
  };
  document.text(left);
  if (outer.kind == Level::Kind::in_optional) {
    document.fits_expanded(outer.id, content);
  } else {
    content();
  }
  document.text(right);
}

// Parentheses that appear only if the content does not fit after all its brackets were broken.
template <typename Inside> void Layout::optional(Inside inside) {
  const GroupId id = document.new_group();
  document.group(
      [&] {
        document.if_breaks([&] { document.text("("); });
        document.indent_if_breaks(id, [&] {
          document.soft_line();
          at({Level::Kind::in_optional, id}, inside);
        });
        document.soft_line();
        document.if_breaks([&] { document.text(")"); });
      },
      id);
}

// Parentheses that appear as soon as the content does not fit in one line.
template <typename Inside> void Layout::if_expands(Inside inside) {
  const GroupId id = document.new_group();
  document.group(
      [&] {
        document.if_breaks([&] { document.text("("); });
        document.indent_if_breaks(id, [&] {
          document.soft_line();
          at({Level::Kind::parenthesized, GroupId::none}, inside);
        });
        document.soft_line();
        document.if_breaks([&] { document.text(")"); });
      },
      id);
}

template <typename Inside> void Layout::group_in_parentheses(Inside inside) {
  switch (level_.kind) {
  case Level::Kind::plain:
    inside();
    break;
  case Level::Kind::in_optional:
    document.conditional_group(level_.id, inside);
    break;
  case Level::Kind::parenthesized:
    document.group(inside);
    break;
  }
}

void Layout::line_in_parentheses() {
  switch (level_.kind) {
  case Level::Kind::plain:
    document.text(" ");
    break;
  case Level::Kind::in_optional:
    document.if_breaks([&] { document.soft_line_or_space(); }, level_.id);
    document.conditional(Element::Mode::flat, level_.id, [&] { document.text(" "); });
    break;
  case Level::Kind::parenthesized:
    document.soft_line_or_space();
    break;
  }
}

void Layout::expression(Node& node) {
  if (node.parenthesized) {
    in_parentheses("(", ")", [&] { inner(node); });
  } else {
    inner(node);
  }
}

void Layout::unparenthesized(Node& node) { inner(node); }

void Layout::inner(Node& node, Chain chain) {
  switch (node.kind) {
  case Kind::name:
  case Kind::constant:
  case Kind::number:
  case Kind::string:
  case Kind::f_string:
    document.text(node.text);
    break;
  case Kind::attribute:
    attribute(node, chain);
    break;
  case Kind::call:
    call(node, chain);
    break;
  case Kind::subscript:
    subscript(node, chain);
    break;
  case Kind::list:
  case Kind::tuple:
  case Kind::dict:
    items(node);
    break;
  case Kind::arithmetic:
  case Kind::compare:
  case Kind::boolean:
    binary(node);
    break;
  case Kind::unary:
    document.text(node.text);
    if (node.text == "not") {
      document.text(" ");
    }
    expression(node.kids[0]);
    break;
  case Kind::await:
    document.text("await ");
    maybe_parenthesize(node.kids[0], Parent::await, When::if_breaks);
    break;
  case Kind::starred:
    document.text(node.text);
    expression(node.kids[0]);
    break;
  case Kind::conditional: {
    const auto rest = [&](auto&& self, Node& of) -> void {
      expression(of.kids[0]);
      line_in_parentheses();
      document.text("if ");
      expression(of.kids[1]);
      line_in_parentheses();
      document.text("else ");
      Node& otherwise = of.kids[2];
      if (otherwise.kind == Kind::conditional && !otherwise.parenthesized) {
        self(self, otherwise);
      } else {
        group_in_parentheses([&] { expression(otherwise); });
      }
    };
    group_in_parentheses([&] { rest(rest, node); });
    break;
  }
  case Kind::list_comprehension:
    in_parentheses("[", "]", [&] { document.group([&] { comprehension(node); }); });
    break;
  case Kind::generator:
    if (node.bare) {
      comprehension(node);
    } else {
      in_parentheses("(", ")", [&] { document.group([&] { comprehension(node); }); });
    }
    break;
  case Kind::named:
    document.group([&] {
      document.text(node.text);
      line_in_parentheses();
    });
    document.text(":= ");
    expression(node.kids[0]);
    break;
  }
}

Layout::Chain Layout::chain_of(const Node& node, Chain chain) const {
  if (chain != Chain::unknown) {
    return chain;
  }
  return level_.is_parenthesized() && is_fluent(node) ? Chain::fluent : Chain::not_fluent;
}

// What stands before the dot, the bracket or the parenthesis.
void Layout::callee(Node& node, Chain chain) {
  if (node.parenthesized) {
    expression(node);
  } else {
    inner(node, chain);
  }
}

void Layout::call(Node& node, Chain chain) {
  constexpr std::size_t few = 5;
  const Chain own = chain_of(node, chain);
  const auto content = [&] {
    callee(node.kids[0], own);
    if (node.items.empty()) {
      document.group(
          [&] { document.text("()"); }); // a group, as in ruff: it is measured with what follows
    } else {
      in_parentheses("(", ")", [&] {
        // All arguments in a second line are easy to read only if they are few. ruff leaves both as
        // they are.
        if (node.items.size() > few) {
          items(node);
        } else {
          document.group([&] { items(node); });
        }
      });
    }
  };
  if (own == Chain::fluent && chain == Chain::unknown) {
    document.group(content);
  } else {
    content();
  }
}

void Layout::attribute(Node& node, Chain chain) {
  const Chain own = chain_of(node, chain);
  const auto content = [&] {
    Node& value = node.kids[0];
    callee(value, own);
    const bool links =
        value.parenthesized || value.kind == Kind::call || value.kind == Kind::subscript;
    if (own == Chain::fluent && links) {
      document.soft_line();
    }
    document.text(".");
    document.text(node.text);
  };
  if (own == Chain::fluent && chain == Chain::unknown) {
    document.group(content);
  } else {
    content();
  }
}

void Layout::subscript(Node& node, Chain chain) {
  const Chain own = chain_of(node, chain);
  const auto content = [&] {
    callee(node.kids[0], own);
    Node& index = node.kids[1];
    in_parentheses("[", "]", [&] {
      if (index.kind == Kind::tuple && index.bare) {
        document.group([&] { items(index); });
      } else {
        expression(index);
      }
    });
  };
  if (own == Chain::fluent && chain == Chain::unknown) {
    document.group(content);
  } else {
    content();
  }
}

std::uint32_t Layout::add_piece(const Item& item) {
  pieces.push_back({item.notes, item.lifted, !item.trailing.empty()});
  return static_cast<std::uint32_t>(pieces.size() - 1);
}

void Layout::item(Item& item, bool in_dict) {
  const auto content = [&] {
    for (const flyte::Paragraph& paragraph : item.above) {
      document.comment(paragraph.text);
    }
    const auto value = [&] {
      if (!item.keyword.empty()) {
        document.text(item.keyword);
        document.text("=");
      }
      if (item.key) {
        expression(*item.key);
        document.text(": ");
      }
      expression(item.value);
      if (!item.trailing.empty()) {
        document.trailing_comment(item.trailing);
      }
    };
    if (in_dict) {
      document.group(value);
    } else {
      value();
    }
  };
  document.piece(add_piece(item), content);
}

// The elements between the brackets, or with them for a list, tuple or dict.
void Layout::items(Node& node) {
  const bool lone_tuple = node.kind == Kind::tuple && !node.bare && node.items.size() == 1;
  const auto content = [&] {
    bool first = true;
    for (Item& each : node.items) {
      if (!first) {
        document.text(",");
        document.soft_line_or_space();
      }
      first = false;
      item(each, node.kind == Kind::dict);
    }
    if (lone_tuple) {
      document.text(",");
    } else if (node.items.size() > 1 || node.exploded) {
      document.if_breaks([&] {
        const std::uint32_t comma = add_piece({});
        commas.emplace_back(comma, node.key);
        document.piece(comma, [&] { document.text(","); });
      });
    }
    if (node.exploded) {
      document.expand_parent();
    }
  };
  if (node.kind == Kind::call || node.bare) {
    content();
    return;
  }
  const std::string_view both = node.kind == Kind::list   ? "[]"
                                : node.kind == Kind::dict ? "{}"
                                                          : "()";
  if (node.items.empty()) {
    document.group([&] { document.text(both); });
  } else {
    in_parentheses(both.substr(0, 1), both.substr(1), content);
  }
}

namespace {

// a + b * c as a flat sequence; operands at even places.
struct Flat {
  struct Part {
    Node* operand = nullptr;
    std::string_view op;
    Precedence precedence{};
  };
  std::vector<Part> parts;

  void add(Node& node) {
    const Precedence of = precedence(node);
    for (std::size_t i = 0; i < node.kids.size(); ++i) {
      if (i > 0) {
        parts.push_back({nullptr, node.text, of});
      }
      Node& kid = node.kids[i];
      if (is_binary(kid) && !kid.parenthesized) {
        add(kid);
      } else {
        parts.push_back({&kid, {}, {}});
      }
    }
  }
};

} // namespace

void Layout::binary(Node& node) {
  Flat flat;
  flat.add(node);
  const auto slice = [&](auto&& self, std::size_t begin, std::size_t end) -> void {
    Precedence loosest = Precedence::none;
    for (std::size_t i = begin + 1; i < end; i += 2) {
      loosest = std::max(loosest, flat.parts[i].precedence);
    }
    const auto side = [&](std::size_t from, std::size_t to) {
      if (to - from == 1) {
        expression(*flat.parts[from].operand);
      } else {
        group_in_parentheses([&] { self(self, from, to); });
      }
    };
    std::size_t from = begin;
    for (std::size_t i = begin + 1; i < end; i += 2) {
      if (flat.parts[i].precedence != loosest) {
        continue;
      }
      side(from, i);
      line_in_parentheses();
      document.text(flat.parts[i].op);
      document.text(" ");
      from = i + 1;
    }
    side(from, end);
  };
  group_in_parentheses([&] { slice(slice, 0, flat.parts.size()); });
}

void Layout::comprehension(Node& node) {
  document.group([&] { expression(node.kids[0]); });
  document.soft_line_or_space();
  document.text(node.is_async ? "async for " : "for ");
  document.text(node.text);
  document.text(" in ");
  expression(node.kids[1]);
  if (node.kids.size() > 2) {
    document.soft_line_or_space();
    document.text("if ");
    expression(node.kids[2]);
  }
}

void Layout::maybe_parenthesize(Node& node, Parent parent, When when) {
  const Needs need = needs(node, parent);
  if (when == When::kept && node.parenthesized) {
    in_parentheses("(", ")", [&] { inner(node); });
    return;
  }
  if (need == Needs::always) {
    in_parentheses("(", ")", [&] { inner(node); });
    return;
  }
  if (level_.is_parenthesized()) {
    unparenthesized(node);
    return;
  }
  const auto content = [&] { inner(node); };
  switch (need) {
  case Needs::multiline:
    if (can_omit(node)) {
      optional(content);
    } else {
      if_expands(content);
    }
    break;
  case Needs::best_fit:
    if (when == When::if_breaks_after) {
      if (can_omit(node)) {
        optional(content);
      } else {
        if_expands(content);
      }
    } else if (when == When::kept) {
      content();
    } else {
      const GroupId id = document.new_group();
      document.best_fit_parenthesize(id, [&] { at({Level::Kind::in_optional, id}, content); });
    }
    break;
  case Needs::never:
  case Needs::always:
    content();
    break;
  }
}

void Layout::optional_parentheses(Node& node, Parent parent) {
  maybe_parenthesize(node, parent, When::if_breaks);
}

void Layout::optional_parentheses_after(Node& node) {
  maybe_parenthesize(node, Parent::plain_statement, When::if_breaks_after);
}

void Layout::optional_parentheses_kept(Node& node, Parent parent) {
  maybe_parenthesize(node, parent, When::kept);
}

namespace {

// Cannot break, so that a comment after it goes inside the parentheses with it.
bool is_unsplittable(const Node& node) {
  switch (node.kind) {
  case Kind::name:
  case Kind::constant:
  case Kind::number:
  case Kind::string:
  case Kind::f_string:
    return true;
  default:
    return false;
  }
}

} // namespace

void Layout::last_expression(Node& node, std::string_view trailing) {
  const auto comment = [&] {
    if (!trailing.empty()) {
      document.trailing_comment(trailing);
    }
  };
  if (!is_unsplittable(node)) {
    maybe_parenthesize(node, Parent::plain_statement, When::if_breaks);
    comment();
    return;
  }
  const GroupId id = document.new_group();
  document.best_fit_parenthesize(id, [&] {
    inner(node);
    if (!trailing.empty()) {
      document.if_breaks(comment);
    }
  });
  if (!trailing.empty()) {
    document.conditional(Element::Mode::flat, id, comment);
  }
}

void Layout::loop_target(Node& target) {
  if (target.kind == Kind::tuple && target.bare) {
    optional([&] { items(target); });
  } else {
    maybe_parenthesize(target, Parent::plain_statement, When::if_breaks);
  }
}

void Layout::assignment_to_breakable(Node& target, Node& value, std::string_view trailing) {
  const auto comment = [&] {
    if (!trailing.empty()) {
      document.trailing_comment(trailing);
    }
  };
  const auto only_left = [&] {
    if (target.kind == Kind::tuple && target.bare) {
      if_expands([&] { items(target); });
    } else if (own_brackets(target) != Own::none || target.kind == Kind::attribute) {
      inner(target);
    } else if (can_omit(target)) {
      optional([&] { inner(target); });
    } else {
      if_expands([&] { inner(target); });
    }
  };
  const auto left = [&] {
    only_left();
    document.text(" = ");
  };
  const bool unsplittable = is_unsplittable(value);
  const bool chained =
      value.kind == Kind::attribute || value.kind == Kind::call || value.kind == Kind::subscript;
  if (!unsplittable && !(chained && needs(value, Parent::plain_statement) == Needs::best_fit)) {
    left();
    maybe_parenthesize(value, Parent::plain_statement, When::if_breaks);
    comment();
    return;
  }
  // Only an unsplittable value takes its comment into the parentheses.
  const auto inlined = [&] {
    if (unsplittable) {
      comment();
    }
  };
  const auto single = document.apart([&] {
    left();
    inner(value);
    inlined();
  });
  const auto opened = document.apart([&] {
    left();
    document.group([&] { inner(value); }, GroupId::none, true);
  });
  const auto parenthesized = document.apart([&] {
    left();
    document.text("(");
    document.group(
        [&] {
          document.soft_block_indent([&] {
            inner(value);
            inlined();
          });
        },
        GroupId::none, true);
    document.text(")");
  });
  const auto split = document.apart([&] {
    document.group(only_left, GroupId::none, true);
    document.text(" = ");
    inner(value);
    inlined();
  });
  if (chained) {
    document.best_fitting({single, opened, parenthesized, split});
  } else {
    document.best_fitting({single, parenthesized, split});
  }
  if (!unsplittable) {
    comment();
  }
}

void Layout::with_target(Node& context, std::string_view target) {
  const auto content = [&] {
    inner(context);
    document.text(" as ");
    document.text(target);
  };
  if (can_omit(context)) {
    optional(content);
  } else {
    if_expands(content);
  }
}

void Layout::with_targets(std::vector<std::pair<Node, std::string_view>>& contexts) {
  document.group([&] {
    document.if_breaks([&] { document.text("("); });
    document.soft_block_indent([&] {
      for (std::size_t i = 0; i < contexts.size(); ++i) {
        auto& [context, target] = contexts[i];
        expression(context);
        document.text(" as ");
        document.text(target);
        if (i + 1 < contexts.size()) {
          document.text(",");
          document.soft_line_or_space();
        } else {
          document.if_breaks([&] { document.text(","); });
        }
      }
    });
    document.if_breaks([&] { document.text(")"); });
  });
}

void Layout::signature(std::vector<Parameter>& parameters, Node& returns) {
  const auto list = [&] {
    bool first = true;
    for (Parameter& each : parameters) {
      if (!first) {
        document.text(",");
        document.soft_line_or_space();
      }
      first = false;
      Item as_item;
      as_item.notes = each.notes;
      as_item.trailing = each.trailing;
      document.piece(add_piece(as_item), [&] {
        for (const flyte::Paragraph& paragraph : each.above) {
          document.comment(paragraph.text);
        }
        document.text(each.name);
        if (each.has_type) {
          document.text(": ");
          expression(each.type);
        }
        if (each.has_default) {
          document.text(each.has_type ? " = " : "=");
          expression(each.default_);
        }
        if (!each.trailing.empty()) {
          document.trailing_comment(each.trailing);
        }
      });
    }
    document.if_breaks([&] { document.text(","); });
  };
  document.group([&] {
    if (parameters.empty()) {
      document.group([&] { document.text("()"); });
    } else {
      document.text("(");
      document.soft_block_indent([&] {
        at({Level::Kind::parenthesized, GroupId::none}, [&] {
          if (parameters.size() == 1) {
            list();
          } else {
            document.group(list);
          }
        });
      });
      document.text(")");
    }
    document.text(" -> ");
    if (returns.kind == Kind::subscript && needs(returns, Parent::none) == Needs::best_fit) {
      // The parameters break before a subscript does.
      if (!parameters.empty()) {
        inner(returns);
      } else if (can_omit(returns)) {
        optional([&] { inner(returns); });
      } else {
        if_expands([&] { inner(returns); });
      }
      return;
    }
    maybe_parenthesize(returns, Parent::plain_statement,
                       parameters.empty() ? When::if_breaks_after : When::if_breaks);
  });
}

} // namespace s2f::emit
