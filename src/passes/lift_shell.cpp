// The shell's options: set, shopt.
//
// before:  set -e
// after:   ShellOptions{errexit}
// before:  shopt -s nullglob
// after:   ShellOptions{}; what stays Bash says it again; a pattern behind it gives what matches
// before:  set -a; source .env; set +a
// after:   ShellOptions{allexport}, twice; programs see what is assigned in between
#include <algorithm>
#include <array>

#include "analysis/effects.hpp"
#include "ir/steps.hpp"
#include "passes/lifting.hpp"

namespace s2f::passes {

// set +x, set +o posix: what is off anyway, or leaves the job as it is.
bool Lifting::turns_off_nothing(const shell::SimpleCommand& command) const {
  static constexpr std::array named{"xtrace",  "verbose", "posix",  "histexpand",
                                    "history", "monitor", "notify", "keyword"};
  const auto off = [&](char option) {
    return std::string_view("xvkbmHhnp").contains(option) || (option == 'e' && !errexit_) ||
           (option == 'u' && !nounset_) || (option == 'a' && !allexport_);
  };
  if (command.words.size() < 2) {
    return false;
  }
  for (std::size_t i = 1; i < command.words.size(); ++i) {
    const std::string word = command.words[i].literal().value_or("");
    if (word == "+o" && i + 1 < command.words.size()) {
      const std::string option = command.words[++i].literal().value_or("");
      const bool known = std::ranges::find(named, option) != named.end() ||
                         (option == "errexit" && !errexit_) || (option == "nounset" && !nounset_) ||
                         (option == "allexport" && !allexport_) ||
                         (option == "pipefail" && !job_.pipefail);
      if (!known) {
        return false;
      }
    } else if (word.size() < 2 || word[0] != '+' ||
               !std::all_of(word.begin() + 1, word.end(), off)) {
      return false;
    }
  }
  return true;
}

// set -a, set +o allexport: whether what is assigned behind it is for programs to see.
std::optional<std::string> Lifting::allexport(ir::Step& step, const shell::SimpleCommand& command) {
  constexpr std::size_t by_name = 3;
  const std::string word = command.words.size() > 1 ? command.words[1].literal().value_or("") : "";
  const bool named = command.words.size() == by_name && (word == "-o" || word == "+o") &&
                     command.words[2].literal() == "allexport";
  if (!named && (command.words.size() != 2 || (word != "-a" && word != "+a"))) {
    return std::nullopt;
  }
  if (later_.size() > 1 || !step.statement->redirects.empty()) {
    return "the shell's own set";
  }
  allexport_ = word[0] == '-';
  ir::ShellOptions options;
  options.allexport = true;
  step.value = options;
  return std::string();
}

// Whether a loop so far reads a file that may not be there.
bool Lifting::has_read_loop() const {
  return std::ranges::any_of(job_.body, [](const ir::Step& step) {
    return ir::any_step(step, [](const ir::Step& each) {
      const auto* loop = std::get_if<ir::For>(&each.value);
      return loop != nullptr && loop->lines;
    });
  });
}

std::string Lifting::options(ir::Step& step, const shell::SimpleCommand& command) {
  if (auto why = allexport(step, command)) {
    return std::move(*why);
  }
  if (step.statement->redirects.empty() && turns_off_nothing(command)) {
    step.value = ir::Nothing{};
    return {};
  }
  if (step.statement->redirects.empty() && command.words.size() == 2 && later_.size() == 1 &&
      command.words[1].literal() == "+e") {
    errexit_ = false; // job_.errexit: that it held somewhere
    step.value = ir::ShellOptions{};
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
  const bool reads = result.errexit && !job_.errexit && has_read_loop();
  if (command.words.size() < 2 || reads || (later_.size() > 1 && !traces)) {
    return "the shell's own set";
  }
  nounset_ = nounset_ || result.nounset;
  job_.errexit |= result.errexit;
  errexit_ = errexit_ || result.errexit;
  job_.pipefail |= result.pipefail;
  if (result.nounset) {
    scope_.nounset();
  }
  step.value = result;
  return {};
}

// shopt, for what is harmless, or changes which words patterns give.
std::string Lifting::shell_option(ir::Step& step, const shell::SimpleCommand& command) {
  static constexpr std::array harmless{"checkwinsize", "cmdhist", "expand_aliases",
                                       "histappend",   "lithist", "progcomp"};
  static constexpr std::array patterns{"dotglob", "failglob", "globstar", "nocaseglob"};
  const std::string general = "the shell's own shopt";
  const std::string how = command.words.size() > 2 ? command.words[1].literal().value_or("") : "";
  if ((how != "-s" && how != "-u") || later_.size() > 1 || !step.statement->redirects.empty() ||
      !command.assignments.empty()) {
    return general;
  }
  for (std::size_t i = 2; i < command.words.size(); ++i) {
    const std::string name = command.words[i].literal().value_or("");
    const auto is_name = [&](const char* each) { return name == each; };
    if (name == "nullglob") {
      scope_.patterns_vanish(how == "-s");
    } else if (name == "extglob") {
      if (uses_extended_patterns()) {
        return general;
      }
    } else if (std::ranges::any_of(patterns, is_name)) {
      scope_.patterns_differ();
    } else if (std::ranges::none_of(harmless, is_name) ||
               (name == "expand_aliases" && makes_aliases())) {
      return general;
    }
  }
  step.value = ir::ShellOptions{};
  return {};
}

// !(a|b) and the like, anywhere behind.
bool Lifting::uses_extended_patterns() const {
  return std::any_of(job_.body.begin() + static_cast<std::ptrdiff_t>(later_.front().at),
                     job_.body.end(), [&](const ir::Step& step) {
                       const std::string text = context_.text(step.span);
                       static constexpr std::array signs{"@(", "+(", "*(", "?(", "!("};
                       return std::ranges::any_of(signs, [&](const char* sign) {
                         return text.find(sign) != std::string::npos;
                       });
                     });
}

bool Lifting::makes_aliases() const {
  return std::ranges::any_of(job_.body, [](const ir::Step& step) {
    return step.statement != nullptr &&
           analysis::effects_of(*step.statement).commands.contains("alias");
  });
}

} // namespace s2f::passes
