// Turns the target model's expressions into nodes: adds the parentheses that Python needs, writes
// literals, and lifts the comment of a lone argument out of its call.
#include "emit/node.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "emit/emit.hpp"
#include "emit/quote.hpp"
#include "emit/text.hpp"

namespace s2f::emit {

namespace {

using flyte::Expr;
using Kind = Node::Kind;

// How tightly an expression binds: a looser one needs parentheses inside a tighter one.
enum Binding : int {
  named_binding,
  conditional_binding,
  or_binding,
  and_binding,
  not_binding,
  compare_binding,
  add_binding,
  multiply_binding,
  minus_binding,
  await_binding,
  primary_binding,
};

template <typename... Visitors> struct Overloaded : Visitors... {
  using Visitors::operator()...;
};

bool is_arithmetic(std::string_view op) {
  return op == "+" || op == "-" || op == "*" || op == "/" || op == "//" || op == "%";
}

Binding binding_of_operator(std::string_view op) {
  if (op == "or") {
    return or_binding;
  }
  if (op == "and") {
    return and_binding;
  }
  if (op == "+" || op == "-") {
    return add_binding;
  }
  if (is_arithmetic(op)) {
    return multiply_binding;
  }
  return compare_binding;
}

Binding binding(const Node& node) {
  switch (node.kind) {
  case Kind::named:
    return named_binding;
  case Kind::conditional:
    return conditional_binding;
  case Kind::boolean:
  case Kind::arithmetic:
  case Kind::compare:
    return binding_of_operator(node.text);
  case Kind::unary:
    return node.text == "not" ? not_binding : minus_binding;
  case Kind::await:
    return await_binding;
  case Kind::starred:
    return conditional_binding;
  default:
    return primary_binding;
  }
}

Node with_parentheses(Node node, int least) {
  node.parenthesized = binding(node) < least;
  return node;
}

Node leaf(Kind kind, std::string text) {
  Node node;
  node.kind = kind;
  node.text = std::move(text);
  return node;
}

Node attribute(Node value, std::string name) {
  Node node = leaf(Kind::attribute, std::move(name));
  // 1.real would be a float and a name.
  value.parenthesized = binding(value) < primary_binding || value.kind == Kind::number;
  node.kids.push_back(std::move(value));
  return node;
}

Node dotted_name(std::string_view dotted) {
  if (dotted == "None" || dotted == "True" || dotted == "False") {
    return leaf(Kind::constant, std::string(dotted));
  }
  std::size_t dot = dotted.find('.');
  Node node = leaf(Kind::name, std::string(dotted.substr(0, dot)));
  while (dot != std::string_view::npos) {
    const std::size_t next = dotted.find('.', dot + 1);
    node = attribute(std::move(node), std::string(dotted.substr(dot + 1, next - dot - 1)));
    dot = next;
  }
  return node;
}

// As ruff spells numbers: a small "e", a zero before and after the point.
Node number(std::string_view text) {
  if (text.starts_with('-')) {
    Node node = leaf(Kind::unary, "-");
    node.kids.push_back(number(text.substr(1)));
    return node;
  }
  std::string out(text);
  const bool prefixed = text.size() > 1 && text[0] == '0' &&
                        std::isalpha(static_cast<unsigned char>(text[1])) != 0 && text[1] != 'e' &&
                        text[1] != 'E';
  if (!prefixed) {
    std::ranges::transform(out, out.begin(), [](char c) { return c == 'E' ? 'e' : c; });
    if (out.starts_with('.')) {
      out.insert(0, "0");
    }
    const std::size_t point = out.find('.');
    if (point != std::string::npos && (point + 1 == out.size() || out[point + 1] == 'e')) {
      out.insert(point + 1, "0");
    }
    if (const std::size_t plus = out.find("e+"); plus != std::string::npos) {
      out.erase(plus + 1, 1);
    }
  }
  return leaf(Kind::number, out);
}

class Converter {
public:
  explicit Converter(const Moved& moved) : moved_(moved) {}

