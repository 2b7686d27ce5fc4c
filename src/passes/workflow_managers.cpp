// Workflow managers that submit jobs of their own to Slurm, which a container cannot.
//
// before:  snakemake --jobs 50 --cluster "sbatch -c {threads}"
// after:   stays_on_slurm, S2F407
#include <algorithm>

#include <fmt/format.h>

#include "analysis/walk.hpp"
#include "generated/tables/workflow_managers.hpp"
#include "passes/pipeline.hpp"
#include "passes/wrappers.hpp"

namespace s2f::passes {

namespace {

bool begins(const std::optional<std::string>& word, std::string_view option) {
  return word && (*word == option || word->starts_with(std::string(option) + "=") ||
                  (option.starts_with("--") && word->starts_with(std::string(option) + "-")));
}

// Whether the words that a row names stand among the arguments.
bool says(const PlainWords& words, std::size_t from, std::string_view asked) {
  const auto blank = asked.find(' ');
  const std::string_view option = asked.substr(0, blank);
  for (std::size_t i = from; i < words.size(); ++i) {
    if (blank == std::string_view::npos) {
      if (begins(words[i], option)) {
        return true;
      }
      continue;
    }
    const std::string_view value = asked.substr(blank + 1);
    const bool joined = words[i] && *words[i] == fmt::format("{}={}", option, value);
    const bool apart = words[i] && *words[i] == option && i + 1 < words.size() && words[i + 1] &&
                       words[i + 1]->find(value) != std::string::npos;
    if (joined || apart) {
      return true;
    }
  }
  return false;
}

} // namespace

void workflow_managers(PassContext& context) {
  if (context.job.stays_on_slurm) {
    return;
  }
  for (const ir::Step& step : context.job.body) {
    if (!std::holds_alternative<ir::Opaque>(step.value) || step.statement == nullptr) {
      continue;
    }
    analysis::Visitor visitor;
    visitor.statement = [&](const shell::Statement& inner) {
      const auto* command = shell::as_simple(inner);
      if (command == nullptr || command->words.empty()) {
        return;
      }
      PlainWords words;
      for (const shell::Word& word : command->words) {
        words.push_back(word.literal());
      }
      const std::size_t at = behind_wrappers(words).program;
      if (at >= words.size() || !words[at]) {
        return;
      }
      const std::string name = program_name(*words[at]);
      for (const auto& row : tables::workflow_managers) {
        if (row.name == name && says(words, at + 1, row.words)) {
          context.job.stays_on_slurm =
              ir::Reason{"S2F407", fmt::format("{} submits jobs of its own ({})", name, row.words),
                         inner.span};
          return;
        }
      }
    };
    analysis::walk(*step.statement, visitor);
  }
}

} // namespace s2f::passes
