// How each kind of term is said in Python.
#include "lower/driver_terms.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "flyte/program.hpp"
#include "lower/parts.hpp"

namespace s2f::lower {

namespace {

using ir::Term;
using Kind = Term::Kind;
using Type = Term::Type;

flyte::Expr method(flyte::Expr value, std::string name, std::vector<flyte::Arg> arguments) {
  return flyte::Expr{flyte::Call{flyte::Expr{flyte::Attribute{std::move(value), std::move(name)}},
                                 std::move(arguments)}};
}

// DIR/*.csv: DIR/**/*.csv
Term below(const Term& pattern) {
  Term result = pattern;
  std::string& text = result.kind == Kind::joined ? result.parts.back().text : result.text;
  text.insert(text.rfind('/'), "/**");
  return result;
}

} // namespace

std::string TermWriter::unique(std::string name) {
  const std::string base = name;
  for (int n = 2; taken_.contains(name); ++n) {
    name = fmt::format("{}_{}", base, n);
  }
  taken_.insert(name);
  return name;
}

void TermWriter::call_it(const std::string& variable, std::string name) {
  names_[variable] = std::move(name);
}

std::string TermWriter::name_of(const std::string& variable) {
  if (const auto known = names_.find(variable); known != names_.end()) {
    return known->second;
  }
  std::string name;
  for (const char c : variable) {
    name += std::isalnum(static_cast<unsigned char>(c)) != 0
                ? static_cast<char>(std::tolower(static_cast<unsigned char>(c)))
                : '_';
  }
  while (name.starts_with('_')) {
    name.erase(0, 1);
  }
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) {
    name = "value" + name;
  }
  static constexpr std::array builtins{"id",   "dict", "list", "max",   "min",    "next",
                                       "set",  "sum",  "type", "input", "filter", "map",
                                       "file", "dir",  "all",  "any",   "format", "iter"};
  if (flyte::reserved_python_name(name) || std::ranges::find(builtins, name) != builtins.end()) {
    name += "_";
  }
  return names_[variable] = unique(std::move(name));
}

flyte::Expr TermWriter::number(const Term& term) {
  if (const auto value = ir::terms::constant_integer(term)) {
    return flyte::number(fmt::format("{}", *value));
  }
  flyte::Expr value = expression(term);
  return term.type == Type::integer || term.type == Type::boolean
             ? std::move(value)
             : flyte::call("int", {flyte::arg(std::move(value))});
}

flyte::Expr TermWriter::file(const Term& term) {
  looks_in_here_ = true;
  if (auto path = ir::terms::constant(term)) {
    while (path->starts_with("./")) {
      path->erase(0, 2);
    }
    if (!path->starts_with('/') && path->find("..") == std::string::npos) {
      files_.insert(*path);
    }
    return flyte::Expr{flyte::Binary{"/", flyte::name("HERE"), flyte::str(*path)}};
  }
  return flyte::Expr{flyte::Binary{"/", flyte::name("HERE"), text(term)}};
}

