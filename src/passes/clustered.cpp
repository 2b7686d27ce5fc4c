// A torch program on several nodes: Flyte starts its ranks.
//
// before:  export MASTER_ADDR=$(scontrol show hostnames | head -n 1)
//          srun torchrun --nnodes=4 --nproc_per_node=8 --rdzv_endpoint=$MASTER_ADDR:29500 train.py
// after:   cluster = 4 replicas x 8 processes; MASTER_ADDR is Nothing; Launch{python train.py}
#include <algorithm>
#include <array>
#include <cctype>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "generated/tables/rank_programs.hpp"
#include "generated/tables/rank_variables.hpp"
#include "passes/pipeline.hpp"
#include "passes/rank_start.hpp"
#include "passes/slurm_commands.hpp"
#include "passes/wrappers.hpp"

namespace s2f::passes {

namespace {

using review::Disposition;

std::set<std::string> names_in(const shell::Word& word) {
  std::set<std::string> names;
  analysis::Visitor visitor;
  visitor.part = [&](const shell::WordPart& part) {
    if (const auto* parameter = std::get_if<shell::Parameter>(&part.value)) {
      names.insert(parameter->name);
    } else if (const auto* arithmetic = std::get_if<shell::Arithmetic>(&part.value)) {
      names.insert(arithmetic->variables.begin(), arithmetic->variables.end());
    }
  };
  analysis::walk(word, visitor);
  return names;
}

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
    if (job_.header.components.size() > 1 || nodes_of(component) < 2 || component.array) {
      return;
    }
    auto start = find_rank_start(context_, values_);
    if (!start) {
      return;
    }
    start_ = std::move(*start);
    std::string why = start_.why.empty() ? geometry() : start_.why;
    if (!why.empty()) {
      job_.stays_on_slurm = ir::Reason{"S2F708",
                                       fmt::format("{} starts ranks on {} nodes, and {}",
                                                   start_.launcher.name, nodes_of(component), why),
                                       start_.statement->span};
      return;
    }
    record();
    meeting_point();
    for (ir::Step& step : job_.body) {
      if (&step != start_.step && step.statement != nullptr &&
          std::holds_alternative<ir::Opaque>(step.value)) {
        around(step);
      }
    }
  }

private:
  // Why srun does not start one launcher a node, and each launcher its share of the ranks; "" if
  // it does.
  std::string geometry() {
    const slurm::Component& component = context_.component();
    const std::int64_t nodes = nodes_of(component);
    const StepOptions& options = start_.options;
    RankLauncher& launcher = start_.launcher;
    const auto copies = copies_of(options, component);
    const bool itself = launcher.name == "srun";
    if (!launcher.why.empty()) {
      return launcher.why;
    }
    if (!options.mpi.empty()) {
      return options.mpi + " says that they talk by MPI";
    }
    if (options.container) {
      return "srun runs its program in a container of its own";
    }
    if (options.directory || options.streams) {
      return "srun changes the directory, the environment or the input of its program";
    }
    if (component.resolved.nodes_max.value_or(nodes) != nodes) {
      return "the number of nodes is settled when the job starts";
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
    if (!itself && *copies != nodes) {
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
    } else if (!launcher.processes && launcher.name == "torchrun") {
      launcher.processes = 1;
    }
    if (!launcher.processes || *launcher.processes <= 0) {
      return "how many ranks a node has is not known";
    }
    if (gpus && *gpus > 0 && *gpus < *launcher.processes) {
      return fmt::format("a node has {} of them for {} GPUs", *launcher.processes, *gpus);
    }
    return {};
  }

  void record() {
    const shell::SimpleCommand& command = start_.command();
    const RankLauncher& launcher = start_.launcher;
    const bool whole = start_.words.has_value(); // no word of the script is left
    const std::int64_t nodes = *launcher.nodes;
    const std::int64_t processes = *launcher.processes;
    ir::SrunStep step;
    step.ranks = true;
    step.prefix = {start_.statement->span.source, command.words.front().span.begin,
                   whole ? command.words.back().span.end
                         : command.words[launcher.program].span.begin};
    step.environment = start_.options.environment;
    step.environment.insert(step.environment.end(), start_.environment.begin(),
                            start_.environment.end());
    if (!launcher.no_python) {
      step.instead.emplace_back("python");
    }
    if (launcher.module) {
      step.instead.emplace_back("-m");
    }
    if (whole) {
      step.instead.insert(step.instead.end(), start_.words->begin(), start_.words->end());
    }
    if (!launcher.precision.empty()) {
      step.environment.emplace_back("ACCELERATE_MIXED_PRECISION", launcher.precision);
    }
    std::string text; // where the statement stays Bash
    for (const auto& [name, value] : step.environment) {
      text += name + "=" + shell_quoted(value) + " ";
    }
    for (const std::string& word : step.instead) {
      text += shell_quoted(word) + (whole && &word == &step.instead.back() ? "" : " ");
    }
    job_.removals.push_back({step.prefix, std::move(text),
                             fmt::format("line {}, srun and {}",
                                         context_.sources.begin(step.prefix).line, launcher.name)});
    job_.srun_steps.push_back(std::move(step));
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
    cluster.backend = launcher.backend == "c10d" ? "c10d" : "";
    cluster.restarts = launcher.restarts.value_or(0);
    cluster.launcher = launcher.name;
    cluster.span = start_.statement->span;
    job_.cluster = std::move(cluster);
    review::Finding finding;
    finding.rule = "S2F703";
    finding.span = start_.statement->span;
    finding.message = fmt::format("{} nodes with {} process{} each: {} ranks.", nodes, processes,
                                  processes == 1 ? "" : "es", nodes * processes);
    finding.slurm_does =
        launcher.name == "srun"
            ? std::string("srun starts the ranks. Slurm gives all nodes at once.")
            : fmt::format("srun starts {} once a node, and that the ranks. Slurm gives all nodes "
                          "at once.",
                          launcher.name);
    finding.output_does = "Flyte starts torchrun on every replica, and torchrun the task once a "
                          "rank. Replicas start together, but nothing holds them back until all "
                          "have a node. A rank that fails ends them all.";
    if (!launcher.dropped.empty()) {
      finding.output_does += fmt::format(" {} of {} has no counterpart.",
                                         fmt::join(launcher.dropped, ", "), launcher.name);
    }
    const auto id = context_.findings.add(std::move(finding));
    (void)id;
    job_.not_carried.push_back(
        {fmt::format("{} {}: Flyte starts the ranks and lets them meet",
                     context_.at(start_.statement->span),
                     launcher.name == "srun" ? "srun" : "srun, " + launcher.name),
         start_.statement->span});
    log_of_ranks();
    say_placement(context_, start_.options, start_.statement->span);
    settle_shape(nodes);
  }

  // `| tee log`, `> log`: each rank would write the file.
  void log_of_ranks() {
    if (start_.log.empty()) {
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
    if (start_.tail.end > start_.tail.begin) {
      job_.removals.push_back(
          {start_.tail, "",
           fmt::format("line {}, the log of the ranks", context_.sources.begin(start_.tail).line)});
    }
    auto alone = std::make_shared<shell::Statement>(*start_.statement);
    for (const shell::Redirect& redirect : alone->redirects) {
      job_.removals.push_back({redirect.span, "",
                               fmt::format("line {}, the log of the ranks",
                                           context_.sources.begin(redirect.span).line)});
    }
    alone->redirects.clear();
    start_.step->statement = alone.get();
    job_.made.push_back(std::move(alone));
  }

  void settle_shape(std::int64_t nodes) {
    context_.settle("nodes", Disposition::converted, fmt::format("{} replicas", nodes));
    for (const std::string_view option : {"ntasks", "ntasks-per-node"}) {
      if (const auto* use = context_.winner(option)) {
        job_.not_carried.push_back({fmt::format("{} {}: Flyte starts torchrun, once a node",
                                                context_.at(use->span), context_.text(use->span)),
                                    use->span});
      }
      context_.settle(option, Disposition::platform, "Flyte starts torchrun, once a node");
    }
  }

  // The variables that only say where the ranks meet: those that the launcher's own words read,
  // and those that lead to them, unless anything else reads them.
  void meeting_point() {
    const shell::SimpleCommand& command = start_.command();
    const RankLauncher& launcher = start_.launcher;
    std::set<std::string> needed;
    own_ = start_.names;
    for (std::size_t i = 0; i < command.words.size(); ++i) {
      const bool of_program = !start_.words && i >= launcher.program;
      auto names = names_in(command.words[i]);
      if (!of_program) {
        start_.names.insert(names.begin(), names.end());
      }
      (of_program ? needed : own_).merge(names);
    }
    for (const auto& row : tables::rank_variables) {
      own_.insert(std::string(row.name));
    }
    for (const ir::Step& step : job_.body) {
      if (step.statement == nullptr || &step == start_.step || assignments_of(*step.statement) ||
          shows(step)) {
        continue;
      }
      const auto effects = analysis::effects_of(*step.statement);
      needed.insert(effects.reads.begin(), effects.reads.end());
      needed.insert(effects.reads_defaulted.begin(), effects.reads_defaulted.end());
    }
    bool changed = true;
    while (changed) { // what leads to a needed one is needed, what leads to an own one is own
      changed = false;
      for (const ir::Step& step : job_.body) {
        const auto* list = step.statement == nullptr ? nullptr : assignments_of(*step.statement);
        if (list == nullptr) {
          continue;
        }
        for (const shell::Assignment& assignment : *list) {
          std::set<std::string> reads;
          if (assignment.value) {
            reads.merge(names_in(*assignment.value));
          }
          for (const shell::Word& word : assignment.array.value_or(std::vector<shell::Word>{})) {
            reads.merge(names_in(word));
          }
          const bool seen = exports(*step.statement) && !of_launcher(assignment) &&
                            tables::find_rank_variables(assignment.name) == nullptr;
          for (auto* set : {&needed, &own_}) {
            if (set->contains(assignment.name) || (set == &needed && seen)) {
              for (const std::string& name : reads) {
                changed |= set->insert(name).second;
              }
            }
          }
        }
      }
    }
    for (const std::string& name : needed) {
      own_.erase(name);
    }
  }

  // echo, date, nvidia-smi: says something in the log.
  [[nodiscard]] static bool shows(const ir::Step& step) {
    const auto* command = shell::as_simple(*step.statement);
    if (command == nullptr || command->words.empty() || step.statement->background ||
        !step.statement->redirects.empty()) {
      return false;
    }
    const auto name = analysis::command_name(*command);
    if (!name) {
      return false;
    }
    const auto* row = tables::find_rank_programs(program_name(*name));
    return *name == "echo" || *name == "printf" ||
           (row != nullptr && row->copies == tables::RankProgramsCopies::shows);
  }

  // Whether an exported variable is there for the launcher's command line: it is read there, and
  // holds words of it or something that leads to the first node, not a number for the program.
  [[nodiscard]] bool of_launcher(const shell::Assignment& assignment) const {
    return start_.names.contains(assignment.name) && assignment.value &&
           context_.text(assignment.value->span).find_first_of(" $`") != std::string::npos;
  }

  void around(ir::Step& step) {
    if (const auto* list = assignments_of(*step.statement)) {
      const auto own = [&](const shell::Assignment& each) {
        const auto* row = tables::find_rank_variables(each.name);
        const bool by_flyte = row != nullptr && row->from == tables::RankVariablesFrom::flyte;
        const bool hidden = !exports(*step.statement) || of_launcher(each);
        return own_.contains(each.name) && (row == nullptr ? hidden : by_flyte);
      };
      const auto hardware = [](const shell::Assignment& each) {
        const auto* row = tables::find_rank_variables(each.name);
        return row != nullptr && row->from == tables::RankVariablesFrom::hardware;
      };
      if (!list->empty() && std::ranges::all_of(*list, own)) {
        const bool set = std::ranges::all_of(*list, [](const shell::Assignment& each) {
          return tables::find_rank_variables(each.name) != nullptr;
        });
        drop(step, Disposition::platform,
             set ? "Flyte sets it in every rank" : "only the launcher of the ranks reads it");
      } else if (!list->empty() && std::ranges::all_of(*list, hardware) &&
                 exports(*step.statement)) {
        drop_hardware(step);
      }
      return;
    }
    if (shows(step)) {
      drop(step, Disposition::dropped, "every rank would print it");
    }
  }

  void drop(ir::Step& step, Disposition disposition, const std::string& why) {
    context_.ledger.settle(step.entry, disposition, why, "S2F703");
    leave_out(step, why);
  }

  void leave_out(ir::Step& step, const std::string& why) {
    const std::string name = named(step);
    job_.not_carried.push_back(
        {fmt::format("{} {}: {}", context_.at(step.span), name, why), step.span});
    job_.removals.push_back(
        {step.span, "", fmt::format("line {}, {}", context_.sources.begin(step.span).line, name)});
    step.value = ir::Nothing{};
  }

  [[nodiscard]] std::string named(const ir::Step& step) const {
    if (const auto* list = assignments_of(*step.statement)) {
      std::vector<std::string> names;
      for (const shell::Assignment& each : *list) {
        names.push_back(each.name);
      }
      return fmt::format("{}", fmt::join(names, ", "));
    }
    return analysis::command_name(*shell::as_simple(*step.statement)).value_or("");
  }

  void drop_hardware(ir::Step& step) {
    review::Finding finding;
    finding.rule = "S2F705";
    finding.span = step.span;
    finding.message =
        fmt::format("{} names hardware of the site's nodes; it is left out.", named(step));
    finding.slurm_does = "The ranks talk over that device.";
    finding.output_does = "They talk over the network that their containers have.";
    finding.choices = {"leave it out", "set it for the new cluster: env_vars of the environment"};
    finding.default_ = finding.choices[0];
    const auto id = context_.findings.add(std::move(finding));
    context_.ledger.settle(step.entry, Disposition::decision, "names hardware of the site",
                           "S2F705", id);
    leave_out(step, "hardware of the site");
  }

  PassContext& context_;
  ir::Job& job_;
  ScriptValues values_;
  RankStart start_;
  std::set<std::string> own_;
};

// A builtin that changes nothing but the shell of the rank itself.
bool sets_the_shell(const shell::Statement& statement) {
  static constexpr std::array builtins{"cd", "set", "shopt", "ulimit", "umask", "unset"};
  const auto* command = shell::as_simple(statement);
  const auto name = command == nullptr ? std::nullopt : analysis::command_name(*command);
  return name && statement.redirects.empty() && !statement.background &&
         std::ranges::find(builtins, *name) != builtins.end();
}

// Whether it does the same in every rank, and no harm.
bool same_in_every_rank(const ir::Job& job, const ir::Step& step) {
  const auto* launch = std::get_if<ir::Launch>(&step.value);
  if (launch != nullptr && !launch->rank) {
    return (launch->words.size() > 2 && launch->words[0].text() == "mkdir" &&
            launch->words[1].text() == "-p");
  }
  if (std::holds_alternative<ir::ShellOptions>(step.value) ||
      std::holds_alternative<ir::ChangeDirectory>(step.value) ||
      std::holds_alternative<ir::Nothing>(step.value)) {
    return true;
  }
  if (launch == nullptr && !std::holds_alternative<ir::Opaque>(step.value) &&
      !std::holds_alternative<ir::Assign>(step.value)) {
    return false;
  }
  const auto start =
      *std::ranges::find_if(job.srun_steps, [](const ir::SrunStep& each) { return each.ranks; });
  if (assignments_of(*step.statement) == nullptr && !step.span.contains(start.prefix) &&
      !sets_the_shell(*step.statement)) {
    return false;
  }
  bool same = true;
  analysis::Visitor visitor;
  visitor.part = [&](const shell::WordPart& part) {
    if (start.prefix.contains(part.span)) {
      return;
    }
    static constexpr std::array varying{"RANDOM", "SECONDS", "EPOCHSECONDS", "BASHPID", "SRANDOM"};
    const auto* parameter = std::get_if<shell::Parameter>(&part.value);
    same &= !std::holds_alternative<shell::CommandSubstitution>(part.value) &&
            !std::holds_alternative<shell::ProcessSubstitution>(part.value) &&
            (parameter == nullptr || std::ranges::find(varying, parameter->name) == varying.end());
  };
  analysis::walk(*step.statement, visitor);
  return same;
}

} // namespace

void clustered(PassContext& context) { Clusters(context).run(); }

void clustered_alone(PassContext& context) {
  ir::Job& job = context.job;
  if (!job.cluster || job.cluster->launcher == "ray") {
    return;
  }
  for (const ir::Step& step : job.body) {
    if (!same_in_every_rank(job, step)) {
      job.stays_on_slurm = ir::Reason{
          "S2F706",
          "it starts the ranks of a torch program on several nodes, and this part of the script "
          "would run once in every rank",
          step.span};
      return;
    }
  }
}

} // namespace s2f::passes
