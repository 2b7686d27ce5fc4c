// A torch program on several nodes: Flyte starts its ranks.
//
// before:  export MASTER_ADDR=$(scontrol show hostnames | head -n 1)
//          srun torchrun --nnodes=4 --nproc_per_node=8 --rdzv_endpoint=$MASTER_ADDR:29500 train.py
// after:   cluster = 4 replicas x 8 processes; MASTER_ADDR is Nothing; Launch{python train.py}
#include <algorithm>
#include <cctype>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "passes/cluster_findings.hpp"
#include "passes/container_command.hpp"
#include "passes/meeting_point.hpp"
#include "passes/node_list.hpp"
#include "passes/own_gpus.hpp"
#include "passes/pipeline.hpp"
#include "passes/rank_start.hpp"
#include "passes/scope.hpp"
#include "passes/slurm_commands.hpp"

namespace s2f::passes {

namespace {

using review::Disposition;

// A word of Bash that means the text.
std::string shell_quoted(const std::string& text) {
  const bool plain = !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_./+-:,@%=").find(static_cast<char>(c)) != std::string_view::npos;
  });
  std::string result = "'";
  for (const char c : text) {
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return plain ? text : result + "'";
}

class Clusters {
public:
  explicit Clusters(PassContext& context)
      : context_(context), job_(context.job), values_(job_.script, context.component()) {}

  void run() {
    const slurm::Component& component = context_.component();
    if (job_.header.components.size() > 1 || nodes_of(component) < 2 || job_.stays_on_slurm) {
      return;
    }
    auto start = find_rank_start(context_, values_);
    if (!start) {
      return;
    }
    start_ = std::move(*start);
    std::string why = start_.why.empty() ? geometry() : start_.why;
    if (!why.empty()) {
      job_.stays_on_slurm = ir::Reason{
          "S2F708",
          fmt::format("{} starts ranks on {}, and {}", start_.launcher.name, shape(component), why),
          start_.statement->span};
      return;
    }
    record();
    leave_meeting_point(context_, start_);
  }

private:
  // "2 nodes with 4 processes each", as far as it is told.
  [[nodiscard]] std::string shape(const slurm::Component& component) const {
    const RankLauncher& launcher = start_.launcher;
    // A loop over the nodes starts one on each, however many the launcher is told of.
    const bool each = start_.options.placed && copies_of(start_.options, component) == 1;
    const std::int64_t nodes =
        start_.loop || each ? nodes_of(component) : launcher.nodes.value_or(nodes_of(component));
    auto processes = launcher.all_gpus ? component.share.gpus : launcher.processes;
    if (launcher.total && nodes > 0 && *launcher.total % nodes == 0) {
      processes = *launcher.total / nodes;
    }
    return processes ? shape_of(nodes, *processes) : fmt::format("{} nodes", nodes);
  }

  // Why srun does not start one launcher a node, and each launcher its share of the ranks; "" if
  // it does.
  std::string geometry() {
    const slurm::Component& component = context_.component();
    const std::int64_t nodes = nodes_of(component);
    const StepOptions& options = start_.options;
    RankLauncher& launcher = start_.launcher;
    const auto copies = copies_of(options, component);
    const bool itself = launcher.name == "srun" || launcher.name == "deepspeed";
    if (!launcher.why.empty()) {
      return launcher.why;
    }
    if (!options.mpi.empty() && (itself || options.mpi.find("--mpi") == std::string::npos)) {
      return options.mpi + " says that they talk by MPI";
    }
    if (options.container && !step_container_fits(context_, start_.command(), 0, options.program)) {
      return "srun runs its program in a container of its own";
    }
    if (start_.container && launcher.local_rank && !itself) {
      return fmt::format("{} tells each rank its number within a container", launcher.name);
    }
    if (options.directory || options.input) {
      return "srun changes the directory, the environment or the input of its program";
    }
    if (component.resolved.nodes_max.value_or(nodes) != nodes) {
      return "the number of nodes is settled when the job starts";
    }
    if (launcher.nodes_max && launcher.nodes) { // as many as there are, within these
      if (*launcher.nodes > nodes || *launcher.nodes_max < nodes) {
        return fmt::format("{} is told of {} to {} nodes", launcher.name, *launcher.nodes,
                           *launcher.nodes_max);
      }
      elastic_ = fmt::format("{}:{}", *launcher.nodes, *launcher.nodes_max);
      launcher.nodes = nodes;
    }
    if (!launcher.nodes) {
      return "the launcher names no number of nodes: each would be alone";
    }
    if (*launcher.nodes != nodes) {
      return fmt::format("the launcher is told of {} nodes", *launcher.nodes);
    }
    if (!copies) {
      return "how many of them srun starts is known only when the job runs";
    }
    if (!itself && *copies != (start_.loop ? 1 : nodes)) {
      return fmt::format("srun starts {} of them", *copies);
    }
    const auto gpus = component.share.gpus;
    if (launcher.total) {
      if (*launcher.total % nodes != 0) {
        return fmt::format("{} ranks are not the same number on each", *launcher.total);
      }
      launcher.processes = *launcher.total / nodes;
    } else if (launcher.all_gpus) {
      launcher.processes = gpus;
      if (std::string why = slots(); !why.empty()) {
        return why;
      }
    } else if (!launcher.processes && launcher.name == "torchrun") {
      launcher.processes = 1;
    }
    if (!launcher.processes || *launcher.processes <= 0) {
      return "how many ranks a node has is not known";
    }
    if (start_.jax && *launcher.processes != 1) {
      return "Flyte starts one process of JAX a node, which has all of its GPUs";
    }
    if (gpus && *gpus > 0 && *gpus < *launcher.processes) {
      return fmt::format("a node has {} of them for {} GPUs", *launcher.processes, *gpus);
    }
    return {};
  }