  Node convert(const Expr& expr, int least, Lifted* lifted = nullptr) {
    Node node = std::visit([&](const auto& value) { return visit(value, lifted); }, expr.value);
    return with_parentheses(std::move(node), least);
  }

private:
  Node visit(const flyte::Str& value, Lifted*) {
    return leaf(Kind::string,
                field_quote_ == 0 ? quote(value.value) : quote_with(value.value, field_quote_));
  }

  Node visit(const flyte::Bytes& value, Lifted*) {
    return leaf(Kind::string, quote_bytes(value.value));
  }

  Node visit(const flyte::Number& value, Lifted*) { return number(value.text); }

  Node visit(const flyte::Name& value, Lifted*) { return dotted_name(value.dotted); }

  Node visit(const flyte::Call& value, Lifted* lifted) {
    Node node = leaf(Kind::call, "");
    node.kids.push_back(convert(*value.callee, primary_binding));
    add_items(node, value.arguments, lifted);
    const bool lone = node.items.size() == 1 && node.items[0].keyword.empty();
    if (lone && node.items[0].value.kind == Kind::generator) {
      node.items[0].value.bare = true;
    }
    return node;
  }

  Node visit(const flyte::ListExpr& value, Lifted* lifted) {
    Node node = leaf(Kind::list, "");
    add_items(node, value.elements, lifted);
    return node;
  }

  Node visit(const flyte::TupleExpr& value, Lifted* lifted) {
    Node node = leaf(Kind::tuple, "");
    add_items(node, value.elements, lifted);
    return node;
  }

  Node visit(const flyte::DictExpr& value, Lifted* lifted) {
    Node node = leaf(Kind::dict, "");
    add_items(node, value.elements, lifted);
    return node;
  }

  Node visit(const flyte::FString& value, Lifted*);

  // str(expr)
  Node text_of(const Expr& expr) {
    Node node = leaf(Kind::call, "");
    node.kids.push_back(leaf(Kind::name, "str"));
    Item item;
    item.value = convert(expr, conditional_binding);
    if (item.value.kind == Kind::generator) {
      item.value.bare = true;
    }
    node.items.push_back(std::move(item));
    return node;
  }

  Node visit(const flyte::Attribute& value, Lifted*) {
    return attribute(convert(*value.value, primary_binding), value.name);
  }

  Node visit(const flyte::Subscript& value, Lifted*) {
    Node node = leaf(Kind::subscript, "");
    node.kids.push_back(convert(*value.value, primary_binding));
    node.kids.push_back(convert(*value.index, conditional_binding));
    Node& index = node.kids.back();
    // x[a, b], but x[(a,)].
    index.bare = index.kind == Kind::tuple && index.items.size() > 1;
    return node;
  }

  Node visit(const flyte::Binary& value, Lifted*) {
    const Binding own = binding_of_operator(value.op);
    if (own == or_binding || own == and_binding) {
      Node node = leaf(Kind::boolean, value.op);
      add_operand(node, convert(*value.left, own));
      add_operand(node, convert(*value.right, own));
      return node;
    }
    const bool compares = own == compare_binding;
    Node node = leaf(compares ? Kind::compare : Kind::arithmetic, value.op);
    node.kids.push_back(convert(*value.left, compares ? own + 1 : own));
    node.kids.push_back(convert(*value.right, own + 1));
    return node;
  }

  // a and b and c is one expression, however it is nested.
  static void add_operand(Node& node, Node operand) {
    if (operand.kind == Kind::boolean && operand.text == node.text && !operand.parenthesized) {
      for (Node& kid : operand.kids) {
        node.kids.push_back(std::move(kid));
      }
    } else {
      node.kids.push_back(std::move(operand));
    }
  }

  Node visit(const flyte::Unary& value, Lifted*) {
    Node node = leaf(Kind::unary, value.op);
    const bool negates = value.op == "not";
    node.kids.push_back(convert(*value.operand, negates ? not_binding : minus_binding));
    Node& operand = node.kids.back();
    // --x reads as a decrement.
    if (!negates && operand.kind == Kind::unary) {
      operand.parenthesized = true;
    }
    return node;
  }

