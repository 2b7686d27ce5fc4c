// What printf makes of texts and whole numbers, as a value.
//
// before:  printf -v SUBJECT "sub-%03d" $SLURM_ARRAY_TASK_ID
// after:   Assign{SUBJECT = "sub-" <index, 3 digits>}
#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "passes/lifting.hpp"

namespace s2f::passes {

namespace {

constexpr const char* refused = "a printf to a variable";

bool is_name(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::ranges::all_of(text,
                             [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

} // namespace

// Of a format with as many directives as there are arguments: %s, %d, %03d and %%.
std::optional<ir::Value> Lifting::formatted(const std::string& format,
                                            const std::vector<ir::Value>& arguments) {
  if (format.find_first_of("\\\n") != std::string::npos || format.starts_with('-')) {
    return std::nullopt;
  }
  ir::Value result;
  std::size_t next = 0;
  for (std::size_t at = 0; at < format.size();) {
    const std::size_t mark = std::min(format.find('%', at), format.size());
    if (mark > at) {
      result.append(ir::Text{format.substr(at, mark - at)});
    }
    if (mark == format.size()) {
      break;
    }
    std::size_t end = mark + 1;
    while (end < format.size() && std::isdigit(static_cast<unsigned char>(format[end])) != 0) {
      ++end;
    }
    const char kind = end < format.size() ? format[end] : '\0';
    at = end + 1;
    if (kind == '%' && end == mark + 1) {
      result.append(ir::Text{"%"});
      continue;
    }
    if (next == arguments.size() || arguments[next].many()) {
      return std::nullopt;
    }
    const ir::Value& argument = arguments[next++];
    if (kind == 's' && end == mark + 1) {
      for (const ir::ValuePart& part : argument.parts) {
        result.append(part);
      }
    } else if (const auto number =
                   kind == 'd' ? printed(format.substr(mark, at - mark), argument) : std::nullopt) {
      for (const ir::ValuePart& part : number->parts) {
        result.append(part);
      }
    } else {
      return std::nullopt;
    }
  }
  return next == arguments.size() ? std::optional(std::move(result)) : std::nullopt;
}

// printf -v NAME FORMAT WORD...
std::string Lifting::print_to(ir::Step& step, const shell::SimpleCommand& command) {
  constexpr std::size_t first = 4; // of the words that are printed
  const auto name = command.words.size() >= first ? command.words[2].literal() : std::nullopt;
  const auto format = name ? command.words[3].literal() : std::nullopt;
  if (!format || !is_name(*name) || !step.statement->redirects.empty() ||
      !command.assignments.empty()) {
    return refused;
  }
  if (analysis::ambient_variable(*name) || scope_.list(*name) != nullptr ||
      maybe_exported_.contains(*name)) {
    return refused;
  }
  std::vector<ir::Value> arguments;
  for (std::size_t i = first; i < command.words.size(); ++i) {
    for (ir::Value& value : scope_.words_of(command.words[i])) {
      if (!value.known()) {
        return why_unknown(value);
      }
      note_splitting(value);
      arguments.push_back(std::move(value));
    }
  }
  auto value = formatted(*format, arguments);
  if (!value || value->runs_program()) {
    return refused;
  }
  value->span = step.span;
  ir::Assign result;
  result.bindings.push_back(scope_.set(*name, std::move(*value)));
  result.bindings.back().exported = exported_.contains(*name);
  if (!read_elsewhere(*name, *step.statement)) {
    result.bindings.back().local.clear();
  }
  step.value = std::move(result);
  return {};
}

} // namespace s2f::passes