  // deepspeed --hostfile FILE: as many ranks as the list has slots for a node.
  std::string slots() {
    RankLauncher& launcher = start_.launcher;
    if (launcher.name != "deepspeed" || !launcher.hostfile) {
      return {};
    }
    const NodeList list = node_list(context_, values_, launcher);
    if (list.nodes && *list.nodes != *launcher.nodes) {
      return fmt::format("its list names {} nodes", *list.nodes);
    }
    if (list.differ && list.nodes) {
      return "its list gives the nodes different numbers of slots";
    }
    if (list.slots && !list.differ) {
      launcher.processes = list.slots;
    } else {
      slots_taken_ = launcher.processes.has_value();
    }
    return {};
  }

  // What stands before the program, and what takes its place.
  void step_of_ranks() {
    const shell::SimpleCommand& command = start_.command();
    const RankLauncher& launcher = start_.launcher;
    const bool whole = start_.words.has_value(); // no word of the script is left
    const bool within = start_.container && (whole || launcher.name != "srun");
    ir::SrunStep step;
    step.ranks = true;
    step.in_text = start_.own.has_value();
    const std::size_t shell = start_.container ? start_.inner : start_.options.program;
    const std::size_t program = step.in_text ? shell : launcher.program;
    const std::uint32_t end =
        whole ? command.words.back().span.end : command.words[program].span.begin;
    step.prefix = {start_.statement->span.source, command.words.front().span.begin,
                   start_.container ? command.words[*start_.container].span.begin : end};
    if (launcher.name == "srun" && !start_.jax) {
      own_ = own_gpus(context_, start_.options);
      step.gpus_each = own_.each;
    }
    step.environment = start_.options.environment;
    step.environment.insert(step.environment.end(), start_.environment.begin(),
                            start_.environment.end());
    std::vector<std::string> instead; // of the launcher
    if (!launcher.no_python) {
      instead.emplace_back("python");
    }
    if (launcher.module) {
      instead.emplace_back("-m");
    }
    if (whole) {
      step.program = instead.size();
      instead.insert(instead.end(), start_.words->begin(), start_.words->end());
    }
    if (!launcher.precision.empty()) {
      step.environment.emplace_back("ACCELERATE_MIXED_PRECISION", launcher.precision);
    }
    tell_local_rank(step);
    std::string before = own_gpus_words(step.gpus_each); // where the statement stays Bash
    for (const auto& [name, value] : step.environment) {
      before += name + "=" + shell_quoted(value) + " ";
    }
    std::string text;
    for (const std::string& word : instead) {
      const auto at = static_cast<std::size_t>(&word - instead.data());
      text += shell_quoted(word) + (at == step.program ? local_rank_words(step) : "");
      text += whole && &word == &instead.back() ? "" : " ";
    }
    const auto remove = [&](const Span& span, std::string by) {
      job_.removals.push_back(
          {span, std::move(by),
           fmt::format("line {}, srun and {}", context_.sources.begin(span).line, launcher.name)});
    };
    if (step.in_text) {
      remove(step.prefix, before);
      if (start_.text_end != 0 && launcher.local_rank) {
        remove(*start_.own, "set -- ");
        local_rank_in_text(step, text);
      } else if (start_.own->end > start_.own->begin) {
        remove(*start_.own, text);
      }
    } else if (within) { // the container's words are the affair of what reads containers
      remove(step.prefix, before);
      const Span span{step.prefix.source, command.words[start_.inner].span.begin, end};
      if (span.end > span.begin) {
        remove(span, text);
        ir::Prefix prefix;
        prefix.span = span;
        prefix.words = std::move(instead);
        job_.prefixes.push_back(std::move(prefix));
      }
    } else {
      remove(step.prefix, before + text);
      step.instead = std::move(instead);
    }
    if (!start_.file.empty() && !whole && context_.read_file) {
      job_.slurm_payload.merge(slurm_names(context_.read_file(start_.file).value_or("")));
    }
    job_.srun_steps.push_back(std::move(step));
    say_left_out(context_, start_);
  }

