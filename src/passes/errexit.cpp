// Where a command that fails ends the script.
//
// before:  ./a; set -e; ./b; set +e; ./c
// after:   false, true, true, false, false
#include "passes/errexit.hpp"

#include <algorithm>

#include "analysis/effects.hpp"

namespace s2f::passes {

bool turns_off_errexit(const ir::Step& step) {
  const auto* command = step.statement != nullptr ? shell::as_simple(*step.statement) : nullptr;
  if (command == nullptr || analysis::command_name(*command) != "set") {
    return false;
  }
  for (std::size_t i = 1; i < command->words.size(); ++i) {
    const std::string word = command->words[i].literal().value_or("");
    const bool named = word == "+o" && i + 1 < command->words.size() &&
                       command->words[i + 1].literal() == "errexit";
    if (named || (word.starts_with('+') && word.find('e') != std::string::npos)) {
      return true;
    }
  }
  return false;
}

std::vector<bool> errexit_at(const ir::Job& job) {
  const auto turns_on = [](const ir::Step& step) {
    const auto* options = std::get_if<ir::ShellOptions>(&step.value);
    return options != nullptr && options->errexit;
  };
  // Without a `set -e` it is the interpreter's, or the site's answer.
  bool on = job.errexit && (job.interpreter.errexit || std::ranges::none_of(job.body, turns_on));
  std::vector<bool> result;
  result.reserve(job.body.size());
  for (const ir::Step& step : job.body) {
    if (std::holds_alternative<ir::ShellOptions>(step.value)) {
      on = turns_on(step) || (on && !turns_off_errexit(step));
    }
    result.push_back(on);
  }
  return result;
}

} // namespace s2f::passes
