// The script's arguments where the task has them as a list: it counts them, or takes some of them.
//
// before:  $2    $#    "${@:3}"
// after:   Computed{item_or_nothing, {arguments, 1}}, Computed{count, {arguments}},
//          Computed{items, {Computed{slice, {arguments, 2}}}}
#include <algorithm>

#include <fmt/format.h>

#include "passes/scope.hpp"

namespace s2f::passes {

// Nothing where they are no list, or not what the script was given any more.
const ir::Parameter* Scope::argument_list() const {
  const auto list = std::ranges::find_if(job_->parameters, [](const ir::Parameter& parameter) {
    return parameter.type == ir::Type::text_list && parameter.origin == "$@";
  });
  const bool same = !shifted_ && !sourced_ && !arguments_ && !nounset_ && !values_.contains("IFS");
  return list == job_->parameters.end() || !same ? nullptr : &*list;
}

std::optional<ir::Value> Scope::argument(const shell::Parameter& parameter) const {
  using ir::Operation;
  const ir::Parameter* list = argument_list();
  if (list == nullptr || parameter.length || parameter.indirect || parameter.subscript) {
    return std::nullopt;
  }
  ir::Value whole;
  whole.append(ir::ParameterRef{list->name});
  const auto of = [](Operation operation, std::vector<ir::Value> operands, bool one_word) {
    ir::Value value;
    value.append(ir::Computed{operation, std::move(operands), one_word});
    return value;
  };
  const std::string& name = parameter.name;
  if (name == "#") {
    return of(Operation::count, {std::move(whole)}, true);
  }
  if (name != "@" && name != "*") {
    constexpr std::size_t longest = 3;
    if (!parameter.op.empty() || name.size() > longest) {
      return std::nullopt;
    }
    return of(Operation::item_or_nothing,
              {std::move(whole), ir::Value::of(fmt::format("{}", std::stoul(name) - 1))}, false);
  }
  if (parameter.op.empty()) {
    return of(Operation::items, {std::move(whole)}, false);
  }
  const auto from = parameter.op == ":" && parameter.arguments.size() == 1
                        ? parameter.arguments.front().literal()
                        : std::nullopt;
  if (!from || !plain_number(*from) || (*from)[0] == '-' || *from == "0") {
    return std::nullopt;
  }
  ir::Value some =
      of(Operation::slice,
         {std::move(whole), ir::Value::of(fmt::format("{}", std::stoul(*from) - 1))}, false);
  return of(Operation::items, {std::move(some)}, false);
}

} // namespace s2f::passes
