// Statuses that Bash hides, and that the output hides as well.
//
// before:  python a.py & python b.py & wait        after:  S2F411: `wait` succeeds whatever they
// returned before:  python train.py 2>&1 | tee log          after:  S2F412: the status is tee's
// before:  while read x; do srun python f.py $x; done < list   after:  S2F413: srun would have read
// the list
#include <algorithm>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "passes/pipeline.hpp"

namespace s2f::passes {

namespace {

bool calls(const shell::Statement& statement, std::string_view name) {
  const auto* command = shell::as_simple(statement);
  return command != nullptr && analysis::command_name(*command) == name;
}

void add(PassContext& context, std::string rule, Span span, std::string message, std::string slurm,
         std::string output) {
  review::Finding finding;
  finding.rule = std::move(rule);
  finding.span = span;
  finding.message = std::move(message);
  finding.slurm_does = std::move(slurm);
  finding.output_does = std::move(output);
  context.findings.add(std::move(finding));
}

bool told(const PassContext& context, std::string_view rule, const Span& span) {
  return std::ranges::any_of(context.findings.all(), [&](const review::Finding& finding) {
    return finding.rule == rule && finding.span == span;
  });
}

// A loop that reads its lines, and what srun would have eaten of them.
void read_loop(PassContext& context, const shell::While& loop) {
  bool reads = false;
  for (const shell::Statement& condition : loop.condition) {
    reads |= calls(condition, "read");
  }
  if (!reads) {
    return;
  }
  for (const shell::Statement& statement : loop.body) {
    analysis::Visitor visitor;
    visitor.statement = [&](const shell::Statement& inner) {
      if (!calls(inner, "srun")) {
        return;
      }
      for (const shell::Redirect& redirect : inner.redirects) {
        if (redirect.kind == shell::RedirectKind::input) {
          return;
        }
      }
      add(context, "S2F413", inner.span, "srun stands in a loop that reads its own input.",
          "srun reads the rest of the loop's input, so the loop ends after its first line.",
          "Without srun the loop runs for every line.");
    };
    analysis::walk(statement, visitor);
  }
}

} // namespace

void statuses(PassContext& context) {
  for (const ir::Step& step : context.job.body) {
    if (step.statement == nullptr) {
      continue;
    }
    analysis::Visitor visitor;
    visitor.statement = [&](const shell::Statement& inner) {
      if (const auto* loop = std::get_if<shell::While>(&inner.value)) {
        read_loop(context, *loop);
      } else if (!step.in_region) {
        return; // the statements pass tells the rest
      } else if (const auto* command = shell::as_simple(inner);
                 command != nullptr && command->words.size() == 1 && calls(inner, "wait") &&
                 !told(context, "S2F411", inner.span)) {
        add(context, "S2F411", inner.span,
            "`wait` succeeds whatever the background commands returned.",
            "The job goes on, and a part that failed goes unnoticed.", "The same.");
      } else if (const auto* pipeline = std::get_if<shell::Pipeline>(&inner.value);
                 pipeline != nullptr && !context.job.pipefail &&
                 calls(pipeline->commands.back(), "tee")) {
        add(context, "S2F412", inner.span,
            "Without pipefail the status of this pipeline is tee's: a failure of what is before it "
            "is hidden.",
            "The job goes on as if it had worked.", "The same.");
      }
    };
    analysis::walk(*step.statement, visitor);
  }
}

} // namespace s2f::passes
