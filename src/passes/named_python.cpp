// The version of Python that the name of a program gives, where nothing else names one.
//
// before:  python3.11 train.py
// after:   environment.python = 3.11
#include "passes/named_python.hpp"

#include <algorithm>
#include <cctype>

#include "analysis/walk.hpp"
#include "passes/setup.hpp"

namespace s2f::passes {

void named_python(PassContext& context) {
  ir::Job& job = context.job;
  if (job.environment.python || job.environment.reference()) {
    return;
  }
  analysis::Visitor visitor;
  visitor.word = [&](const shell::Word& word) {
    const auto text = word.literal();
    constexpr std::string_view mark = "python3.";
    const bool library = !text || text->contains("lib/");
    const std::string name = library ? "" : text->substr(text->find_last_of('/') + 1);
    const std::string minor = name.starts_with(mark) ? name.substr(mark.size()) : "";
    const bool number =
        !minor.empty() && minor.size() < 3 &&
        std::ranges::all_of(minor, [](unsigned char c) { return std::isdigit(c) != 0; });
    if (number && !job.environment.python) {
      set_python(context, "3." + minor, name, word.span);
    }
  };
  for (const ir::Step& step : job.body) {
    if (step.statement != nullptr && !std::holds_alternative<ir::Nothing>(step.value)) {
      analysis::walk(*step.statement, visitor);
    }
  }
}

} // namespace s2f::passes