  Node visit(const flyte::Await& value, Lifted* lifted) {
    Node node = leaf(Kind::await, "");
    node.kids.push_back(convert(*value.value, primary_binding, lifted));
    // ruff gives a generator a second pair there.
    Node& operand = node.kids.back();
    operand.parenthesized |= operand.kind == Kind::generator;
    return node;
  }

  Node visit(const flyte::Starred& value, Lifted*) {
    Node node = leaf(Kind::starred, value.twice ? "**" : "*");
    node.kids.push_back(convert(*value.value, add_binding));
    return node;
  }

  Node visit(const flyte::Conditional& value, Lifted*) {
    Node node = leaf(Kind::conditional, "");
    node.kids.push_back(convert(*value.value, or_binding));
    node.kids.push_back(convert(*value.condition, or_binding));
    node.kids.push_back(convert(*value.otherwise, conditional_binding));
    return node;
  }

  Node visit(const flyte::Comprehension& value, Lifted*) {
    Node node = leaf(value.generator ? Kind::generator : Kind::list_comprehension, value.target);
    node.is_async = value.is_async;
    node.kids.push_back(convert(*value.element, conditional_binding));
    node.kids.push_back(convert(*value.iterable, or_binding));
    if (value.condition) {
      node.kids.push_back(convert(**value.condition, or_binding));
    }
    return node;
  }

  Node visit(const flyte::Named& value, Lifted*) {
    Node node = leaf(Kind::named, value.target);
    node.kids.push_back(convert(*value.value, conditional_binding));
    return node;
  }

  void add_items(Node& node, const std::vector<flyte::Arg>& arguments, Lifted* lifted) {
    node.key = &arguments;
    node.exploded = moved_.exploded.contains(node.key);
    for (const flyte::Arg& argument : arguments) {
      Item item;
      item.keyword = argument.keyword;
      item.notes = &argument.notes;
      if (argument.key) {
        item.key = convert(*argument.key, conditional_binding);
      }
      Lifted inner;
      item.value = convert(argument.value, conditional_binding, &inner);
      Comments comments = comments_of(argument.notes, moved_);
      item.above = std::move(comments.above);
      item.trailing = std::move(comments.trailing);
      if (item.trailing.empty() && !inner.trailing.empty()) {
        item.trailing = inner.trailing;
        item.lifted = inner.notes;
      } else if (!inner.trailing.empty()) {
        // There is one already: convert again, and leave it inside.
        item.value = convert(argument.value, conditional_binding);
      }
      node.items.push_back(std::move(item));
    }
    if (lifted != nullptr && node.items.size() == 1 && can_lift(node.items[0])) {
      Item& item = node.items[0];
      lifted->trailing = std::exchange(item.trailing, {});
      lifted->notes = std::exchange(item.lifted, {});
      if (lifted->notes.empty()) {
        lifted->notes.push_back(item.notes);
      }
    }
  }

  [[nodiscard]] bool can_lift(const Item& item) const {
    const auto stays = [&](const flyte::Notes* notes) {
      return moved_.lowered.contains(notes) || moved_.above.contains(notes);
    };
    return !item.trailing.empty() && item.above.empty() && !stays(item.notes) &&
           std::ranges::none_of(item.lifted, stays);
  }

