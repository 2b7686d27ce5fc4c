// Tells the texts that `eval` runs, of which the script says what they set, from what may set any
// variable.
//
// before:  CMD="python train.py $OPTS"; eval "$CMD"; rm -rf "$SCRATCHDIR/tmp"
// after:   nothing: $OPTS and $SCRATCHDIR come from the submitting shell
//
// before:  echo "$A"; eval "$(tool env)"; echo "$B"
// after:   any, from the second statement on: $A comes from the submitting shell, of $B nothing is
//          known
#include "passes/set_unseen.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>
#include <vector>

#include "analysis/walk.hpp"

namespace s2f::passes {

namespace {

// Whether a command other than eval may set any variable.
bool sets_any(const shell::SimpleCommand& command) {
  shell::Statement alone;
  alone.value = command;
  return analysis::effects_of(alone).anything;
}

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// A text with \1 in place of what is expanded in it, and \2 in place of what a command prints.
void outline(const std::vector<shell::WordPart>& parts, std::string& text) {
  for (const shell::WordPart& part : parts) {
    if (const auto* literal = std::get_if<shell::Literal>(&part.value)) {
      text += literal->value;
    } else if (const auto* single = std::get_if<shell::SingleQuoted>(&part.value)) {
      text += single->value;
    } else if (const auto* ansi = std::get_if<shell::AnsiQuoted>(&part.value)) {
      text += ansi->value;
    } else if (const auto* quoted = std::get_if<shell::DoubleQuoted>(&part.value)) {
      outline(quoted->parts, text);
    } else if (std::holds_alternative<shell::CommandSubstitution>(part.value) ||
               std::holds_alternative<shell::ProcessSubstitution>(part.value)) {
      text += '\2';
    } else {
      text += '\1';
    }
  }
}

std::string outline(const shell::Word& word) {
  std::string text;
  outline(word.parts, text);
  return text;
}

class Texts {
public:
  explicit Texts(const ir::Job& job) {
    for (const ir::Step& step : job.body) {
      if (step.statement == nullptr) {
        continue;
      }
      analysis::Visitor visitor;
      visitor.assignment = [&](const shell::Assignment& assignment) {
        if (assignment.value) {
          values_[assignment.name].push_back(&*assignment.value);
        }
      };
      visitor.statement = [&](const shell::Statement& inner) { note_read(inner); };
      analysis::walk(*step.statement, visitor);
    }
  }

  // Whether the words that `eval` is given may set any variable; else notes those that they set.
  bool any(const std::vector<shell::Word>& words, std::set<std::string>& names) {
    bool found = false;
    for (std::size_t i = 1; i < words.size(); ++i) {
      found |= may_set_any(outline(words[i]), names) || of_variables(words[i], names);
    }
    return found;
  }

private:
  // read LINE, whose value is in no text of the script
  void note_read(const shell::Statement& statement) {
    const auto* command = shell::as_simple(statement);
    const auto name = command == nullptr ? std::nullopt : analysis::command_name(*command);
    if (name == "read" || name == "mapfile" || name == "readarray") {
      for (std::size_t i = 1; i < command->words.size(); ++i) {
        read_.insert(command->words[i].literal().value_or(""));
      }
    }
  }

  bool of_variables(const shell::Word& word, std::set<std::string>& names) {
    bool found = false;
    analysis::Visitor visitor;
    visitor.part = [&](const shell::WordPart& part) {
      const auto* parameter = std::get_if<shell::Parameter>(&part.value);
      if (parameter == nullptr || !seen_.insert(parameter->name).second) {
        return;
      }
      found |= parameter->indirect || read_.contains(parameter->name);
      for (const shell::Word* value : values_[parameter->name]) {
        found |= may_set_any(outline(*value), names) || of_variables(*value, names);
      }
    };
    analysis::walk(word, visitor);
    return found;
  }

  // Every NAME= that begins a word; what is printed, or a name that is expanded, can be any.
  static bool may_set_any(std::string_view text, std::set<std::string>& names) {
    static constexpr std::string_view before = " \t\n;&|({'\"";
    if (text.starts_with('\2')) {
      return true;
    }
    for (auto at = text.find('='); at != std::string_view::npos; at = text.find('=', at + 1)) {
      std::size_t begin = at;
      bool expanded = false;
      while (begin > 0 && (in_name(text[begin - 1]) || text[begin - 1] < '\3')) {
        --begin;
        expanded |= text[begin] < '\3';
      }
      if (begin == at || (begin > 0 && before.find(text[begin - 1]) == std::string_view::npos)) {
        continue;
      }
      if (expanded) {
        return true;
      }
      names.emplace(text.substr(begin, at - begin));
    }
    static constexpr std::string_view others[] = {"source ", ". ", "read ", "eval ", "printf -v"};
    for (const std::string_view word : others) {
      const auto at = text.find(word);
      if (at != std::string_view::npos &&
          (at == 0 || before.find(text[at - 1]) != std::string_view::npos)) {
        return true;
      }
    }
    return false;
  }

  std::map<std::string, std::vector<const shell::Word*>> values_;
  std::set<std::string> read_;
  std::set<std::string> seen_;
};

} // namespace

bool SetUnseen::from_outside(const std::string& name, bool all) const {
  const bool early = before.reads.contains(name) || before.reads_defaulted.contains(name);
  return early || (all && !names.contains(name));
}

SetUnseen set_unseen(const ir::Job& job) {
  SetUnseen result;
  result.from = job.body.size();
  std::size_t first = job.body.size();
  Texts texts(job);
  for (std::size_t i = 0; i < job.body.size() && result.from == job.body.size(); ++i) {
    const ir::Step& step = job.body[i];
    if (step.statement == nullptr || std::holds_alternative<ir::Nothing>(step.value)) {
      continue;
    }
    const analysis::Effects effects = analysis::effects_of(*step.statement);
    if (!effects.anything) {
      continue;
    }
    first = std::min(first, i);
    bool any = false;
    bool evaluates = false;
    analysis::Visitor visitor;
    visitor.statement = [&](const shell::Statement& inner) {
      const auto* command = shell::as_simple(inner);
      const auto name = command == nullptr ? std::nullopt : analysis::command_name(*command);
      if (name == "eval") {
        evaluates = true;
        any |= texts.any(command->words, result.names);
        return;
      }
      any |= command != nullptr && sets_any(*command);
    };
    analysis::walk(*step.statement, visitor);
    if (any || !evaluates) {
      result.from = i;
    }
  }
  for (std::size_t i = 0; i < first; ++i) {
    const ir::Step& step = job.body[i];
    if (step.statement != nullptr && !std::holds_alternative<ir::Nothing>(step.value) &&
        !std::holds_alternative<shell::Function>(step.statement->value)) {
      analysis::merge(result.before, analysis::effects_of(*step.statement));
    }
  }
  return result;
}

} // namespace s2f::passes
