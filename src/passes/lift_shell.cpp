// The shell's options: set.
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

} // namespace s2f::passes