  const Moved& moved_;
  char field_quote_ = 0; // the quotes of strings, inside a replacement field
};

// The target is any Python from 3.10 on, where a replacement field holds neither the quotes of its
// string nor a backslash: where one is needed the string is put together with "+".
bool any_text(const Node& node, auto&& predicate) {
  if (predicate(node)) {
    return true;
  }
  for (const Node& kid : node.kids) {
    if (any_text(kid, predicate)) {
      return true;
    }
  }
  for (const Item& item : node.items) {
    if ((item.key && any_text(*item.key, predicate)) || any_text(item.value, predicate)) {
      return true;
    }
  }
  return false;
}

std::string doubled_braces(std::string_view text) {
  std::string out;
  for (const char c : text) {
    out += c;
    if (c == '{' || c == '}') {
      out += c;
    }
  }
  return out;
}

// f"{str(x)}" is f"{x}".
const Expr* without_str(const Expr* expr) {
  const auto* call = std::get_if<flyte::Call>(&expr->value);
  if (call == nullptr || call->arguments.size() != 1 || !call->arguments[0].keyword.empty()) {
    return expr;
  }
  const auto* callee = std::get_if<flyte::Name>(&call->callee->value);
  const bool starred = std::holds_alternative<flyte::Starred>(call->arguments[0].value.value);
  return callee != nullptr && callee->dotted == "str" && !starred ? &call->arguments[0].value
                                                                  : expr;
}

// {x:03d} of format(x, "03d"): what it is of, and the specification.
std::pair<const Expr*, std::string> specified(const Expr* expr) {
  const auto* call = std::get_if<flyte::Call>(&expr->value);
  const auto* callee = call == nullptr ? nullptr : std::get_if<flyte::Name>(&call->callee->value);
  if (callee == nullptr || callee->dotted != "format" || call->arguments.size() != 2) {
    return {expr, ""};
  }
  const auto* text = std::get_if<flyte::Str>(&call->arguments[1].value.value);
  return text == nullptr
             ? std::pair<const Expr*, std::string>{expr, ""}
             : std::pair<const Expr*, std::string>{&call->arguments[0].value, ":" + text->value};
}

void flatten(const flyte::FString& value, std::vector<const Expr*>& parts) {
  for (const Expr& part : value.parts) {
    if (const auto* inner = std::get_if<flyte::FString>(&part.value)) {
      flatten(*inner, parts);
    } else {
      parts.push_back(without_str(&part));
    }
  }
}

std::string flat(const Node& node);

std::string flat_items(const Node& node) {
  std::string out;
  for (const Item& item : node.items) {
    if (!out.empty()) {
      out += ", ";
    }
    if (!item.keyword.empty()) {
      out += item.keyword + "=";
    }
    if (item.key) {
      out += flat(*item.key) + ": ";
    }
    out += flat(item.value);
  }
  return out;
}

std::string flat_inner(const Node& node) {
  const auto kid = [&](std::size_t i) { return flat(node.kids[i]); };
  switch (node.kind) {
  case Kind::attribute:
    return kid(0) + "." + node.text;
  case Kind::call:
    return kid(0) + "(" + flat_items(node) + ")";
  case Kind::subscript:
    return kid(0) + "[" + kid(1) + "]";
  case Kind::list:
    return "[" + flat_items(node) + "]";
  case Kind::dict:
    return "{" + flat_items(node) + "}";
  case Kind::tuple:
    if (node.bare) {
      return flat_items(node);
    }
    return "(" + flat_items(node) + (node.items.size() == 1 ? ",)" : ")");
  case Kind::arithmetic:
  case Kind::compare:
    return kid(0) + " " + node.text + " " + kid(1);
  case Kind::boolean: {
    std::string out = kid(0);
    for (std::size_t i = 1; i < node.kids.size(); ++i) {
      out += " " + node.text + " " + kid(i);
    }
    return out;
  }
  case Kind::unary:
    return node.text + (node.text == "not" ? " " : "") + kid(0);
  case Kind::await:
    return "await " + kid(0);
  case Kind::starred:
    return node.text + kid(0);
  case Kind::conditional:
    return kid(0) + " if " + kid(1) + " else " + kid(2);
  case Kind::list_comprehension:
  case Kind::generator: {
    std::string out =
        kid(0) + (node.is_async ? " async for " : " for ") + node.text + " in " + kid(1);
    if (node.kids.size() > 2) {
      out += " if " + kid(2);
    }
    if (node.kind == Kind::list_comprehension) {
      return "[" + out + "]";
    }
    return node.bare ? out : "(" + out + ")";
  }
  case Kind::named:
    return node.text + " := " + kid(0);
  default:
    return node.text;
  }
}

std::string flat(const Node& node) {
  return node.parenthesized ? "(" + flat_inner(node) + ")" : flat_inner(node);
}

Node Converter::visit(const flyte::FString& value, Lifted*) {
  std::vector<const Expr*> parts;
  flatten(value, parts);
  std::string literal;
  for (const Expr* part : parts) {
    if (const auto* text = std::get_if<flyte::Str>(&part->value)) {
      literal += text->value;
    }
  }
  const char quote = best_quote(literal);
  struct Part {
    std::optional<std::string> text;
    Node field;
    std::string specification;
  };
  std::vector<Part> converted;
  std::vector<const Expr*> fields;
  // A field inside a field would need a third kind of quotes.
  bool plus = field_quote_ != 0;
  const char outer = std::exchange(field_quote_, quote == '"' ? '\'' : '"');
  for (const Expr* part : parts) {
    if (const auto* text = std::get_if<flyte::Str>(&part->value)) {
      if (!converted.empty() && converted.back().text) {
        *converted.back().text += text->value;
      } else {
        converted.push_back({text->value, {}, {}});
      }
      continue;
    }
    fields.push_back(part);
    const auto [of, specification] = specified(part);
    converted.push_back({{}, convert(*of, conditional_binding), specification});
    plus |= any_text(converted.back().field, [&](const Node& node) {
      return node.kind == Kind::f_string ||
             (node.kind == Kind::string &&
              node.text.find_first_of(std::string{'\\', quote}) != std::string::npos);
    });
  }
  field_quote_ = outer;
  if (fields.empty()) {
    return visit(flyte::Str{literal}, nullptr);
  }
  if (!plus) {
    std::string out{'f', quote};
    for (const Part& part : converted) {
      if (part.text) {
        out += doubled_braces(quoted_body(*part.text, quote));
        continue;
      }
      const std::string field = flat(part.field) + part.specification;
      const bool brace = field.starts_with('{');
      out += (brace ? "{ " : "{") + field + (brace ? " }" : "}");
    }
    return leaf(Kind::f_string, out + quote);
  }
  // "text" + str(field) + "text"
  std::optional<Node> sum;
  const auto add = [&](Node operand) {
    if (!sum) {
      sum = std::move(operand);
      return;
    }
    Node node = leaf(Kind::arithmetic, "+");
    node.kids.push_back(std::move(*sum));
    node.kids.push_back(std::move(operand));
    sum = std::move(node);
  };
  std::size_t field = 0;
  for (const Part& part : converted) {
    if (part.text) {
      add(visit(flyte::Str{*part.text}, nullptr));
    } else {
      add(text_of(*fields[field]));
      ++field;
    }
  }
  return sum ? std::move(*sum) : leaf(Kind::string, "\"\"");
}

// Reads names, dots, subscripts, literals and "|": what types and targets are made of.
class ReferenceParser {
public:
  ReferenceParser(std::string_view text, const Moved& moved) : rest_(text), moved_(moved) {}

