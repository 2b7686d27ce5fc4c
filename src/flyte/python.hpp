// The Python that an emitted module is made of: expressions and statements as values, without
// layout.
//
// Only what the compiler means can be built; text of a script enters as `Str` alone and is quoted
// by the printer.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/box.hpp"
#include "source/source.hpp"

namespace s2f::flyte {

using base::Box;
using source::Span;

struct Expr;
struct Stmt;

// Comments and provenance of the piece of code that they stand with. The printer wraps `above` at
// 88 columns, and moves a `trailing` that does not fit in its line above it.
struct Notes {
  std::vector<std::string> above; // each a paragraph, without "# "
  std::string trailing;           // without "# "
  std::vector<Span> spans;        // what this piece came from

  [[nodiscard]] bool empty() const { return above.empty() && trailing.empty(); }
};

// An argument of a call, an element of a list, tuple or dict.
struct Arg;

struct Str { // a text literal; the printer quotes it
  std::string value;
};
struct Bytes {
  std::string value;
};
// A number, as it stands in the module ("16", "3e-4", "10_000").
struct Number {
  std::string text;
};
// A name or a dotted name: HERE, sys.executable, None, True, flyte.Resources.
struct Name {
  std::string dotted;
};
struct Call {
  Box<Expr> callee;
  std::vector<Arg> arguments;
};
struct ListExpr {
  std::vector<Arg> elements;
};
struct TupleExpr { // a 1-tuple prints its comma
  std::vector<Arg> elements;
};
struct DictExpr { // the key of an element stands in Arg::key
  std::vector<Arg> elements;
};
struct FString { // parts: Str is text, anything else stands in braces
  std::vector<Expr> parts;
};
struct Attribute { // value.name, for a value that is no plain name: a chain of calls
  Box<Expr> value;
  std::string name;
};
struct Subscript { // value[index]
  Box<Expr> value;
  Box<Expr> index;
};
struct Binary { // op: "+", "-", "*", "//", "%", "/", "==", "!=", "<", "<=", ">", ">=", "and", "or",
                // "in", "not in", "is", "is not"
  std::string op;
  Box<Expr> left;
  Box<Expr> right;
};
struct Unary { // op: "-", "not"
  std::string op;
  Box<Expr> operand;
};
struct Await {
  Box<Expr> value;
};
struct Starred { // *value or, with `twice`, **value
  Box<Expr> value;
  bool twice = false;
};
struct Conditional { // value if condition else otherwise
  Box<Expr> value, condition, otherwise;
};
// [element for target in iterable if condition], or a generator
struct Comprehension {
  Box<Expr> element;
  std::string target;
  Box<Expr> iterable;
  std::optional<Box<Expr>> condition;
  bool is_async = false;
  bool generator = false;
};

struct Named { // (target := value); without parentheses where it is the whole condition of an if
  std::string target;
  Box<Expr> value;
};

struct Expr {
  std::variant<Str, Bytes, Number, Name, Call, ListExpr, TupleExpr, DictExpr, FString, Attribute,
               Subscript, Binary, Unary, Await, Starred, Conditional, Comprehension, Named>
      value;
};

struct Arg {
  std::string keyword;     // "" for a positional one
  std::optional<Expr> key; // of a dict
  Expr value;
  Notes notes;
};

// ---- statements --------------------------------------------------------------------------------

struct Assign { // target = value, target: type = value or, with op "+", target += value
  std::string target;
  std::string type;
  Expr value;
  std::string op;
};
struct ExprStmt {
  Expr value;
};
// if code := await run(...): is an If whose condition is a Named
struct Return {
  std::optional<Expr> value;
};
struct Raise {
  Expr value;
  std::optional<Expr> cause;
};
struct Branch {
  std::optional<Expr> condition; // nothing: else
  std::vector<Stmt> body;
  Notes notes;
};
struct IfStmt {
  std::vector<Branch> branches;
};
struct ForStmt {
  std::string target;
  Expr iterable;
  bool is_async = false;
  std::vector<Stmt> body;
};
struct WhileStmt {
  Expr condition;
  std::vector<Stmt> body;
};
struct WithStmt {
  Expr context;
  std::string as; // "" for none
  bool is_async = false;
  std::vector<Stmt> body;
};
struct Handler {
  std::string exception; // "flyte.errors.RuntimeUserError"
  std::string as;
  std::vector<Stmt> body;
};
struct TryStmt {
  std::vector<Stmt> body;
  std::vector<Handler> handlers;
  std::vector<Stmt> finally;
};
struct Break {};
struct Continue {};
struct Pass {};
// Nothing but its comments.
struct CommentOnly {};

struct Stmt {
  std::variant<Assign, ExprStmt, Return, Raise, IfStmt, ForStmt, WhileStmt, WithStmt, TryStmt,
               Break, Continue, Pass, CommentOnly>
      value;
  Notes notes;
};

// ---- short hands -------------------------------------------------------------------------------

[[nodiscard]] Expr str(std::string value);
[[nodiscard]] Expr number(std::string text);
[[nodiscard]] Expr name(std::string dotted);
[[nodiscard]] Expr call(std::string callee, std::vector<Arg> arguments);
[[nodiscard]] Expr await(Expr value);
[[nodiscard]] Arg arg(Expr value);
[[nodiscard]] Arg arg(std::string keyword, Expr value);

} // namespace s2f::flyte