flyte::Expr TermWriter::expression(const Term& term) {
  switch (term.kind) {
  case Kind::text:
    return flyte::str(term.text);
  case Kind::integer:
    return term.type == Type::boolean ? flyte::name(term.number != 0 ? "True" : "False")
                                      : flyte::number(fmt::format("{}", term.number));
  case Kind::name:
    return flyte::name(name_of(term.text));
  case Kind::parameter:
    parameters_.insert(term.text);
    return term.is_list() ? flyte::Expr{flyte::Binary{"or", flyte::name(term.text),
                                                      flyte::Expr{flyte::TupleExpr{}}}}
                          : flyte::name(term.text);
  case Kind::joined: {
    flyte::FString result;
    for (const Term& part : term.parts) {
      result.parts.push_back(expression(part));
    }
    return flyte::Expr{std::move(result)};
  }
  case Kind::binary: {
    const bool numbers = term.type == Type::integer || term.parts[0].type == Type::integer ||
                         term.parts[1].type == Type::integer;
    const bool logic = term.text == "and" || term.text == "or";
    const auto side = [&](const Term& part) {
      return logic ? condition(part) : numbers ? number(part) : expression(part);
    };
    return flyte::Expr{flyte::Binary{term.text, side(term.parts[0]), side(term.parts[1])}};
  }
  case Kind::negated:
    return flyte::Expr{flyte::Unary{"not", condition(term.parts[0])}};
  case Kind::list:
  case Kind::together: {
    if (term.type == Type::job_map) {
      return flyte::Expr{flyte::DictExpr{}};
    }
    flyte::ListExpr result;
    for (const Term& part : term.parts) {
      flyte::Expr value = expression(part);
      result.elements.push_back(
          flyte::arg(part.is_list() ? flyte::Expr{flyte::Starred{std::move(value), false}}
                                    : std::move(value)));
    }
    return flyte::Expr{std::move(result)};
  }
  case Kind::range:
    return iterable(term);
  case Kind::item:
    return flyte::Expr{flyte::Subscript{expression(term.parts[0]), expression(term.parts[1])}};
  case Kind::count:
    if (term.parts[0].kind == Kind::lines) { // wc -l counts ends of lines
      return method(method(file(term.parts[0].parts[0]), "read_text", {}), "count",
                    {flyte::arg(flyte::str("\n"))});
    }
    return flyte::call("len", {flyte::arg(expression(term.parts[0]))});
  case Kind::exists:
    return method(file(term.parts[0]),
                  term.text == "d"   ? "is_dir"
                  : term.text == "f" ? "is_file"
                                     : "exists",
                  {});
  case Kind::lines: {
    reads_lines_ = true;
    std::vector<flyte::Arg> arguments{flyte::arg(file(term.parts[0]))};
    for (const char* option : {"blanks", "escapes"}) {
      if (term.text.find(option) != std::string::npos) {
        line_options_.insert(option);
        arguments.push_back(flyte::arg(option, flyte::name("True")));
      }
    }
    return flyte::call("read_lines", std::move(arguments));
  }
  case Kind::words:
    return method(method(file(term.parts[0]), "read_text", {}), "split", {});
  case Kind::files: {
    looks_in_here_ = true;
    // A pattern of the cluster stays what it is below HERE; what it finds is no part of the bundle.
    if (const auto pattern = ir::terms::constant(term.parts[0]);
        pattern && !pattern->starts_with('/')) {
      files_.insert(*pattern);
    }
    std::vector<flyte::Arg> arguments{flyte::arg(text(term.parts[0])),
                                      flyte::arg("root_dir", flyte::name("HERE"))};
    if (term.text == "deep") {
      arguments[0] = flyte::arg(text(below(term.parts[0])));
      arguments.push_back(flyte::arg("recursive", flyte::name("True")));
    }
    flyte::Expr all = flyte::call("glob.glob", std::move(arguments));
    flyte::Expr found = flyte::call("sorted", {flyte::arg(std::move(all))});
    if (term.number == 1) {
      return found;
    }
    flyte::ListExpr pattern; // as the shell has it
    pattern.elements.push_back(flyte::arg(text(term.parts[0])));
    return flyte::Expr{flyte::Binary{"or", std::move(found), flyte::Expr{std::move(pattern)}}};
  }
  case Kind::path:
    return flyte::Expr{flyte::Attribute{expression(term.parts[0]), "path"}};
  case Kind::padded:
    return method(text(term.parts[0]), "zfill",
                  {flyte::arg(flyte::number(fmt::format("{}", term.number)))});
  case Kind::trimmed:
    return method(text(term.parts[0]), "removesuffix", {flyte::arg(flyte::str(term.text))});
  case Kind::base_name:
    return flyte::Expr{
        flyte::Attribute{flyte::call("Path", {flyte::arg(text(term.parts[0]))}), "name"}};
  case Kind::directory:
    return flyte::call("str",
                       {flyte::arg(flyte::Expr{flyte::Attribute{
                           flyte::call("Path", {flyte::arg(text(term.parts[0]))}), "parent"}})});
  case Kind::whole:
    return number(term.parts[0]);
  case Kind::set:
    return expression(term.parts[0]);
  case Kind::no_job:
  case Kind::submitted:
  case Kind::unknown:
    break;
  }
  return flyte::name("None");
}

flyte::Expr TermWriter::text(const Term& term) {
  if (term.kind == Kind::integer) {
    return flyte::str(*ir::terms::constant(term));
  }
  flyte::Expr value = expression(term);
  return term.type == Type::text ? std::move(value)
                                 : flyte::call("str", {flyte::arg(std::move(value))});
}

flyte::Expr TermWriter::condition(const Term& term) {
  if (term.type == Type::integer && term.kind != Kind::integer) {
    return flyte::Expr{flyte::Binary{"!=", expression(term), flyte::number("0")}};
  }
  return expression(term);
}

flyte::Expr TermWriter::iterable(const Term& term) {
  if (term.kind == Kind::list) {
    flyte::TupleExpr result;
    for (const Term& part : term.parts) {
      result.elements.push_back(flyte::arg(text(part)));
    }
    return flyte::Expr{std::move(result)};
  }
  if (term.kind != Kind::range) {
    return expression(term);
  }
  const auto first = ir::terms::constant_integer(term.parts[0]);
  const std::int64_t past = term.number < 0 ? -1 : 1;
  const Term end =
      ir::terms::binary("+",
                        term.parts[1].type == Type::integer
                            ? term.parts[1]
                            : ir::terms::make(Kind::whole, Type::integer, {term.parts[1]}),
                        ir::terms::integer(past));
  // n - 1 + 1 is n
  const bool plain = end.kind == Kind::binary && past == 1 && end.parts[0].kind == Kind::binary &&
                     end.parts[0].text == "-" &&
                     ir::terms::constant_integer(end.parts[0].parts[1]) == 1;
  std::vector<flyte::Arg> arguments;
  if (first != 0 || term.number != 1) {
    arguments.push_back(flyte::arg(number(term.parts[0])));
  }
  arguments.push_back(flyte::arg(number(plain ? end.parts[0].parts[0] : end)));
  if (term.number != 1) {
    arguments.push_back(flyte::arg(flyte::number(fmt::format("{}", term.number))));
  }
  return flyte::call("range", std::move(arguments));
}

} // namespace s2f::lower
