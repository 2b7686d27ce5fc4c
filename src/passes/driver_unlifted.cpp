// The submissions of a driver that was not lifted: their scripts become tasks, which nothing calls.
#include <algorithm>

#include <fmt/format.h>

#include "analysis/walk.hpp"
#include "passes/driver_reader.hpp"

namespace s2f::passes {

// Whether the word is an option of sbatch whose value is the next word: -c, --mem.
static bool takes_next_word(const std::string& word) {
  return std::ranges::any_of(slurm::option_table(), [&](const slurm::OptionInfo& info) {
    return info.argument == "required" &&
           (word == fmt::format("-{}", info.short_name) || word == fmt::format("--{}", info.name));
  });
}

// Loads the script that a command submits by a plain name; says what it submits.
std::string DriverReader::submitted_text(const shell::Statement& statement,
                                         const shell::SimpleCommand& command, bool fed) {
  const bool inside =
      fed || std::ranges::any_of(statement.redirects, [](const shell::Redirect& redirect) {
        return redirect.kind == shell::RedirectKind::heredoc ||
               redirect.kind == shell::RedirectKind::herestring;
      });
  for (std::size_t i = 1; i < command.words.size(); ++i) {
    const auto word = command.words[i].literal();
    if (context_.sources.text(command.words[i].span).starts_with("--wrap")) {
      return "submits a command that stands in the driver";
    }
    if (word && word->starts_with('-')) {
      i += takes_next_word(*word) ? 1 : 0;
      continue;
    }
    if (word && word->empty()) {
      continue;
    }
    if (!word) { // $OPTIONS, or the script itself: ${DIR}/train.sh
      if (context_.sources.text(command.words[i].span).find_first_of("/.") !=
          std::string_view::npos) {
        break;
      }
      continue;
    }
    slurm::ReadOptions read;
    read.script_name = word->substr(word->find_last_of('/') + 1);
    const auto job = context_.load(*word, read);
    if (job && !context_.missing.contains(*job)) {
      return fmt::format("submits {}, which became a task", *word);
    }
    break;
  }
  return inside ? "submits a script that stands in the driver"
                : "submits a script that is not known here";
}

// An entry for each submission of a statement that was not lifted.
void DriverReader::note_submissions(const ir::Step& step) {
  std::set<const shell::Statement*> fed;
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& inner) {
    if (const auto* line = std::get_if<shell::Pipeline>(&inner.value)) {
      for (std::size_t i = 1; i < line->commands.size(); ++i) {
        fed.insert(&line->commands[i]);
      }
    }
    const auto* command = shell::as_simple(inner);
    if (command != nullptr && is_sbatch(*command)) {
      const Span& word = command->words.front().span;
      if (!context_.ledger.find(word)) {
        context_.ledger.settle(context_.ledger.open(word, "sbatch", step.entry),
                               review::Disposition::kept,
                               submitted_text(inner, *command, fed.contains(&inner)), "S2F430");
      }
    }
  };
  if (step.statement != nullptr) {
    analysis::walk(*step.statement, visitor);
  }
}

} // namespace s2f::passes
