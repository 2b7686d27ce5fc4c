// Launchers where no command line names them: in the text that a shell runs, among the words of
// another program, in a variable, in a script beside this one; and programs that reach the job's
// other nodes by themselves.
//
// before:  bash -c "mpirun ./solver"; sh run.sh, run.sh beside the script with srun in it
// after:   stays_on_slurm, S2F702 or S2F407
// before:  deepspeed --hostfile hosts train.py  (two nodes)
// after:   stays_on_slurm, S2F707
#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include <fmt/format.h>

#include "analysis/walk.hpp"
#include "generated/tables/containers.hpp"
#include "generated/tables/launchers.hpp"
#include "generated/tables/node_programs.hpp"
#include "passes/launch_texts.hpp"
#include "passes/launcher_words.hpp"
#include "passes/mpi_in_container.hpp"
#include "passes/pipeline.hpp"
#include "passes/rank_evidence.hpp"
#include "passes/rank_start.hpp"
#include "passes/script_values.hpp"
#include "passes/slurm_commands.hpp"
#include "passes/srun.hpp"
#include "passes/wrappers.hpp"
#include "shell/parse.hpp"

namespace s2f::passes {

namespace {

using Kind = tables::LaunchersKind;
using Does = tables::NodeProgramsDoes;

constexpr std::size_t most_files = 50;

bool is_shell(const std::string& name) {
  static constexpr std::array shells{"bash", "sh", "zsh", "ksh", "dash", "source", ".", "eval"};
  return std::ranges::find(shells, name) != shells.end();
}

// $MPIRUN, ${SRUN_CMD}: a variable that can only hold a launcher.
bool named_as_launcher(const std::string& variable) {
  std::string name = variable;
  std::ranges::transform(name, name.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  static constexpr std::array parts{"MPIRUN", "MPIEXEC", "MPI_RUN", "MPI_EXEC", "MPICMD", "MPI_CMD",
                                    "SRUN",   "IBRUN",   "APRUN",   "RUNMPI",   "RUN_MPI"};
  return std::ranges::any_of(
      parts, [&](const char* part) { return name.find(part) != std::string::npos; });
}

// The text of a script or a program between quotes that names a launcher: "mpirun -np 4", 'srun'.
std::optional<std::string> quoted_launcher(std::string_view text) {
  for (const auto& row : tables::launchers) {
    if ((row.kind != Kind::mpi && row.kind != Kind::step) || row.name == "prun") {
      continue;
    }
    for (std::size_t at = text.find(row.name); at != std::string_view::npos;
         at = text.find(row.name, at + 1)) {
      const char before = at == 0 ? ' ' : text[at - 1];
      const std::size_t end = at + row.name.size();
      const char after = end < text.size() ? text[end] : ' ';
      if ((before == '"' || before == '\'') && (after == ' ' || after == before)) {
        return std::string(row.name);
      }
    }
  }
  return std::nullopt;
}

class Hidden {
public:
  explicit Hidden(PassContext& context)
      : context_(context), job_(context.job), values_(job_.script, context.component()) {}

  void run() {
    for (const ir::Step& step : job_.body) {
      const auto* function = step.statement == nullptr
                                 ? nullptr
                                 : std::get_if<shell::Function>(&step.statement->value);
      if (function != nullptr) {
        functions_.insert(function->name);
      }
    }
    for (const ir::Step& step : job_.body) {
      if (step.statement == nullptr) {
        continue;
      }
      analysis::Visitor visitor;
      visitor.statement = [&](const shell::Statement& inner) {
        const auto* command = shell::as_simple(inner);
        if (command != nullptr && !command->words.empty() && !removed(inner.span)) {
          look(*command, inner);
        }
      };
      analysis::walk(*step.statement, visitor);
      if (job_.stays_on_slurm) {
        return;
      }
    }
    exported_launchers();
  }

private:
  // export MPICMD="mpirun -np 4": a program of the job is to start ranks by it.
  void exported_launchers() {
    for (const ir::Step& step : job_.body) {
      analysis::Visitor visitor;
      visitor.statement = [&](const shell::Statement& inner) {
        const auto* list = assignments_of(inner);
        list = list != nullptr && exports(inner) ? list : nullptr;
        for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
          exported_launcher((*list)[i], inner.span);
        }
      };
      if (step.statement != nullptr) {
        analysis::walk(*step.statement, visitor);
      }
    }
  }

  void exported_launcher(const shell::Assignment& assignment, const Span& span) {
    const std::string text = assignment.value ? context_.text(assignment.value->span) : "";
    const bool asks = text.find("$(") != std::string::npos || text.find('`') != std::string::npos;
    const auto found = asks ? std::nullopt : launcher_word(text, LauncherWords::starts);
    const auto* row = found ? launcher_of(*found) : nullptr;
    if (row == nullptr || row->kind == Kind::submit) {
      return;
    }
    stay(row->kind == Kind::mpi ? "S2F702" : "S2F407",
         fmt::format("${}, which the programs of the job are given, holds {}", assignment.name,
                     *found),
         span);
  }

  void stay(std::string rule, std::string text, const Span& span) {
    if (!job_.stays_on_slurm) {
      job_.stays_on_slurm = ir::Reason{std::move(rule), std::move(text), span};
    }
  }

  [[nodiscard]] bool removed(const Span& span) const {
    return std::ranges::any_of(
               job_.removals,
               [&](const ir::Removal& removal) { return removal.span.contains(span); }) ||
           std::ranges::any_of(job_.srun_steps, [&](const ir::SrunStep& step) {
             return step.prefix.contains(span);
           });
  }

  void look(const shell::SimpleCommand& whole, const shell::Statement& statement) {
    shell::SimpleCommand command; // without the srun that is gone
    PlainWords words;
    for (const shell::Word& word : whole.words) {
      if (!removed(word.span)) {
        command.words.push_back(word);
        words.push_back(word.literal());
      }
    }
    if (words.size() > 1 && words[0] == "command" && (words[1] == "-v" || words[1] == "-V")) {
      return; // it only looks for a program
    }
    const std::size_t at = behind_wrappers(words).program;
    if (at >= words.size()) {
      return;
    }
    if (!words[at]) {
      variable(command.words[at], statement);
    }
    const std::string name = words[at] ? program_name(*words[at]) : name_below(command.words[at]);
    const auto* row = tables::find_node_programs(name);
    if (row != nullptr && row->does == Does::words) {
      return;
    }
    among_words(command, at, statement);
    if (!has_one_node(context_.component())) {
      other_nodes(command, words, at, row, statement);
    } else if (!mpi_in_container(context_)) {
      own_ranks(command, words, at, row, statement);
    }
    files(command, words, at, name, statement);
  }

  // ips.py of "$IPS_PATH/bin/ips.py"
  [[nodiscard]] std::string name_below(const shell::Word& word) const {
    std::string text = context_.text(word.span);
    std::erase(text, '"');
    const auto slash = text.rfind('/');
    const std::string name = slash == std::string::npos ? "" : text.substr(slash + 1);
    return name.find_first_of("$`{}()") == std::string::npos ? name : "";
  }

  // $MPIRUN ./solver, where the script does not say what it holds.
  void variable(const shell::Word& word, const shell::Statement& statement) {
    const auto* parameter =
        word.parts.size() == 1 ? std::get_if<shell::Parameter>(&word.parts[0].value) : nullptr;
    if (parameter != nullptr && named_as_launcher(parameter->name) && !values_.of(word)) {
      stay("S2F702",
           fmt::format("${} starts its program, and by its name starts ranks", parameter->name),
           statement.span);
    }
  }

  void among_words(const shell::SimpleCommand& command, std::size_t at,
                   const shell::Statement& statement) {
    const auto name = command.words[at].literal();
    const auto which =
        name && is_shell(program_name(*name)) ? LauncherWords::any : LauncherWords::starts;
    const bool container = name && tables::find_containers(program_name(*name)) != nullptr;
    for (std::size_t i = at; i < command.words.size(); ++i) {
      const shell::Word& word = command.words[i];
      const auto literal = word.literal();
      // singularity run hpl.sif mpirun_site -P 1
      const auto* site = container && literal ? launcher_of(program_name(*literal)) : nullptr;
      if (site != nullptr && site->kind == Kind::mpi &&
          !context_.text(command.words[i - 1].span).starts_with('-')) {
        stay("S2F702", fmt::format("{} starts the ranks of an MPI program", program_name(*literal)),
             statement.span);
      }
      std::vector<std::string> texts;
      if (literal) {
        texts.push_back(*literal);
      } else {
        texts = values_.of(word).value_or(std::vector<std::string>{});
        texts.push_back(context_.text(word.span));
      }
      for (const std::string& text : texts) {
        if (const auto found = launcher_word(text, which); found && !functions_.contains(*found)) {
          const auto* row = launcher_of(*found);
          const bool mpi = row != nullptr && row->kind == Kind::mpi;
          if (mpi && i == at && mpi_in_container(context_)) {
            continue; // the launchers pass has looked at it
          }
          std::string program = mpi ? "" : mpi_behind(command, at, *found);
          bool ranks = mpi || !program.empty();
          if (const auto told = ranks ? std::nullopt : ranks_in_text(context_, command, text)) {
            ranks = told->kind == Ranks::Kind::mpi;
            program = told->why;
          }
          stay(ranks ? "S2F702" : "S2F407",
               mpi ? fmt::format("{} starts the ranks of an MPI program", *found)
               : program.empty()
                   ? fmt::format("a command of the job is told to call {}", *found)
                   : fmt::format("a command of the job is told to call {}: {}", *found, program),
               statement.span);
        }
      }
    }
  }

  // $SRUN $SOLVER -in x, SRUN="srun -n 64": what says that the solver is one of MPI, or nothing.
  [[nodiscard]] std::string mpi_behind(const shell::SimpleCommand& command, std::size_t at,
                                       std::string_view launcher) const {
    const auto words = step_words(command, at, values_);
    const auto start = std::ranges::find_if(words, [&](const StepWord& word) {
      return word.text && program_name(*word.text) == launcher;
    });
    if (start == words.end()) {
      return {};
    }
    const std::vector<StepWord> rest(std::next(start), words.end());
    const std::size_t program = read_step(rest).program;
    if (program >= rest.size()) {
      return {};
    }
    PlainWords plain;
    for (const StepWord& word : rest) {
      plain.push_back(word.text);
    }
    const Ranks ranks = told_ranks(context_, command, plain, program);
    return ranks.kind == Ranks::Kind::mpi ? ranks.why : "";
  }

  void other_nodes(const shell::SimpleCommand& command, const PlainWords& words, std::size_t at,
                   const tables::NodeProgramsRow* row, const shell::Statement& statement) {
    if (words[at] && program_name(*words[at]) == "ssh") {
      const bool other_host = std::ranges::any_of(
          command.words, [](const shell::Word& word) { return !word.literal().has_value(); });
      if (other_host) { // a host that the script names is none that the job was given
        stay("S2F707", "ssh starts a program on the job's other nodes", statement.span);
      }
      return;
    }
    // `deepspeed` is a wrapper, so it is looked for among the words before the program too.
    for (std::size_t i = 0; row == nullptr && i <= at; ++i) {
      row = words[i] && !words[i]->empty() ? tables::find_node_programs(program_name(*words[i]))
                                           : nullptr;
      row = row != nullptr && row->does == Does::nodes ? row : nullptr;
    }
    if (row == nullptr && words[at] && is_python(program_name(*words[at]))) {
      for (std::size_t i = at + 1; row == nullptr && i < command.words.size(); ++i) {
        std::string text = context_.text(command.words[i].span); // "$FOLDER/deepy.py"
        std::erase(text, '"');
        row = text.ends_with(".py") ? tables::find_node_programs(program_name(text)) : nullptr;
      }
    }
    if (row == nullptr || row->does != Does::nodes) {
      return;
    }
    const std::string option = option_of(*row, command);
    if (row->options.empty() || !option.empty()) {
      stay("S2F707",
           fmt::format("{}{}{} starts processes on the job's other nodes by itself{}", row->name,
                       option.empty() ? "" : " ", option, ranks_of_gpus(row->name)),
           statement.span);
    }
  }

  // orca job.inp, of several tasks: it starts their ranks by itself. An option says so of one, too.
  void own_ranks(const shell::SimpleCommand& command, const PlainWords& words, std::size_t at,
                 const tables::NodeProgramsRow* row, const shell::Statement& statement) {
    if (row == nullptr || row->does != Does::nodes || !row->mpi) {
      return;
    }
    const std::string option = option_of(*row, command);
    const bool several = context_.component().share.tasks > 1;
    if (row->options.empty() ? several : !option.empty()) {
      stay("S2F702",
           fmt::format("{}{}{} starts the ranks of an MPI program by itself",
                       words[at] ? program_name(*words[at]) : std::string(row->name),
                       option.empty() ? "" : " ", option),
           statement.span);
    }
  }

  // The option of the row that the command has; "" for none.
  [[nodiscard]] std::string option_of(const tables::NodeProgramsRow& row,
                                      const shell::SimpleCommand& command) const {
    std::string option;
    for (const shell::Word& word : command.words) {
      const std::string text = context_.text(word.span);
      const std::string start = text.substr(0, text.find('='));
      for (const std::string_view each : row.options) {
        option = start == each || text == each ? std::string(each) : option;
      }
    }
    return option;
  }

  // Launchers of DeepSpeed start a rank for each GPU.
  [[nodiscard]] std::string ranks_of_gpus(std::string_view name) const {
    const auto gpus = context_.component().share.gpus;
    const bool each = name.starts_with("deepspeed") || name == "deepy.py" || name == "colossalai";
    return each && gpus && *gpus > 0
               ? fmt::format(" ({})", shape_of(nodes_of(context_.component()), *gpus))
               : "";
  }

  // A script beside this one that is run or sourced, and a Python program.
  void files(const shell::SimpleCommand& command, const PlainWords& words, std::size_t at,
             const std::string& name, const shell::Statement& statement) {
    if (!context_.file_exists || !context_.read_file) {
      return;
    }
    if (is_python(name)) {
      const auto script = python_script(words, at);
      const auto text = script ? beside(*words[*script]) : std::nullopt;
      if (const auto found = text ? quoted_launcher(*text) : std::nullopt) {
        stay("S2F407", fmt::format("{}, which it runs, calls {}", *words[*script], *found),
             statement.span);
      }
      return;
    }
    for (std::size_t i = at; i < command.words.size(); ++i) {
      const bool runs = i == at || (is_shell(name) && words[i] && !words[i]->starts_with('-'));
      if (!runs || !words[i]) {
        continue;
      }
      if (const auto found = in_script(*words[i])) {
        const auto* row = launcher_of(*found);
        stay(row != nullptr && row->kind == Kind::mpi ? "S2F702" : "S2F407",
             fmt::format("{}, which it runs, calls {}", *words[i], *found), statement.span);
      }
      if (i != at) {
        return; // the rest are its arguments
      }
    }
  }

  [[nodiscard]] std::optional<std::string> beside(std::string path) const {
    while (path.starts_with("./")) {
      path.erase(0, 2);
    }
    if (path.empty() || path.starts_with('/') || !context_.file_exists(path)) {
      return std::nullopt;
    }
    return context_.read_file(path);
  }

  // The launcher that the shell script, or one that it runs in turn, calls.
  std::optional<std::string> in_script(const std::string& path) {
    const auto text =
        path.find('/') != std::string::npos || path.ends_with("sh") ? beside(path) : std::nullopt;
    const bool shell =
        text &&
        (text->starts_with("#!") ? text->substr(0, text->find('\n')).find("sh") != std::string::npos
                                 : path.ends_with("sh"));
    if (!shell || read_.size() > most_files || !read_.insert(path).second) {
      return std::nullopt;
    }
    source::Sources sources;
    const auto id = sources.add(path, *text);
    const shell::Script script = shell::parse(sources[id]);
    std::optional<std::string> found;
    analysis::Visitor visitor;
    visitor.statement = [&](const shell::Statement& inner) {
      const auto* command = shell::as_simple(inner);
      if (found || command == nullptr || command->words.empty()) {
        return;
      }
      PlainWords words;
      for (const shell::Word& word : command->words) {
        words.push_back(word.literal());
      }
      const std::size_t at = behind_wrappers(words).program;
      if (at >= words.size() || !words[at]) {
        return;
      }
      const std::string name = program_name(*words[at]);
      const auto* row = launcher_of(name);
      if (row != nullptr && (row->kind == Kind::mpi || row->kind == Kind::step ||
                             row->kind == Kind::submit || row->kind == Kind::slurm)) {
        found = name;
        return;
      }
      const bool runs = is_shell(name) && at + 1 < words.size() && words[at + 1];
      found = in_script(runs ? *words[at + 1] : *words[at]);
    };
    for (const shell::Statement& statement : script.statements) {
      analysis::walk(statement, visitor);
    }
    return found;
  }

  PassContext& context_;
  ir::Job& job_;
  ScriptValues values_;
  std::set<std::string> read_;
  std::set<std::string> functions_; // of the script, whose own commands are looked at
};

} // namespace

void hidden_launches(PassContext& context) {
  auto& reason = context.job.stays_on_slurm;
  if (!reason) {
    Hidden(context).run();
  } else if (reason->rule == "S2F407" && !context.job.cluster) {
    // That ranks are started says more than that Slurm is asked for the names of their nodes.
    const auto known = *reason;
    reason.reset();
    Hidden(context).run();
    if (!reason || reason->rule == "S2F407") {
      reason = known;
    }
  }
}

} // namespace s2f::passes
