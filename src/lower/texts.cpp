// The text of a heredoc as Python: one line of it a line.
//
// before:  Value{"lr: 0.1\nseed: ", <seed>, "\nname: x\n"}
// after:   "\n".join(["lr: 0.1", f"seed: {seed}", "name: x", ""])
#include "lower/texts.hpp"

#include <algorithm>

namespace s2f::lower {

namespace {

std::vector<ir::Value> lines_of(const ir::Value& value) {
  std::vector<ir::Value> lines(1);
  for (const ir::ValuePart& part : value.parts) {
    const auto* text = std::get_if<ir::Text>(&part);
    if (text == nullptr) {
      lines.back().append(part);
      continue;
    }
    std::size_t begin = 0;
    for (std::size_t at = text->text.find('\n'); at != std::string::npos;
         at = text->text.find('\n', begin)) {
      lines.back().append(ir::Text{text->text.substr(begin, at - begin)});
      lines.emplace_back();
      begin = at + 1;
    }
    lines.back().append(ir::Text{text->text.substr(begin)});
  }
  return lines;
}

} // namespace

flyte::Expr lines_text(const ir::Job& job, const ir::Value& value, const Around& around) {
  constexpr std::size_t few = 3;
  const std::vector<ir::Value> lines = lines_of(value);
  // A join of nothing but constants is a constant.
  if (lines.size() <= few || value.is_text()) {
    return text_expression(job, value, around);
  }
  flyte::ListExpr list;
  list.elements.reserve(lines.size());
  for (const ir::Value& line : lines) {
    list.elements.push_back(flyte::arg(text_expression(job, line, around)));
  }
  flyte::Expr join{flyte::Attribute{flyte::str("\n"), "join"}};
  return flyte::Expr{flyte::Call{std::move(join), {flyte::arg(flyte::Expr{std::move(list)})}}};
}

} // namespace s2f::lower
