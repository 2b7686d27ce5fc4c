// Short hands that build expressions.
#include "flyte/python.hpp"

#include <utility>

namespace s2f::flyte {

Expr str(std::string value) { return {Str{std::move(value)}}; }

Expr number(std::string text) { return {Number{std::move(text)}}; }

Expr name(std::string dotted) { return {Name{std::move(dotted)}}; }

Expr call(std::string callee, std::vector<Arg> arguments) {
  return {Call{name(std::move(callee)), std::move(arguments)}};
}

Expr await(Expr value) { return {Await{std::move(value)}}; }

Arg arg(Expr value) { return {{}, {}, std::move(value), {}}; }

Arg arg(std::string keyword, Expr value) { return {std::move(keyword), {}, std::move(value), {}}; }

} // namespace s2f::flyte
