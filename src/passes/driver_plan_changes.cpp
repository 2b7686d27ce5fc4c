// Scripts that a driver changes before it submits them: what they then say,
// only its run tells.
//
// before:  sed -i "s/LR/$lr/" train.sh; sbatch train.sh
// after:   no call of a task for this submission, S2F330
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "passes/driver_plan.hpp"

namespace s2f::passes {

bool edits_in_place(const shell::SimpleCommand& command) {
  static constexpr std::array always{"ed", "ex", "patch", "tee"};
  static constexpr std::array with_option{"sed", "gsed", "perl", "awk", "gawk"};
  const auto name = analysis::command_name(command);
  if (!name) {
    return false;
  }
  if (std::ranges::find(always, *name) != always.end()) {
    return true;
  }
  return std::ranges::find(with_option, *name) != with_option.end() &&
         std::ranges::any_of(command.words, [](const shell::Word& word) {
           const auto text = word.literal().value_or("");
           return text.starts_with("--in-place") ||
                  (text.size() > 1 && text[0] == '-' && text[1] != '-' && text.contains('i'));
         });
}

// What names a file that is changed where it lies, as the script writes it.
void DriverPlanner::find_changes() {
  const auto output = [](shell::RedirectKind kind) {
    return kind == shell::RedirectKind::output || kind == shell::RedirectKind::append ||
           kind == shell::RedirectKind::clobber || kind == shell::RedirectKind::output_both ||
           kind == shell::RedirectKind::append_both;
  };
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& each) {
    const auto* command = shell::as_simple(each);
    const auto writes = [&](const Writer& writer) {
      return writer.contains(each.span) && !writer.append;
    };
    if (command != nullptr && edits_in_place(*command) && std::ranges::none_of(writers_, writes)) {
      for (std::size_t i = 1; i < command->words.size(); ++i) {
        changed_.push_back(plain_name(context_.sources.text(command->words[i].span)));
      }
    }
    const auto name = command != nullptr ? analysis::command_name(*command) : std::nullopt;
    if ((name == "cp" || name == "mv" || name == "install") && command->words.size() > 2) {
      changed_.push_back(plain_name(context_.sources.text(command->words.back().span)));
    }
    for (const shell::Redirect& redirect : each.redirects) {
      if (output(redirect.kind) && std::ranges::none_of(writers_, writes)) {
        changed_.push_back(plain_name(context_.sources.text(redirect.target.span)));
      }
    }
  };
  for (const shell::Statement& statement : driver_.script->statements) {
    analysis::walk(statement, visitor);
  }
}

bool DriverPlanner::changes(const shell::Word& script) {
  const std::string wanted = plain_name(context_.sources.text(script.span));
  const std::string name = wanted.substr(wanted.find_last_of('/') + 1);
  const bool changed = std::ranges::any_of(changed_, [&](const std::string& each) {
    return each == wanted || each.substr(each.find_last_of('/') + 1) == name;
  });
  if (!changed) {
    return false;
  }
  review::Finding finding;
  finding.rule = "S2F330";
  finding.span = script.span;
  finding.message = fmt::format("The driver changes {} before it submits it.",
                                context_.sources.text(script.span));
  finding.slurm_does = "The job runs what the file says at that moment.";
  finding.output_does = "The job is not converted; a run says so and fails where it would start.";
  finding.choices = {"give the script arguments in place of the change", "keep the job on Slurm"};
  finding.default_ = finding.choices[0];
  context_.findings.add(std::move(finding));
  return true;
}

} // namespace s2f::passes
