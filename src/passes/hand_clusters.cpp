// Clusters of workers that a job on several nodes brings up by hand, and that Flyte has plugins
// for.
//
// before:  dask-scheduler &; srun dask-worker $(hostname):8786 &; python run.py $(hostname):8786
// after:   stays_on_slurm, S2F764: flyteplugins-dask brings up such a cluster
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "analysis/walk.hpp"
#include "generated/tables/cluster_programs.hpp"
#include "passes/pipeline.hpp"
#include "passes/rank_start.hpp"
#include "passes/slurm_commands.hpp"
#include "passes/srun.hpp"
#include "passes/wrappers.hpp"

namespace s2f::passes {

namespace {

std::string unquoted(std::string text) {
  std::erase(text, '"');
  return text;
}

class HandClusters {
public:
  explicit HandClusters(PassContext& context)
      : context_(context), job_(context.job), values_(job_.script, context.component()) {}

  void run() {
    analysis::Visitor visitor;
    visitor.statement = [&](const shell::Statement& statement) {
      const auto* command = shell::as_simple(statement);
      if (command != nullptr && !command->words.empty()) {
        look(*command, statement);
      }
    };
    for (const ir::Step& step : job_.body) {
      if (step.statement != nullptr) {
        analysis::walk(*step.statement, visitor);
      }
    }
    if (found_ != nullptr) {
      job_.stays_on_slurm = ir::Reason{"S2F764", reason(), place_};
    }
  }

private:
  void look(const shell::SimpleCommand& command, const shell::Statement& statement) {
    PlainWords words;
    for (const shell::Word& word : command.words) {
      const std::string text = context_.text(word.span); // $SPARK_HOME/sbin/start-worker.sh
      words.push_back(word.literal()                        ? word.literal()
                      : text.find('/') != std::string::npos ? std::optional(text)
                                                            : std::nullopt);
    }
    std::size_t at = behind_wrappers(words).program;
    std::optional<std::int64_t> copies;
    if (at < words.size() && words[at] == "srun") {
      const StepOptions step = read_step(command, at, values_);
      copies = copies_of(step, context_.component());
      at = behind_wrappers(words, step.program).program;
    }
    if (at >= words.size() || !words[at]) {
      return;
    }
    const auto* row = named(words, at);
    // Behind these the program is a later word, on this node or on others.
    static constexpr std::array carriers{"apptainer", "ibrun",   "mpiexec",     "mpirun",
                                         "pdsh",      "shifter", "singularity", "ssh"};
    const std::string first = program_name(unquoted(*words[at]));
    if (std::ranges::find(carriers, first) != carriers.end()) {
      for (std::size_t i = at + 1; row == nullptr && i < words.size(); ++i) {
        row = words[i] ? named(words, i) : nullptr;
      }
    }
    if (row == nullptr) {
      return;
    }
    // Scripts of the job's own that start Ray are named like those of Spark.
    if (found_ == nullptr || (row->starts == "Ray" && found_->starts == "Spark")) {
      found_ = row;
      place_ = statement.span;
    }
    const std::int64_t nodes = nodes_of(context_.component());
    if (copies && *copies > 1 && *copies % nodes == 0) {
      workers_ = shape_of(nodes, *copies / nodes);
    } else if (copies && *copies > nodes && nodes > 1 && *copies % (nodes - 1) == 0) {
      workers_ = shape_of(nodes, *copies / (nodes - 1)); // none beside the scheduler
    }
  }

  static const tables::ClusterProgramsRow* named(const PlainWords& words, std::size_t at) {
    const auto* row = tables::find_cluster_programs(program_name(unquoted(*words[at])));
    const bool whole =
        row != nullptr && (row->words.empty() || std::ranges::any_of(row->words, [&](auto word) {
                             return at + 1 < words.size() && words[at + 1] == word;
                           }));
    return whole ? row : nullptr;
  }

  [[nodiscard]] std::string reason() const {
    return fmt::format(
        "it brings up {} by hand, workers on {}{}", found_->starts,
        workers_.empty() ? shape_of(nodes_of(context_.component()), 1) : workers_,
        found_->plugin.empty() ? "" : fmt::format(". {} {}", found_->plugin, found_->says));
  }

  PassContext& context_;
  ir::Job& job_;
  ScriptValues values_;
  const tables::ClusterProgramsRow* found_ = nullptr;
  Span place_{};
  std::string workers_;
};

} // namespace

void hand_clusters(PassContext& context) {
  if (!context.job.stays_on_slurm && !context.job.cluster && !has_one_node(context.component())) {
    HandClusters(context).run();
  }
}

} // namespace s2f::passes
