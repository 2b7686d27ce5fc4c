// Python expressions as a parser sees them: with the parentheses that precedence asks for, ready to
// be laid out.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "flyte/python.hpp"

namespace s2f::emit {

struct Item;

struct Node {
  enum class Kind : std::uint8_t {
    name,
    constant, // None, True, False
    number,
    string, // any literal: `text` is the literal
    f_string,
    attribute, // kids[0] . text
    call,      // kids[0] ( items )
    subscript, // kids[0] [ kids[1] ]
    list,
    tuple,
    dict,
    arithmetic, // kids[0] text kids[1]
    compare,
    boolean, // kids, joined by text
    unary,   // text kids[0]
    await,
    starred,            // text ("*" or "**") kids[0]
    conditional,        // kids[0] if kids[1] else kids[2]
    list_comprehension, // kids[0] for text in kids[1] if kids[2]
    generator,
    named, // text := kids[0]
  };

  Kind kind{};
  bool parenthesized = false;
  bool is_async = false; // a comprehension
  bool bare = false; // a tuple in a subscript or a generator as the only argument: without its own
                     // parentheses
  bool exploded = false; // one argument a line even where all would fit in one: ruff keeps it for
                         // its last comma
  std::string text;
  const void* key = nullptr; // of what has items: the same each time that it is laid out
  std::vector<Node> kids;
  std::vector<Item> items;
};

// An argument of a call or an element of a list, tuple or dict.
struct Item {
  std::string keyword;
  std::optional<Node> key;
  Node value;
  const flyte::Notes* notes = nullptr;
  std::vector<flyte::Paragraph> above;
  std::string trailing;                    // its own or one that was lifted to it
  std::vector<const flyte::Notes*> lifted; // where that came from
};

// Comments that found no room where they stood: what they belong to is laid out again with them
// elsewhere.
struct Moved {
  std::set<const flyte::Notes*> above;   // goes above its argument or statement
  std::set<const flyte::Notes*> lowered; // may not be lifted out of its call
  // Lists that were given a comma after their last element: ruff breaks such a list wherever it
  // stands.
  std::set<const void*> exploded;
};

// The comment lines above a piece of code, and the comment at its end, after what was moved.
struct Comments {
  std::vector<flyte::Paragraph> above;
  std::string trailing;
};

[[nodiscard]] Comments comments_of(const flyte::Notes& notes, const Moved& moved);

// What the outermost call hands up to whoever holds it.
struct Lifted {
  std::string trailing;
  std::vector<const flyte::Notes*> notes;
};

// A comment that a call hands up is given to `lifted`; without it every comment stays where it is.
[[nodiscard]] Node to_node(const flyte::Expr& expr, const Moved& moved, Lifted* lifted = nullptr);

// A type or a target, which the target model holds as text: names, dots, subscripts, "|". What is
// neither becomes a name.
[[nodiscard]] Node parse_reference(std::string_view text, const Moved& moved);

} // namespace s2f::emit
