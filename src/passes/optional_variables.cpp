// Reads the questions that a script asks of variables that it does not set.
//
// before:  [ -n "$DEBUG" ] && set -x;  python train.py ${EXTRA:+--config "$EXTRA"}
// after:   DEBUG and EXTRA optional
#include "passes/optional_variables.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <vector>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "generated/tables/slurm_variables.hpp"

namespace s2f::passes {

namespace {

struct Counts {
  source::Span span{};
  int reads = 0;    // without an operator
  int harmless = 0; // of them, those that nothing to be unset is as good for
  bool asked = false;
  bool told_apart = false; // unset from empty: ${NAME+text}, ${NAME-text}
};

// The name of a word that is $NAME and nothing else, quoted or not.
std::string lone_name(const shell::Word& word) {
  if (word.parts.size() != 1) {
    return {};
  }
  const shell::WordPart* part = &word.parts.front();
  if (const auto* quoted = std::get_if<shell::DoubleQuoted>(&part->value);
      quoted != nullptr && quoted->parts.size() == 1) {
    part = &quoted->parts.front();
  }
  const auto* parameter = std::get_if<shell::Parameter>(&part->value);
  const bool plain = parameter != nullptr && parameter->op.empty() && !parameter->length &&
                     !parameter->indirect && !parameter->subscript;
  return plain ? parameter->name : std::string();
}

using Table = std::map<std::string, Counts>;

// [ -z "$X" ], [ "$X" ] and [ "$X" = y ]: unset is an answer, too.
void ask(const std::vector<const shell::Word*>& words, const std::vector<std::string>& texts,
         Table& table) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string name = words[i] == nullptr ? "" : lone_name(*words[i]);
    if (name.empty()) {
      continue;
    }
    const std::string before = i > 0 ? texts[i - 1] : "";
    const std::string after = i + 1 < texts.size() ? texts[i + 1] : "";
    const bool compares = before == "=" || before == "==" || before == "!=" || after == "=" ||
                          after == "==" || after == "!=";
    const bool alone =
        (before.empty() || before == "!" || before == "-n" || before == "-z" || before == "&&" ||
         before == "||" || before == "-a" || before == "-o" || before == "(") &&
        !compares && !after.starts_with("-");
    table[name].harmless += compares || alone ? 1 : 0;
    table[name].asked |= alone;
  }
}

void ask(const shell::Statement& statement, Table& table) {
  std::vector<const shell::Word*> words;
  std::vector<std::string> texts;
  if (const auto* command = shell::as_simple(statement);
      command != nullptr && !command->words.empty()) {
    const auto name = command->words[0].literal();
    if (name == "[" || name == "test") {
      for (std::size_t i = 1; i < command->words.size(); ++i) {
        words.push_back(&command->words[i]);
        const auto text = command->words[i].literal().value_or("$");
        texts.push_back(text == "]" ? "" : text);
      }
      ask(words, texts, table);
    } else if (name == "echo" || name == "printf") {
      analysis::Visitor visitor;
      visitor.part = [&](const shell::WordPart& part) {
        const auto* parameter = std::get_if<shell::Parameter>(&part.value);
        if (parameter != nullptr && parameter->op.empty() && !parameter->length) {
          ++table[parameter->name].harmless;
        }
      };
      for (const shell::Word& word : command->words) {
        analysis::walk(word, visitor);
      }
    }
  } else if (const auto* test = std::get_if<shell::Test>(&statement.value)) {
    for (const auto& token : test->tokens) {
      words.push_back(token.op.empty() ? &test->words[token.word] : nullptr);
      texts.push_back(token.op.empty() ? test->words[token.word].literal().value_or("$")
                                       : token.op);
    }
    ask(words, texts, table);
  }
}

// set -u: a variable that is not set ends the script.
bool must_be_set(const shell::Statement& statement) {
  const auto* command = shell::as_simple(statement);
  if (command == nullptr || analysis::command_name(*command) != "set") {
    return false;
  }
  return std::ranges::any_of(command->words, [](const shell::Word& word) {
    const std::string text = word.literal().value_or("");
    return text == "nounset" || (text.size() > 1 && text[0] == '-' && text[1] != '-' &&
                                 text.find('u') != std::string::npos);
  });
}

// One letter too many, too few or another, or two that changed places.
bool one_slip(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) {
    std::swap(a, b);
  }
  if (b.size() - a.size() > 1) {
    return false;
  }
  std::size_t same = 0;
  while (same < a.size() && a[same] == b[same]) {
    ++same;
  }
  if (same == b.size()) {
    return false;
  }
  const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  if (digit(b[same]) || (same < a.size() && digit(a[same]))) { // FILE1 and FILE2
    return false;
  }
  if (b.size() > a.size()) {
    return a.substr(same) == b.substr(same + 1);
  }
  const bool swapped = same + 1 < a.size() && a[same] == b[same + 1] && a[same + 1] == b[same] &&
                       a.substr(same + 2) == b.substr(same + 2);
  return swapped || a.substr(same + 1) == b.substr(same + 1);
}

// Without what is easily mixed up.
std::string folded(std::string_view name) {
  std::string result;
  for (const char c : name) {
    if (c != '_') {
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return result;
}

} // namespace

std::map<std::string, VariableUse> variable_uses(const ir::Job& job) {
  Table table;
  bool strict = false;
  for (const ir::Step& step : job.body) {
    if (step.statement == nullptr || std::holds_alternative<ir::Nothing>(step.value)) {
      continue;
    }
    analysis::Visitor visitor;
    visitor.statement = [&](const shell::Statement& statement) {
      ask(statement, table);
      strict |= must_be_set(statement);
    };
    visitor.part = [&](const shell::WordPart& part) {
      const auto* parameter = std::get_if<shell::Parameter>(&part.value);
      if (parameter == nullptr) {
        return;
      }
      Counts& counts = table[parameter->name];
      counts.span = counts.span.end == 0 ? part.span : counts.span;
      const std::string& op = parameter->op;
      const bool empty = parameter->arguments.empty() || parameter->arguments[0].literal() == "";
      counts.asked |= op == ":+" || ((op == ":-" || op == "-") && empty);
      counts.told_apart |= op == "+" || (op == "-" && !empty);
      counts.reads += op.empty() ? 1 : 0;
    };
    analysis::walk(*step.statement, visitor);
  }
  std::map<std::string, VariableUse> result;
  for (const auto& [name, counts] : table) {
    const bool harmless = counts.reads > 0 && counts.reads == counts.harmless;
    const bool may_be_absent = counts.asked || harmless;
    if (counts.span.end != 0) {
      result.try_emplace(
          name, VariableUse{counts.span,
                            may_be_absent && !counts.told_apart && !(strict && counts.reads > 0),
                            counts.reads > 0});
    }
  }
  return result;
}

std::optional<std::string> meant_name(const std::string& name,
                                      const std::set<std::string>& written) {
  constexpr std::size_t shortest = 5;
  if (name.size() < shortest) {
    return std::nullopt;
  }
  for (const std::string& other : written) {
    if (other != name &&
        (folded(other) == folded(name) || (other.size() >= shortest && one_slip(name, other)))) {
      return other;
    }
  }
  for (const auto& row : tables::slurm_variables) {
    const std::string_view other = row.name;
    if (other.starts_with("SLURM_") && other.size() > shortest + 3 && one_slip(name, other)) {
      return std::string(other);
    }
  }
  return std::nullopt;
}

} // namespace s2f::passes
