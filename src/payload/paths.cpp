// Evaluates path expressions as far as they are plain, under a budget of steps.
#include "payload/paths.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "payload/literal.hpp"

namespace s2f::payload {
namespace {

using Origin = PathValue::Origin;

// Names that double at every use would otherwise cost exponential time and space.
constexpr int most_steps = 200;
constexpr int deepest = 40;
constexpr std::size_t longest_path = 4096;

constexpr std::array<std::string_view, 22> usual_namespaces = {
    "args",  "arg",       "opt",      "opts",      "options",     "option", "params", "hparams",
    "FLAGS", "arguments", "cli_args", "namespace", "parsed_args", "parsed", "flags",  "conf",
    "cfg",   "config",    "ns",       "argv",      "cmd_args",    "_args"};

bool is_usual(std::string_view name) {
  return std::ranges::find(usual_namespaces, name) != usual_namespaces.end() ||
         name.ends_with("_args");
}

// Calls that give the path that they are given.
constexpr std::array<std::string_view, 17> same_path = {"pathlib.Path",
                                                        "pathlib.PosixPath",
                                                        "pathlib.PurePath",
                                                        "pathlib.PurePosixPath",
                                                        "os.path.abspath",
                                                        "os.path.realpath",
                                                        "os.path.normpath",
                                                        "os.path.expanduser",
                                                        "os.path.expandvars",
                                                        "os.fspath",
                                                        "str",
                                                        "upath.UPath",
                                                        "os.fsencode",
                                                        "path.Path",
                                                        "py.path.local",
                                                        "click.format_filename",
                                                        "os.path.relpath"};

constexpr std::array<std::string_view, 8> same_path_methods = {
    "resolve", "absolute", "expanduser", "as_posix", "strip", "rstrip", "lstrip", "__fspath__"};

template <typename Names> bool among(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

void append_unknown(PathValue& value) {
  if (!value.text.ends_with('*'))
    value.text += '*';
  value.computed = true;
}

} // namespace

PathReader::PathReader(const Program& program, const Declarations& declarations)
    : program_(program), syntax_(program.syntax()), declarations_(declarations) {
  for (std::size_t i = 0; i < declarations.options.size(); ++i) {
    const Declared& declared = declarations.options[i];
    by_dest_.try_emplace(declared.option.dest, i);
    by_node_.try_emplace(declared.node, i);
    if (declared.function != no_node)
      by_parameter_.try_emplace({declared.function, declared.option.dest}, i);
  }
}

std::optional<PathValue> PathReader::read(NodeId expression) {
  steps_ = most_steps;
  depth_ = 0;
  inside_attribute_ = false;
  return value(expression);
}

std::optional<PathValue> PathReader::value(NodeId expression) {
  if (expression == no_node || --steps_ < 0 || depth_ >= deepest)
    return std::nullopt;
  ++depth_;
  expression = syntax_.unparenthesized(expression);
  std::optional<PathValue> out;
  switch (syntax_.kind(expression)) {
  case Kind::string:
  case Kind::concatenated_string:
    out = concatenated(pieces_of_format_string(expression));
    break;
  case Kind::identifier:
    out = value_of_name(expression);
    break;
  case Kind::attribute:
    out = value_of_attribute(expression);
    break;
  case Kind::subscript:
    out = value_of_subscript(expression);
    break;
  case Kind::call:
    out = value_of_call(expression);
    break;
  case Kind::binary_operator:
  case Kind::boolean_operator:
    out = value_of_operator(expression);
    break;
  case Kind::named_expression:
    out = value(syntax_.child(expression, Field::value));
    break;
  case Kind::await:
    out = value(syntax_.first_child(expression));
    break;
  default:
    break;
  }
  --depth_;
  if (out && out->text.size() > longest_path)
    out.reset();
  return out;
}

// Names ---------------------------------------------------------------------------------------

std::optional<PathValue> PathReader::value_of_name(NodeId identifier) {
  const auto name = syntax_.text_of(identifier);
  const Binding* binding = program_.lookup(identifier, name);
  if (binding == nullptr || binding->count != 1)
    return std::nullopt;
  if (binding->parameter != no_node)
    return value_of_parameter(*binding);
  return value_of_binding(*binding);
}

std::optional<PathValue> PathReader::value_of_binding(const Binding& binding) {
  if (binding.count != 1 || binding.value == no_node)
    return std::nullopt;
  if (binding.element < 0)
    return value(binding.value);
  // script, source, target = sys.argv; or sys.argv[1:]
  const NodeId values = syntax_.unparenthesized(binding.value);
  int first = 0;
  NodeId words = values;
  if (syntax_.kind(values) == Kind::subscript) {
    words = syntax_.child(values, Field::value);
    const auto slice = syntax_.text_of(syntax_.child(values, Field::subscript));
    if (!slice.starts_with("1:"))
      return std::nullopt;
    first = 1;
  }
  if (program_.canonical(words) != "sys.argv" || first + binding.element == 0)
    return std::nullopt;
  return PathValue{.origin = Origin::argument, .text = {}, .argument = first + binding.element};
}

std::optional<PathValue> PathReader::value_of_parameter(const Binding& binding) {
  const NodeId function = syntax_.parent(syntax_.parent(binding.parameter));
  NodeId name = binding.parameter;
  if (syntax_.child(name, Field::name) != no_node) {
    name = syntax_.child(name, Field::name);
  } else if (syntax_.kind(name) == Kind::typed_parameter) {
    name = syntax_.first_child(name);
  }
  const auto option = by_parameter_.find({function, syntax_.text_of(name)});
  if (option != by_parameter_.end())
    return PathValue{.origin = Origin::option, .text = {}, .option = option->second};
  std::string_view expanded;
  const NodeId given = given_for(binding.parameter, expanded);
  if (!expanded.empty())
    return named_option(expanded);
  return value(given);
}

NodeId PathReader::given_for(NodeId parameter, std::string_view& expanded_name) {
  const NodeId function = syntax_.parent(syntax_.parent(parameter));
  if (syntax_.kind(function) != Kind::function_definition)
    return no_node;
  auto name = syntax_.text_of(syntax_.child(function, Field::name));
  std::size_t skipped = 0;
  if (name == "__init__") { // given where the class is called, and self is not given there
    const NodeId class_ = program_.class_around(function);
    name = syntax_.text_of(syntax_.child(class_, Field::name));
    skipped = 1;
  } else if (program_.function(name) != function) {
    return no_node;
  }
  const auto& calls = program_.calls_of(name);
  if (calls.size() != 1)
    return no_node;
  const Arguments arguments = program_.arguments(calls.front());
  const auto parameters = program_.parameters(function);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].node != parameter)
      continue;
    if (parameters[i].passing == Parameter::Passing::rest ||
        parameters[i].passing == Parameter::Passing::rest_keywords || i < skipped)
      return no_node;
    const NodeId keyword = arguments.keyword(parameters[i].name);
    if (keyword != no_node)
      return keyword;
    const NodeId given = arguments.at(i - skipped);
    if (given != no_node)
      return given;
    // main(**vars(args))
    const NodeId expanded = arguments.double_splat;
    if (expanded != no_node && is_namespace(expanded))
      expanded_name = parameters[i].name;
    return no_node;
  }
  return no_node;
}

