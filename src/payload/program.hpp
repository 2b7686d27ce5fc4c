// What is bound where in a payload: scopes, names that have one value, imports, functions, calls.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "payload/syntax.hpp"

namespace s2f::payload {

// A name in one scope. Only one that is bound once has a value that can be told.
struct Binding {
  int count = 0;
  NodeId value = no_node;     // the expression, if it is one
  int element = -1;           // which element of `value`, where several names are bound at once
  NodeId parameter = no_node; // the parameter, if it is one
};

struct Parameter {
  enum class Passing { ordinary, keyword_only, rest, rest_keywords };

  std::string_view name;
  NodeId node = no_node;
  NodeId type = no_node;
  NodeId value = no_node;
  Passing passing = Passing::ordinary;
};

struct Arguments {
  std::vector<NodeId> positional; // before the first `*rest`
  std::vector<std::pair<std::string_view, NodeId>> keywords;
  NodeId splat = no_node;        // of `*x`
  NodeId double_splat = no_node; // of `**x`

  [[nodiscard]] NodeId keyword(std::string_view name) const; // or no_node
  [[nodiscard]] NodeId at(std::size_t index) const;          // or no_node
  [[nodiscard]] NodeId at_or(std::size_t index, std::string_view name) const;
};

class Program {
public:
  explicit Program(Syntax syntax);

  [[nodiscard]] const Syntax& syntax() const { return syntax_; }
  [[nodiscard]] const std::vector<NodeId>& calls() const { return calls_; }
  [[nodiscard]] const std::vector<NodeId>& functions() const { return functions_; }
  [[nodiscard]] const std::vector<NodeId>& classes() const { return classes_; }

  // The function, lambda, class or module around a node.
  [[nodiscard]] NodeId scope_of(NodeId node) const;
  [[nodiscard]] NodeId class_around(NodeId node) const; // or no_node
  // The innermost binding that a name used at `where` has, or null; with the scope it is in.
  [[nodiscard]] const Binding* lookup(NodeId where, std::string_view name) const;
  // The attribute `self.name` as bound in the class around `where`, or null.
  [[nodiscard]] const Binding* lookup_self(NodeId where, std::string_view name) const;
  // Values given to `x.name = value` for any x but self.
  [[nodiscard]] const std::vector<NodeId>& attribute_values(std::string_view name) const;

  // Follows names that are bound once to an expression; gives back what it cannot follow.
  [[nodiscard]] NodeId resolve(NodeId expression) const;

  // "np.random.save" as it stands, "" if it is not a chain of names.
  [[nodiscard]] std::string dotted(NodeId expression) const;
  // The same with its head replaced by what was imported under that name.
  [[nodiscard]] std::string canonical(NodeId expression) const;
  // Of a call, its function's.
  [[nodiscard]] std::string callee(NodeId call) const;
  // "add_argument" of `x.y().add_argument(...)`; "" for a call that is no method's.
  [[nodiscard]] std::string_view method(NodeId call) const;
  // x of x.method(...), or no_node.
  [[nodiscard]] NodeId receiver(NodeId call) const;
  [[nodiscard]] Arguments arguments(NodeId call) const;

  [[nodiscard]] bool is_imported(std::string_view name) const;
  [[nodiscard]] std::vector<Parameter> parameters(NodeId function) const;
  // The only function or class of that name in the file, or no_node.
  [[nodiscard]] NodeId function(std::string_view name) const;
  [[nodiscard]] NodeId class_(std::string_view name) const;
  // Calls of a plain name.
  [[nodiscard]] const std::vector<NodeId>& calls_of(std::string_view name) const;
  // The expressions that a function returns, nested functions apart.
  [[nodiscard]] const std::vector<NodeId>& returned(NodeId function) const;
  // Decorators of a function or class, as expressions.
  [[nodiscard]] std::vector<NodeId> decorators(NodeId definition) const;

private:
  using Key = std::pair<NodeId, std::string_view>;

  void index(NodeId node);
  void bind_import(NodeId statement);
  void bind(NodeId scope, std::string_view name, Binding binding);
  void bind_target(NodeId target, NodeId value, int element);
  void bind_parameters(NodeId function);

  Syntax syntax_;
  std::vector<NodeId> scope_; // for each node
  std::map<Key, Binding> bindings_;
  std::map<Key, Binding> self_bindings_;
  std::map<std::string_view, std::vector<NodeId>> attribute_values_;
  std::map<std::string_view, std::string> imported_; // name here -> what it is
  std::map<std::string_view, std::vector<NodeId>> functions_by_name_;
  std::map<std::string_view, std::vector<NodeId>> classes_by_name_;
  std::map<std::string_view, std::vector<NodeId>> calls_by_name_;
  std::map<NodeId, std::vector<NodeId>> returned_; // by function
  std::vector<NodeId> calls_;
  std::vector<NodeId> functions_;
  std::vector<NodeId> classes_;
};

} // namespace s2f::payload
