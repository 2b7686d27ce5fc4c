// A torch program on several nodes: Flyte starts its ranks.
//
// before:  export MASTER_ADDR=$(scontrol show hostnames | head -n 1)
//          srun torchrun --nnodes=4 --nproc_per_node=8 --rdzv_endpoint=$MASTER_ADDR:29500 train.py
// after:   cluster = 4 replicas x 8 processes; MASTER_ADDR is Nothing; Launch{python train.py}
#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "generated/tables/rank_programs.hpp"
#include "generated/tables/rank_variables.hpp"
#include "passes/inner_launcher.hpp"
#include "passes/pipeline.hpp"
#include "passes/rank_launcher.hpp"
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

// A statement that does nothing but give variables values.
const std::vector<shell::Assignment>* assignments_of(const shell::Statement& statement) {
  const auto* command = shell::as_simple(statement);
  if (command == nullptr || statement.background || !statement.redirects.empty()) {
    return nullptr;
  }
  if (command->words.empty()) {
    return &command->assignments;
  }
  const bool declares = analysis::command_name(*command) == "export" && command->words.size() == 1;
  return declares && command->assignments.empty() ? &command->declared : nullptr;
}

// A word of Bash that means the text.
std::string quoted(const std::string& text) {
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

bool exports(const shell::Statement& statement) {
  return !shell::as_simple(statement)->words.empty();
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
    for (ir::Step& step : job_.body) {
      if (step.statement != nullptr && std::holds_alternative<ir::Opaque>(step.value)) {
        find(step);
      }
    }
    if (start_ == nullptr || several_ || !geometry()) {
      return;
    }
    record();
    meeting_point();
    for (ir::Step& step : job_.body) {
      if (&step != start_ && step.statement != nullptr &&
          std::holds_alternative<ir::Opaque>(step.value)) {
        around(step);
      }
    }
  }

private:
  void find(ir::Step& step) {
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
      if (at >= words.size() || words[at] != "srun") {
        return;
      }
      const StepOptions options = read_step(*command, at, values_);
      if (options.program >= command->words.size()) {
        return;
      }
      auto launcher = read_rank_launcher(*command, options.program, values_);
      auto within = launcher ? std::nullopt
                             : read_inner_launcher(*command, options.program, values_, exported());
      if (within) {
        launcher = std::move(within->launcher);
        launcher->program = command->words.size(); // what bash runs is one word of srun's
      }
      if (!launcher) {
        return;
      }
      several_ |= start_ != nullptr || &inner != step.statement || at != 0;
      start_ = &step;
      options_ = options;
      launcher_ = std::move(*launcher);
      within_ = std::move(within);
    };
    analysis::walk(*step.statement, visitor);
  }

  // The names that the script exports anywhere.
  [[nodiscard]] std::set<std::string> exported() const {
    std::set<std::string> names;
    for (const ir::Step& step : job_.body) {
      const auto* list = step.statement == nullptr ? nullptr : assignments_of(*step.statement);
      if (list != nullptr && exports(*step.statement)) {
        for (const shell::Assignment& assignment : *list) {
          names.insert(assignment.name);
        }
      }
    }
    return names;
  }

  // Whether srun starts one launcher a node, and each launcher its share of the ranks.
  bool geometry() {
    const slurm::Component& component = context_.component();
    const std::int64_t nodes = nodes_of(component);
    const auto copies = copies_of(options_, component);
    const shell::Statement& statement = *start_->statement;
    const bool plain = !statement.background && !statement.negated && !statement.timed &&
                       !options_.container && !options_.directory && !options_.streams &&
                       !options_.output && !options_.error && options_.mpi.empty();
    if (!launcher_.why.empty() || !plain || copies != nodes ||
        component.resolved.nodes_max.value_or(nodes) != nodes || launcher_.nodes != nodes) {
      return false;
    }
    const auto gpus = component.share.gpus;
    if (launcher_.total) {
      launcher_.processes =
          *launcher_.total % nodes == 0 ? std::optional(*launcher_.total / nodes) : std::nullopt;
    } else if (launcher_.all_gpus) {
      launcher_.processes = gpus;
    } else if (!launcher_.processes && launcher_.name == "torchrun") {
      launcher_.processes = 1;
    }
    return launcher_.processes && *launcher_.processes > 0 &&
           (!gpus || *gpus == 0 || *gpus >= *launcher_.processes);
  }

  void record() {
    const auto& command = *shell::as_simple(*start_->statement);
    const std::int64_t nodes = *launcher_.nodes;
    const std::int64_t processes = *launcher_.processes;
    ir::SrunStep step;
    step.ranks = true;
    step.prefix = {start_->span.source, command.words.front().span.begin,
                   within_ ? command.words.back().span.end
                           : command.words[launcher_.program].span.begin};
    step.environment = options_.environment;
    if (within_) {
      step.environment.insert(step.environment.end(), within_->environment.begin(),
                              within_->environment.end());
    }
    if (!launcher_.no_python) {
      step.instead.emplace_back("python");
    }
    if (launcher_.module) {
      step.instead.emplace_back("-m");
    }
    if (within_) {
      step.instead.insert(step.instead.end(), within_->words.begin(), within_->words.end());
    }
    if (!launcher_.precision.empty()) {
      step.environment.emplace_back("ACCELERATE_MIXED_PRECISION", launcher_.precision);
    }
    std::string text; // where the statement stays Bash
    for (const auto& [name, value] : step.environment) {
      text += name + "=" + quoted(value) + " ";
    }
    for (const std::string& word : step.instead) {
      text += quoted(word) + (within_ && &word == &step.instead.back() ? "" : " ");
    }
    job_.removals.push_back(
        {step.prefix, std::move(text),
         fmt::format("line {}, srun and {}", context_.sources.begin(step.prefix).line,
                     launcher_.name)});
    job_.srun_steps.push_back(std::move(step));
    ir::Cluster cluster;
    cluster.replicas.value = nodes;
    cluster.replicas.asked = context_.asked("nodes");
    cluster.replicas.spans = context_.spans("nodes");
    cluster.processes.value = processes;
    cluster.processes.asked = fmt::format("of {}, so {} ranks", launcher_.name, nodes * processes);
    cluster.processes.spans = {start_->span};
    cluster.backend = launcher_.backend == "c10d" ? "c10d" : "";
    cluster.restarts = launcher_.restarts.value_or(0);
    cluster.launcher = launcher_.name;
    cluster.span = start_->span;
    job_.cluster = std::move(cluster);
    review::Finding finding;
    finding.rule = "S2F703";
    finding.span = start_->span;
    finding.message = fmt::format("{} nodes with {} process{} each: {} ranks.", nodes, processes,
                                  processes == 1 ? "" : "es", nodes * processes);
    finding.slurm_does = fmt::format("srun starts {} once a node, and that the ranks. Slurm gives "
                                     "all nodes at once.",
                                     launcher_.name);
    finding.output_does = "Flyte starts torchrun on every replica, and torchrun the task once a "
                          "rank. Replicas start together, but nothing holds them back until all "
                          "have a node. A rank that fails ends them all.";
    if (!launcher_.dropped.empty()) {
      finding.output_does += fmt::format(" {} of {} has no counterpart.",
                                         fmt::join(launcher_.dropped, ", "), launcher_.name);
    }
    const auto id = context_.findings.add(std::move(finding));
    (void)id;
    job_.not_carried.push_back({fmt::format("{} {}, {}: Flyte starts the ranks and lets them meet",
                                            context_.at(start_->span), "srun", launcher_.name),
                                start_->span});
    settle_shape(nodes);
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
    const auto& command = *shell::as_simple(*start_->statement);
    std::set<std::string> needed;
    for (std::size_t i = launcher_.program; i < command.words.size(); ++i) {
      needed.merge(names_in(command.words[i]));
    }
    for (std::size_t i = 0; i < std::min(launcher_.program, command.words.size()); ++i) {
      own_.merge(names_in(command.words[i]));
    }
    for (const auto& row : tables::rank_variables) {
      own_.insert(std::string(row.name));
    }
    for (const ir::Step& step : job_.body) {
      if (step.statement == nullptr || &step == start_ || assignments_of(*step.statement) ||
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
          const bool seen =
              exports(*step.statement) && tables::find_rank_variables(assignment.name) == nullptr;
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

  void around(ir::Step& step) {
    if (const auto* list = assignments_of(*step.statement)) {
      const auto own = [&](const shell::Assignment& each) {
        const auto* row = tables::find_rank_variables(each.name);
        const bool by_flyte = row != nullptr && row->from == tables::RankVariablesFrom::flyte;
        return own_.contains(each.name) && (row == nullptr ? !exports(*step.statement) : by_flyte);
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
  ir::Step* start_ = nullptr;
  bool several_ = false;
  StepOptions options_;
  RankLauncher launcher_;
  std::optional<InnerLauncher> within_; // of `bash -c`
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
  if (!job.cluster) {
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
