// Finds srun with a torch launcher behind it, in the text of `bash -c`, or with a Python program
// that is one rank itself.
#include "passes/rank_start.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "passes/inner_launcher.hpp"
#include "passes/pipeline.hpp"
#include "passes/rank_programs.hpp"
#include "passes/slurm_commands.hpp"
#include "passes/wrappers.hpp"

namespace s2f::passes {

namespace {

class Finder {
public:
  Finder(PassContext& context, const ScriptValues& values)
      : context_(context), job_(context.job), values_(values) {}

  std::optional<RankStart> find() {
    for (ir::Step& step : job_.body) {
      if (step.statement == nullptr || !std::holds_alternative<ir::Opaque>(step.value)) {
        continue;
      }
      analysis::Visitor visitor;
      visitor.statement = [&](const shell::Statement& inner) { look(step, inner); };
      analysis::walk(*step.statement, visitor);
    }
    if (found_ && found_->why.empty()) {
      found_->why = place();
    }
    return std::move(found_);
  }

private:
  void look(ir::Step& step, const shell::Statement& inner) {
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
    RankStart start;
    start.step = &step;
    start.statement = &inner;
    start.options = read_step(*command, at, values_);
    if (start.options.program >= command->words.size() || !launched(*command, start)) {
      return;
    }
    if (at != 0) {
      start.why = fmt::format("{} stands before srun", *words[0]);
    }
    if (found_) {
      found_->why = "it starts ranks more than once";
      return;
    }
    found_ = std::move(start);
  }

  bool launched(const shell::SimpleCommand& command, RankStart& start) {
    const std::size_t program = start.options.program;
    if (auto launcher = read_rank_launcher(command, program, values_)) {
      start.launcher = std::move(*launcher);
      if (start.launcher.why.empty() && start.launcher.shared) {
        start.words = known_words(command, start.launcher, nullptr);
        start.why = start.words ? "" : "the words behind the launcher are not all known";
      }
      return true;
    }
    if (auto within = read_inner_launcher(command, program, values_, exported())) {
      start.launcher = std::move(within->launcher);
      start.words = std::move(within->words);
      start.environment = std::move(within->environment);
      start.names = std::move(within->names);
      return true;
    }
    return itself(command, start);
  }

  // srun python train.py, which reads its number from the environment.
  bool itself(const shell::SimpleCommand& command, RankStart& start) {
    PlainWords words;
    for (const shell::Word& word : command.words) {
      words.push_back(word.literal());
    }
    const std::size_t program = start.options.program;
    if (!words[program] || !is_python(program_name(*words[program])) ||
        !start.options.mpi.empty()) {
      return false;
    }
    const auto payload = python_payload(context_, words, program);
    if (!payload || ranks_of(context_, words, program).kind != Ranks::Kind::separate) {
      return false;
    }
    const std::string text = context_.read_file(*payload).value_or("");
    const auto names = [&](std::initializer_list<const char*> list) {
      return std::ranges::any_of(
          list, [&](const char* name) { return text.find(name) != std::string::npos; });
    };
    if (!names({"torch", "lightning", "accelerate", "\"RANK\"", "'RANK'", "SLURM_PROCID"})) {
      return false;
    }
    if (names({"scontrol", "hostlist"})) {
      start.why = fmt::format("{} asks Slurm for the names of its nodes", *payload);
    }
    start.launcher.name = "srun";
    start.launcher.no_python = true;
    start.launcher.program = program;
    start.launcher.nodes = nodes_of(context_.component());
    if (const auto copies = copies_of(start.options, context_.component())) {
      start.launcher.total = *copies;
    } else {
      start.why = "how many copies srun starts is known only when the job runs";
    }
    return true;
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

  // Whether the command stands by itself, or with nothing but `| tee log` and `> log` behind it.
  std::string place() {
    RankStart& start = *found_;
    const shell::Statement& whole = *start.step->statement;
    if (whole.background || whole.negated || whole.timed || start.statement->background ||
        start.statement->negated || start.statement->timed) {
      return "srun stands in the background, behind `!` or behind `time`";
    }
    for (const shell::Redirect& redirect : start.statement->redirects) {
      using Kind = shell::RedirectKind;
      if (redirect.kind == Kind::duplicate_output) {
        continue;
      }
      const bool out = redirect.kind == Kind::output || redirect.kind == Kind::append ||
                       redirect.kind == Kind::output_both || redirect.kind == Kind::append_both;
      if (!out) {
        return "srun reads its input from somewhere";
      }
      start.log = context_.text(redirect.target.span);
    }
    if (start.statement == &whole) {
      return {};
    }
    const auto* pipeline = std::get_if<shell::Pipeline>(&whole.value);
    if (pipeline == nullptr || pipeline->commands.size() != 2 ||
        pipeline->commands[0].span != start.statement->span || !whole.redirects.empty()) {
      return "srun stands within another command";
    }
    const auto* tee = shell::as_simple(pipeline->commands[1]);
    if (tee == nullptr || tee->words.empty() || tee->words[0].literal() != "tee" ||
        !pipeline->commands[1].redirects.empty()) {
      return "another command reads what the ranks print";
    }
    start.tail = {whole.span.source, start.statement->span.end, whole.span.end};
    start.log = context_.text(tee->words.back().span);
    return {};
  }

  PassContext& context_;
  ir::Job& job_;
  const ScriptValues& values_;
  std::optional<RankStart> found_;
};

} // namespace

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

bool exports(const shell::Statement& statement) {
  return !shell::as_simple(statement)->words.empty();
}

std::optional<RankStart> find_rank_start(PassContext& context, const ScriptValues& values) {
  return Finder(context, values).find();
}

} // namespace s2f::passes
