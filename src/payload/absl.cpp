// Reads the flags of absl (and of TensorFlow's old copy of it): flags.DEFINE_integer("x", 1,
// "help").
#include <algorithm>
#include <map>

#include "payload/options.hpp"

namespace s2f::payload {
namespace {

// The kind in `flags.DEFINE_kind`, "" for any other call.
std::string kind_of(const Program& program, NodeId call) {
  const std::string callee = program.callee(call);
  const std::size_t dot = callee.rfind('.');
  const std::string last = callee.substr(dot + 1); // npos + 1 is 0
  if (!last.starts_with("DEFINE_") || !callee.contains("flags"))
    return {};
  return last.substr(std::string_view{"DEFINE_"}.size());
}

bool set_kind(std::string kind, Option& option) {
  if (kind.starts_with("multi_")) {
    option.multiple = true;
    kind.erase(0, std::string_view{"multi_"}.size());
  }
  if (kind == "integer") {
    option.type = OptionType::integer;
  } else if (kind == "float") {
    option.type = OptionType::real;
  } else if (kind == "bool" || kind == "boolean") {
    option.type = OptionType::boolean_flag;
  } else {
    return kind == "string" || kind == "enum" || kind == "list" || kind == "spaceseplist" ||
           kind == "enum_class";
  }
  return true;
}

void mark_required(const Program& program, NodeId names,
                   const std::map<std::string, Option*>& by_name) {
  std::vector<std::string> all = choices_of(program, names);
  if (const auto one = text_of(program, names))
    all.push_back(*one);
  for (const std::string& name : all)
    if (const auto found = by_name.find(name); found != by_name.end())
      found->second->required = true;
}

} // namespace

void read_absl(const Program& program, Declarations& out) {
  const std::size_t first = out.options.size();
  for (const NodeId call : program.calls()) {
    const std::string kind = kind_of(program, call);
    if (kind.empty())
      continue;
    const Arguments arguments = program.arguments(call);
    Declared declared{.node = call};
    Option& option = declared.option;
    const auto name = text_of(program, arguments.at_or(0, "name"));
    if (!name || !set_kind(kind, option)) {
      out.incomplete = true;
      continue;
    }
    option.dest = *name;
    option.flags = {"--" + *name};
    if (option.type == OptionType::boolean_flag)
      option.flags.push_back("--no" + *name);
    option.span = program.syntax().span(call);
    if (const NodeId value = arguments.at_or(1, "default"); value != no_node)
      set_default(program, option, value);
    const bool is_enum = kind == "enum" || kind == "multi_enum";
    if (is_enum)
      option.choices = choices_of(program, arguments.at_or(2, "enum_values"));
    const bool has_class = is_enum || kind.ends_with("enum_class");
    const NodeId help = arguments.at_or(has_class ? 3 : 2, "help");
    option.help = text_of(program, help).value_or("");
    option.required = is_true(program, arguments.keyword("required"));
    out.options.push_back(std::move(declared));
  }
  std::map<std::string, Option*> by_name;
  for (std::size_t i = first; i < out.options.size(); ++i)
    by_name.emplace(out.options[i].option.dest, &out.options[i].option);
  if (by_name.empty())
    return;
  for (const NodeId call : program.calls()) {
    const std::string_view method = program.method(call);
    if (method == "mark_flag_as_required" || method == "mark_flags_as_required")
      mark_required(program, program.arguments(call).at(0), by_name);
  }
}

} // namespace s2f::payload
