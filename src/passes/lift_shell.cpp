// The shell's own commands: set, echo, exit.
//
// before:  set -e
// after:   ShellOptions{errexit}
#include <algorithm>

#include "passes/lifting.hpp"

namespace s2f::passes {

// set +x, and what is off anyway.
static bool turns_off_nothing(const shell::SimpleCommand& command, const ir::Job& job,
                              bool nounset) {
  if (command.words.size() != 2) {
    return false;
  }
  const std::string word = command.words[1].literal().value_or("");
  return word.size() > 1 && word[0] == '+' &&
         std::all_of(word.begin() + 1, word.end(), [&](char option) {
           return option == 'x' || option == 'v' || (option == 'e' && !job.errexit) ||
                  (option == 'u' && !nounset);
         });
}

std::string Lifting::options(ir::Step& step, const shell::SimpleCommand& command) {
  if (step.statement->redirects.empty() && turns_off_nothing(command, job_, nounset_)) {
    step.value = ir::Nothing{};
    return {};
  }
  ir::ShellOptions result;
  for (std::size_t i = 1; i < command.words.size(); ++i) {
    const auto word = command.words[i].literal();
    if (!word || word->size() < 2 || (*word)[0] != '-') {
      return "the shell's own set";
    }
    for (const char c : word->substr(1)) {
      if (c == 'e') {
        result.errexit = true;
      } else if (c == 'u') {
        result.nounset = true;
      } else if (c == 'x' || c == 'v') {
        result.xtrace = true;
      } else if (c == 'o' && word->back() == 'o' && i + 1 < command.words.size()) {
        const auto option = command.words[++i].literal();
        if (option == "pipefail") {
          result.pipefail = true;
        } else if (option == "errexit") {
          result.errexit = true;
        } else if (option == "nounset") {
          result.nounset = true;
        } else if (option == "xtrace") {
          result.xtrace = true;
        } else {
          return "the shell's own set";
        }
      } else {
        return "the shell's own set";
      }
    }
  }
  const bool traces = !result.errexit && !result.nounset && !result.pipefail;
  if (command.words.size() < 2 || (launched_ && result.errexit) || (later_.size() > 1 && !traces)) {
    return "the shell's own set";
  }
  nounset_ = nounset_ || result.nounset;
  job_.errexit |= result.errexit;
  job_.pipefail |= result.pipefail;
  if (result.nounset) {
    scope_.nounset();
  }
  step.value = result;
  return {};
}

// What `echo -e` makes of a text; nothing where it is not sure, or ends the output (\\c).
static std::optional<std::string> without_escapes(std::string_view text) {
  static constexpr std::string_view letters = "abefnrtv\\";
  static constexpr std::string_view characters = "\a\b\x1b\f\n\r\t\v\\";
  const auto digits = [&](std::size_t at, std::size_t most, std::string_view of) {
    std::size_t count = 0;
    while (count < most && at + count < text.size() &&
           of.find(text[at + count]) != std::string_view::npos) {
      ++count;
    }
    return std::string(text.substr(at, count));
  };
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      result += text[i];
      continue;
    }
    const char c = text[++i];
    std::string number;
    if (const auto at = letters.find(c); at != std::string_view::npos) {
      result += characters[at];
      continue;
    }
    constexpr int octal = 8;
    constexpr int hexadecimal = 16;
    constexpr int ascii = 0x80;
    if (c == '0') {
      number = digits(i + 1, 3, "01234567");
    } else if (c == 'x') {
      number = digits(i + 1, 2, "0123456789abcdefABCDEF");
    } else if (c == 'c' || c == 'u' || c == 'U' || c == 'E') {
      return std::nullopt;
    } else {
      result += {'\\', c};
      continue;
    }
    const int value =
        number.empty() ? 0 : std::stoi(number, nullptr, c == '0' ? octal : hexadecimal);
    if (value == 0 || value >= ascii) {
      return std::nullopt;
    }
    result += static_cast<char>(value);
    i += number.size();
  }
  return result;
}

// A part in which no backslash can be.
static bool plain_part(const ir::ValuePart& part) {
  const auto* local = std::get_if<ir::Local>(&part);
  const auto* computed = std::get_if<ir::Computed>(&part);
  return std::holds_alternative<ir::ArrayIndex>(part) || std::holds_alternative<ir::Status>(part) ||
         std::holds_alternative<ir::SlurmVariable>(part) ||
         (local != nullptr && (local->number || local->digits)) ||
         (computed != nullptr &&
          (ir::is_numeric(computed->operation) || computed->operation == ir::Operation::host_name ||
           computed->operation == ir::Operation::now ||
           computed->operation == ir::Operation::padded ||
           computed->operation == ir::Operation::user_name));
}

std::string Lifting::echo(ir::Step& step, const shell::SimpleCommand& command) {
  if (!step.statement->redirects.empty()) {
    return launch(step, command);
  }
  ir::Echo result;
  std::size_t from = 1;
  bool escapes = false;
  for (; from < command.words.size(); ++from) {
    const auto word = command.words[from].literal();
    if (word == "-n") {
      result.newline = false;
    } else if (word == "-e") {
      escapes = true;
    } else if (word && word->size() > 1 && (*word)[0] == '-' &&
               word->find_first_not_of("neE", 1) == std::string::npos) {
      return "an echo with several options";
    } else {
      break;
    }
  }
  for (; from < command.words.size(); ++from) {
    for (ir::Value& value : scope_.words_of(command.words[from])) {
      if (!value.known()) {
        return why_unknown(value);
      }
      if (may_split(value) && names_list(command.words[from])) {
        return "a variable that the shell would split";
      }
      const bool sh = job_.interpreter.language == ir::Interpreter::Language::sh;
      for (ir::ValuePart& part : value.parts) {
        auto* text = std::get_if<ir::Text>(&part);
        const auto shown = escapes && text != nullptr ? without_escapes(text->text) : std::nullopt;
        if ((escapes && !shown && !plain_part(part)) || (escapes && sh) ||
            (sh && text != nullptr && text->text.find('\\') != std::string::npos)) {
          return "an echo with escapes";
        }
        if (shown) {
          text->text = *shown;
        }
      }
      note_splitting(value);
      result.words.push_back(std::move(value));
    }
  }
  step.value = std::move(result);
  return {};
}

} // namespace s2f::passes
