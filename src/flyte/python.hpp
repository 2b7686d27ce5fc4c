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

template <typename T> bool operator==(const Box<T>& left, const Box<T>& right) {
  return *left == *right;
}

struct Expr;
struct Stmt;

// A comment of its own lines: words that the printer wraps at 88 columns, or a line of the script,
// which stays as it was written.
struct Paragraph {
  std::string text; // without "# "
  Span span{};      // of the comment in the script, or of the one statement that it speaks of
  bool verbatim = false;
  bool cites = false; // its lines come from `span` alone

  Paragraph(std::string says) : text(std::move(says)) {} // NOLINT(google-explicit-constructor)
  Paragraph(const char* says) : text(says) {}            // NOLINT(google-explicit-constructor)
  Paragraph(std::string says, Span from)
      : text(std::move(says)), span(from), verbatim(true), cites(true) {}
  static Paragraph of(std::string says, Span statement) {
    Paragraph paragraph(std::move(says), statement);
    paragraph.verbatim = false;
    return paragraph;
  }
  friend bool operator==(const Paragraph& left, const Paragraph& right) {
    return left.text == right.text && left.verbatim == right.verbatim;
  }
};

// Comments and provenance of the piece of code that they stand with. The printer moves a `trailing`
// that does not fit in its line above it.
struct Notes {
  std::vector<Paragraph> above;
  std::string trailing;    // without "# "
  std::vector<Span> spans; // what this piece came from

  [[nodiscard]] bool empty() const { return above.empty() && trailing.empty(); }
  friend bool operator==(const Notes&, const Notes&) = default;
};

// An argument of a call, an element of a list, tuple or dict.
struct Arg;

struct Str { // a text literal; the printer quotes it
  std::string value;
  friend bool operator==(const Str&, const Str&) = default;
};
struct Bytes {
  std::string value;
  friend bool operator==(const Bytes&, const Bytes&) = default;
};
// A number, as it stands in the module ("16", "3e-4", "10_000").
struct Number {
  std::string text;
  friend bool operator==(const Number&, const Number&) = default;
};
// A name or a dotted name: HERE, sys.executable, None, True, flyte.Resources.
struct Name {
  std::string dotted;
  friend bool operator==(const Name&, const Name&) = default;
};
struct Call {
  Box<Expr> callee;
  std::vector<Arg> arguments;
  friend bool operator==(const Call&, const Call&) = default;
};
struct ListExpr {
  std::vector<Arg> elements;
  friend bool operator==(const ListExpr&, const ListExpr&) = default;
};
struct TupleExpr { // a 1-tuple prints its comma
  std::vector<Arg> elements;
  friend bool operator==(const TupleExpr&, const TupleExpr&) = default;
};
struct DictExpr { // the key of an element stands in Arg::key
  std::vector<Arg> elements;
  friend bool operator==(const DictExpr&, const DictExpr&) = default;
};
struct FString { // parts: Str is text, anything else stands in braces
  std::vector<Expr> parts;
  friend bool operator==(const FString&, const FString&) = default;
};
struct Attribute { // value.name, for a value that is no plain name: a chain of calls
  Box<Expr> value;
  std::string name;
  friend bool operator==(const Attribute&, const Attribute&) = default;
};
struct Subscript { // value[index]
  Box<Expr> value;
  Box<Expr> index;
  friend bool operator==(const Subscript&, const Subscript&) = default;
};
struct Binary { // op: "+", "-", "*", "//", "%", "/", "==", "!=", "<", "<=", ">", ">=", "and", "or",
                // "in", "not in", "is", "is not"
  std::string op;
  Box<Expr> left;
  Box<Expr> right;
  friend bool operator==(const Binary&, const Binary&) = default;
};
struct Unary { // op: "-", "not"
  std::string op;
  Box<Expr> operand;
  friend bool operator==(const Unary&, const Unary&) = default;
};
struct Await {
  Box<Expr> value;
  friend bool operator==(const Await&, const Await&) = default;
};
struct Starred { // *value or, with `twice`, **value
  Box<Expr> value;
  bool twice = false;
  friend bool operator==(const Starred&, const Starred&) = default;
};
struct Conditional { // value if condition else otherwise
  Box<Expr> value, condition, otherwise;
  friend bool operator==(const Conditional&, const Conditional&) = default;
};
// [element for target in iterable if condition], or a generator
struct Comprehension {
  Box<Expr> element;
  std::string target;
  Box<Expr> iterable;
  std::optional<Box<Expr>> condition;
  bool is_async = false;
  bool generator = false;
  friend bool operator==(const Comprehension&, const Comprehension&) = default;
};

