// A job that asks Slurm to start it again before its time is up, and goes on from its checkpoints.
//
// before:  trap 'scontrol requeue $SLURM_JOB_ID' USR1
//          python train.py --ckpt-dir checkpoints --resume auto &
//          wait
// after:   Nothing; Launch{python train.py ...}, in the foreground; Nothing; resume =
//          {checkpoints}, retries, S2F608
#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "passes/path_names.hpp"
#include "passes/pipeline.hpp"
#include "passes/restarts.hpp"

namespace s2f::passes {

namespace {

using Steps = std::vector<ir::Step>;

const shell::SimpleCommand* command_of(const ir::Step& step) {
  return step.statement == nullptr ? nullptr : shell::as_simple(*step.statement);
}

std::optional<std::string> name_of(const ir::Step& step) {
  const auto* command = command_of(step);
  return command == nullptr || command->words.empty() ? std::nullopt
                                                      : analysis::command_name(*command);
}

// Whether commands do nothing but have the job start again and say so.
bool only_requeues(const std::set<std::string>& commands) {
  static const std::set<std::string> harmless{"scontrol", "echo", "exit", "date",
                                              "true",     ":",    "[",    "sleep"};
  return (commands.contains("scontrol") || commands.contains("sbatch")) &&
         std::ranges::all_of(commands, [](const auto& name) {
           return name == "sbatch" || harmless.contains(name);
         });
}

// The first words of the commands in a trap's text.
std::set<std::string> commands_in(std::string_view text) {
  std::set<std::string> names;
  while (!text.empty()) {
    const auto end = text.find_first_of(";&\n");
    std::string_view one = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const auto begin = one.find_first_not_of(" \t");
    if (begin == std::string_view::npos) {
      continue;
    }
    one.remove_prefix(begin);
    names.emplace(one.substr(0, one.find_first_of(" \t")));
  }
  return names;
}

class Resume {
public:
  explicit Resume(PassContext& context) : context_(context), job_(context.job) {}

  void run() {
    const auto trap = find_trap();
    if (!trap) {
      return;
    }
    Steps& body = job_.body;
    const auto background = std::ranges::find_if(
        body, [](const ir::Step& step) { return step.statement && step.statement->background; });
    if (background == body.end() || *trap > index(background)) {
      return;
    }
    // PID=$! and an echo may stand before the `wait`.
    std::vector<std::size_t> nothing{*trap};
    std::string pid;
    auto at = background + 1;
    for (; at != body.end() && name_of(*at) != "wait"; ++at) {
      const auto* command = command_of(*at);
      if (command == nullptr) {
        return;
      }
      if (command->words.empty() && command->assignments.size() == 1 &&
          context_.text(command->assignments[0].span).ends_with("=$!")) {
        pid = command->assignments[0].name;
        nothing.push_back(index(at));
      } else if (name_of(*at) != "echo") {
        return;
      }
    }
    if (at == body.end() || !waits(*at, pid) || others_in_background(background, at)) {
      return;
    }
    const bool whole_status = command_of(*at)->words.size() > 1;
    const auto directory = checkpoint_directory(*command_of(*background));
    if (directory.empty() || reads(at + 1, pid)) {
      return;
    }
    for (const std::size_t step : nothing) {
      leave_out(body[step], "Flyte starts the task again, and the checkpoint is its");
    }
    if (function_) {
      leave_out(body[*function_], "the trap ran it");
    }
    body[index(at)].value = ir::Nothing{whole_status};
    context_.ledger.settle(body[index(at)].entry, review::Disposition::platform,
                           "the task waits for its programs");
    job_.resume = ir::Resume{background->statement, directory, context_.at(body[*trap].span),
                             body[*trap].span};
    // In the foreground it runs where the job waits for it, and gives the status of the `wait`.
    std::rotate(background, background + 1, at);
  }

private:
  [[nodiscard]] std::size_t index(Steps::iterator step) const {
    return static_cast<std::size_t>(step - job_.body.begin());
  }

  // trap 'scontrol requeue $SLURM_JOB_ID' USR1, or the name of a function that does this.
  std::optional<std::size_t> find_trap() {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < job_.body.size(); ++i) {
      if (name_of(job_.body[i]) != "trap") {
        continue;
      }
      const auto* command = command_of(job_.body[i]);
      const auto action =
          command->words.size() > 2 ? context_.text(command->words[1].span) : std::string();
      if (found || action.size() < 2) {
        return std::nullopt; // another trap may need the shell
      }
      const bool quoted = action.front() == '\'' || action.front() == '"';
      const std::string text = quoted ? action.substr(1, action.size() - 2) : action;
      if (!only_requeues(commands_in(text)) && !is_function(text)) {
        return std::nullopt;
      }
      if (!function_ && !starts_again(text)) {
        return std::nullopt;
      }
      found = i;
    }
    return found;
  }

  // scontrol requeue ..., sbatch $0
  [[nodiscard]] bool starts_again(std::string_view text) const {
    const auto at = text.find("sbatch ");
    if (at == std::string_view::npos) {
      return text.find("requeue") != std::string_view::npos;
    }
    std::string_view word = text.substr(at + std::string_view("sbatch ").size());
    word = word.substr(0, word.find_first_of(" \t\n;&"));
    return names_itself(word, leaf_of(job_.path));
  }