std::optional<PathValue> PathReader::named_option(std::string_view dest) {
  const auto found = by_dest_.find(dest);
  if (found == by_dest_.end())
    return std::nullopt;
  PathValue out{.origin = Origin::option, .text = {}, .option = found->second};
  if (inside_attribute_)
    return out;
  // args.out = os.path.join(args.out, "run"): still below what the option says.
  for (const NodeId assigned : program_.attribute_values(dest)) {
    inside_attribute_ = true;
    const auto after = value(assigned);
    inside_attribute_ = false;
    if (!after || after->origin != Origin::option || after->option != out.option)
      return std::nullopt;
    out.inside = out.inside || after->inside;
  }
  return out;
}

bool PathReader::is_namespace(NodeId expression, int depth) {
  if (expression == no_node || depth > 8 || --steps_ < 0)
    return false;
  expression = syntax_.unparenthesized(expression);
  switch (syntax_.kind(expression)) {
  case Kind::identifier:
    return is_namespace_name(expression, depth);
  case Kind::attribute:
    return is_usual(syntax_.text_of(syntax_.child(expression, Field::attribute)));
  case Kind::subscript: // parser.parse_known_args()[0]
    return is_namespace(syntax_.child(expression, Field::value), depth + 1);
  case Kind::call: {
    const std::string_view method = program_.method(expression);
    if (method.starts_with("parse_") && method.contains("args"))
      return true;
    const std::string callee = program_.callee(expression);
    if (callee == "vars" || callee.ends_with("easydict.EasyDict"))
      return is_namespace(program_.arguments(expression).at(0), depth + 1);
    const NodeId function = program_.function(callee);
    return std::ranges::any_of(program_.returned(function),
                               [&](NodeId result) { return is_namespace(result, depth + 1); });
  }
  default:
    return false;
  }
}