  std::optional<Node> whole() {
    std::optional<Node> node = sequence();
    skip_blanks();
    return rest_.empty() ? node : std::nullopt;
  }

private:
  void skip_blanks() {
    while (rest_.starts_with(' ')) {
      rest_.remove_prefix(1);
    }
  }

  bool take(char c) {
    skip_blanks();
    if (!rest_.starts_with(c)) {
      return false;
    }
    rest_.remove_prefix(1);
    return true;
  }

  // a, b: a bare tuple.
  std::optional<Node> sequence() {
    std::optional<Node> first = alternatives();
    skip_blanks();
    if (!first || !rest_.starts_with(',')) {
      return first;
    }
    Node tuple = leaf(Kind::tuple, "");
    tuple.bare = true;
    // Where it stands in the text is what it is known by.
    tuple.key = rest_.data();
    tuple.exploded = moved_.exploded.contains(tuple.key);
    tuple.items.push_back({.value = std::move(*first)});
    while (take(',')) {
      std::optional<Node> next = alternatives();
      if (!next) {
        return std::nullopt;
      }
      tuple.items.push_back({.value = std::move(*next)});
    }
    return tuple;
  }

  std::optional<Node> alternatives() {
    std::optional<Node> node = primary();
    while (node && take('|')) {
      std::optional<Node> right = primary();
      if (!right) {
        return std::nullopt;
      }
      Node both = leaf(Kind::arithmetic, "|");
      both.kids.push_back(std::move(*node));
      both.kids.push_back(std::move(*right));
      node = std::move(both);
    }
    return node;
  }

