// Reads argparse's declarations (and optparse's): every x.add_argument(...) whose flags are
// literals.
#include <map>
#include <utility>

#include "payload/literal.hpp"
#include "payload/options.hpp"
#include "payload/types.hpp"

namespace s2f::payload {
namespace {

constexpr int deepest = 8;             // of groups in groups
constexpr int most_set_defaults = 200; // each may look at every option

// add_argument is also how Selenium is told of Chrome's options.
bool makes_something_else(std::string_view callee) {
  return callee.ends_with("Options") || callee.ends_with("Capabilities");
}

class ArgparseReader {
public:
  ArgparseReader(const Program& program, Declarations& out)
      : program_(program), syntax_(program.syntax()), out_(out) {}

  void run() {
    for (const NodeId call : program_.calls())
      if (program_.method(call) == "add_parser")
        add_parser(call);
    for (const NodeId call : program_.calls()) {
      const std::string_view method = program_.method(call);
      if (method == "add_argument") {
        add_argument(call);
      } else if (method == "add_subparsers") {
        add_subparsers(call);
      } else if (method == "parse_known_args" || method == "parse_known_intermixed_args") {
        out_.incomplete = true;
      }
    }
    // Last, for it may stand before what it changes.
    int left = most_set_defaults;
    for (const NodeId call : program_.calls())
      if (program_.method(call) == "set_defaults" && left-- > 0)
        set_defaults(call);
  }

private:
  struct Parser {
    std::string command;
    bool is_parser = true;
  };

  // What the expression before `.add_argument` is. A parameter or an imported parser is as good
  // as one that the file makes.
  Parser parser_of(NodeId expression, int depth = 0) const {
    if (depth > deepest || expression == no_node)
      return {};
    const NodeId made = program_.resolve(self_value(expression));
    if (syntax_.kind(made) != Kind::call)
      return {};
    const std::string_view method = program_.method(made);
    if (method == "add_parser") {
      Parser parser = parser_of(program_.receiver(made), depth + 1);
      const auto name = text_of(program_, program_.arguments(made).at_or(0, "name"));
      const std::string own = name.value_or("*");
      parser.command = parser.command.empty() ? own : parser.command + " " + own;
      return parser;
    }
    if (method == "add_subparsers" || method == "add_argument_group" ||
        method == "add_mutually_exclusive_group")
      return parser_of(program_.receiver(made), depth + 1);
    return {.command = {}, .is_parser = !makes_something_else(program_.callee(made))};
  }

  // self.parser -> what the class gave it.
  NodeId self_value(NodeId expression) const {
    if (syntax_.kind(expression) != Kind::attribute)
      return expression;
    if (syntax_.text_of(syntax_.child(expression, Field::object)) != "self")
      return expression;
    const auto name = syntax_.text_of(syntax_.child(expression, Field::attribute));
    const Binding* bound = program_.lookup_self(expression, name);
    return bound != nullptr && bound->count == 1 && bound->value != no_node ? bound->value
                                                                            : expression;
  }

  void add_argument(NodeId call) {
    const Parser parser = parser_of(program_.receiver(call));
    if (!parser.is_parser)
      return;
    const Arguments arguments = program_.arguments(call);
    Declared declared{.node = call};
    Option& option = declared.option;
    option.command = parser.command;
    option.span = syntax_.span(call);
    if (arguments.splat != no_node)
      out_.incomplete = true;
    for (const NodeId argument : arguments.positional) {
      if (auto flag = text_of(program_, argument)) {
        option.flags.push_back(*std::move(flag));
      } else {
        out_.incomplete = true;
      }
    }
    const NodeId dest = arguments.keyword("dest");
    if (dest != no_node)
      option.dest = text_of(program_, dest).value_or("");
    if (option.flags.empty() && arguments.positional.empty() && !option.dest.empty())
      option.flags.push_back(option.dest); // add_argument(dest="x") is a positional
    if (option.flags.empty() || option.flags.front().empty())
      return;
    option.positional = !option.flags.front().starts_with('-');
    if (option.dest.empty())
      option.dest =
          option.positional ? option.flags.front() : with_underscores(long_name(option.flags));
    read_keywords(arguments, declared);
    if (arguments.double_splat != no_node) { // the rest of its keywords
      if (arguments.keyword("type") == no_node)
        option.type = OptionType::unknown;
      if (!option.default_)
        option.default_computed = true;
    }
    by_dest_.emplace(option.dest, out_.options.size());
    out_.options.push_back(std::move(declared));
  }

  void read_keywords(const Arguments& arguments, Declared& declared) const {
    Option& option = declared.option;
    if (const NodeId type = arguments.keyword("type"); type != no_node)
      read_type(type, declared);
    if (const NodeId choices = arguments.keyword("choices"); choices != no_node)
      option.choices = choices_of(program_, choices);
    if (const NodeId help = arguments.keyword("help"); help != no_node)
      option.help = text_of(program_, help).value_or("");
    option.required = option.positional || is_true(program_, arguments.keyword("required"));
    if (const NodeId nargs = arguments.keyword("nargs"); nargs != no_node)
      read_nargs(nargs, option);
    if (const NodeId action = arguments.keyword("action"); action != no_node)
      read_action(action, option);
    const NodeId value = arguments.keyword("default");
    if (value != no_node && !program_.canonical(value).ends_with("SUPPRESS"))
      set_default(program_, option, value);
  }

