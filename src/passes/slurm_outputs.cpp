// Logs that a job which stays on Slurm is known to leave: the task hands them over.
//
// before:  srun --mpi=pmix lmp -in in.melt -log melt.log; srun ./solver > solver.log
// after:   outputs = {melt.log, solver.log}
#include <algorithm>

#include "analysis/effects.hpp"
#include "generated/tables/log_flags.hpp"
#include "passes/pipeline.hpp"
#include "passes/wrappers.hpp"

namespace s2f::passes {

namespace {

// A name below the directory of submission that the shell makes no other of.
bool plain_name(std::string_view path) {
  return !path.empty() && path[0] != '/' && path[0] != '~' && path[0] != '-' &&
         !path.starts_with("..") &&
         path.find_first_of("*?[]{}$`\"'\\ \t\n") == std::string_view::npos;
}

bool is_log(std::string_view path) {
  return path.ends_with(".log") || path.ends_with(".out") || path.ends_with(".txt");
}

class Logs {
public:
  explicit Logs(PassContext& context) : context_(context) {}

  void run() {
    for (const ir::Step& step : context_.job.body) {
      if (step.statement == nullptr) {
        continue;
      }
      const auto effects = analysis::effects_of(*step.statement);
      // Elsewhere, or ended before what hands it over.
      if (effects.changes_directory || effects.exits || effects.traps || effects.anything ||
          effects.unparsed) {
        return;
      }
      const auto* command = shell::as_simple(*step.statement);
      if (command != nullptr && !command->words.empty() && !step.statement->background) {
        look(*command, *step.statement);
      }
    }
    context_.job.outputs = std::move(found_);
  }

private:
  void look(const shell::SimpleCommand& command, const shell::Statement& statement) {
    for (const shell::Redirect& redirect : statement.redirects) {
      using Kind = shell::RedirectKind;
      const bool out = redirect.kind == Kind::output || redirect.kind == Kind::output_both;
      const auto file = redirect.target.literal();
      if (out && file && plain_name(*file) && is_log(*file)) {
        add(*file, redirect.span);
      }
    }
    std::string program;
    for (std::size_t i = 0; i + 1 < command.words.size(); ++i) {
      const auto word = command.words[i].literal();
      const auto next = command.words[i + 1].literal();
      if (!word) {
        continue;
      }
      const bool named = std::ranges::any_of(
          tables::log_flags, [&](const auto& row) { return row.program == program_name(*word); });
      program = named ? program_name(*word) : program;
      const bool flag = std::ranges::any_of(tables::log_flags, [&](const auto& row) {
        return row.program == program && row.flag == *word;
      });
      if (flag && next && plain_name(*next)) {
        add(*next, command.words[i + 1].span);
      }
    }
  }

  void add(const std::string& file, const Span& span) {
    const bool known = std::ranges::any_of(
        found_, [&](const ir::OutputFile& each) { return each.path.text() == file; });
    if (!known) {
      found_.push_back({ir::Value::of(file, span), "", span, false});
    }
  }

  PassContext& context_;
  std::vector<ir::OutputFile> found_;
};

} // namespace

void slurm_outputs(PassContext& context) {
  const ir::Job& job = context.job;
  if (job.header.components.size() == 1 && !context.component().array) {
    Logs(context).run();
  }
}

} // namespace s2f::passes