bool PathReader::is_namespace_name(NodeId identifier, int depth) {
  const auto name = syntax_.text_of(identifier);
  const Binding* binding = program_.lookup(identifier, name);
  if (binding == nullptr || binding->count != 1)
    return is_usual(name);
  if (binding->parameter != no_node) {
    if (is_usual(name))
      return true;
    std::string_view expanded;
    return is_namespace(given_for(binding->parameter, expanded), depth + 1);
  }
  return is_namespace(binding->value, depth + 1);
}

std::optional<std::size_t> PathReader::option_declared_at(NodeId call) const {
  const auto found = by_node_.find(program_.resolve(call));
  return found == by_node_.end() ? std::nullopt : std::optional{found->second};
}

std::optional<PathValue> PathReader::value_of_attribute(NodeId attribute) {
  const NodeId object = syntax_.child(attribute, Field::object);
  const auto name = syntax_.text_of(syntax_.child(attribute, Field::attribute));
  if (syntax_.text_of(object) == "self") {
    const Binding* binding = program_.lookup_self(attribute, name);
    return binding == nullptr ? std::nullopt : value_of_binding(*binding);
  }
  if (name == "value") // absl: _OUT.value
    if (const auto option = option_declared_at(object))
      return PathValue{.origin = Origin::option, .text = {}, .option = *option};
  if (name == "name" && syntax_.kind(object) != Kind::identifier)
    return std::nullopt;
  if (by_dest_.contains(name) && is_namespace(object))
    return named_option(name);
  return std::nullopt;
}

std::optional<PathValue> PathReader::value_of_subscript(NodeId subscript) {
  const NodeId object = syntax_.child(subscript, Field::value);
  const NodeId index = syntax_.child(subscript, Field::subscript);
  if (syntax_.kind(index) == Kind::integer && program_.canonical(object) == "sys.argv") {
    const auto digits = syntax_.text_of(index);
    int number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (number <= 0 || number > 999)
      return std::nullopt;
    return PathValue{.origin = Origin::argument, .text = {}, .argument = number};
  }
  const auto key = string_value(syntax_, index); // vars(args)["out"]
  if (key && by_dest_.contains(*key) && is_namespace(object))
    return named_option(*key);
  return std::nullopt;
}

// Operations ----------------------------------------------------------------------------------

std::optional<PathValue> PathReader::value_of_call(NodeId call) {
  const std::string callee = program_.callee(call);
  const Arguments arguments = program_.arguments(call);
  if (arguments.splat != no_node)
    return std::nullopt;
  if (callee == "os.path.join")
    return joined(arguments.positional);
  if (among(same_path, callee))
    return joined(arguments.positional);
  const std::string_view method = program_.method(call);
  const NodeId receiver = program_.receiver(call);
  if (among(same_path_methods, method))
    return value(receiver);
  if (method == "joinpath") {
    auto parts = arguments.positional;
    parts.insert(parts.begin(), receiver);
    return joined(parts);
  }
  if (method == "format") {
    const auto format = text_of(program_, receiver);
    if (format)
      return concatenated(pieces_of_format_call(*format, arguments));
  }
  return std::nullopt;
}

std::optional<PathValue> PathReader::value_of_operator(NodeId operation) {
  const auto symbol = syntax_.text_of(syntax_.child(operation, Field::operator_));
  const NodeId left = syntax_.child(operation, Field::left);
  const NodeId right = syntax_.child(operation, Field::right);
  if (symbol == "/")
    return joined({left, right});
  if (symbol == "+")
    return concatenated({{.node = left, .text = {}}, {.node = right, .text = {}}});
  if (symbol == "or")
    return value(left); // args.out or "default"
  if (symbol == "%") {
    const auto format = text_of(program_, left);
    if (format)
      return concatenated(pieces_of_percent(*format, right));
  }
  return std::nullopt;
}

std::optional<PathValue> PathReader::joined(const std::vector<NodeId>& parts) {
  if (parts.empty())
    return std::nullopt;
  auto out = value(parts.front());
  if (!out)
    return std::nullopt;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const auto next = value(parts[i]);
    const bool is_literal = next && next->origin == Origin::literal;
    if (is_literal && next->text.starts_with('/')) {
      out = next;
    } else if (out->origin != Origin::literal) {
      out->inside = true;
    } else {
      if (!out->text.empty() && !out->text.ends_with('/'))
        out->text += '/';
      if (is_literal) {
        out->text += next->text;
        out->computed = out->computed || next->computed;
      } else {
        append_unknown(*out);
      }
    }
    if (out->text.size() > longest_path)
      return std::nullopt;
  }
  return out;
}

