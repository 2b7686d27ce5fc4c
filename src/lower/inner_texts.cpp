// The texts that stay Bash within what is lifted, as constants of the module.
#include <algorithm>

#include <fmt/format.h>

#include "ir/inner_text.hpp"
#include "lower/parts.hpp"
#include "source/copied_lines.hpp"

namespace s2f::lower {

namespace {

std::string name_of(const ir::Job& job, std::size_t number) {
  std::string name = job.function;
  std::ranges::transform(name, name.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return fmt::format("{}_WITHIN_{}", name, number);
}

} // namespace

std::optional<std::string> inner_constant(const ir::Job& job, const ir::Value& word) {
  const auto* text = word.parts.size() == 1 ? std::get_if<ir::Text>(&word.parts.front()) : nullptr;
  std::size_t number = 0;
  for (const ir::KeptRegion& region : job.kept) {
    number += ir::is_inner(region) ? 1 : 0;
    if (text != nullptr && ir::is_inner(region) && text->text == region.text) {
      return name_of(job, number);
    }
  }
  return std::nullopt;
}

std::vector<flyte::KeptText> inner_texts(const source::Sources& sources, const ir::Job& job) {
  std::vector<flyte::KeptText> texts;
  for (const ir::KeptRegion& region : job.kept) {
    if (!ir::is_inner(region)) {
      continue;
    }
    flyte::KeptText& text = texts.emplace_back();
    text.variable = name_of(job, texts.size());
    text.text = region.text;
    text.notes.above.emplace_back(fmt::format("{}, as it was", lines(sources, region.span)));
    text.notes.spans = {region.span};
    text.lines = source::copied_lines(sources[region.span.source], {region.span}, text.text);
  }
  return texts;
}

} // namespace s2f::lower
