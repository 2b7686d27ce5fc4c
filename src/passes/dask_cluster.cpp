// A Dask cluster that the job brings up by hand: Flyte brings it up.
//
// before:  dask-scheduler --scheduler-file s.json &
//          srun dask-worker --scheduler-file s.json &
//          sleep 10; python run.py --cluster s.json
// after:   cluster = "dask", as many workers; what brought it up is Nothing; the task writes
// s.json;
//          Launch{python run.py --cluster s.json}
#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "generated/tables/worker_programs.hpp"
#include "passes/by_hand.hpp"
#include "passes/pipeline.hpp"
#include "passes/rank_programs.hpp"
#include "passes/rank_start.hpp"
#include "passes/slurm_commands.hpp"
#include "passes/wrappers.hpp"

namespace s2f::passes {

namespace {

using by_hand::Part;
using review::Disposition;

// Between the brackets of the first call of a name, "" for `Client()`; nothing without a call.
std::optional<std::string> call_of(const std::string& text, const std::string& name) {
  const auto at = text.find(name + "(");
  if (at == std::string::npos) {
    return std::nullopt;
  }
  const std::size_t begin = at + name.size() + 1;
  std::string given = text.substr(begin, text.find(')', begin) - begin);
  std::erase_if(given, [](unsigned char c) { return std::isspace(c) != 0; });
  return given;
}

class Dask {
public:
  explicit Dask(PassContext& context)
      : context_(context), job_(context.job), values_(job_.script, context.component()) {}

  void run() {
    if (!by_hand::may_bring_up(context_)) {
      return;
    }
    parts_ = by_hand::read(job_, [&](Part& part, const auto& command, const auto& statement) {
      if (look(command, statement)) {
        part.starts = true;
        strange_ |= &statement != part.step->statement || !statement.background;
      }
    });
    if (schedulers_ == 0 || workers_ == 0) {
      return;
    }
    choose();
    if (why().empty()) {
      record();
    }
  }

private:
  // Whether the command starts the scheduler or workers.
  bool look(const shell::SimpleCommand& command, const shell::Statement& statement) {
    const by_hand::StartedProgram program =
        by_hand::started(command, values_, context_.component());
    const auto* row = by_hand::row_of(program, tables::WorkerProgramsOf::dask);
    if (row == nullptr) {
      return false;
    }
    const bool by_mpi = row->part == tables::WorkerProgramsPart::all; // its first rank schedules
    if (const auto& step = program.step) {
      strange_ |=
          step->container || step->directory || step->input || (!step->mpi.empty() && !by_mpi);
    }
    const bool scheduler = row->part == tables::WorkerProgramsPart::head;
    const auto& copies = program.copies;
    const auto& words = program.plain;
    if (place_.end == 0) {
      place_ = statement.span;
    }
    for (std::size_t i = program.at; i < words.size(); ++i) {
      const std::string& start = program.words[i].start;
      constexpr std::string_view option = "--scheduler-file";
      if (start == option || start.starts_with("--scheduler-file=")) {
        const bool next = start == option;
        const std::string file = next ? (i + 1 < words.size() ? words[i + 1].value_or("") : "")
                                      : words[i].value_or(start).substr(option.size() + 1);
        strange_ |= file.empty() || (!next && !words[i]) || (!file_.empty() && file_ != file);
        file_ = file;
      }
    }
    if (by_mpi) {
      ++schedulers_;
      strange_ |= copies.value_or(0) < 2;
      workers_ += copies.value_or(1) - 1;
    } else if (scheduler) {
      ++schedulers_;
      strange_ |= copies != 1;
    } else {
      strange_ |= !copies;
      workers_ += copies.value_or(0);
    }
    return true;
  }

  // What takes away what the cluster left, rm s.json, and names that only its programs read.
  void choose() {
    static constexpr std::array ends{"kill", "pkill", "killall", "wait"};
    std::set<std::string> read_by_rest; // names that what is left reads
    for (const Part& part : parts_) {
      if (!part.starts && !by_hand::only_waits(part)) {
        read_by_rest.insert(part.effects.reads.begin(), part.effects.reads.end());
      }
    }
    by_hand::choose(parts_, ends, [&](const Part& part, const by_hand::Around& around) {
      const auto* command = around.command;
      const bool of_file = !file_.empty() && around.name == "rm" &&
                           std::ranges::all_of(command->words, [&](const shell::Word& word) {
                             const std::string text = values_.template_of(word).value_or("");
                             return text == "rm" || text.starts_with('-') || text == file_;
                           });
      const bool sets = command != nullptr && command->words.empty() &&
                        std::ranges::none_of(part.effects.writes, [&](const std::string& each) {
                          return read_by_rest.contains(each);
                        });
      return of_file || (sets && by_hand::read_by_starts(parts_, part));
    });
  }