  std::optional<Node> primary() {
    std::optional<Node> node = atom();
    while (node) {
      if (take('.')) {
        const std::string name = word();
        if (name.empty()) {
          return std::nullopt;
        }
        node = attribute(std::move(*node), name);
      } else if (take('[')) {
        std::optional<Node> index = sequence();
        if (!index || !take(']')) {
          return std::nullopt;
        }
        Node subscript = leaf(Kind::subscript, "");
        subscript.kids.push_back(std::move(*node));
        subscript.kids.push_back(std::move(*index));
        node = std::move(subscript);
      } else {
        break;
      }
    }
    return node;
  }

  std::optional<Node> atom() {
    skip_blanks();
    if (rest_.starts_with('"') || rest_.starts_with('\'')) {
      const char quote = rest_[0];
      const std::size_t end = rest_.find(quote, 1);
      if (end == std::string_view::npos ||
          rest_.substr(0, end).find('\\') != std::string_view::npos) {
        return std::nullopt;
      }
      const std::string_view body = rest_.substr(1, end - 1);
      rest_.remove_prefix(end + 1);
      return leaf(Kind::string, emit::quote(body));
    }
    if (take('[')) { // Callable[[int], str]
      Node list = leaf(Kind::list, "");
      if (take(']')) {
        return list;
      }
      std::optional<Node> inner = sequence();
      if (!inner || !take(']')) {
        return std::nullopt;
      }
      if (inner->kind == Kind::tuple && inner->bare) {
        list.items = std::move(inner->items);
        list.key = inner->key;
        list.exploded = inner->exploded;
      } else {
        list.items.push_back({.value = std::move(*inner)});
      }
      return list;
    }
    const std::string name = word();
    if (name.empty()) {
      if (rest_.starts_with("...")) {
        rest_.remove_prefix(3);
        return leaf(Kind::constant, "...");
      }
      return std::nullopt;
    }
    if (std::isdigit(static_cast<unsigned char>(name[0])) != 0) {
      return leaf(Kind::number, name);
    }
    return dotted_name(name);
  }

  std::string word() {
    skip_blanks();
    std::size_t end = 0;
    while (end < rest_.size() &&
           (std::isalnum(static_cast<unsigned char>(rest_[end])) != 0 || rest_[end] == '_' ||
            static_cast<unsigned char>(rest_[end]) >= 0x80)) {
      ++end;
    }
    std::string out(rest_.substr(0, end));
    rest_.remove_prefix(end);
    return out;
  }

  std::string_view rest_;
  const Moved& moved_;
};

} // namespace

Comments comments_of(const flyte::Notes& notes, const Moved& moved) {
  Comments comments;
  for (const flyte::Paragraph& paragraph : notes.above) {
    if (!one_line(paragraph.text).empty()) {
      comments.above.push_back(paragraph);
    }
  }
  comments.trailing = one_line(notes.trailing);
  if (moved.above.contains(&notes) && !comments.trailing.empty()) {
    comments.above.emplace_back(std::exchange(comments.trailing, {}));
  }
  return comments;
}

Node to_node(const flyte::Expr& expr, const Moved& moved, Lifted* lifted) {
  return Converter(moved).convert(expr, named_binding, lifted);
}

Node parse_reference(std::string_view text, const Moved& moved) {
  std::optional<Node> node = ReferenceParser(text, moved).whole();
  return node ? std::move(*node) : leaf(Kind::name, std::string(text));
}

} // namespace s2f::emit
