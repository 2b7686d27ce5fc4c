// Reads a word by the variables that one statement of the script sets to a text, and nothing else
// does.
//
// before:  LATEST=62; VERSION=${1:-v$LATEST}
// after:   "v62"
#include "passes/constant_text.hpp"

#include <vector>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"

namespace s2f::passes {

namespace {

// The text of NAME where a statement of its own sets it before `by`, and no other statement does.
std::optional<std::string> constant_of(const ir::Job& job, const std::string& name,
                                       const source::Span& by) {
  std::optional<std::string> text;
  for (const ir::Step& step : job.body) {
    if (step.statement == nullptr) {
      continue;
    }
    const analysis::Effects effects = analysis::effects_of(*step.statement);
    if (effects.anything || effects.unparsed) {
      return std::nullopt;
    }
    if (!effects.writes.contains(name)) {
      continue;
    }
    const auto* command = shell::as_simple(*step.statement);
    const bool plain = command != nullptr && command->words.empty() && !step.statement->background;
    if (text || !plain || step.span.begin >= by.begin) {
      return std::nullopt;
    }
    for (const shell::Assignment& assignment : command->assignments) {
      if (assignment.name != name) {
        continue;
      }
      if (text || assignment.append || assignment.subscript || !assignment.value) {
        return std::nullopt;
      }
      text = assignment.value->literal();
      if (!text) {
        return std::nullopt;
      }
    }
  }
  return text;
}

bool add(const ir::Job& job, const std::vector<shell::WordPart>& parts, const source::Span& by,
         std::string& text) {
  for (const shell::WordPart& part : parts) {
    if (const auto* literal = std::get_if<shell::Literal>(&part.value);
        literal != nullptr && !literal->globs) {
      text += literal->value;
    } else if (const auto* single = std::get_if<shell::SingleQuoted>(&part.value)) {
      text += single->value;
    } else if (const auto* quoted = std::get_if<shell::DoubleQuoted>(&part.value)) {
      if (!add(job, quoted->parts, by, text)) {
        return false;
      }
    } else if (const auto* parameter = std::get_if<shell::Parameter>(&part.value);
               parameter != nullptr && parameter->op.empty() && !parameter->length &&
               !parameter->indirect && !parameter->subscript) {
      const auto value = constant_of(job, parameter->name, by);
      if (!value) {
        return false;
      }
      text += *value;
    } else {
      return false;
    }
  }
  return true;
}

} // namespace

std::optional<std::string> constant_text(const ir::Job& job, const shell::Word& word) {
  if (auto text = word.literal()) {
    return text;
  }
  std::string text;
  return add(job, word.parts, word.span, text) ? std::optional(text) : std::nullopt;
}

} // namespace s2f::passes
