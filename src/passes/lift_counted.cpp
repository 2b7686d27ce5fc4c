// for (( )) whose ends are known only when the job runs.
//
// before:  for ((i = 0; i < ${#FILES[@]}; i++)); do ./run "${FILES[$i]}"; done
// after:   For{i in Range{0, Computed{count, {files}}}: Launch{./run Computed{item, {files, <i>}}}}
#include <algorithm>
#include <cctype>

#include "analysis/effects.hpp"
#include "passes/lifting.hpp"
#include "shell/parse.hpp"

namespace s2f::passes {

namespace {

constexpr const char* other = "a loop of another form";

std::string without_blanks(std::string_view text) {
  std::string result;
  std::ranges::copy_if(text, std::back_inserter(result),
                       [](unsigned char c) { return std::isspace(c) == 0; });
  return result;
}

// An expression of the header by itself.
std::optional<shell::Arithmetic> expression_of(const std::string& text) {
  source::Sources sources;
  const shell::Script script = shell::parse(sources[sources.add("for", "((" + text + "))")]);
  const auto* sum = script.statements.size() == 1
                        ? std::get_if<shell::ArithmeticCommand>(&script.statements.front().value)
                        : nullptr;
  return sum == nullptr || sum->arithmetic.assigns || text.empty() ? std::nullopt
                                                                   : std::optional(sum->arithmetic);
}

// The list, where the expression is ${#list[@]}.
std::string counted_list(const shell::Arithmetic& sum) {
  const auto* parameter = sum.expansions.size() == 1
                              ? std::get_if<shell::Parameter>(&sum.expansions.front().value)
                              : nullptr;
  const bool alone = parameter != nullptr && parameter->length && parameter->subscript &&
                     without_blanks(sum.expression).starts_with("$") &&
                     without_blanks(sum.expression).ends_with("}");
  return alone ? parameter->name : "";
}

// The variables that it reads.
std::set<std::string> names_in(const shell::Arithmetic& sum) {
  std::set<std::string> names(sum.variables.begin(), sum.variables.end());
  for (const shell::WordPart& part : sum.expansions) {
    if (const auto* parameter = std::get_if<shell::Parameter>(&part.value)) {
      names.insert(parameter->name);
    }
  }
  return names;
}

// By how much i++, i--, i+=2, i=i+2 change it.
std::optional<std::int64_t> change_of(const std::string& step, const std::string& name) {
  if (step == name + "++" || step == "++" + name) {
    return 1;
  }
  if (step == name + "--" || step == "--" + name) {
    return -1;
  }
  for (const std::string& before :
       {name + "+=", name + "-=", name + "=" + name + "+", name + "=" + name + "-"}) {
    const std::string number = step.starts_with(before) ? step.substr(before.size()) : "";
    if (plain_number(number) && number != "0" && !number.starts_with('-')) {
      const bool less = before.ends_with('-') || before.ends_with("-=");
      return less ? -std::stoll(number) : std::stoll(number);
    }
  }
  return std::nullopt;
}

} // namespace

std::string Lifting::counted_by_value(ir::Step& step, const shell::ArithmeticFor& loop) {
  const std::string init = without_blanks(loop.init);
  const std::string name = init.substr(0, std::min(init.size(), init.find('=')));
  const std::string asked = without_blanks(loop.condition);
  const auto by = change_of(without_blanks(loop.step), name);
  const std::size_t size = asked.size() > name.size() + 1 && asked[name.size() + 1] == '=' ? 2 : 1;
  const std::string op = asked.starts_with(name) ? asked.substr(name.size(), size) : "";
  const bool up = op == "<" || op == "<=";
  if (name.empty() || name.size() == init.size() || !by || (!up && op != ">" && op != ">=") ||
      up != (*by > 0) || !scope_.number(name)) {
    return other;
  }
  const auto from = expression_of(init.substr(name.size() + 1));
  const auto to = expression_of(asked.substr(name.size() + op.size()));
  const auto first_term = from ? scope_.term_of(from->expression, from->expansions) : std::nullopt;
  const auto end_term = to ? scope_.term_of(to->expression, to->expansions) : std::nullopt;
  if (!first_term || !end_term) {
    return other;
  }
  std::set<std::string> written;
  for (const shell::Statement& each : loop.body) {
    written.merge(effects_of(each).writes);
  }
  const bool same = std::ranges::none_of(names_in(*to), [&](const std::string& each) {
    return each == name || written.contains(each) || functions_.contains(each);
  });
  if (!same || written.contains(name) || read_later(name)) {
    return "a loop whose counter is read behind it";
  }
  ir::Range range;
  range.by = *by;
  range.first = number_of(*first_term, job_, step.span);
  range.end = number_of(*end_term, job_, step.span);
  const std::string list = counted_list(*to);
  if (op.size() == 2 && range.end.known()) {
    range.end = combined(up ? ir::Operation::add : ir::Operation::subtract, std::move(range.end),
                         ir::Value::of("1"));
  }
  for (const ir::Value* value : {&range.first, &range.end}) {
    if (!value->known()) {
      return why_unknown(*value);
    }
    if (value->of_the_moment() || value->runs_program()) {
      return other;
    }
  }
  const auto first = range.first.text();
  ir::For result;
  result.range = std::move(range);
  if (up && op == "<" && first && !first->starts_with('-')) {
    below_ = list;
  }
  return loop_over(step, std::move(result), name, loop.body);
}

} // namespace s2f::passes