  void read_type(NodeId type, Declared& declared) const {
    const NodeId made = program_.resolve(type);
    if (syntax_.kind(made) == Kind::call && program_.callee(made).ends_with("FileType")) {
      const NodeId mode = program_.arguments(made).at_or(0, "mode");
      const std::string text = mode == no_node ? "r" : text_of(program_, mode).value_or("r");
      declared.option.type = OptionType::path;
      declared.opens = true;
      declared.opens_for_writing = text.find_first_of("wax+") != std::string::npos;
    } else {
      declared.option.type = converter_type(program_, type);
    }
  }

  void read_nargs(NodeId nargs, Option& option) const {
    const NodeId node = program_.resolve(nargs);
    std::string text = string_value(syntax_, node).value_or("");
    const std::string name = program_.canonical(node);
    if (name.ends_with("REMAINDER"))
      text = "...";
    if (name.ends_with("ZERO_OR_MORE"))
      text = "*";
    if (name.ends_with("ONE_OR_MORE"))
      text = "+";
    if (name.ends_with("OPTIONAL"))
      text = "?";
    option.value_optional = text == "?";
    option.multiple = text != "?" && syntax_.kind(node) != Kind::none;
    if (option.positional && (text == "?" || text == "*" || text == "..."))
      option.required = false;
  }

  void read_action(NodeId action, Option& option) const {
    const NodeId node = program_.resolve(action);
    const std::string text = string_value(syntax_, node).value_or("");
    if (text == "store_true" || text == "store_false") {
      option.type = OptionType::boolean_flag;
      option.default_ = text == "store_true" ? "False" : "True";
    } else if (text == "store_const" || text == "append_const" || text == "count" ||
               text == "version" || text == "help") {
      option.type = OptionType::boolean_flag;
      option.multiple = text == "append_const" || text == "count";
    } else if (text == "append" || text == "extend") {
      option.multiple = true;
    } else if (text.empty() && program_.canonical(node).ends_with("BooleanOptionalAction")) {
      option.type = OptionType::boolean_flag;
      std::vector<std::string> flags;
      for (const std::string& flag : option.flags) {
        flags.push_back(flag);
        if (flag.starts_with("--"))
          flags.push_back("--no-" + flag.substr(2));
      }
      option.flags = std::move(flags);
    } else if (text != "store") { // a class that may convert, or take no value at all
      option.type = OptionType::unknown;
    }
  }

  void add_parser(NodeId call) {
    const auto name = text_of(program_, program_.arguments(call).at_or(0, "name"));
    const NodeId parsers = program_.resolve(self_value(program_.receiver(call)));
    if (name)
      commands_[parsers].push_back(*name);
  }

  void add_subparsers(NodeId call) {
    const Arguments arguments = program_.arguments(call);
    Declared declared{.node = call};
    Option& option = declared.option;
    option.command = parser_of(program_.receiver(call)).command;
    option.dest = text_of(program_, arguments.keyword("dest")).value_or("command");
    option.flags = {option.dest};
    option.positional = true;
    option.required = is_true(program_, arguments.keyword("required"));
    option.help = text_of(program_, arguments.keyword("help")).value_or("");
    option.span = syntax_.span(call);
    if (const auto found = commands_.find(call); found != commands_.end())
      option.choices = found->second;
    out_.options.push_back(std::move(declared));
  }

  // parser.set_defaults(lr=0.1) replaces what stands above it; below it, it fills in.
  void set_defaults(NodeId call) {
    const std::string command = parser_of(program_.receiver(call)).command;
    for (const auto& [name, value] : program_.arguments(call).keywords) {
      const auto [begin, end] = by_dest_.equal_range(std::string{name});
      for (auto found = begin; found != end; ++found) {
        auto& [option, node, function, opens, writes] = out_.options[found->second];
        const bool stands = syntax_[node].begin > syntax_[call].begin && has_default(node);
        if (option.command == command && !stands)
          set_default(program_, option, value);
      }
    }
  }

  bool has_default(NodeId call) const {
    return program_.arguments(call).keyword("default") != no_node;
  }

  const Program& program_;
  const Syntax& syntax_;
  Declarations& out_;
  std::map<NodeId, std::vector<std::string>> commands_; // of each add_subparsers()
  std::multimap<std::string, std::size_t> by_dest_;
};

} // namespace

void read_argparse(const Program& program, Declarations& out) {
  ArgparseReader{program, out}.run();
}

void read_optparse(const Program& program, Declarations& out) {
  if (!program.is_imported("optparse") && !program.is_imported("OptionParser"))
    return;
  for (const NodeId call : program.calls()) {
    if (program.method(call) != "add_option")
      continue;
    const Arguments arguments = program.arguments(call);
    Declared declared{.node = call};
    Option& option = declared.option;
    for (const NodeId argument : arguments.positional) {
      const auto flag = text_of(program, argument);
      if (flag && flag->starts_with('-'))
        option.flags.push_back(*flag);
    }
    if (option.flags.empty()) {
      out.incomplete = true;
      continue;
    }
    option.dest = text_of(program, arguments.keyword("dest"))
                      .value_or(with_underscores(long_name(option.flags)));
    option.help = text_of(program, arguments.keyword("help")).value_or("");
    option.choices = choices_of(program, arguments.keyword("choices"));
    option.span = program.syntax().span(call);
    if (const NodeId type = arguments.keyword("type"); type != no_node)
      option.type = converter_type(program, type);
    const std::string action = text_of(program, arguments.keyword("action")).value_or("store");
    if (action == "append") {
      option.multiple = true;
    } else if (action != "store" && action != "callback") {
      option.type = OptionType::boolean_flag; // store_true and the like: no value follows
    }
    if (const NodeId value = arguments.keyword("default"); value != no_node)
      set_default(program, option, value);
    out.options.push_back(std::move(declared));
  }
}

} // namespace s2f::payload