  void record() {
    const RankLauncher& launcher = start_.launcher;
    const std::int64_t nodes = *launcher.nodes;
    const std::int64_t processes = *launcher.processes;
    step_of_ranks();
    ir::Cluster cluster;
    cluster.replicas.value = nodes;
    for (const std::string_view option : {"nodes", "ntasks"}) { // -n 4 --ntasks-per-node=1
      if (cluster.replicas.asked.empty()) {
        cluster.replicas.asked = context_.asked(option);
        cluster.replicas.spans = context_.spans(option);
      }
    }
    cluster.processes.value = processes;
    cluster.processes.asked = fmt::format("of {}, so {} ranks", launcher.name, nodes * processes);
    cluster.processes.spans = {start_.statement->span};
    ir::Cluster::Ranks ranks;
    backend(ranks);
    ranks.restarts = launcher.restarts.value_or(0);
    ranks.launcher = start_.jax ? "jax" : launcher.name;
    cluster.kind = std::move(ranks);
    cluster.span = start_.statement->span;
    job_.cluster = std::move(cluster);
    say_ranks(context_, start_);
    job_.not_carried.push_back({fmt::format("{} {}: Flyte starts the ranks and lets them meet",
                                            context_.at(start_.statement->span),
                                            launcher.name == "srun" || launcher.name == "deepspeed"
                                                ? launcher.name
                                                : "srun, " + launcher.name),
                                start_.statement->span});
    log_of_ranks();
    say_taken_for_torch(context_, start_);
    say_processes_of_jax(context_, start_);
    say_elastic(context_, start_, elastic_);
    if (slots_taken_) {
      say_slots(context_, start_);
    }
    if (own_.each > 0) {
      say_own_gpus(context_, own_, start_.statement->span);
      context_.settle("gpu-bind", Disposition::converted, "each rank sees its own GPUs", "S2F778");
      for (const char* option : {"--gpu-bind", "--gpus-per-task", "--ntasks-per-gpu"}) {
        std::erase(start_.options.placement, option);
      }
    }
    say_placement(context_, start_.options, start_.statement->span);
    settle_shape(nodes);
  }

  // static is Flyte's own choice.
  void backend(ir::Cluster::Ranks& ranks) const {
    const auto answer = context_.answers.text("torchrun", "", "rdzv_backend");
    if (answer && !start_.jax) {
      ranks.backend = answer->value == "c10d" ? "c10d" : "";
      ranks.backend_asked = fmt::format("{} ({})", answer->value, answer->place);
    } else if (start_.launcher.backend == "c10d") {
      ranks.backend = "c10d";
    }
  }

  // `| tee log`, `> log`: each rank would write the file.
  void log_of_ranks() {
    if (start_.log.empty()) {
      start_.log = start_.options.log;
    }
    if (start_.statement->timed) {
      review::Finding finding;
      finding.rule = "S2F432";
      finding.span = start_.statement->span;
      finding.message = "The report of `time` is not printed.";
      finding.slurm_does = "The shell prints how long the command took.";
      finding.output_does = "Flyte shows how long the task took.";
      context_.findings.add(std::move(finding));
    }
    if (start_.log.empty()) {
      if (start_.loop || start_.statement->timed || start_.tail.end > start_.tail.begin) {
        if (!start_.loop && start_.tail.end > start_.tail.begin) {
          job_.not_carried.push_back(
              {fmt::format("{} {}: a rank that fails ends the task", context_.at(start_.tail),
                           context_.text(start_.tail)),
               start_.tail});
        }
        stand_alone();
      }
      return;
    }
    review::Finding finding;
    finding.rule = "S2F709";
    finding.span = start_.statement->span;
    finding.message = fmt::format("{} held what all ranks print; it is not written.", start_.log);
    finding.slurm_does = "srun collects the output of the ranks, and it goes to one file.";
    finding.output_does = "Each replica has its own log: flyte get logs.";
    finding.choices = {"the logs of the replicas are enough", "write a file from rank 0 alone"};
    finding.default_ = finding.choices[0];
    context_.findings.add(std::move(finding));
    stand_alone();
  }

