// What an expression says of a path: a literal, an option's value, a word of sys.argv, or below
// one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "payload/options.hpp"
#include "payload/program.hpp"

namespace s2f::payload {

struct PathValue {
  enum class Origin { literal, option, argument };

  Origin origin{};
  std::string text;       // of a literal; with "*" where something is computed
  bool computed = false;  // `text` has such a "*"
  std::size_t option = 0; // an index into Declarations::options
  int argument = 0;       // n of sys.argv[n]
  bool inside = false;    // below the option's or the word's path
};

class PathReader {
public:
  PathReader(const Program& program, const Declarations& declarations);

  [[nodiscard]] std::optional<PathValue> read(NodeId expression);

private:
  struct Piece {
    NodeId node = no_node; // or a literal text
    std::string text;
  };

  std::optional<PathValue> value(NodeId expression);
  std::optional<PathValue> value_of_name(NodeId identifier);
  std::optional<PathValue> value_of_binding(const Binding& binding);
  std::optional<PathValue> value_of_parameter(const Binding& binding);
  std::optional<PathValue> value_of_attribute(NodeId attribute);
  std::optional<PathValue> value_of_subscript(NodeId subscript);
  std::optional<PathValue> value_of_call(NodeId call);
  std::optional<PathValue> value_of_operator(NodeId operation);
  std::optional<PathValue> named_option(std::string_view dest);
  std::optional<PathValue> joined(const std::vector<NodeId>& parts);
  std::optional<PathValue> concatenated(const std::vector<Piece>& pieces);
  std::vector<Piece> pieces_of_format_string(NodeId string);
  std::vector<Piece> pieces_of_format_call(std::string_view format, const Arguments& arguments);
  std::vector<Piece> pieces_of_percent(std::string_view format, NodeId values);

  // Whether it holds the parsed options: `args`, `self.args`, `parser.parse_args()`.
  bool is_namespace(NodeId expression, int depth = 0);
  bool is_namespace_name(NodeId identifier, int depth);
  // What is given for a parameter by the only call of its function.
  NodeId given_for(NodeId parameter, std::string_view& expanded_name);
  [[nodiscard]] std::optional<std::size_t> option_declared_at(NodeId call) const;

  const Program& program_;
  const Syntax& syntax_;
  const Declarations& declarations_;
  std::map<std::string_view, std::size_t> by_dest_;
  std::map<NodeId, std::size_t> by_node_;
  std::map<std::pair<NodeId, std::string_view>, std::size_t> by_parameter_;
  int steps_ = 0; // left for this expression
  int depth_ = 0;
  bool inside_attribute_ = false; // looking at `args.x = ...`
};

} // namespace s2f::payload
