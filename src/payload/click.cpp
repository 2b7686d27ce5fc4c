// Reads click's declarations: the decorators @click.option(...) and @click.argument(...).
#include <array>
#include <cctype>
#include <set>

#include "payload/literal.hpp"
#include "payload/options.hpp"
#include "payload/types.hpp"

namespace s2f::payload {
namespace {

// "option" of click.option and of those who extend it; "" of anything else.
std::string_view click_name(std::string_view callee) {
  constexpr std::array<std::string_view, 4> modules = {"click.", "rich_click.", "asyncclick.",
                                                       "cloup."};
  for (const std::string_view module : modules)
    if (callee.starts_with(module))
      return callee.substr(module.size());
  return {};
}

std::string lower(std::string text) {
  for (char& c : text)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

class ClickReader {
public:
  ClickReader(const Program& program, Declarations& out)
      : program_(program), syntax_(program.syntax()), out_(out) {}

  void run() {
    for (const NodeId call : program_.calls())
      if (program_.method(call) == "add_command")
        added_.insert(syntax_.text_of(program_.arguments(call).at(0)));
    for (const NodeId call : program_.calls()) {
      const std::string callee = program_.callee(call);
      const std::string_view name = click_name(callee);
      if (name == "option")
        read(call, false);
      if (name == "argument")
        read(call, true);
      if (name == "version_option" || name == "confirmation_option")
        out_.incomplete = true;
    }
  }

private:
  NodeId decorated_function(NodeId call) const {
    const NodeId decorator = syntax_.parent(call);
    if (syntax_.kind(decorator) != Kind::decorator)
      return no_node;
    return syntax_.child(syntax_.parent(decorator), Field::definition);
  }

  // The name under which the function is a sub-command; "" for the program itself.
  std::string command_of(NodeId function) const {
    const std::string_view own = syntax_.text_of(syntax_.child(function, Field::name));
    for (const NodeId decorator : program_.decorators(function)) {
      const bool is_call = syntax_.kind(decorator) == Kind::call;
      const NodeId named = is_call ? syntax_.child(decorator, Field::function) : decorator;
      if (syntax_.kind(named) != Kind::attribute)
        continue;
      const auto method = syntax_.text_of(syntax_.child(named, Field::attribute));
      if (method != "command" && method != "group")
        continue;
      const std::string name = program_.canonical(named);
      const bool is_top = !click_name(name).empty() && !added_.contains(own);
      if (is_top || method == "group")
        return {};
      std::optional<std::string> given;
      if (is_call)
        given = text_of(program_, program_.arguments(decorator).at_or(0, "name"));
      return given.value_or(lower(with_dashes(own)));
    }
    return {};
  }

  void read(NodeId call, bool positional) {
    const Arguments arguments = program_.arguments(call);
    Declared declared{.node = call, .function = decorated_function(call)};
    Option& option = declared.option;
    option.positional = positional;
    option.span = syntax_.span(call);
    if (declared.function != no_node)
      option.command = command_of(declared.function);
    for (const NodeId argument : arguments.positional) {
      const auto text = text_of(program_, argument);
      if (!text) {
        out_.incomplete = true;
      } else if (positional || text->starts_with('-')) {
        add_flags(*text, option);
      } else {
        option.dest = lower(*text);
      }
    }
    if (arguments.splat != no_node)
      out_.incomplete = true;
    if (option.flags.empty() && !option.dest.empty())
      option.flags = {"--" + with_dashes(option.dest)};
    if (option.flags.empty())
      return;
    if (option.dest.empty())
      option.dest = lower(with_underscores(long_name(option.flags)));
    if (positional)
      option.flags = {option.flags.front()};
    option.help = text_of(program_, arguments.keyword("help")).value_or("");
    read_value(arguments, declared);
    out_.options.push_back(std::move(declared));
  }

  // "--shout/--no-shout" is two.
  void add_flags(const std::string& text, Option& option) {
    const std::size_t slash = option.positional ? std::string::npos : text.find('/');
    const auto add = [&](std::string flag) {
      flag.erase(0, flag.find_first_not_of(' '));
      flag.erase(flag.find_last_not_of(' ') + 1);
      if (!flag.empty())
        option.flags.push_back(std::move(flag));
    };
    add(text.substr(0, slash));
    if (slash == std::string::npos)
      return;
    add(text.substr(slash + 1));
    option.type = OptionType::boolean_flag;
  }

  void read_value(const Arguments& arguments, Declared& declared) const {
    Option& option = declared.option;
    const NodeId type = arguments.keyword("type");
    const NodeId value = arguments.keyword("default");
    const NodeId nargs = arguments.keyword("nargs");
    const NodeId is_flag = arguments.keyword("is_flag");
    if (nargs != no_node && syntax_.text_of(program_.resolve(nargs)) != "1")
      option.multiple = true;
    if (is_true(program_, arguments.keyword("multiple")))
      option.multiple = true;
    if (value != no_node)
      set_default(program_, option, value);
    if (is_true(program_, is_flag) || is_true(program_, arguments.keyword("count")) ||
        (is_flag == no_node && arguments.keyword("flag_value") != no_node))
      option.type = OptionType::boolean_flag;
    if (is_true(program_, arguments.keyword("count")))
      option.multiple = true;
    if (option.type == OptionType::boolean_flag) {
      if (value == no_node && arguments.keyword("flag_value") == no_node && !option.multiple)
        option.default_ = "False";
    } else if (type != no_node) {
      read_type(type, declared);
    } else if (value != no_node) {
      option.type = type_of_default(program_.resolve(value));
    }
    const NodeId required = arguments.keyword("required");
    const bool may_be_none = syntax_.text_of(program_.resolve(nargs)) == "-1";
    option.required = is_true(program_, required) || (option.positional && required == no_node &&
                                                      value == no_node && !may_be_none);
  }

  // Where no type is given, click takes that of the default.
  OptionType type_of_default(NodeId value) const {
    switch (syntax_.kind(value)) {
    case Kind::integer:
      return OptionType::integer;
    case Kind::float_:
      return OptionType::real;
    case Kind::true_:
    case Kind::false_:
      return OptionType::boolean_value;
    case Kind::unary_operator:
      return type_of_default(syntax_.unparenthesized(syntax_.child(value, Field::argument)));
    case Kind::list:
    case Kind::tuple: {
      const NodeId first = syntax_.first_child(value);
      const bool nested = syntax_.kind(first) == Kind::list || syntax_.kind(first) == Kind::tuple;
      return first == no_node || nested ? OptionType::text : type_of_default(first);
    }
    case Kind::string:
    case Kind::concatenated_string:
    case Kind::none:
      return OptionType::text;
    default:
      return OptionType::unknown;
    }
  }

  void read_type(NodeId type, Declared& declared) const {
    Option& option = declared.option;
    const NodeId made = program_.resolve(type);
    const bool is_call = syntax_.kind(made) == Kind::call;
    const std::string whole = is_call ? program_.callee(made) : program_.canonical(made);
    const std::string_view name = click_name(whole);
    if (name == "INT" || name == "IntRange") {
      option.type = OptionType::integer;
    } else if (name == "FLOAT" || name == "FloatRange") {
      option.type = OptionType::real;
    } else if (name == "STRING" || name == "DateTime") {
      option.type = OptionType::text;
    } else if (name == "BOOL") {
      option.type = OptionType::boolean_value;
    } else if (name == "Path") {
      option.type = OptionType::path;
    } else if (name == "File") {
      option.type = OptionType::path;
      const NodeId mode = program_.arguments(made).at_or(0, "mode");
      const std::string text = mode == no_node ? "r" : text_of(program_, mode).value_or("r");
      declared.opens = true;
      declared.opens_for_writing = text.find_first_of("wax+") != std::string::npos;
    } else if (name == "Choice") {
      option.choices = choices_of(program_, program_.arguments(made).at_or(0, "choices"));
    } else {
      option.type = is_call ? OptionType::unknown : converter_type(program_, made);
    }
  }

  const Program& program_;
  const Syntax& syntax_;
  Declarations& out_;
  std::set<std::string_view> added_; // functions given to group.add_command
};

} // namespace

void read_click(const Program& program, Declarations& out) { ClickReader{program, out}.run(); }

} // namespace s2f::payload
