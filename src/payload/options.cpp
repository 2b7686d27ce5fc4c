// Runs all readers of options and holds what they share.
#include "payload/options.hpp"

#include <algorithm>

#include "payload/literal.hpp"

namespace s2f::payload {

std::optional<std::string> text_of(const Program& program, NodeId expression) {
  return string_value(program.syntax(), program.resolve(expression));
}

bool is_true(const Program& program, NodeId expression) {
  return program.syntax().kind(program.resolve(expression)) == Kind::true_;
}

void set_default(const Program& program, Option& option, NodeId value) {
  const NodeId literal = program.resolve(value);
  option.default_ = literal_text(program.syntax(), literal);
  option.default_text = string_value(program.syntax(), literal);
  option.default_computed = !option.default_;
}

std::vector<std::string> choices_of(const Program& program, NodeId collection) {
  const Syntax& syntax = program.syntax();
  NodeId node = program.resolve(collection);
  for (int i = 0; i < 4 && syntax.kind(node) == Kind::call; ++i) { // list(MODELS.keys())
    const std::string callee = program.callee(node);
    const bool wraps = callee == "list" || callee == "sorted" || callee == "tuple" ||
                       callee == "set" || callee == "frozenset";
    if (wraps) {
      node = program.resolve(program.arguments(node).at(0));
    } else if (program.method(node) == "keys") {
      node = program.resolve(program.receiver(node));
    } else {
      return {};
    }
  }
  const Kind kind = syntax.kind(node);
  const bool is_collection =
      kind == Kind::list || kind == Kind::tuple || kind == Kind::set || kind == Kind::dictionary;
  if (!is_collection)
    return {};
  std::vector<std::string> out;
  for (const NodeId child : syntax.children(node)) {
    const NodeId item = syntax.kind(child) == Kind::pair ? syntax.child(child, Field::key) : child;
    auto text = text_of(program, item);
    if (!text)
      text = literal_text(syntax, program.resolve(item));
    if (!text)
      return {};
    out.push_back(*std::move(text));
  }
  return out;
}

std::string with_dashes(std::string_view name) {
  std::string out{name};
  std::ranges::replace(out, '_', '-');
  return out;
}

std::string with_underscores(std::string_view name) {
  std::string out{name};
  std::ranges::replace(out, '-', '_');
  return out;
}

std::string long_name(const std::vector<std::string>& flags) {
  if (flags.empty())
    return {};
  const auto is_long = [](const std::string& flag) { return flag.starts_with("--"); };
  const auto found = std::ranges::find_if(flags, is_long);
  const std::string& flag = found == flags.end() ? flags.front() : *found;
  return flag.substr(std::min(flag.find_first_not_of('-'), flag.size()));
}

Declarations read_options(const Program& program) {
  Declarations out;
  read_argparse(program, out);
  read_optparse(program, out);
  read_click(program, out);
  read_typer(program, out);
  read_absl(program, out);
  read_dataclasses(program, out);
  std::ranges::stable_sort(out.options, {}, [](const Declared& d) { return d.option.span.begin; });
  return out;
}

} // namespace s2f::payload