std::optional<PathValue> PathReader::concatenated(const std::vector<Piece>& pieces) {
  std::optional<PathValue> out;
  for (const Piece& piece : pieces) {
    if (piece.node == no_node && piece.text.empty())
      continue;
    std::optional<PathValue> next;
    if (piece.node != no_node) {
      next = value(piece.node);
    } else {
      next = PathValue{.origin = Origin::literal, .text = piece.text};
    }
    const bool is_literal = next && next->origin == Origin::literal;
    if (!out) {
      if (!next)
        return std::nullopt; // what it begins with decides where it is
      out = next;
    } else if (out->origin != Origin::literal) {
      // args.out + "/x" is below it, args.out + ".txt" is another file.
      if (!out->inside && !(is_literal && next->text.starts_with('/')))
        return std::nullopt;
      out->inside = true;
    } else if (is_literal) {
      out->text += next->text;
      out->computed = out->computed || next->computed;
    } else {
      append_unknown(*out);
    }
    if (out->text.size() > longest_path)
      return std::nullopt;
  }
  return out;
}

// Formats -------------------------------------------------------------------------------------

std::vector<PathReader::Piece> PathReader::pieces_of_format_string(NodeId string) {
  std::vector<Piece> out;
  if (syntax_.kind(string) == Kind::concatenated_string) {
    for (const NodeId part : syntax_.children(string)) {
      if (syntax_.kind(part) != Kind::string)
        return {};
      std::ranges::move(pieces_of_format_string(part), std::back_inserter(out));
    }
    return out;
  }
  const auto parts = syntax_.children(string);
  if (parts.size() < 2)
    return {};
  const NodeId start = parts.front();
  std::uint32_t from = syntax_[start].end;
  const auto add_text = [&](std::uint32_t to) {
    const auto text = decode(syntax_, start, from, to);
    if (text)
      out.push_back({.node = no_node, .text = *text});
    return text.has_value();
  };
  for (const NodeId part : parts) {
    if (syntax_.kind(part) != Kind::interpolation)
      continue;
    if (!add_text(syntax_[part].begin))
      return {};
    const auto inner = syntax_.children(part);
    const bool is_plain = inner.size() == 1; // no :03d, no !r
    // A piece that cannot be read is one that nothing is bound to.
    out.push_back({.node = is_plain ? inner.front() : part, .text = {}});
    from = syntax_[part].end;
  }
  if (!add_text(syntax_[parts.back()].begin))
    return {};
  return out;
}

std::vector<PathReader::Piece> PathReader::pieces_of_format_call(std::string_view format,
                                                                 const Arguments& arguments) {
  std::vector<Piece> out;
  std::size_t next = 0;
  std::string text;
  for (std::size_t i = 0; i < format.size(); ++i) {
    const char c = format[i];
    if ((c == '{' || c == '}') && format.substr(i + 1).starts_with(c)) {
      text += c;
      ++i;
    } else if (c != '{') {
      text += c;
    } else {
      const std::size_t close = format.find('}', i);
      if (close == std::string_view::npos)
        return {};
      const auto field = format.substr(i + 1, close - i - 1);
      i = close;
      out.push_back({.node = no_node, .text = std::exchange(text, {})});
      NodeId given = arguments.keyword(field);
      if (field.empty())
        given = arguments.at(next++);
      if (field == "0")
        given = arguments.at(0);
      // The module itself is no path: a piece that cannot be read.
      out.push_back({.node = given == no_node ? NodeId{0} : given, .text = {}});
    }
  }
  out.push_back({.node = no_node, .text = text});
  return out;
}

std::vector<PathReader::Piece> PathReader::pieces_of_percent(std::string_view format,
                                                             NodeId values) {
  values = syntax_.unparenthesized(values);
  const bool is_tuple = syntax_.kind(values) == Kind::tuple;
  const auto items = is_tuple ? syntax_.children(values) : std::vector{values};
  std::vector<Piece> out;
  std::size_t next = 0;
  std::string text;
  while (!format.empty()) {
    const std::size_t percent = std::min(format.find('%'), format.size());
    text += format.substr(0, percent);
    format.remove_prefix(percent);
    if (format.starts_with("%%")) {
      text += '%';
      format.remove_prefix(2);
    } else if (!format.empty()) {
      const std::size_t letter = format.find_first_of("sdifgexr", 1);
      if (letter == std::string_view::npos)
        return {};
      const bool is_plain = format.starts_with("%s") && next < items.size();
      out.push_back({.node = no_node, .text = std::exchange(text, {})});
      out.push_back({.node = is_plain ? items[next] : NodeId{0}, .text = {}});
      ++next;
      format.remove_prefix(letter + 1);
    }
  }
  out.push_back({.node = no_node, .text = text});
  return out;
}

} // namespace s2f::payload
