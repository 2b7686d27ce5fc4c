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
  if (command.words.size() < 2 || (launched_ && result.errexit) || later_.size() > 1) {
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
      for (const ir::ValuePart& part : value.parts) {
        const auto* text = std::get_if<ir::Text>(&part);
        if ((escapes && text == nullptr) ||
            ((escapes || sh) && text != nullptr && text->text.find('\\') != std::string::npos)) {
          return "an echo with escapes";
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