  bool is_function(const std::string& name) {
    for (std::size_t i = 0; i < job_.body.size(); ++i) {
      const auto* statement = job_.body[i].statement;
      const auto* function =
          statement == nullptr ? nullptr : std::get_if<shell::Function>(&statement->value);
      if (function != nullptr && function->name == name &&
          starts_again(context_.text(job_.body[i].span)) &&
          only_requeues(analysis::effects_of(*function->body).commands)) {
        function_ = i;
        return true;
      }
    }
    return false;
  }

  static bool waits(const ir::Step& step, const std::string& pid) {
    const auto* command = command_of(step);
    if (!step.statement->redirects.empty() || command->words.size() > 2) {
      return false;
    }
    if (command->words.size() == 1) {
      return true;
    }
    const auto& parts = command->words[1].parts;
    const shell::WordPart* part = parts.size() == 1 ? &parts.front() : nullptr;
    const auto* quoted = part == nullptr ? nullptr : std::get_if<shell::DoubleQuoted>(&part->value);
    if (quoted != nullptr && quoted->parts.size() == 1) {
      part = &quoted->parts.front();
    }
    const auto* parameter = part == nullptr ? nullptr : std::get_if<shell::Parameter>(&part->value);
    return parameter != nullptr && parameter->op.empty() &&
           (parameter->name == "!" || (!pid.empty() && parameter->name == pid));
  }

  // Another program in the background, or another `wait`, before or behind.
  [[nodiscard]] bool others_in_background(Steps::const_iterator first,
                                          Steps::const_iterator last) const {
    const auto busy = [](const ir::Step& step) {
      return step.statement != nullptr && analysis::effects_of(*step.statement).background;
    };
    return std::any_of(job_.body.cbegin(), first, busy) ||
           std::any_of(last + 1, job_.body.cend(), busy);
  }

  [[nodiscard]] bool reads(Steps::const_iterator from, const std::string& pid) const {
    return !pid.empty() && std::any_of(from, job_.body.cend(), [&](const ir::Step& step) {
      return step.statement != nullptr && analysis::effects_of(*step.statement).reads.contains(pid);
    });
  }

  void leave_out(ir::Step& step, std::string why) {
    context_.ledger.settle(step.entry, review::Disposition::dropped, std::move(why), "S2F608");
    job_.removals.push_back(
        {step.span, "",
         fmt::format("line {}, the requeue", context_.sources.begin(step.span).line)});
    step.value = ir::Nothing{true};
  }

  PassContext& context_;
  ir::Job& job_;
  std::optional<std::size_t> function_;
};

} // namespace

void resume(PassContext& context) { Resume(context).run(); }

// Only a program that the task itself starts can be followed by its checkpoints.
void resumed(PassContext& context) {
  ir::Job& job = context.job;
  if (!job.resume) {
    return;
  }
  const auto step = std::ranges::find(job.body, job.resume->statement, &ir::Step::statement);
  const auto* launch = step == job.body.end() ? nullptr : std::get_if<ir::Launch>(&step->value);
  const bool all = std::ranges::none_of(job.body, [](const ir::Step& each) {
    return std::holds_alternative<ir::Opaque>(each.value);
  });
  if (!job.restarts.empty()) {
    if (launch == nullptr || job.array || job.cluster || launch->copies > 1) {
      job.resume.reset();
    }
    return;
  }
  if (launch == nullptr || !all || job.array || job.cluster || launch->copies > 1) {
    job.stays_on_slurm = ir::Reason{"S2F407", "the job calls scontrol requeue", job.resume->span};
    return;
  }
  review::Finding finding;
  finding.rule = "S2F608";
  finding.span = job.resume->span;
  finding.message =
      fmt::format("The job has itself requeued before its time is up; it goes on from {}.",
                  job.resume->directory);
  finding.slurm_does = "It starts the job again on any node, as often as it takes; the directory "
                       "is on a file system that all nodes share.";
  finding.output_does =
      fmt::format("{} is saved every minute, and loaded by the next attempt; attempts are counted, "
                  "and nothing sends a signal before the end of one.",
                  job.resume->directory);
  finding.choices = {"checkpoints and retries", "keep the job on Slurm"};
  finding.default_ = finding.choices[0];
  finding.config_key = "requeue.retries";
  const auto id = context.findings.add(std::move(finding));
  context.settle("signal", review::Disposition::dropped,
                 "nothing sends such a signal; the checkpoints are saved every minute", "S2F608",
                 id);
  if (const auto asked = context.asked("signal"); !asked.empty()) {
    job.not_carried.push_back(
        {fmt::format("{} {}, and {} its trap: no signal is sent; {} is saved every minute",
                     context.at(context.spans("signal").front()), asked, job.resume->requeued,
                     job.resume->directory),
         job.resume->span});
  } else {
    job.not_carried.push_back({fmt::format("{} the trap: no signal is sent; {} is saved every "
                                           "minute",
                                           job.resume->requeued, job.resume->directory),
                               job.resume->span});
  }
}

} // namespace s2f::passes
