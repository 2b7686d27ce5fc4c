// srun, MPI launchers and Slurm's own commands in a body.
//
// before:  srun -n 1 python train.py      after:  the words `srun -n 1` are removed
// before:  srun ./solver   (64 tasks)     after:  stays_on_slurm, S2F702
// before:  srun python train.py  (4 tasks on one node, no MPI)   after:  four copies, S2F455
// before:  mpirun ./solver                after:  stays_on_slurm, S2F702
// before:  squeue -u $USER                after:  Nothing, S2F450
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "generated/tables/launchers.hpp"
#include "passes/container_command.hpp"
#include "passes/launcher_words.hpp"
#include "passes/mpi_in_container.hpp"
#include "passes/pipeline.hpp"
#include "passes/rank_evidence.hpp"
#include "passes/rank_programs.hpp"
#include "passes/rank_start.hpp"
#include "passes/slurm_commands.hpp"
#include "passes/srun.hpp"
#include "passes/step_room.hpp"

namespace s2f::passes {

namespace {

using Kind = tables::LaunchersKind;

void stay(PassContext& context, std::string rule, std::string text, Span span) {
  const auto& known = context.job.stays_on_slurm;
  // That ranks talk by MPI says more than that the job asks Slurm for its nodes.
  if (!known || (known->rule == "S2F407" && rule == "S2F702")) {
    context.job.stays_on_slurm = ir::Reason{std::move(rule), std::move(text), span};
  }
}

// A word that means the same unquoted in Bash.
bool plain(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_./+-:,@%=").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

class Launchers {
public:
  explicit Launchers(PassContext& context)
      : context_(context), job_(context.job), values_(job_.script, context.component()),
        uses_(job_.body) {}

  void run() {
    slurm_commands(context_, uses_);
    for (ir::Step& step : job_.body) {
      if (!std::holds_alternative<ir::Opaque>(step.value) || step.statement == nullptr) {
        continue;
      }
      step_ = &step;
      analysis::Visitor visitor;
      visitor.statement = [&](const shell::Statement& inner) {
        const auto* command = shell::as_simple(inner);
        if (command != nullptr && !command->words.empty() && !removed(inner)) {
          look(*command, inner);
        }
      };
      analysis::walk(*step.statement, visitor);
    }
  }

private:
  // Whether slurm_commands or clustered has dealt with it.
  [[nodiscard]] bool removed(const shell::Statement& statement) const {
    const auto* command = shell::as_simple(statement);
    const bool ranks = std::ranges::any_of(job_.srun_steps, [&](const ir::SrunStep& step) {
      return statement.span.contains(step.prefix) && step.ranks;
    });
    if (ranks) {
      return true;
    }
    return std::ranges::any_of(job_.removals, [&](const ir::Removal& removal) {
      return removal.span.contains(command->words.front().span);
    });
  }

  // Whether the script has a function of that name, whose own commands are looked at.
  [[nodiscard]] bool defines(std::string_view name) const {
    return std::ranges::any_of(job_.body, [&](const ir::Step& step) {
      const auto* function = step.statement == nullptr
                                 ? nullptr
                                 : std::get_if<shell::Function>(&step.statement->value);
      return function != nullptr && function->name == name;
    });
  }

  void look(const shell::SimpleCommand& command, const shell::Statement& statement) {
    PlainWords words;
    for (const shell::Word& word : command.words) {
      words.push_back(word.literal());
    }
    // Behind `time`, `env`, `exec`, `nohup` and their like the launcher is a later word.
    if (words.size() > 1 && words[0] == "command" && (words[1] == "-v" || words[1] == "-V")) {
      return; // it only looks for a program
    }
    const std::size_t at = behind_wrappers(words).program;
    if (at >= words.size() || !words[at]) {
      return;
    }
    const std::string name = program_name(*words[at]);
    const auto* row = defines(name) ? nullptr : launcher_of(name);
    if (row == nullptr) {
      return;
    }
    switch (row->kind) {
    case Kind::mpi:
      if (start_mpi(context_, command, at, statement)) {
        return;
      }
      stay(context_, "S2F702", fmt::format("{} starts the ranks of an MPI program", name),
           statement.span);
      return;
    case Kind::step:
      srun(command, at, statement);
      return;
    case Kind::submit:
      stay(context_, "S2F407", fmt::format("the job itself calls {}", row->name), statement.span);
      return;
    case Kind::slurm:
    case Kind::query: {
      const std::string asked = asked_of_slurm(command);
      stay(context_, "S2F407",
           fmt::format("the job calls {}{}", asked.empty() ? std::string(row->name) : asked,
                       row->kind == Kind::query ? " and uses what it says" : ""),
           statement.span);
      return;
    }
    case Kind::module: // the environment pass reads it
      return;
    }
  }

  void srun(const shell::SimpleCommand& command, std::size_t at,
            const shell::Statement& statement) {
    StepOptions step = read_step(command, at, values_);
    step.container = step.container && !step_container_fits(context_, command, at, step.program);
    if (step.interactive && interactive(command, step, statement)) {
      return;
    }
    if (step.program >= command.words.size()) {
      stay(context_, "S2F407", step.unknown.empty() ? "an srun without a program" : step.unknown,
           statement.span);
      return;
    }
    const auto copies = copies_of(step, context_.component());
    if (!step.mpi.empty() && copies && mpi_in_container(context_) &&
        step.mpi != "srun with several programs" && !step.container && !step.streams &&
        !step.directory && !step.output && !step.error && step.environment.empty()) {
      start_copies_by_mpi(context_, command, at, step.program, *copies, statement);
    } else if (!step.mpi.empty()) {
      stay(context_, "S2F702", fmt::format("{} starts the ranks of an MPI program", step.mpi),
           statement.span);
    } else if (!copies) {
      const Ranks ranks = told_ranks(context_, command, known_words(command), step.program);
      const std::string& why = step.unknown.empty() ? step.unknown_nodes : step.unknown;
      stay(context_, "S2F702",
           ranks.kind == Ranks::Kind::mpi ? fmt::format("{}: {}", why, ranks.why) : why,
           statement.span);
    } else if (*copies > 1) {
      several(command, at, step, *copies, statement);
    } else if (step.container) {
      stay(context_, "S2F520", "srun runs its program in a container of its own", statement.span);
    } else {
      one(command, at, step, statement, "srun of one process");
    }
  }

  // The shell of `srun --pty bash` waits for a person; with any other program --pty is a terminal.
  bool interactive(const shell::SimpleCommand& command, const StepOptions& step,
                   const shell::Statement& statement) {
    static constexpr std::array shells{"bash", "sh", "zsh", "csh", "tcsh", "ksh", "fish"};
    for (std::size_t i = step.program; i < command.words.size(); ++i) {
      const std::string text = context_.text(command.words[i].span);
      const std::string name = program_name(text);
      const bool shell =
          std::ranges::find(shells, name) != shells.end() || text.find("SHELL") != text.npos;
      if (i == step.program ? !shell : !text.starts_with('-') || text.starts_with("-c")) {
        return false;
      }
    }
    review::Finding finding;
    finding.rule = "S2F453";
    finding.span = statement.span;
    finding.message =
        fmt::format("`{}` is a shell for a person; it is left out.", context_.text(statement.span));
    finding.slurm_does = "In a batch job nobody types into it: it ends at once.";
    finding.output_does = "Nothing. `flyte run --debug` opens an editor in a task's container.";
    finding.choices = {"leave it out", "keep the job on Slurm"};
    finding.default_ = finding.choices[0];
    const auto id = context_.findings.add(std::move(finding));
    const bool whole = &statement == step_->statement;
    job_.removals.push_back({statement.span, whole ? "" : ":",
                             fmt::format("line {}, an interactive shell",
                                         context_.sources.begin(statement.span).line)});
    job_.not_carried.push_back(
        {fmt::format("{} an interactive shell: flyte run --debug", context_.at(statement.span)),
         statement.span});
    if (whole) {
      context_.ledger.settle(step_->entry, review::Disposition::decision,
                             "flyte run --debug opens an editor in the container", "S2F453", id);
      step_->value = ir::Nothing{};
    }
    return true;
  }

  [[nodiscard]] PlainWords known_words(const shell::SimpleCommand& command) const {
    PlainWords words;
    for (const shell::Word& word : command.words) {
      const auto texts = values_.of(word);
      words.push_back(
          texts && texts->size() == 1 && !texts->front().empty() &&
                  (word.quoted() || texts->front().find_first_of(" \t\n") == std::string::npos)
              ? std::optional(texts->front())
              : std::nullopt);
    }
    return words;
  }

  void several(const shell::SimpleCommand& command, std::size_t at, const StepOptions& step,
               std::int64_t copies, const shell::Statement& statement) {
    const Ranks ranks = told_ranks(context_, command, known_words(command), step.program);
    const std::string start = fmt::format("srun starts {} copies of its program", copies);
    const bool one_node = has_one_node(context_.component());
    const bool to_file = std::ranges::any_of(statement.redirects, [](const auto& redirect) {
      return redirect.target.literal() != "/dev/null" &&
             redirect.kind != shell::RedirectKind::duplicate_output;
    });
    const bool used = uses_.captured(statement.span) || to_file;
    const bool once = ranks.kind == Ranks::Kind::once ||
                      (ranks.kind == Ranks::Kind::shows && !used && !step.output && !step.error);
    const bool mpi = ranks.kind == Ranks::Kind::mpi || ranks.kind == Ranks::Kind::unknown;
    if (mpi && mpi_in_container(context_) && !step.container && !step.streams && !step.directory &&
        !step.output && !step.error && step.environment.empty()) {
      start_copies_by_mpi(context_, command, at, step.program, copies, statement);
    } else if (mpi) {
      stay(context_, "S2F702", fmt::format("{}: {}", start, ranks.why), statement.span);
    } else if (step.container) {
      stay(context_, "S2F520", "srun runs its program in a container of its own", statement.span);
    } else if (once) {
      review::Finding finding;
      finding.rule = "S2F456";
      finding.span = statement.span;
      finding.message = fmt::format("srun runs `{}` {} times; here it runs once.",
                                    context_.text(command.words[step.program].span), copies);
      finding.slurm_does = "Every task of the step runs it, on its node.";
      finding.output_does = "It runs once: there is one container and one disk.";
      context_.findings.add(std::move(finding));
      one(command, at, step, statement, fmt::format("srun of {} copies", copies));
    } else if (ranks.kind == Ranks::Kind::shows || !one_node) {
      stay(context_, "S2F702",
           one_node ? fmt::format("{}, and something uses what they print", start) : start,
           statement.span);
    } else {
      side_by_side(command, at, step, copies, statement, start);
    }
  }

  void side_by_side(const shell::SimpleCommand& command, std::size_t at, const StepOptions& step,
                    std::int64_t copies, const shell::Statement& statement,
                    const std::string& start) {
    const bool whole = &statement == step_->statement && !statement.background &&
                       !statement.negated && !statement.timed && at == 0;
    const auto per_task = context_.component().gpus;
    const bool each = step.gpus_per_task || (per_task && per_task->per == slurm::Per::task);
    if (!whole || step.streams || step.directory || step.output || step.error ||
        (step.gpus_per_task && !step.gpus_each)) {
      stay(context_, "S2F702",
           start + (whole ? ", with files, variables or GPUs of their own"
                          : ", within another command"),
           statement.span);
      return;
    }
    review::Finding finding;
    finding.rule = "S2F455";
    finding.span = statement.span;
    finding.message = fmt::format("srun starts {} copies of its program on one node.", copies);
    finding.slurm_does = "They run at once, each with its SLURM_PROCID and SLURM_LOCALID; the "
                         "step ends with the highest status.";
    finding.output_does = "The task starts them at once in one container, with these variables, "
                          "and goes by the highest status.";
    context_.findings.add(std::move(finding));
    say_placement(context_, step, statement.span);
    ir::SrunStep record;
    record.prefix = prefix(command, at, step, statement);
    record.copies = copies;
    record.gpus_each = step.gpus_per_task ? *step.gpus_each : each ? per_task->count : 0;
    record.environment = step.environment;
    job_.srun_steps.push_back(std::move(record));
  }

  static Span prefix(const shell::SimpleCommand& command, std::size_t at, const StepOptions& step,
                     const shell::Statement& statement) {
    return {statement.span.source, command.words[at].span.begin,
            command.words[step.program].span.begin};
  }

  // Whether a step of one process may run on another node than the script: Slurm places it, or
  // spreads those that run at once.
  [[nodiscard]] bool elsewhere(const StepOptions& step) const {
    if (has_one_node(context_.component())) {
      return false;
    }
    bool background = false;
    analysis::Visitor visitor;
    visitor.statement = [&](const shell::Statement& inner) { background |= inner.background; };
    for (const ir::Step& each : job_.body) {
      if (each.statement != nullptr && !std::holds_alternative<ir::Nothing>(each.value)) {
        analysis::walk(*each.statement, visitor);
      }
    }
    return step.placed || background;
  }

  void one(const shell::SimpleCommand& command, std::size_t at, const StepOptions& step,
           const shell::Statement& statement, const std::string& what) {
    if (elsewhere(step)) {
      stay(context_, "S2F707", "srun starts a program on another node than the first",
           statement.span);
      return;
    }
    const bool streams = step.output || step.error;
    const auto fits = [](const std::optional<std::string>& file) { return !file || plain(*file); };
    const bool environment =
        std::ranges::all_of(step.environment, [](const auto& pair) { return plain(pair.second); });
    if (step.directory || step.streams || !environment || !fits(step.output) || !fits(step.error) ||
        (streams && !statement.redirects.empty())) {
      stay(context_, "S2F407",
           "srun changes the directory, the environment or the streams of its program",
           statement.span);
      return;
    }
    say_placement(context_, step, statement.span);
    ir::SrunStep record;
    record.prefix = prefix(command, at, step, statement);
    record.environment = step.environment;
    record.output = step.output;
    record.error = step.error;
    record.size = size_of(step);
    if (auto gpus = first_gpus(record.size, statement)) {
      record.environment.emplace_back(gpu_variable, std::move(*gpus));
    }
    std::string before;
    for (const auto& [name, value] : record.environment) {
      before += name + "=" + value + " ";
    }
    if (!before.empty() && at > 0) {
      before.insert(0, "env "); // an assignment is one only as the first word
    }
    const std::string line =
        fmt::format("line {}, {}", context_.sources.begin(record.prefix).line, what);
    job_.removals.push_back({record.prefix, std::move(before), line});
    if (streams) {
      const std::uint32_t end = command.words.back().span.end;
      job_.removals.push_back({Span{statement.span.source, end, end}, redirection(step), line});
    }
    job_.srun_steps.push_back(std::move(record));
  }

  // What it takes of the job; --gpus-per-task of a step of one process is what the step has.
  [[nodiscard]] std::optional<ir::StepSize> size_of(const StepOptions& step) const {
    const bool unread = step.asks_gpus && !gpus_of_step(step);
    if (!has_one_node(context_.component()) || unread) {
      return std::nullopt;
    }
    return ir::StepSize{step.cpus.value_or(1), own_gpus(step), step.exact, step.overlap};
  }

  // Seen of 22.05: a job's --gpus-per-node holds for each step that names no GPUs of a node, and
  // none (gpu:0) of one that asks by --gres alone is refused or means all.
  [[nodiscard]] std::optional<std::int64_t> own_gpus(const StepOptions& step) const {
    const auto& winner = context_.component().winner;
    const bool by_node = winner.contains("gpus-per-node");
    const auto own = gpus_of_step(step);
    const bool all =
        (by_node && !step.gpus_by_node) || (own == 0 && (by_node || winner.contains("gpus")));
    return all ? std::nullopt : own;
  }

  // The GPUs that a step sees which runs alone and asks for fewer than the job has: the first.
  [[nodiscard]] std::optional<std::string> first_gpus(const std::optional<ir::StepSize>& size,
                                                      const shell::Statement& statement) const {
    const auto all = context_.component().share.gpus;
    if (!size || !all || size->gpus.value_or(*all) >= *all || beside(statement)) {
      return std::nullopt;
    }
    return gpu_numbers(0, *size->gpus);
  }

  // Whether it runs in the background, or within something that does; a function may.
  [[nodiscard]] bool beside(const shell::Statement& statement) const {
    bool found = statement.background;
    analysis::Visitor visitor;
    visitor.statement = [&](const shell::Statement& outer) {
      found |= (outer.background || std::holds_alternative<shell::Function>(outer.value)) &&
               outer.span.contains(statement.span);
    };
    analysis::walk(*step_->statement, visitor);
    return found;
  }

  // What --output and --error of srun are as redirections: one file takes both streams.
  static std::string redirection(const StepOptions& step) {
    if (!step.output) {
      return " 2>" + *step.error;
    }
    const bool both = !step.error || *step.error == *step.output;
    return both ? " >" + *step.output + " 2>&1" : " >" + *step.output + " 2>" + *step.error;
  }

  PassContext& context_;
  ir::Job& job_;
  ScriptValues values_;
  OutputUses uses_;
  ir::Step* step_ = nullptr;
};

} // namespace

void launchers(PassContext& context) {
  if (context.job.header.components.size() > 1) {
    stay(context, "S2F303", "a heterogeneous job has several components that start together",
         context.job.interpreter.span);
  }
  Launchers(context).run();
}

} // namespace s2f::passes
