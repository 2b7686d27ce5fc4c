// What the job takes from an earlier run of itself, which an empty container does not have.
//
// before:  [ -f results/model.pt ] && exit 0
// after:   the same, and S2F609
// before:  python train.py --resume checkpoints/latest.pt
// after:   the same, and S2F610
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "generated/tables/checkpoint_flags.hpp"
#include "passes/pipeline.hpp"

namespace s2f::passes {

namespace {

// [ -f path ], [ ! -f path ]
struct FileTest {
  bool absent = false;
  const shell::Word* path = nullptr;
};

bool asks_for_file(std::string_view op) {
  return op == "-f" || op == "-e" || op == "-s" || op == "-d" || op == "-a";
}

std::optional<FileTest> file_test(const shell::Statement& statement) {
  FileTest test;
  test.absent = statement.negated;
  if (const auto* command = shell::as_simple(statement)) {
    const auto& words = command->words;
    if (words.size() < 3 || (words[0].literal() != "[" && words[0].literal() != "test")) {
      return std::nullopt;
    }
    const std::size_t at = words[1].literal() == "!" ? 2 : 1;
    test.absent ^= at == 2;
    const std::size_t rest = words[0].literal() == "[" ? 3 : 2;
    if (words.size() != at + rest || !asks_for_file(words[at].literal().value_or(""))) {
      return std::nullopt;
    }
    test.path = &words[at + 1];
    return test;
  }
  const auto* double_test = std::get_if<shell::Test>(&statement.value);
  if (double_test == nullptr) {
    return std::nullopt;
  }
  const auto& tokens = double_test->tokens;
  const std::size_t at = !tokens.empty() && tokens[0].op == "!" ? 1 : 0;
  if (tokens.size() != at + 2 || !asks_for_file(tokens[at].op) || !tokens[at + 1].op.empty()) {
    return std::nullopt;
  }
  test.absent ^= at == 1;
  test.path = &double_test->words[tokens[at + 1].word];
  return test;
}

class EarlierRuns {
public:
  explicit EarlierRuns(PassContext& context) : context_(context) {}

  void run() {
    analysis::Visitor visitor;
    visitor.statement = [&](const shell::Statement& statement) { look(statement); };
    for (const ir::Step& step : context_.job.body) {
      if (step.statement != nullptr) {
        analysis::walk(*step.statement, visitor);
      }
    }
  }

private:
  void look(const shell::Statement& statement) {
    if (const auto* branch = std::get_if<shell::If>(&statement.value)) {
      if (!branch->branches.empty() && branch->branches.front().condition.size() == 1) {
        analysis::Effects effects;
        for (const shell::Statement& inner : branch->branches.front().body) {
          analysis::merge(effects, analysis::effects_of(inner));
        }
        asks(branch->branches.front().condition.front(), effects);
      }
    } else if (const auto* list = std::get_if<shell::AndOr>(&statement.value)) {
      if (list->is_and) {
        asks(*list->left, analysis::effects_of(*list->right));
      }
    } else if (const auto* command = shell::as_simple(statement)) {
      resumes(*command);
    }
  }

  // Skips work that was done, or does only what was not.
  static bool about_results(bool absent, const analysis::Effects& effects) {
    static const std::set<std::string> preparations{"mkdir", "touch", "echo",   "rm",    "cd",
                                                    "ln",    "cp",    "source", "export"};
    if (!absent) {
      return effects.exits || effects.commands.contains("continue");
    }
    return !effects.exits && std::ranges::any_of(effects.commands, [](const std::string& name) {
      return !preparations.contains(name);
    });
  }

  void asks(const shell::Statement& condition, const analysis::Effects& then) {
    const auto test = file_test(condition);
    if (!test || !about_results(test->absent, then)) {
      return;
    }
    const auto text = test->path->literal();
    const std::string shown = context_.text(test->path->span);
    if (shown.find("TMPDIR") != std::string::npos || shown.starts_with("/tmp/")) {
      return; // a node's own disk begins empty in Slurm too
    }
    if (text && context_.file_exists && context_.file_exists(*text)) {
      return; // it comes with the module
    }
    if (std::exchange(asked_, true)) {
      return;
    }
    review::Finding finding;
    finding.rule = "S2F609";
    finding.span = condition.span;
    finding.message =
        fmt::format("`{}` asks whether an earlier run has left it.", context_.text(condition.span));
    finding.slurm_does = "What an earlier job wrote is there, and the work is not done again.";
    finding.output_does = "A container begins without it, so the work is done each time; "
                          "cache=\"auto\" on the task keeps the results of runs with the same "
                          "inputs.";
    context_.findings.add(std::move(finding));
  }

  void resumes(const shell::SimpleCommand& command) {
    if (context_.job.resume || resumed_) {
      return;
    }
    for (std::size_t i = 1; i < command.words.size(); ++i) {
      const auto text = command.words[i].literal();
      if (!text || !text->starts_with("--")) {
        continue;
      }
      const auto equals = text->find('=');
      const std::string flag = text->substr(2, equals == std::string::npos ? equals : equals - 2);
      const bool known = std::ranges::any_of(tables::checkpoint_flags, [&](const auto& row) {
        return row.flag == flag && row.is == tables::CheckpointFlagsIs::resume;
      });
      if (!known) {
        continue;
      }
      resumed_ = true;
      review::Finding finding;
      finding.rule = "S2F610";
      finding.span = command.words[i].span;
      finding.message = fmt::format("--{} goes on from what an earlier run has left.", flag);
      finding.slurm_does = "The checkpoints lie on a file system that outlives the job.";
      finding.output_does =
          "Each attempt begins in an empty container. `flyte.ctx().checkpoint` loads what the "
          "attempt before saved; a checkpoint of another run is an input of the task.";
      context_.findings.add(std::move(finding));
      return;
    }
  }

  PassContext& context_;
  bool asked_ = false, resumed_ = false;
};

} // namespace

void earlier_runs(PassContext& context) { EarlierRuns(context).run(); }

} // namespace s2f::passes
