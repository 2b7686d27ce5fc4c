// Finds srun with a torch launcher behind it, in the text of `bash -c`, or with a Python program
// that is one rank itself.
#include "passes/rank_start.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "passes/accelerate_config.hpp"
#include "passes/container_command.hpp"
#include "passes/inner_launcher.hpp"
#include "passes/pipeline.hpp"
#include "passes/rank_programs.hpp"
#include "passes/rank_signs.hpp"
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
      deepspeed(step, inner, *command, words);
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

  // deepspeed --hostfile FILE, on the first node: it starts as many ranks on each as the node has
  // GPUs. Without a list of nodes it starts them on its own node alone.
  void deepspeed(ir::Step& step, const shell::Statement& inner, const shell::SimpleCommand& command,
                 const PlainWords& words) {
    if (!words[0] || program_name(*words[0]) != "deepspeed") {
      return;
    }
    auto launcher = read_rank_launcher(command, 0, values_);
    if (!launcher || (!launcher->hostfile && !launcher->nodes)) {
      return;
    }
    RankStart start;
    start.step = &step;
    start.statement = &inner;
    start.launcher = std::move(*launcher);
    start.launcher.nodes = start.launcher.nodes.value_or(nodes_of(context_.component()));
    start.launcher.all_gpus = !start.launcher.processes;
    if (found_) {
      found_->why = "it starts ranks more than once";
      return;
    }
    if (start.launcher.why.empty() && start.launcher.shared) {
      start.words = known_words(command, start.launcher, nullptr);
      start.why = start.words ? "" : "the words behind the launcher are not all known";
    }
    found_ = std::move(start);
  }

  bool launched(const shell::SimpleCommand& command, RankStart& start) {
    const std::size_t program = start.options.program;
    if (start_at(command, program, start)) {
      return true;
    }
    const auto container = read_container_command(context_, constants_of(job_), command, program);
    if (!container || container->inner >= command.words.size() ||
        !start_at(command, container->inner, start)) {
      return false;
    }
    start.container = program;
    start.inner = container->inner;
    return true;
  }

  // accelerate launch --config_file FILE: the command line goes before it.
  void configure(RankStart& start) {
    RankLauncher& launcher = start.launcher;
    if (!launcher.config || !launcher.why.empty()) {
      return;
    }
    AccelerateConfig config = read_accelerate_config(context_, values_, *launcher.config);
    launcher.nodes = launcher.nodes ? launcher.nodes : config.nodes;
    launcher.total = launcher.total ? launcher.total : config.total;
    launcher.why = std::move(config.why);
    if (launcher.precision.empty()) {
      launcher.precision = std::move(config.precision);
    }
    start.config = config.written;
  }

  bool start_at(const shell::SimpleCommand& command, std::size_t program, RankStart& start) {
    if (auto launcher = read_rank_launcher(command, program, values_)) {
      start.launcher = std::move(*launcher);
      configure(start);
      if (start.launcher.why.empty() && start.launcher.shared) {
        start.words = known_words(command, start.launcher, nullptr);
        start.why = start.words ? "" : "the words behind the launcher are not all known";
      }
      return true;
    }
    if (auto within = read_inner_launcher(context_, command, program, values_, exported())) {
      const bool rank = within->launcher.name == "srun";
      if (rank && !(start.options.mpi.empty() && in_text(*within, command, program, start))) {
        return false;
      }
      start.launcher = std::move(within->launcher);
      start.words = std::move(within->words);
      start.environment = std::move(within->environment);
      start.names = std::move(within->names);
      start.needed = std::move(within->needed);
      start.own = within->own;
      start.text_end = within->text_end;
      start.left_out = std::move(within->left_out);
      start.file = std::move(within->file);
      rank ? by_srun(start, program) : configure(start);
      return true;
    }
    return itself(command, program, start);
  }

  // bash -c "export RANK=$SLURM_PROCID; python train.py"
  bool in_text(const InnerLauncher& within, const shell::SimpleCommand& command,
               std::size_t program, RankStart& start) {
    const auto payload = python_payload(context_, within.program, 0);
    if (payload) {
      return by_payload(*payload, within.program, 0, command, start, program, within.sets);
    }
    const auto script = python_script(within.program, 0);
    const auto module = std::ranges::find(within.program, std::optional<std::string>("-m"));
    const bool named = module != within.program.end() && module + 1 != within.program.end();
    RankSigns signs = rank_signs(context_, command, program, within.sets);
    if ((!script && !named) || !signs.only_torch()) {
      return false;
    }
    start.unread = script ? *within.program[*script] : (module + 1)->value_or("its module");
    start.signs = std::move(signs.torch);
    start.against = std::move(signs.other);
    return true;
  }

  // srun itself starts the ranks.
  void by_srun(RankStart& start, std::size_t program) const {
    start.launcher.name = "srun";
    start.launcher.no_python = true;
    start.launcher.program = program;
    start.launcher.nodes = nodes_of(context_.component());
    if (const auto copies = copies_of(start.options, context_.component())) {
      start.launcher.total = *copies;
    } else {
      start.why = start.options.unknown.starts_with("--het-group") ||
                          start.options.unknown.starts_with("--pack-group")
                      ? start.options.unknown
                      : "how many copies srun starts is known only when the job runs";
    }
  }

  // srun python train.py, which reads its number from the environment.
  bool itself(const shell::SimpleCommand& command, std::size_t program, RankStart& start) {
    PlainWords words;
    for (const shell::Word& word : command.words) {
      const auto texts = values_.of(word);
      const bool one = texts && texts->size() == 1 && !texts->front().empty() &&
                       texts->front().find_first_of(" \t\n") == std::string::npos;
      words.push_back(one ? texts->front() : word.literal());
    }
    if (!words[program] || !is_python(program_name(*words[program])) ||
        !start.options.mpi.empty()) {
      return false;
    }
    const auto payload = python_payload(context_, words, program);
    if (payload ? !by_payload(*payload, words, program, command, start, program, {})
                : !by_signs(words, program, command, start)) {
      return false;
    }
    by_srun(start, program);
    return true;
  }

  // The program is there: it must be none of MPI, and one that torch's ranks can be.
  bool by_payload(const std::string& payload, const PlainWords& words, std::size_t program,
                  const shell::SimpleCommand& command, RankStart& start, std::size_t first,
                  const std::set<std::string>& sets) {
    if (ranks_of(context_, words, program).kind != Ranks::Kind::separate) {
      return false;
    }
    const std::string text = context_.read_file(payload).value_or("");
    const auto names = [&](std::initializer_list<const char*> list) {
      return std::ranges::any_of(
          list, [&](const char* name) { return text.find(name) != std::string::npos; });
    };
    if (names({"scontrol", "hostlist"})) {
      start.why = fmt::format("{} asks Slurm for the names of its nodes", payload);
    }
    if (!names({"torch", "lightning", "horovod", "tensorflow"}) &&
        names({"jax.distributed.initialize", "distributed.initialize()"}) && names({"jax"})) {
      start.jax = true;
      return true;
    }
    if (names({"torch", "lightning", "accelerate", "\"RANK\"", "'RANK'", "SLURM_PROCID"})) {
      return true;
    }
    if (first == program) {
      return by_signs(words, program, command, start);
    }
    RankSigns signs = rank_signs(context_, command, first, sets);
    start.unread = payload;
    start.signs = signs.torch;
    start.against = signs.other;
    return signs.only_torch();
  }

  // The program is not there, or does not say: what the script says of its ranks.
  bool by_signs(const PlainWords& words, std::size_t program, const shell::SimpleCommand& command,
                RankStart& start) {
    const auto script = python_script(words, program);
    std::size_t at = program + 1;
    while (!script && at < words.size() && words[at] && words[at] != "-m" &&
           words[at]->starts_with('-') && words[at] != "-c") {
      ++at;
    }
    const bool module = !script && at + 1 < words.size() && words[at] == "-m";
    const bool computed = !script && at < words.size() && !words[at]; // $SCRIPT
    if (!script && !module && !computed) {
      return false;
    }
    RankSigns signs = rank_signs(context_, command, program);
    if (!signs.only_torch()) {
      return false;
    }
    start.signs = std::move(signs.torch);
    start.against = std::move(signs.other);
    start.unread = context_.text(command.words[script ? *script : module ? at + 1 : at].span);
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
    if (start.statement != &whole && !whole.background && !whole.negated && !whole.timed) {
      const auto* each = std::get_if<shell::For>(&whole.value);
      const auto* counted = std::get_if<shell::ArithmeticFor>(&whole.value);
      if (each != nullptr && !each->select) {
        return loop(each->body);
      }
      if (counted != nullptr) {
        return loop(counted->body);
      }
    }
    if (whole.background || whole.negated || start.statement->background ||
        start.statement->negated || (whole.timed && start.statement != &whole)) {
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
      add_log(start, context_.text(redirect.target.span));
    }
    if (start.statement == &whole) {
      return {};
    }
    if (const auto* both = std::get_if<shell::AndOr>(&whole.value);
        both != nullptr && both->left->span == start.statement->span && only_says(*both->right)) {
      start.tail = {whole.span.source, start.statement->span.end, whole.span.end};
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
    add_log(start, context_.text(tee->words.back().span));
    return {};
  }

  // > out 2> err
  static void add_log(RankStart& start, const std::string& file) {
    if (start.log != file) {
      start.log += (start.log.empty() ? "" : " and ") + file;
    }
  }

  // || exit 1, || fail "no luck", && echo done: what ends the job, or says something.
  [[nodiscard]] bool only_says(const shell::Statement& statement) const {
    const auto* command = shell::as_simple(statement);
    const auto name = command == nullptr ? std::nullopt : analysis::command_name(*command);
    if (!name || statement.background || !statement.redirects.empty()) {
      return false;
    }
    if (*name == "exit" || *name == "echo" || *name == "false") {
      return true;
    }
    return std::ranges::any_of(job_.body, [&](const ir::Step& step) {
      const auto* function = step.statement == nullptr
                                 ? nullptr
                                 : std::get_if<shell::Function>(&step.statement->value);
      if (function == nullptr || function->name != *name) {
        return false;
      }
      const auto effects = analysis::effects_of(*function->body);
      return std::ranges::all_of(effects.commands, [](const std::string& each) {
        return each == "exit" || each == "echo" || each == "printf";
      });
    });
  }

  // for node in $NODES; do srun -N1 -n1 -w $node torchrun --nnodes=$N ... & done; wait
  // The launchers wait for each other, so that a loop that starts another number of them than they
  // are told of would never end.
  std::string loop(const std::vector<shell::Statement>& body) {
    RankStart& start = *found_;
    if (!start.statement->background || start.launcher.name == "srun") {
      return "srun stands in a loop";
    }
    std::set<std::string> changing;
    const auto& whole = start.step->statement->value;
    if (const auto* each = std::get_if<shell::For>(&whole)) {
      changing.insert(each->variable);
    }
    for (const shell::Statement& statement : body) {
      const auto effects = analysis::effects_of(statement);
      changing.insert(effects.writes.begin(), effects.writes.end());
      const auto* command = shell::as_simple(statement);
      const auto name = command == nullptr ? std::nullopt : analysis::command_name(*command);
      const bool harmless = command != nullptr && (command->words.empty() || name == "echo" ||
                                                   name == "sleep" || name == "let");
      if (!harmless && &statement != start.statement) {
        return "the loop that starts them does more";
      }
    }
    const shell::SimpleCommand& command = start.command();
    for (std::size_t i = start.launcher.program; i < command.words.size(); ++i) {
      const std::string text = context_.text(command.words[i].span);
      if (std::ranges::any_of(changing, [&](const std::string& name) {
            return text.find("$" + name) != std::string::npos ||
                   text.find("${" + name) != std::string::npos;
          })) {
        return "each is started with other words";
      }
    }
    const bool waits = std::ranges::any_of(job_.body, [](const ir::Step& step) {
      return step.statement != nullptr && waits_for_all(*step.statement);
    });
    if (!waits) {
      return "nothing waits for them";
    }
    for (const shell::Redirect& redirect : start.statement->redirects) {
      if (redirect.kind != shell::RedirectKind::duplicate_output) {
        add_log(start, context_.text(redirect.target.span));
      }
    }
    start.loop = true;
    const auto reads = analysis::effects_of(*start.step->statement).reads; // the names of the nodes
    start.names.insert(reads.begin(), reads.end());
    start.tail = {start.step->statement->span.source, start.statement->span.end,
                  start.step->statement->span.end};
    return {};
  }

  PassContext& context_;
  ir::Job& job_;
  const ScriptValues& values_;
  std::optional<RankStart> found_;
};

} // namespace

std::string shape_of(std::int64_t nodes, std::int64_t processes) {
  return fmt::format("{} node{} with {} process{} each", nodes, nodes == 1 ? "" : "s", processes,
                     processes == 1 ? "" : "es");
}

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

bool waits_for_all(const shell::Statement& statement) {
  const auto* command = shell::as_simple(statement);
  return command != nullptr && command->words.size() == 1 && !statement.background &&
         analysis::command_name(*command) == "wait";
}

bool exports(const shell::Statement& statement) {
  return !shell::as_simple(statement)->words.empty();
}

std::optional<RankStart> find_rank_start(PassContext& context, const ScriptValues& values) {
  return Finder(context, values).find();
}

} // namespace s2f::passes
