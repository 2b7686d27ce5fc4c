// case: the chain of questions that it is.
//
// before:  case $MODE in fast|quick) ./fast ;; *.cfg) ./run "$MODE" ;; *) exit 2 ;; esac
// after:   If{TextTest{mode, "fast"} or TextTest{mode, "quick"}: Launch{./fast},
//             PatternTest{mode, "*.cfg"}: Launch{./run <mode>}, otherwise Exit{2}}
#include <algorithm>

#include "passes/lifting.hpp"

namespace s2f::passes {

namespace {

constexpr std::string_view special = "*?[";

bool plain(std::string_view pattern) { return pattern.find_first_of(special) == std::string::npos; }

// Text that a pattern takes as it is.
std::string literally(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) {
      result += '[';
      result += c;
      result += ']';
    } else {
      result += c;
    }
  }
  return result;
}

// The text that alone matches; nothing where there are more.
std::optional<std::string> only_text(std::string_view pattern) {
  std::string result;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (special.find(pattern[i]) == std::string_view::npos) {
      result += pattern[i];
    } else if (i + 2 < pattern.size() && pattern[i] == '[' && pattern[i + 2] == ']' &&
               special.find(pattern[i + 1]) != std::string_view::npos) {
      result += pattern[i + 1];
      i += 2;
    } else {
      return std::nullopt;
    }
  }
  return result;
}

// A pattern of the shell as Python's fnmatch reads it; nothing where they differ.
std::optional<std::string> as_fnmatch(std::string_view pattern) {
  if (pattern.find("[:") != std::string_view::npos || pattern.find('(') != std::string_view::npos ||
      pattern.find('\\') != std::string_view::npos) {
    return std::nullopt;
  }
  std::string result;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    result += i > 0 && pattern[i] == '^' && pattern[i - 1] == '[' ? '!' : pattern[i];
  }
  return result;
}

} // namespace

std::optional<std::string> Lifting::pattern_of(const shell::Word& word) {
  std::string result;
  for (const shell::WordPart& part : word.parts) {
    if (const auto* literal = std::get_if<shell::Literal>(&part.value)) {
      const auto pattern = as_fnmatch(literal->value);
      if (!pattern || (literal->escaped && !plain(literal->value))) {
        return std::nullopt;
      }
      result += *pattern;
      continue;
    }
    shell::Word alone;
    alone.parts.push_back(part);
    alone.span = part.span;
    const auto text = scope_.assigned(alone).text();
    const bool quoted = alone.quoted();
    if (!text || (!quoted && !plain(*text))) {
      return std::nullopt;
    }
    result += literally(*text);
  }
  return result;
}

// Whether a value is what the pattern says; always, for `*`.
ir::Condition Lifting::matches(const ir::Value& value, const std::string& pattern) {
  if (pattern == "*") {
    return ir::Condition{ir::Always{true}};
  }
  if (const auto text = only_text(pattern)) {
    return ir::Condition{ir::TextTest{value, ir::Value::of(*text)}};
  }
  return ir::Condition{ir::PatternTest{value, pattern}};
}

std::string Lifting::case_(ir::Step& step, const shell::Case& command) {
  const ir::Value subject = scope_.assigned(command.subject);
  if (!subject.known()) {
    return why_unknown(subject);
  }
  if (subject.runs_program() || subject.of_the_moment()) {
    return "a case of the output of a command";
  }
  ir::If result;
  if (std::string why = open_variables(*step.statement, result.before); !why.empty()) {
    return why;
  }
  const State before = state();
  std::vector<State> ends;
  for (const shell::CaseItem& item : command.items) {
    restore(before);
    previous_ = nullptr;
    if (item.terminator != ";;" && !item.terminator.empty()) {
      return "a case that goes on to its next branch";
    }
    ir::AnyOf any;
    bool taken = false;
    bool known = subject.text().has_value();
    for (const shell::Word& word : item.patterns) {
      const auto pattern = pattern_of(word);
      if (!pattern) {
        return "a case with a pattern of another form";
      }
      const auto text = only_text(*pattern);
      taken = taken || (known && (*pattern == "*" || text == subject.text()));
      known = known && (taken || text);
      any.operands.push_back(matches(subject, *pattern));
    }
    if (known && !taken) { // a line of the review says so
      result.branches.push_back({ir::Condition{ir::Always{false}}, {}, item.patterns.front().span});
      continue;
    }
    std::vector<ir::Step> steps;
    if (std::string why = lift_all(item.body, item.span.begin, steps); !why.empty()) {
      return why;
    }
    ends.push_back(state());
    const bool otherwise = std::ranges::any_of(any.operands, [](const ir::Condition& each) {
      return std::holds_alternative<ir::Always>(each.value);
    });
    if (taken && result.branches.empty()) {
      result.branches.push_back({ir::Condition{ir::Always{true}}, std::move(steps), item.span});
      break;
    }
    if (otherwise && !taken && result.branches.empty()) {
      return "a case with one branch";
    }
    if (otherwise || taken) {
      result.otherwise = std::move(steps);
      break; // nothing comes to what is behind it
    }
    ir::Condition condition =
        any.operands.size() == 1 ? std::move(any.operands.front()) : ir::Condition{std::move(any)};
    result.branches.push_back({std::move(condition), std::move(steps), item.patterns.front().span});
  }
  if (result.branches.empty()) {
    return "a case with no branch";
  }
  const auto* first = std::get_if<ir::Always>(&result.branches.front().condition.value);
  const bool certain = first != nullptr && first->value;
  if (!result.otherwise && !certain) {
    ends.push_back(before);
  }
  join(before, ends, *step.statement);
  step.value = std::move(result);
  return {};
}

} // namespace s2f::passes