  // Why Flyte's cluster cannot stand for this one; "" if it can.
  std::string why() {
    if (schedulers_ != 1 || strange_) {
      return "it is not one scheduler and workers, in the background";
    }
    if (file_.starts_with('/') || file_.find('$') != std::string::npos ||
        file_.find("..") != std::string::npos) {
      return "the scheduler's file is not in the job's directory";
    }
    bool told = false;  // the program is given the scheduler's file
    bool finds = false; // it asks for no address
    for (const Part& part : parts_) {
      if (part.own || part.step->statement == nullptr) {
        continue;
      }
      if (part.effects.changes_directory) {
        return "it changes the directory";
      }
      analysis::Visitor visitor;
      visitor.statement = [&](const shell::Statement& inner) {
        const auto* command = shell::as_simple(inner);
        if (command == nullptr || command->words.empty()) {
          return;
        }
        PlainWords words;
        for (const StepWord& word : step_words(*command, 0, values_, true)) {
          words.push_back(word.text);
          told |= !file_.empty() && word.text &&
                  (*word.text == file_ || word.text->ends_with("=" + file_));
        }
        const std::size_t at = behind_wrappers(words).program;
        if (at < words.size() && words[at] && is_python(program_name(*words[at]))) {
          if (const auto payload = python_payload(context_, words, at)) {
            const auto given = call_of(context_.read_file(*payload).value_or(""), "Client");
            finds |= given == "";
            told |= !file_.empty() && (given == "scheduler_file=\"" + file_ + "\"" ||
                                       given == "scheduler_file='" + file_ + "'");
          }
        }
      };
      analysis::walk(*part.step->statement, visitor);
    }
    return told || finds ? "" : "nothing tells how its program finds the scheduler";
  }

  void record() {
    const std::int64_t nodes = nodes_of(context_.component());
    const std::int64_t each = workers_ % nodes == 0 ? workers_ / nodes : 1;
    ir::Cluster cluster;
    cluster.span = place_;
    ir::Cluster::Dask dask{file_};
    while (dask.scheduler_file.starts_with("./")) {
      dask.scheduler_file.erase(0, 2);
    }
    cluster.kind = std::move(dask);
    cluster.replicas.value = workers_;
    by_hand::asked_for(context_, cluster, each > 1 ? fmt::format(", {} workers each", each) : "");
    cluster.processes.value = each;
    job_.cluster = std::move(cluster);
    review::Finding finding;
    finding.rule = "S2F767";
    finding.span = place_;
    finding.message =
        fmt::format("The job brings up a Dask cluster: a scheduler and {} worker{} ({}).", workers_,
                    workers_ == 1 ? "" : "s", shape_of(nodes, each));
    finding.slurm_does = "srun starts the workers on the nodes of the job. The scheduler and the "
                         "program run beside them on the first. Slurm gives all nodes at once.";
    finding.output_does =
        "Flyte starts a Dask cluster of that size for the task, with a pod for the scheduler and "
        "one for each worker, and ends it. The task is a pod more. Options of the workers "
        "(--nthreads, --nworkers, ports) are not carried over: each is one process with as many "
        "threads as CPUs.";
    finding.output_does +=
        file_.empty() ? " Client() finds it by DASK_SCHEDULER_ADDRESS."
                      : fmt::format(" The task writes {} with its address. A local run needs "
                                    "DASK_SCHEDULER_ADDRESS set, and a scheduler there.",
                                    file_);
    const auto id = context_.findings.add(std::move(finding));
    by_hand::leave_out(context_, parts_,
                       {"S2F767", "the Dask cluster",
                        "the Dask scheduler and its workers: Flyte starts them and ends them", id,
                        true});
    ir::PipLayer layer;
    layer.packages.push_back({"flyteplugins-dask", "the Dask cluster", {place_}, {}});
    job_.environment.pip.push_back(std::move(layer));
    context_.settle("nodes", Disposition::converted, fmt::format("{} workers", workers_));
    for (const std::string_view option : {"ntasks", "ntasks-per-node"}) {
      context_.settle(option, Disposition::converted, fmt::format("{} workers", workers_));
    }
  }

  PassContext& context_;
  ir::Job& job_;
  ScriptValues values_;
  std::vector<Part> parts_;
  std::string file_; // of the scheduler
  Span place_{};
  std::int64_t schedulers_ = 0, workers_ = 0;
  bool strange_ = false;
};

} // namespace

void dask_cluster(PassContext& context) {
  if (!context.job.stays_on_slurm) {
    Dask(context).run();
  }
}

} // namespace s2f::passes
