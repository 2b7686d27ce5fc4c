// Reads typer's declarations: the typed parameters of functions that are commands.
#include <algorithm>

#include "payload/literal.hpp"
#include "payload/options.hpp"
#include "payload/types.hpp"

namespace s2f::payload {
namespace {

class TyperReader {
public:
  TyperReader(const Program& program, Declarations& out)
      : program_(program), syntax_(program.syntax()), out_(out) {}

  void run() {
    if (!program_.is_imported("typer") && !program_.is_imported("Typer"))
      return;
    struct Command {
      NodeId function = no_node;
      std::string name; // as a sub-command
    };
    std::vector<Command> commands;
    bool has_callback = false;
    for (const NodeId function : program_.functions()) {
      for (const NodeId decorator : program_.decorators(function)) {
        const std::string_view method = program_.method(decorator);
        if (!is_app(program_.receiver(decorator)))
          continue;
        if (method == "callback") {
          has_callback = true;
          commands.push_back({function, {}});
        } else if (method == "command") {
          const auto own = syntax_.text_of(syntax_.child(function, Field::name));
          const auto given = text_of(program_, program_.arguments(decorator).at_or(0, "name"));
          commands.push_back({function, given.value_or(with_dashes(own))});
        }
      }
    }
    // The only command of a program is the program.
    if (commands.size() == 1 && !has_callback)
      commands.front().name.clear();
    for (const NodeId call : program_.calls()) {
      if (program_.callee(call) != "typer.run")
        continue;
      const NodeId function = program_.function(syntax_.text_of(program_.arguments(call).at(0)));
      if (function != no_node)
        commands.push_back({function, {}});
    }
    for (const auto& [function, name] : commands)
      for (const Parameter& parameter : program_.parameters(function))
        read(parameter, function, name);
  }

private:
  bool is_app(NodeId expression) const {
    const NodeId made = program_.resolve(expression);
    return syntax_.kind(made) == Kind::call && program_.callee(made) == "typer.Typer";
  }

  // typer.Option(...) or typer.Argument(...)
  bool is_declaration(NodeId node) const {
    if (syntax_.kind(node) != Kind::call)
      return false;
    const std::string callee = program_.callee(node);
    return callee == "typer.Option" || callee == "typer.Argument";
  }

  void read(const Parameter& parameter, NodeId function, const std::string& command) {
    if (parameter.passing == Parameter::Passing::rest ||
        parameter.passing == Parameter::Passing::rest_keywords)
      return;
    const NodeId type = syntax_.unparenthesized(parameter.type);
    const std::string type_name = program_.canonical(type);
    if (type_name.ends_with("Context"))
      return;

    Declared declared{.node = parameter.node, .function = function};
    Option& option = declared.option;
    option.command = command;
    option.dest = parameter.name;
    option.span = syntax_.span(parameter.node);
    const Annotation annotation = read_annotation(program_, parameter.type);
    option.type = parameter.type == no_node ? OptionType::text : annotation.type;
    option.multiple = annotation.multiple;
    option.choices = annotation.choices;
    if (type_name.starts_with("typer.File")) {
      option.type = OptionType::path;
      declared.opens = true;
      declared.opens_for_writing = type_name.contains("Write");
    }

    NodeId value = parameter.value;
    NodeId declaration = no_node;
    std::size_t first_name = 0; // among the declaration's positional arguments
    for (const NodeId item : annotation.metadata)
      if (is_declaration(syntax_.unparenthesized(item)))
        declaration = syntax_.unparenthesized(item);
    if (is_declaration(value)) {
      declaration = value;
      value = program_.arguments(declaration).at_or(0, "default");
      first_name = 1;
    }
    if (syntax_.kind(value) == Kind::ellipsis)
      value = no_node;
    option.positional = declaration == no_node ? parameter.value == no_node
                                               : program_.callee(declaration) == "typer.Argument";
    option.required = value == no_node;
    if (value != no_node)
      set_default(program_, option, value);
    if (declaration != no_node)
      read_declaration(declaration, first_name, option);
    if (option.positional) {
      option.flags = {option.dest};
    } else if (option.flags.empty()) {
      option.flags = {"--" + with_dashes(option.dest)};
      if (option.type == OptionType::boolean_value)
        option.flags.push_back("--no-" + with_dashes(option.dest));
    }
    const bool is_switch = option.type == OptionType::boolean_value && !option.positional;
    if (is_switch)
      option.type = OptionType::boolean_flag;
    out_.options.push_back(std::move(declared));
  }

  void read_declaration(NodeId declaration, std::size_t first_name, Option& option) const {
    const Arguments arguments = program_.arguments(declaration);
    option.help = text_of(program_, arguments.keyword("help")).value_or("");
    for (std::size_t i = first_name; i < arguments.positional.size(); ++i) {
      const auto text = text_of(program_, arguments.positional[i]);
      if (!text || option.positional)
        continue;
      const std::size_t slash = text->find('/');
      option.flags.push_back(text->substr(0, slash));
      if (slash != std::string::npos)
        option.flags.push_back(text->substr(slash + 1));
    }
  }

  const Program& program_;
  const Syntax& syntax_;
  Declarations& out_;
};

} // namespace

void read_typer(const Program& program, Declarations& out) { TyperReader{program, out}.run(); }

} // namespace s2f::payload
