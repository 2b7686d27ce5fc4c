// Reads the dataclasses that are handed to transformers' HfArgumentParser.
#include <algorithm>
#include <set>

#include "payload/literal.hpp"
#include "payload/options.hpp"
#include "payload/types.hpp"

namespace s2f::payload {
namespace {

constexpr int deepest = 8; // of base classes

class DataclassReader {
public:
  DataclassReader(const Program& program, Declarations& out)
      : program_(program), syntax_(program.syntax()), out_(out) {}

  void run() {
    for (const NodeId call : program_.calls()) {
      const std::string callee = program_.callee(call);
      const bool is_parser = callee.ends_with("HfArgumentParser") || callee.ends_with("TrlParser");
      if (!is_parser)
        continue;
      const NodeId given = program_.resolve(program_.arguments(call).at_or(0, "dataclass_types"));
      const Kind kind = syntax_.kind(given);
      if (kind == Kind::tuple || kind == Kind::list) {
        for (const NodeId item : syntax_.children(given))
          read_named(item, 0);
      } else {
        read_named(given, 0);
      }
    }
  }

private:
  // A class that is not in the file has options that are not known.
  void read_named(NodeId name, int depth) {
    const NodeId class_ = program_.class_(syntax_.text_of(name));
    if (class_ == no_node || depth > deepest) {
      out_.incomplete = true;
      return;
    }
    if (!done_.insert(class_).second)
      return;
    for (const NodeId base : syntax_.children(syntax_.child(class_, Field::superclasses))) {
      const bool is_plain =
          syntax_.text_of(base) == "object" || syntax_.kind(base) == Kind::keyword_argument;
      if (!is_plain)
        read_named(base, depth + 1);
    }
    for (const NodeId statement : syntax_.children(syntax_.child(class_, Field::body))) {
      const NodeId field = syntax_.first_child(statement);
      const bool is_field = syntax_.kind(statement) == Kind::expression_statement &&
                            syntax_.kind(field) == Kind::assignment &&
                            syntax_.child(field, Field::type) != no_node;
      if (is_field)
        read_field(field);
    }
  }

  void read_field(NodeId field) {
    Declared declared{.node = field};
    Option& option = declared.option;
    option.dest = syntax_.text_of(syntax_.child(field, Field::left));
    option.span = syntax_.span(field);
    option.flags = {"--" + option.dest};
    if (option.dest.contains('_'))
      option.flags.push_back("--" + with_dashes(option.dest));
    const NodeId type = syntax_.child(field, Field::type);
    const std::string type_name = program_.canonical(syntax_.unparenthesized(type));
    if (type_name.ends_with("ClassVar"))
      return;
    const Annotation annotation = read_annotation(program_, type);
    option.type = annotation.type;
    option.multiple = annotation.multiple;
    option.choices = annotation.choices;

    NodeId value = syntax_.child(field, Field::right);
    if (syntax_.kind(value) == Kind::call) {
      const std::string callee = program_.callee(value);
      if (callee == "field" || callee == "dataclasses.field" || callee.ends_with("HfArg")) {
        const NodeId call = value;
        value = read_field_call(call, option);
        if (value == call)
          return; // init=False
      }
    }
    option.required = value == no_node && !option.default_;
    if (value != no_node)
      set_default(program_, option, value);
    // --flag alone says true; --flag false is heard too.
    const bool is_switch = option.type == OptionType::boolean_value && !option.multiple;
    if (is_switch && !option.required)
      option.value_optional = true;
    if (is_switch && option.default_ == "True")
      option.flags.push_back("--no_" + option.dest);
    out_.options.push_back(std::move(declared));
  }

  // The default in field(default=...); the call itself if it is no option.
  NodeId read_field_call(NodeId call, Option& option) const {
    const Arguments arguments = program_.arguments(call);
    if (syntax_.kind(arguments.keyword("init")) == Kind::false_)
      return call;
    const NodeId metadata = program_.resolve(arguments.keyword("metadata"));
    if (syntax_.kind(metadata) == Kind::dictionary) {
      for (const NodeId pair : syntax_.children(metadata)) {
        const auto key = string_value(syntax_, syntax_.child(pair, Field::key));
        const NodeId value = syntax_.child(pair, Field::value);
        if (key == "help")
          option.help = text_of(program_, value).value_or("");
        if (key == "choices")
          option.choices = choices_of(program_, value);
      }
    } else if (arguments.keyword("help") != no_node) {
      option.help = text_of(program_, arguments.keyword("help")).value_or("");
    }
    const NodeId factory = program_.resolve(arguments.keyword("default_factory"));
    if (syntax_.kind(factory) == Kind::lambda)
      return syntax_.child(factory, Field::body);
    if (factory != no_node) {
      const bool is_list = syntax_.text_of(factory) == "list";
      if (is_list)
        option.default_ = "[]";
      option.default_computed = !is_list;
      return is_list ? no_node : factory;
    }
    return arguments.keyword("default");
  }

  const Program& program_;
  const Syntax& syntax_;
  Declarations& out_;
  std::set<NodeId> done_;
};

} // namespace

void read_dataclasses(const Program& program, Declarations& out) {
  DataclassReader{program, out}.run();
}

} // namespace s2f::payload
