// A Python syntax tree as one flat list of nodes in the order of the text, so that walking it needs
// no recursion.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "source/source.hpp"

namespace s2f::payload {

// The nodes that somebody asks for; every other named node is `other`.
enum class Kind : std::uint8_t {
  other,
  error,
  module,
  // Expressions.
  identifier,
  integer,
  float_,
  string,
  string_start,
  string_content,
  string_end,
  interpolation,
  format_specifier,
  type_conversion,
  concatenated_string,
  true_,
  false_,
  none,
  ellipsis,
  list,
  tuple,
  set,
  dictionary,
  pair,
  expression_list,
  list_comprehension,
  call,
  argument_list,
  keyword_argument,
  list_splat,
  dictionary_splat,
  attribute,
  subscript,
  slice,
  lambda,
  parenthesized_expression,
  binary_operator,
  unary_operator,
  boolean_operator,
  not_operator,
  comparison_operator,
  conditional_expression,
  named_expression,
  await,
  // Patterns.
  pattern_list,
  tuple_pattern,
  list_pattern,
  as_pattern,
  as_pattern_target,
  for_in_clause,
  // Types.
  type,
  generic_type,
  type_parameter,
  union_type,
  member_type,
  // Statements.
  block,
  expression_statement,
  assignment,
  augmented_assignment,
  for_statement,
  with_statement,
  if_statement,
  try_statement,
  except_clause,
  except_group_clause,
  finally_clause,
  return_statement,
  delete_statement,
  global_statement,
  nonlocal_statement,
  import_statement,
  import_from_statement,
  future_import_statement,
  dotted_name,
  aliased_import,
  relative_import,
  wildcard_import,
  decorated_definition,
  decorator,
  function_definition,
  class_definition,
  print_statement,
  exec_statement,
  // Parameters.
  parameters,
  lambda_parameters,
  default_parameter,
  typed_parameter,
  typed_default_parameter,
  list_splat_pattern,
  dictionary_splat_pattern,
  keyword_separator,
  positional_separator,
  // An operator, the one unnamed node that is kept.
  operator_,
};

enum class Field : std::uint8_t {
  none,
  alias,
  alternative,
  argument,
  arguments,
  attribute,
  body,
  condition,
  consequence,
  definition,
  function,
  key,
  left,
  module_name,
  name,
  object,
  operator_,
  parameters,
  return_type,
  right,
  subscript,
  superclasses,
  type,
  value,
};

using NodeId = std::uint32_t;
inline constexpr NodeId no_node = 0xFFFFFFFF;

struct Node {
  Kind kind{};
  Field field{};
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  NodeId parent = no_node;
  NodeId next = 0; // the first node after this one's descendants
};

struct Syntax {
  source::SourceId id{};
  std::string_view text;   // of the source, which must outlive this
  std::vector<Node> nodes; // [0] is the module; never empty
  bool complete = true;    // no syntax error, and not Python 2

  [[nodiscard]] const Node& operator[](NodeId node) const { return nodes[node]; }
  [[nodiscard]] Kind kind(NodeId node) const {
    return node < nodes.size() ? nodes[node].kind : Kind::other;
  }
  [[nodiscard]] std::string_view text_of(NodeId node) const;
  [[nodiscard]] source::Span span(NodeId node) const;
  [[nodiscard]] std::vector<NodeId> children(NodeId node) const;
  [[nodiscard]] NodeId first_child(NodeId node) const;        // or no_node
  [[nodiscard]] NodeId child(NodeId node, Field field) const; // or no_node
  [[nodiscard]] NodeId parent(NodeId node) const;             // or no_node
  [[nodiscard]] NodeId unparenthesized(NodeId expression) const;
};

// Never fails: a text that is too large or that costs too much is an empty module that is not
// complete.
[[nodiscard]] Syntax parse_python(const source::Source& source);

} // namespace s2f::payload
