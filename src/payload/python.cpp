// Puts together what the readers find in one payload.
#include "payload/python.hpp"

#include <algorithm>
#include <array>

#include "generated/tables/python_packages.hpp"
#include "payload/files.hpp"
#include "payload/imports.hpp"
#include "payload/literal.hpp"
#include "payload/options.hpp"
#include "payload/program.hpp"

namespace s2f::payload {
namespace {

// The first line that says something.
std::string first_line(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n\f\v";
  text.remove_prefix(std::min(text.find_first_not_of(blank), text.size()));
  text = text.substr(0, text.find('\n'));
  return std::string{text.substr(0, text.find_last_not_of(blank) + 1)}; // npos + 1 is 0
}

std::string docstring_of(const Syntax& syntax) {
  const NodeId statement = syntax.first_child(0);
  if (syntax.kind(statement) != Kind::expression_statement)
    return {};
  const NodeId expression = syntax.first_child(statement);
  if (syntax.kind(expression) != Kind::string || is_formatted(syntax, expression))
    return {};
  return first_line(string_value(syntax, expression).value_or(""));
}

// Libraries whose options stand nowhere in the file as declarations.
bool takes_unseen_options(const PythonFacts& facts) {
  constexpr std::array<std::string_view, 9> modules = {"fire", "hydra",          "docopt",
                                                       "tyro", "jsonargparse",   "draccus",
                                                       "plac", "simple_parsing", "cyclopts"};
  return std::ranges::any_of(facts.imports, [&](const Import& import) {
    return std::ranges::find(modules, import.module) != modules.end();
  });
}

} // namespace

PythonFacts read_python(const source::Source& source) {
  const Program program{parse_python(source)};
  PythonFacts facts;
  facts.parsed = program.syntax().complete;
  facts.docstring = docstring_of(program.syntax());
  read_imports(program, facts);
  Declarations declarations = read_options(program);
  std::vector<NodeId> declaring;
  declaring.reserve(declarations.options.size());
  for (const Declared& declared : declarations.options)
    declaring.push_back(declared.node);
  facts.environment = read_environment(program, declaring);
  facts.files = read_files(program, declarations);
  facts.writes_current_directory = writes_current_directory(facts.files);
  facts.options_incomplete = declarations.incomplete || takes_unseen_options(facts);
  for (Declared& declared : declarations.options)
    facts.options.push_back(std::move(declared.option));
  return facts;
}

std::optional<std::string_view> distribution_of(std::string_view module) {
  const auto* row = tables::find_python_packages(module);
  if (row == nullptr)
    return std::nullopt;
  return row->distribution;
}

} // namespace s2f::payload
