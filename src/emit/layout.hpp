// Expressions and the heads of statements as documents, by the rules of `ruff format`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "emit/document.hpp"
#include "emit/node.hpp"

namespace s2f::emit {

// Of what an expression is a part, as far as it matters to its parentheses.
enum class Parent : std::uint8_t {
  none,
  await,
  plain_statement, // an assignment, return, for, with: a walrus needs parentheses there
};

// An argument that was laid out, by number of its piece.
struct Piece {
  const flyte::Notes* notes = nullptr;
  std::vector<const flyte::Notes*> lifted; // whose comment it carries
  bool has_trailing = false;
};

class Layout {
public:
  Document document;
  std::vector<Piece> pieces;
  // The commas after last elements, by number of their piece, and the list that each is of.
  std::vector<std::pair<std::uint32_t, const void*>> commas;

  // As it is, with parentheses only where it has them.
  void expression(Node& node);
  // Of a statement: parentheses where they are the best place to break.
  void optional_parentheses(Node& node, Parent parent);
  // The same where the line already has an expression before it, as a return type after parameters.
  void optional_parentheses_after(Node& node);
  // Decorators and raised exceptions: names are never parenthesized.
  void optional_parentheses_kept(Node& node, Parent parent);
  // The value of an assignment to a name or of a return, with the comment at its end.
  void last_expression(Node& node, std::string_view trailing);
  // `target = value` where the target can break itself.
  void assignment_to_breakable(Node& target, Node& value, std::string_view trailing);
  // The target of a `for`.
  void loop_target(Node& target);
  // The context of a `with` that has a name.
  void with_target(Node& context, std::string_view target);
  // `a as x, b as y` of one `with`; where they do not fit in a line, one a line in parentheses.
  void with_targets(std::vector<std::pair<Node, std::string_view>>& contexts);
  // (parameters) -> returns
  struct Parameter {
    std::string name; // with stars
    Node type;
    bool has_type = false;
    Node default_;
    bool has_default = false;
    const flyte::Notes* notes = nullptr;
    std::vector<flyte::Paragraph> above;
    std::string trailing;
  };
  void signature(std::vector<Parameter>& parameters, Node& returns);

private:
  struct Level {
    enum class Kind : std::uint8_t { plain, in_optional, parenthesized } kind = Kind::plain;
    GroupId id = GroupId::none;
    [[nodiscard]] bool is_parenthesized() const { return kind != Kind::plain; }
  };
  enum class Chain : std::uint8_t { unknown, fluent, not_fluent };
  enum class Needs : std::uint8_t { multiline, always, best_fit, never };
  enum class When : std::uint8_t { if_breaks, if_breaks_after, kept };

  template <typename Inside> void at(Level level, Inside inside) {
    const Level outer = level_;
    level_ = level;
    inside();
    level_ = outer;
  }

  template <typename Inside>
  void in_parentheses(std::string_view left, std::string_view right, Inside inside);
  template <typename Inside> void optional(Inside inside);
  template <typename Inside> void if_expands(Inside inside);
  template <typename Inside> void group_in_parentheses(Inside inside);
  void line_in_parentheses();

  void inner(Node& node, Chain chain = Chain::unknown);
  void unparenthesized(Node& node);
  void callee(Node& node, Chain chain);
  void call(Node& node, Chain chain);
  void attribute(Node& node, Chain chain);
  void subscript(Node& node, Chain chain);
  void items(Node& node);
  void item(Item& item, bool in_dict);
  void binary(Node& node);
  void comprehension(Node& node);
  void maybe_parenthesize(Node& node, Parent parent, When when);
  [[nodiscard]] Chain chain_of(const Node& node, Chain chain) const;
  std::uint32_t add_piece(const Item& item);

  static bool is_fluent(const Node& node);
  static Needs needs(const Node& node, Parent parent);
  static bool can_omit(const Node& node);

  Level level_;
};

} // namespace s2f::emit