struct Named { // (target := value); without parentheses where it is the whole condition of an if
  std::string target;
  Box<Expr> value;
  friend bool operator==(const Named&, const Named&) = default;
};

struct Expr {
  std::variant<Str, Bytes, Number, Name, Call, ListExpr, TupleExpr, DictExpr, FString, Attribute,
               Subscript, Binary, Unary, Await, Starred, Conditional, Comprehension, Named>
      value;
  friend bool operator==(const Expr&, const Expr&) = default;
};

struct Arg {
  std::string keyword;     // "" for a positional one
  std::optional<Expr> key; // of a dict
  Expr value;
  Notes notes;
  friend bool operator==(const Arg&, const Arg&) = default;
};

// ---- statements --------------------------------------------------------------------------------

struct Assign { // target = value, target: type = value or, with op "+", target += value
  std::string target;
  std::string type;
  Expr value;
  std::string op;
  friend bool operator==(const Assign&, const Assign&) = default;
};
struct ExprStmt {
  Expr value;
  friend bool operator==(const ExprStmt&, const ExprStmt&) = default;
};
// if code := await run(...): is an If whose condition is a Named
struct Return {
  std::optional<Expr> value;
  friend bool operator==(const Return&, const Return&) = default;
};
struct Raise {
  Expr value;
  std::optional<Expr> cause;
  friend bool operator==(const Raise&, const Raise&) = default;
};
struct Branch {
  std::optional<Expr> condition; // nothing: else
  std::vector<Stmt> body;
  Notes notes;
  friend bool operator==(const Branch&, const Branch&) = default;
};
struct IfStmt {
  std::vector<Branch> branches;
  friend bool operator==(const IfStmt&, const IfStmt&) = default;
};
struct ForStmt {
  std::string target;
  Expr iterable;
  bool is_async = false;
  std::vector<Stmt> body;
  friend bool operator==(const ForStmt&, const ForStmt&) = default;
};
struct WhileStmt {
  Expr condition;
  std::vector<Stmt> body;
  friend bool operator==(const WhileStmt&, const WhileStmt&) = default;
};
struct WithStmt {
  Expr context;
  std::string as; // "" for none
  bool is_async = false;
  std::vector<Stmt> body;
  friend bool operator==(const WithStmt&, const WithStmt&) = default;
};
struct Handler {
  std::string exception; // "flyte.errors.RuntimeUserError"
  std::string as;
  std::vector<Stmt> body;
  friend bool operator==(const Handler&, const Handler&) = default;
};
struct TryStmt {
  std::vector<Stmt> body;
  std::vector<Handler> handlers;
  std::vector<Stmt> finally;
  friend bool operator==(const TryStmt&, const TryStmt&) = default;
};
// async def name(parameters) -> returns, within a task.
struct FunctionDef {
  struct Parameter {
    std::string name, type;
    std::optional<Expr> default_;
    friend bool operator==(const Parameter&, const Parameter&) = default;
  };
  std::string name;
  std::vector<Parameter> parameters;
  std::string returns;
  std::vector<Stmt> body;
  friend bool operator==(const FunctionDef&, const FunctionDef&) = default;
};
struct Break {
  friend bool operator==(const Break&, const Break&) = default;
};
struct Continue {
  friend bool operator==(const Continue&, const Continue&) = default;
};
struct Pass {
  friend bool operator==(const Pass&, const Pass&) = default;
};
// Nothing but its comments.
struct CommentOnly {
  friend bool operator==(const CommentOnly&, const CommentOnly&) = default;
};

struct Stmt {
  std::variant<Assign, ExprStmt, Return, Raise, IfStmt, ForStmt, WhileStmt, WithStmt, TryStmt,
               FunctionDef, Break, Continue, Pass, CommentOnly>
      value;
  Notes notes;
  friend bool operator==(const Stmt&, const Stmt&) = default;
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
