// Simple commands of a driver, by their names.
//
// before:  shift; export LR=0.1; cd "$(dirname "$0")"; mkdir -p logs; python prepare.py
// after:   values of variables; nothing for mkdir; a job of its own for prepare.py
#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "generated/tables/driver_programs.hpp"
#include "passes/driver_reader.hpp"

namespace s2f::passes {

namespace {

namespace terms = ir::terms;
using ir::Term;
using Kind = Term::Kind;
using Type = Term::Type;
using Role = tables::DriverProgramsRole;

const auto* program(std::string_view name) {
  const auto found =
      std::ranges::find(tables::driver_programs, name, [](const auto& row) { return row.name; });
  return found == std::end(tables::driver_programs) ? nullptr : &*found;
}

} // namespace

DriverReader::Why DriverReader::command_by_name(const shell::Statement& statement,
                                                const shell::SimpleCommand& command,
                                                const std::string& name) {
  if (const auto function = functions_.find(name); function != functions_.end()) {
    if (only_prints({*function->second})) {
      return printed(statement);
    }
    return call(command, *function->second);
  }
  if (name == "exit" || name == "return") {
    said_ = "the end of the driver";
    return leave(command, name == "return");
  }
  if (name == "continue" || name == "break") {
    if (command.words.size() > 1 || loops_ == 0) {
      return "a jump out of several loops";
    }
    push(ir::LeaveEach{name == "continue"}, statement.span);
    skip_rest_ = true;
    return {};
  }
  if (name == "shift") {
    if (!frames_.empty()) {
      if (command.words.size() > 1) {
        return "a function that shifts its arguments";
      }
      if (!frames_.back().empty()) {
        frames_.back().erase(frames_.back().begin());
      }
      return {};
    }
    const auto by = command.words.size() == 2 ? command.words[1].literal() : "1";
    if (command.words.size() > 2 || !by || by->size() != 1 || (*by)[0] < '0' || (*by)[0] > '9') {
      return "arguments that it shifts by what only it knows";
    }
    if (loops_ > 0 || choices_ > 0) {
      return "arguments that it shifts in a loop";
    }
    const int all = driver_shift_ + ((*by)[0] - '0');
    // With fewer arguments Bash shifts none.
    if (all > driver_shift_ + 1 &&
        std::ranges::none_of(driver_.parameters, [&](const ir::Parameter& parameter) {
          return parameter.position == all && !parameter.default_;
        })) {
      return "arguments that it shifts, and may not have";
    }
    driver_shift_ = all;
    return {};
  }
  if (name == "export" || name == "declare" || name == "typeset" || name == "local" ||
      name == "readonly") {
    return declare(statement, command, name);
  }
  if (name == "set") {
    return set_options(command);
  }
  if (name == "shopt") {
    return shell_option(statement, command);
  }
  if (name == "unset") {
    unset(statement, command);
    return {};
  }
  if ((name == "cp" || name == "mv") && command.words.size() == 3) {
    state_.files[key_of(value_of(command.words.back()))].torn = true;
  }
  if (name == "let") {
    for (std::size_t i = 1; i < command.words.size(); ++i) {
      std::string text(context_.sources.text(command.words[i].span));
      std::erase(text, '"');
      std::erase(text, '\'');
      if (Why why = counted(std::move(text), statement.span); !why.empty()) {
        return why;
      }
    }
    return {};
  }
  if (name == "cd" && loops_ == 0 && choices_ == 0 && driver_.submissions.empty() &&
      command.words.size() == 2 && state_.directory.empty() && !below(value_of(command.words[1]))) {
    return start_directory(statement, command.words[1]);
  }
  if (name == "cd" || name == "pushd" || name == "popd") {
    return change_directory(statement, command, name);
  }
  if (name == "scontrol" && command.words.size() > 1) {
    const auto verb = command.words[1].literal().value_or("");
    if (verb != "show" && !verb.starts_with("-") && verb != "ping") {
      return fmt::format("it runs scontrol {} between submissions", verb);
    }
  }
  const bool behind =
      name != "echo" && name != "printf" && name != "which" && name != "type" &&
      std::ranges::any_of(command.words.begin() + 1, command.words.end(),
                          [](const auto& word) { return word.literal() == "sbatch"; });
  if (behind && !(name == "command" && command.words[1].literal() == "-v")) {
    return fmt::format("sbatch behind {}", name);
  }
  if (name == "wait" && !background_.empty()) {
    for (const Term& each : background_) {
      state_.waits_any.push_back(each);
    }
    if (background_.size() == 1 && command.words.size() > 1) { // wait $pid has its status
      ended_ = background_.front();
    }
    background_.clear();
    return {};
  }
  if (is_later(name)) {
    return once_later;
  }
  if (name == "srun" || name == "salloc") {
    return run_allocated(statement, command, name);
  }
  if (const auto* row = program(name); row != nullptr && row->role != Role::filter) {
    drop(statement, name, std::string(row->why));
    return {};
  }
  return run_between(statement, name);
}

// What a task of the driver's own is called: `make_lists` of python make_lists.py, else the
// program.
static std::string task_name(const shell::Statement& statement, const std::string& name) {
  static constexpr std::array interpreters{"python", "python3", "bash", "sh",   "Rscript",
                                           "perl",   "julia",   "ruby", "node", "source"};
  const std::string program = name.substr(name.find_last_of('/') + 1);
  const auto* command = shell::as_simple(statement);
  if (command != nullptr && std::ranges::find(interpreters, program) != interpreters.end()) {
    for (std::size_t i = 1; i < command->words.size(); ++i) {
      const auto word = command->words[i].literal();
      if (word && !word->starts_with('-') && word->find('.') != std::string::npos) {
        return word->substr(word->find_last_of('/') + 1);
      }
      if (!word || *word == "-c" || *word == "-m" || *word == "-e") {
        break;
      }
    }
  }
  return program;
}

// A program that the driver runs between submissions: a task of its own, that what comes after it
// waits for.
DriverReader::Why DriverReader::run_between(const shell::Statement& statement,
                                            const std::string& name) {
  if (!state_.directory.empty()) {
    return fmt::format("it runs {} in another directory", name);
  }
  if (state_.unsure) {
    return "what follows a step that ran only where another succeeded";
  }
  static constexpr std::array of_the_shell{
      "read", "eval", "mapfile", "readarray", "getopts", "exec",    "kill", "trap",     "fg",
      "bg",   "srun", "salloc",  "mpirun",    "mpiexec", "scancel", "sudo", "snakemake"};
  if (std::ranges::find(of_the_shell, name) != of_the_shell.end() || loops_ > 0 || choices_ > 0 ||
      !frames_.empty() || statement.background) {
    return fmt::format("it runs {} between submissions", name);
  }
  if (const auto* command = shell::as_simple(statement);
      command != nullptr && edits_in_place(*command)) {
    return fmt::format("it changes files with {} between submissions", name);
  }
  ir::Submission submission;
  submission.span = statement.span;
  if (!reads_known(statement, submission)) {
    return fmt::format("it runs {} between submissions", name);
  }
  slurm::ReadOptions read;
  read.script_name = task_name(statement, name);
  // Without errexit the driver goes on whatever became of it, if nothing asks.
  const bool last = driver_.script->statements.back().span == statement.span;
  const bool counts = status_counts_ || asked_for_.contains(statement.span.begin);
  const std::string text = "#!/bin/bash\n" + std::string(context_.sources.text(statement.span)) +
                           (driver_.errexit || last || counts ? "\n" : "\n:\n");
  std::vector<source::Run> runs{
      {static_cast<std::uint32_t>(text.find('\n') + 1), statement.span.begin}};
  const auto job =
      context_.load_text(text, {statement.span, std::move(runs)}, read.script_name, read);
  if (!job) {
    return job.error();
  }
  submission.job = *job;
  for (const Term& each : state_.waits_any) {
    submission.depends.push_back({ir::Dependency::Kind::any, each});
  }
  for (const Term& each : state_.waits_ok) {
    submission.depends.push_back({ir::Dependency::Kind::ok, each});
  }
  review::Finding finding;
  finding.rule = "S2F324";
  finding.span = statement.span;
  finding.message = fmt::format("The driver runs {} between submissions.", name);
  finding.slurm_does = "It runs where the driver was started, before what is submitted after it.";
  finding.output_does =
      "It is a task of its own, without resources, that the later tasks wait for. "
      "What it leaves on disk is in its own container.";
  finding.choices = {"give the task its resources", "run it by hand before"};
  finding.default_ = finding.choices[0];
  context_.findings.add(std::move(finding));
  said_ = "a task of its own";
  const std::string job_name = fmt::format("job {}", ++temporaries_);
  push(ir::Submitted{driver_.submissions.size(), job_name}, statement.span);
  driver_.submissions.push_back(std::move(submission));
  ended_ = terms::name(job_name, Type::job);
  programs_.insert(job_name);
  std::vector<Term>& waits = counts && !driver_.errexit ? state_.waits_any : state_.waits_ok;
  state_.waits_any.clear();
  state_.waits_ok.clear();
  waits.assign(1, *ended_);
  return {};
}

DriverReader::Why DriverReader::leave(const shell::SimpleCommand& command, bool function) {
  skip_rest_ = true;
  if (function && !frames_.empty()) {
    return choices_ > call_choices_ ? "a function that returns in the middle" : "";
  }
  const auto status = command.words.size() > 1 ? terms::constant(value_of(command.words[1]))
                                               : std::optional<std::string>("0");
  if (!status) {
    return "an exit with a status that is computed";
  }
  if (loops_ > 0 || choices_ > 0) {
    push(ir::Finish{*status != "0", message_}, command.words.front().span);
  } else if (*status != "0") {
    push(ir::Finish{true, message_}, command.words.front().span);
  }
  state_.ended = true;
  return {};
}

// cd before the first submission: where the jobs are submitted from.
DriverReader::Why DriverReader::start_directory(const shell::Statement& statement,
                                                const shell::Word& word) {
  const std::string_view text = context_.sources.text(word.span);
  const bool own = text.find("dirname") != std::string_view::npos ||
                   text.find("BASH_SOURCE") != std::string_view::npos ||
                   text.find("SLURM_SUBMIT_DIR") != std::string_view::npos || text == "." ||
                   text.find("PWD") != std::string_view::npos;
  if (own && text.find("..") == std::string_view::npos) {
    said_ = "the directory of the driver, which is HERE";
    return {};
  }
  review::Finding finding;
  finding.rule = "S2F602";
  finding.span = statement.span;
  finding.message = fmt::format("The driver goes to {} before it submits.", text);
  finding.slurm_does = "The jobs start there, and relative paths are meant from there.";
  finding.output_does = "Commands run in HERE, the driver's own directory.";
  finding.choices = {"HERE is that directory", "HERE = Path(__file__).resolve().parents[...]"};
  finding.default_ = finding.choices[0];
  context_.findings.add(std::move(finding));
  drop(statement, "cd", "HERE is taken for that directory");
  return {};
}

} // namespace s2f::passes
