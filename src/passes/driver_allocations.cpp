// srun and salloc in a driver: a job that they ask for themselves, and wait for.
//
// before:  salloc -N1 --mem=8G python prepare.py; srun -n 4 ./step; sbatch train.sh
// after:   Submitted{"python prepare.py" with -N1 --mem=8G}, Submitted{"srun ./step" with -n 4},
//          each after the one before; Submitted{train} after both
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "passes/driver_reader.hpp"

namespace s2f::passes {

namespace {

namespace terms = ir::terms;
using review::Disposition;

// Of several commands in a shell of its own that salloc starts nothing is read.
std::string name_of(std::string_view program) {
  std::string name(program.substr(program.find_last_of('/') + 1));
  return name.empty() ? "step" : name;
}

} // namespace

// What a statement reads of the driver's variables becomes its job's environment; whether all of it
// is known.
bool DriverReader::reads_known(const shell::Statement& statement,
                               ir::Submission& submission) const {
  bool known = true;
  analysis::Visitor visitor;
  visitor.part = [&](const shell::WordPart& part) {
    const auto* parameter = std::get_if<shell::Parameter>(&part.value);
    if (parameter == nullptr || parameter->name.empty()) {
      return;
    }
    const auto now = state_.variables.find(parameter->name);
    if (std::isalpha(static_cast<unsigned char>(parameter->name[0])) == 0 &&
        parameter->name[0] != '_') {
      known = false; // $1, $? and the like are not the task's
    } else if (now != state_.variables.end()) {
      known &= terms::first_unknown(now->second) == nullptr && !now->second.is_list() &&
               !now->second.holds_jobs();
      submission.environment[parameter->name] = now->second;
    }
  };
  analysis::walk(statement, visitor);
  return known;
}

DriverReader::Why DriverReader::run_allocated(const shell::Statement& statement,
                                              const shell::SimpleCommand& command,
                                              const std::string& name) {
  const Why other = fmt::format("it runs {} between submissions", name);
  if (loops_ > 0 || choices_ > 0 || !frames_.empty() || !command.assignments.empty() ||
      !state_.directory.empty()) {
    return other;
  }
  if (state_.unsure) {
    return "what follows a step that ran only where another succeeded";
  }
  ir::Submission submission;
  submission.span = statement.span;
  if (!reads_known(statement, submission)) {
    return other;
  }
  std::vector<Field> fields;
  std::vector<std::size_t> words; // of each field
  for (std::size_t i = 1; i < command.words.size(); ++i) {
    for (ir::Term& field : fields_of(command.words[i])) {
      fields.push_back({std::move(field), command.words[i].span});
      words.push_back(i);
    }
  }
  slurm::ReadOptions read;
  std::size_t at = 0;
  wait_ = false;
  wrapped_.reset();
  allocates_ = true;
  const Why wrong = read_options(fields, at, read, submission);
  allocates_ = false;
  if (!wrong.empty()) {
    return wrong;
  }
  const bool asks = std::ranges::any_of(
      command.words, [](const shell::Word& word) { return word.literal() == "--pty"; });
  if (at >= fields.size() || wrapped_ || asks) { // a shell that asks for what to do
    return other;
  }
  // Its own text from the program on; srun starts it as often as its options say.
  const Span& program = command.words[words[at]].span;
  std::string_view own =
      context_.sources.text(Span{statement.span.source, program.begin, statement.span.end});
  if (statement.background) { // the driver's `&`: the job itself waits for its program
    if (!own.ends_with('&')) {
      return other; // a heredoc stands behind it
    }
    own.remove_suffix(1);
  }
  std::string head = "#!/bin/bash\n";
  head += name == "srun" ? "srun " : "";
  const std::string text = head + std::string(own) + "\n";
  std::vector<source::Run> runs{{static_cast<std::uint32_t>(head.size()), program.begin}};
  read.script_name = name_of(command.words[words[at]].literal().value_or(""));
  if (words[at] + 1 < command.words.size()) {
    const auto payload = command.words[words[at] + 1].literal();
    if (payload && payload->ends_with(".py")) {
      read.script_name = name_of(*payload);
    }
  }
  const auto job =
      context_.load_text(text, {statement.span, std::move(runs)}, read.script_name, read);
  if (!job) {
    return job.error();
  }
  submission.job = *job;
  for (const ir::Term& each : state_.waits_any) {
    submission.depends.push_back({ir::Dependency::Kind::any, each});
  }
  for (const ir::Term& each : state_.waits_ok) {
    submission.depends.push_back({ir::Dependency::Kind::ok, each});
  }
  settle(Span{statement.span.source, command.words[0].span.begin, command.words[0].span.end},
         Disposition::converted, "a task with what it asks for");
  settle(Span{statement.span.source, program.begin, statement.span.end}, Disposition::converted,
         "the command of the task");
  const std::string job_name = fmt::format("job {}", ++temporaries_);
  push(ir::Submitted{driver_.submissions.size(), job_name}, statement.span);
  driver_.submissions.push_back(std::move(submission));
  const ir::Term held = terms::name(job_name, ir::Term::Type::job);
  if (statement.background) {
    background_.push_back(held);
  } else {
    std::vector<ir::Term>& waits = driver_.errexit ? state_.waits_ok : state_.waits_any;
    state_.waits_any.clear();
    state_.waits_ok.clear();
    waits.assign(1, held);
    ended_ = held;
  }
  return {};
}

} // namespace s2f::passes
