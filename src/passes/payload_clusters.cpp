// A program beside the script that submits jobs itself, or starts workers on the job's nodes.
//
// before:  python run.py, with SLURMCluster(cores=8) in it; julia sim.jl, with addprocs(hosts)
// after:   stays_on_slurm, S2F769
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "analysis/walk.hpp"
#include "generated/tables/payload_clusters.hpp"
#include "passes/pipeline.hpp"
#include "passes/rank_programs.hpp"
#include "passes/rank_start.hpp"
#include "passes/script_values.hpp"
#include "passes/slurm_commands.hpp"
#include "passes/srun.hpp"
#include "passes/wrappers.hpp"

namespace s2f::passes {

namespace {

using Does = tables::PayloadClustersDoes;

// The lines that are no comment.
std::string code_of(const std::string& text) {
  std::string code;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    const auto begin = line.find_first_not_of(" \t");
    if (begin != std::string::npos && line[begin] != '#') {
      code += line + "\n";
    }
    at = end + 1;
  }
  return code;
}

class PayloadClusters {
public:
  explicit PayloadClusters(PassContext& context)
      : context_(context), job_(context.job), values_(job_.script, context.component()) {}

  void run() {
    analysis::Visitor visitor;
    visitor.statement = [&](const shell::Statement& statement) {
      const auto* command = shell::as_simple(statement);
      if (command != nullptr && !command->words.empty() && !job_.stays_on_slurm) {
        look(*command, statement.span);
      }
    };
    for (const ir::Step& step : job_.body) {
      if (step.statement != nullptr) {
        analysis::walk(*step.statement, visitor);
      }
    }
  }

private:
  void look(const shell::SimpleCommand& command, const Span& span) {
    PlainWords words;
    for (const shell::Word& word : command.words) {
      const auto texts = values_.of(word);
      words.push_back(texts && texts->size() == 1 ? std::optional(texts->front()) : word.literal());
    }
    std::size_t at = behind_wrappers(words).program;
    if (at < words.size() && words[at] == "srun") {
      at = behind_wrappers(words, read_step(command, at, values_).program).program;
    }
    if (at >= words.size() || !words[at]) {
      return;
    }
    const std::string name = program_name(*words[at]);
    if (is_python(name)) {
      if (const auto payload = python_payload(context_, words, at)) {
        judge(*payload, ".py", span);
      }
      return;
    }
    const bool r = name == "Rscript" || name == "R";
    if (name != "julia" && !r) {
      return;
    }
    for (std::size_t i = at + 1; i < words.size(); ++i) {
      std::string file = words[i].value_or("");
      file = file.starts_with("--file=") ? file.substr(std::string_view("--file=").size()) : file;
      if (file.ends_with(".jl") || (r && (file.ends_with(".R") || file.ends_with(".r")))) {
        judge(file, r ? ".R" : ".jl", span);
        return;
      }
    }
  }

  void judge(std::string file, std::string_view ending, const Span& span) {
    while (file.starts_with("./")) {
      file.erase(0, 2);
    }
    if (file.starts_with('/') || !context_.read_file) {
      return;
    }
    const std::string code = code_of(context_.read_file(file).value_or(""));
    const std::int64_t nodes = nodes_of(context_.component());
    for (const auto& row : tables::payload_clusters) {
      if (row.of != ending || code.find(row.text) == std::string::npos ||
          (row.does == Does::nodes && nodes < 2)) {
        continue;
      }
      std::string name(row.text);
      name = name.substr(0, name.find('('));
      const std::string what =
          row.does == Does::submits
              ? fmt::format("{} submits jobs to Slurm by itself ({} of {})", file, name, row.what)
              : fmt::format("{} has workers on the job's nodes ({} of {}; {}), and nothing in "
                            "Flyte starts them",
                            file, name, row.what,
                            shape_of(nodes, context_.component().share.tasks));
      job_.stays_on_slurm = ir::Reason{"S2F769", what, span};
      return;
    }
  }

  PassContext& context_;
  ir::Job& job_;
  ScriptValues values_;
};

} // namespace

void payload_clusters(PassContext& context) {
  if (!context.job.stays_on_slurm && !context.job.cluster) {
    PayloadClusters(context).run();
  }
}

} // namespace s2f::passes
