// Reads annotations and guesses nothing: a converter whose outcome is not plain is `unknown`.
#include "payload/types.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "payload/literal.hpp"
#include "payload/options.hpp"

namespace s2f::payload {
namespace {

constexpr int deepest = 12;

OptionType type_named(std::string_view name) {
  if (name == "int" || name == "builtins.int")
    return OptionType::integer;
  if (name == "float" || name == "builtins.float")
    return OptionType::real;
  if (name == "str" || name == "builtins.str")
    return OptionType::text;
  if (name == "bool" || name == "builtins.bool")
    return OptionType::boolean_value;
  constexpr std::array<std::string_view, 9> paths = {
      "pathlib.Path",     "pathlib.PosixPath", "pathlib.PurePath",
      "os.path.abspath",  "os.path.realpath",  "os.path.expanduser",
      "os.path.normpath", "os.PathLike",       "upath.UPath"};
  if (std::ranges::find(paths, name) != paths.end())
    return OptionType::path;
  return OptionType::unknown;
}

bool says_bool(std::string_view name) {
  std::string lower;
  for (const char c : name)
    lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower.contains("bool");
}

bool is_enum(const Program& program, NodeId class_) {
  const Syntax& syntax = program.syntax();
  for (const NodeId base : syntax.children(syntax.child(class_, Field::superclasses))) {
    const std::string name = program.canonical(base);
    if (name.ends_with("Enum"))
      return true;
  }
  return false;
}

std::vector<std::string> enum_values(const Program& program, NodeId class_) {
  const Syntax& syntax = program.syntax();
  std::vector<std::string> out;
  for (const NodeId statement : syntax.children(syntax.child(class_, Field::body))) {
    const NodeId assignment = syntax.first_child(statement);
    if (syntax.kind(assignment) != Kind::assignment)
      continue;
    auto value = text_of(program, syntax.child(assignment, Field::right));
    if (!value)
      return {};
    out.push_back(*std::move(value));
  }
  return out;
}

// The parts of X[a, b], which is one of three kinds of node depending on where it stands.
struct Generic {
  NodeId head = no_node;
  std::vector<NodeId> arguments;
};

Generic generic_of(const Syntax& syntax, NodeId node) {
  Generic out;
  if (syntax.kind(node) == Kind::subscript) {
    out.head = syntax.child(node, Field::value);
    for (const NodeId child : syntax.children(node))
      if (syntax[child].field == Field::subscript)
        out.arguments.push_back(child);
    // `X[(a, b)]` and, in some places, `X[a, b]` have their arguments in a tuple.
    if (out.arguments.size() == 1 && syntax.kind(out.arguments.front()) == Kind::tuple)
      out.arguments = syntax.children(out.arguments.front());
  } else if (syntax.kind(node) == Kind::generic_type) {
    for (const NodeId child : syntax.children(node)) {
      if (syntax.kind(child) == Kind::type_parameter) {
        out.arguments = syntax.children(child);
      } else {
        out.head = child;
      }
    }
  }
  return out;
}

void read(const Program& program, NodeId node, Annotation& out, int depth);

// Of X | Y and Union[X, Y] one that is not None counts; two of them are text at best.
void read_union(const Program& program, const std::vector<NodeId>& members, Annotation& out,
                int depth) {
  std::vector<NodeId> real;
  for (const NodeId member : members) {
    const NodeId plain = program.syntax().unparenthesized(member);
    if (program.syntax().kind(plain) != Kind::none)
      real.push_back(plain);
  }
  if (real.size() == 1) {
    read(program, real.front(), out, depth + 1);
    return;
  }
  const auto is_path = [&](NodeId member) {
    const OptionType type = type_named(program.canonical(member));
    return type == OptionType::path || type == OptionType::text;
  };
  if (!real.empty() && std::ranges::all_of(real, is_path))
    out.type = OptionType::path;
}

void read_generic(const Program& program, const Generic& generic, Annotation& out, int depth) {
  std::string name = program.canonical(generic.head);
  name.erase(0, name.rfind('.') + 1); // npos + 1 is 0
  const NodeId first = generic.arguments.empty() ? no_node : generic.arguments.front();
  if (name == "Optional") {
    read(program, first, out, depth + 1);
  } else if (name == "Union") {
    read_union(program, generic.arguments, out, depth);
  } else if (name == "Annotated") {
    read(program, first, out, depth + 1);
    if (!generic.arguments.empty())
      out.metadata.assign(generic.arguments.begin() + 1, generic.arguments.end());
  } else if (name == "Literal") {
    const Syntax& syntax = program.syntax();
    for (const NodeId argument : generic.arguments) {
      const NodeId value = syntax.unparenthesized(argument);
      if (auto text = string_value(syntax, value)) {
        out.choices.push_back(*std::move(text));
        out.type = OptionType::text;
      } else if (syntax.kind(value) == Kind::integer) {
        out.choices.emplace_back(syntax.text_of(value));
        out.type = OptionType::integer;
      }
    }
  } else if (name == "List" || name == "list" || name == "Sequence" || name == "Iterable" ||
             name == "Tuple" || name == "tuple" || name == "Set" || name == "set") {
    read(program, first, out, depth + 1);
    out.multiple = true;
  }
}

void read(const Program& program, NodeId node, Annotation& out, int depth) {
  if (depth > deepest || node == no_node)
    return;
  const Syntax& syntax = program.syntax();
  node = syntax.unparenthesized(node);
  switch (syntax.kind(node)) {
  case Kind::string: { // "int", for the sake of names that come later
    const auto text = string_value(syntax, node);
    if (text)
      out.type = type_named(*text == "Path" ? "pathlib.Path" : *text);
    return;
  }
  case Kind::subscript:
  case Kind::generic_type:
    read_generic(program, generic_of(syntax, node), out, depth);
    return;
  case Kind::binary_operator:
    read_union(program, {syntax.child(node, Field::left), syntax.child(node, Field::right)}, out,
               depth);
    return;
  case Kind::union_type:
    read_union(program, syntax.children(node), out, depth);
    return;
  default:
    break;
  }
  const std::string name = program.canonical(node);
  out.type = type_named(name);
  if (name == "list" || name == "typing.List") {
    out.type = OptionType::text;
    out.multiple = true;
  }
  const NodeId class_ = program.class_(name);
  if (class_ != no_node && is_enum(program, class_)) {
    out.choices = enum_values(program, class_);
    out.type = out.choices.empty() ? OptionType::unknown : OptionType::text;
  }
}

OptionType result_type(const Program& program, NodeId expression) {
  const Syntax& syntax = program.syntax();
  expression = program.resolve(expression);
  switch (syntax.kind(expression)) {
  case Kind::true_:
  case Kind::false_:
  case Kind::comparison_operator:
  case Kind::not_operator:
    return OptionType::boolean_value;
  case Kind::integer:
    return OptionType::integer;
  case Kind::float_:
    return OptionType::real;
  case Kind::string:
    return OptionType::text;
  case Kind::call: {
    const std::string callee = program.callee(expression);
    if (callee.ends_with("strtobool"))
      return OptionType::boolean_value;
    const std::string_view method = program.method(expression);
    const bool keeps_text = method == "lower" || method == "upper" || method == "strip" ||
                            method == "rstrip" || method == "lstrip";
    if (keeps_text)
      return OptionType::text;
    const bool keeps_path = method == "expanduser" || method == "resolve" || method == "absolute";
    if (keeps_path) {
      const NodeId inner = program.receiver(expression);
      return syntax.kind(inner) == Kind::call ? type_named(program.callee(inner))
                                              : OptionType::unknown;
    }
    return type_named(callee);
  }
  default:
    return OptionType::unknown;
  }
}

OptionType function_type(const Program& program, NodeId function) {
  const Syntax& syntax = program.syntax();
  Annotation annotation;
  read(program, syntax.child(function, Field::return_type), annotation, 0);
  if (annotation.type != OptionType::unknown)
    return annotation.multiple ? OptionType::unknown : annotation.type;
  const auto& results = program.returned(function);
  if (results.empty())
    return OptionType::unknown;
  const OptionType first = result_type(program, results.front());
  // `if isinstance(v, bool): return v` gives back what it was given.
  const bool is_boolean = says_bool(syntax.text_of(syntax.child(function, Field::name)));
  bool is_same = true;
  for (const NodeId result : results)
    is_same = is_same && result_type(program, result) == first;
  if (is_same && first != OptionType::unknown)
    return first;
  return is_boolean ? OptionType::boolean_value : OptionType::unknown;
}

} // namespace

Annotation read_annotation(const Program& program, NodeId annotation) {
  Annotation out;
  read(program, annotation, out, 0);
  return out;
}

OptionType converter_type(const Program& program, NodeId converter) {
  const Syntax& syntax = program.syntax();
  converter = program.resolve(converter);
  switch (syntax.kind(converter)) {
  case Kind::lambda:
    return result_type(program, syntax.child(converter, Field::body));
  case Kind::string: { // optparse: type="int"
    const auto name = string_value(syntax, converter);
    if (!name)
      return OptionType::unknown;
    return *name == "string" ? OptionType::text : type_named(*name);
  }
  case Kind::identifier:
  case Kind::attribute:
    break;
  default:
    return OptionType::unknown;
  }
  const std::string name = program.canonical(converter);
  const NodeId function = program.function(name);
  if (function != no_node)
    return function_type(program, function);
  const OptionType type = type_named(name);
  if (type != OptionType::unknown)
    return type;
  if (name.ends_with("strtobool") || says_bool(name))
    return OptionType::boolean_value;
  return OptionType::unknown;
}

} // namespace s2f::payload
