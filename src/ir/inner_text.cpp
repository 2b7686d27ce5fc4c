// Finds the pieces of Bash that stand within what is lifted.
#include "ir/inner_text.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace s2f::ir {

namespace {

void collect(const Value& value, std::vector<const Launch*>& found) {
  for (const ValuePart& part : value.parts) {
    if (const auto* output = std::get_if<Output>(&part)) {
      if (is_inner(*output->launch)) {
        found.push_back(&*output->launch);
      }
    } else if (const auto* computed = std::get_if<Computed>(&part)) {
      for (const Value& operand : computed->operands) {
        collect(operand, found);
      }
    }
  }
}

} // namespace

bool is_inner(const Launch& launch) { return launch.launcher.starts_with(inner_launcher); }

std::string why_inner(const Launch& launch) {
  return launch.launcher.substr(inner_launcher.size());
}

bool is_inner(const KeptRegion& region) { return region.first_step > region.last_step; }

KeptRegion inner_region(Span span, std::string text) {
  KeptRegion region;
  region.first_step = std::numeric_limits<std::size_t>::max(); // behind those of the body
  region.last_step = 0;
  region.span = span;
  region.text = std::move(text);
  return region;
}

const std::string& inner_text(const Launch& launch) {
  const auto option = std::ranges::find_if(
      launch.words, [](const Value& word) { return word.text().value_or("") == "-c"; });
  return std::get<Text>(std::next(option)->parts.front()).text;
}

std::vector<const Launch*> inner_launches(const Step& step) {
  std::vector<const Launch*> found;
  if (const auto* launch = std::get_if<Launch>(&step.value)) {
    if (is_inner(*launch)) {
      found.push_back(launch);
    }
  } else if (const auto* assign = std::get_if<Assign>(&step.value)) {
    for (const Binding& binding : assign->bindings) {
      collect(binding.value, found);
    }
  }
  return found;
}

bool stays_bash(const Step& step) { return step.in_region || !inner_launches(step).empty(); }

} // namespace s2f::ir