  // What is left is the program alone, without the loop, the log and the pipe around it.
  void stand_alone() {
    const auto leave = [&](const Span& span, const char* what) {
      if (span.end > span.begin) {
        job_.removals.push_back(
            {span, "", fmt::format("line {}, {}", context_.sources.begin(span).line, what)});
      }
    };
    leave(start_.tail, start_.loop          ? "the loop over the nodes"
                       : start_.log.empty() ? "what answers a failure"
                                            : "the log of the ranks");
    leave({start_.statement->span.source, start_.step->statement->span.begin,
           start_.command().words.front().span.begin},
          start_.loop ? "the loop over the nodes" : "time");
    auto alone = std::make_shared<shell::Statement>(*start_.statement);
    for (const shell::Redirect& redirect : alone->redirects) {
      leave(redirect.span, "the log of the ranks");
    }
    alone->redirects.clear();
    alone->background = alone->timed = false;
    start_.step->statement = alone.get();
    job_.made.push_back(std::move(alone));
  }

  // The same as own_gpus() of the module.
  static std::string own_gpus_words(std::int64_t each) {
    return each == 0   ? ""
           : each == 1 ? "CUDA_VISIBLE_DEVICES=\"${LOCAL_RANK:-0}\" "
                       : fmt::format("CUDA_VISIBLE_DEVICES=\"$(seq -s , $((LOCAL_RANK * {0})) "
                                     "$((LOCAL_RANK * {0} + {0} - 1)))\" ",
                                     each);
  }

  // python -m torch.distributed.launch gives each rank --local-rank=N.
  static std::string local_rank_words(const ir::SrunStep& step) {
    return step.local_rank.empty() ? "" : " " + step.local_rank + "=\"${LOCAL_RANK:-0}\"";
  }
  // '$LAUNCHER $CMD': '$CMD' holds the program and its arguments.
  void local_rank_in_text(const ir::SrunStep& step, const std::string& python) {
    job_.removals.push_back(
        {Span{step.prefix.source, start_.text_end, start_.text_end},
         fmt::format("; program=$1; shift; {}\"$program\"{} \"$@\"", python,
                     local_rank_words(step)),
         fmt::format("line {}, the local rank", context_.sources.begin(step.prefix).line)});
  }
  void tell_local_rank(ir::SrunStep& step) {
    const RankLauncher& launcher = start_.launcher;
    if (!launcher.local_rank || launcher.rest.empty()) {
      return;
    }
    const auto payload = launcher.rest.front().text.value_or("");
    const bool there = context_.file_exists && context_.file_exists(payload);
    const std::string program = there ? context_.read_file(payload).value_or("") : "";
    const bool dash =
        launcher.name != "deepspeed" && program.find("local-rank") != std::string::npos;
    step.local_rank = dash ? "--local-rank" : "--local_rank";
    if (!start_.words && !step.in_text) {
      const std::uint32_t end = start_.command().words[launcher.program].span.end;
      job_.removals.push_back(
          {Span{step.prefix.source, end, end}, local_rank_words(step),
           fmt::format("line {}, the local rank", context_.sources.begin(step.prefix).line)});
    }
    review::Finding finding;
    finding.rule = "S2F762";
    finding.span = start_.statement->span;
    finding.message =
        fmt::format("Each rank is given {}=N, as torch.distributed.launch does.", step.local_rank);
    finding.slurm_does = launcher.name == "deepspeed"
                             ? "The launcher gives it to the program."
                             : "The launcher gives it to the program: --local_rank before torch 2, "
                               "--local-rank since.";
    finding.output_does = "The task gives it to the program, as the program itself spells it.";
    context_.findings.add(std::move(finding));
  }

  [[nodiscard]] const char* by_flyte() const {
    return start_.jax ? "Flyte starts one process a node" : "Flyte starts torchrun, once a node";
  }
  void settle_shape(std::int64_t nodes) {
    context_.settle("nodes", Disposition::converted, fmt::format("{} replicas", nodes));
    for (const std::string_view option : {"ntasks", "ntasks-per-node"}) {
      if (const auto* use = context_.winner(option)) {
        job_.not_carried.push_back(
            {fmt::format("{} {}: {}", context_.at(use->span), context_.text(use->span), by_flyte()),
             use->span});
      }
      context_.settle(option, Disposition::platform, by_flyte());
    }
  }

  PassContext& context_;
  ir::Job& job_;
  ScriptValues values_;
  RankStart start_;
  OwnGpus own_;
  std::string elastic_;      // "2:4"
  bool slots_taken_ = false; // one for each GPU, where nothing tells
};

} // namespace

void clustered(PassContext& context) { Clusters(context).run(); }

} // namespace s2f::passes
