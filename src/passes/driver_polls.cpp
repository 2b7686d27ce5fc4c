// Loops that ask Slurm for the states of jobs until they have ended, or wait for a file of one.
//
// before:  while squeue -h -j $a | grep -q $a; do sleep 60; done; sbatch b.sh
// after:   submission 1 waits for a, however it ends
// before:  sbatch a.sh; until [ -f done.flag ]; do sleep 60; done; sbatch b.sh
// after:   submission 1 waits for a to end well: what else would write the file (S2F367)
#include <algorithm>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "passes/driver_reader.hpp"

namespace s2f::passes {

using ir::Term;

// The variables with ids of jobs that such a loop names; nothing for any other statement.
std::set<std::string> DriverReader::polled(const shell::Statement& statement) const {
  if (!std::holds_alternative<shell::While>(statement.value)) {
    return {};
  }
  bool asks = false;
  bool sleeps = false;
  bool more = false;
  std::set<std::string> names;
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& each) {
    const auto* command = shell::as_simple(each);
    const auto name = command == nullptr ? std::nullopt : analysis::command_name(*command);
    asks |= name == "squeue" || name == "sacct" || name == "scontrol";
    sleeps |= name == "sleep";
    more |= command != nullptr && sbatch_in(*command).has_value();
  };
  visitor.part = [&](const shell::WordPart& part) {
    const auto* parameter = std::get_if<shell::Parameter>(&part.value);
    if (parameter != nullptr && ids_.find(parameter->name) != nullptr) {
      names.insert(parameter->name);
    }
  };
  analysis::walk(statement, visitor);
  return asks && sleeps && !more ? names : std::set<std::string>{};
}

DriverReader::Why DriverReader::wait_for_polled(const shell::Statement& statement,
                                                const std::set<std::string>& names) {
  std::set<std::string> written = written_in({statement});
  for (const std::string& name : written) {
    if (read_outside(name, statement.span)) {
      return "a variable that a loop which waits for jobs sets";
    }
  }
  if (loops_ > 0) { // each time round begins when the jobs of the last have ended
    needs_constants_ = true;
    return "a loop that waits for jobs in a loop";
  }
  for (const std::string& name : names) {
    const auto known = state_.variables.find(name);
    if (known == state_.variables.end() || !known->second.holds_jobs() || choices_ > 0) {
      return "a loop that waits for jobs";
    }
    if (std::ranges::find(state_.waits_any, known->second) == state_.waits_any.end()) {
      state_.waits_any.push_back(known->second);
    }
  }
  drop(statement, "the loop that asks for the jobs' states",
       "what comes after it waits for these jobs");
  return {};
}

namespace {

bool is_file_test(const shell::Statement& statement) {
  if (const auto* both = std::get_if<shell::AndOr>(&statement.value)) {
    return is_file_test(*both->left) && is_file_test(*both->right);
  }
  if (const auto* test = std::get_if<shell::Test>(&statement.value)) {
    return test->expression.contains("-f ") || test->expression.contains("-e ") ||
           test->expression.contains("-s ");
  }
  const auto* command = shell::as_simple(statement);
  const auto name = command == nullptr ? std::nullopt : analysis::command_name(*command);
  return (name == "[" || name == "test") &&
         std::ranges::any_of(command->words, [](const shell::Word& word) {
           const auto text = word.literal();
           return text == "-f" || text == "-e" || text == "-s";
         });
}

} // namespace

// Nothing but a file ends such a loop, and nothing but sleep and messages is in it.
bool DriverReader::waits_for_file(const shell::Statement& statement) {
  const auto* loop = std::get_if<shell::While>(&statement.value);
  bool sleeps = false;
  return loop != nullptr && std::ranges::all_of(loop->condition, is_file_test) &&
         std::ranges::all_of(loop->body,
                             [&](const shell::Statement& each) {
                               const auto* command = shell::as_simple(each);
                               const auto name = command == nullptr
                                                     ? std::nullopt
                                                     : analysis::command_name(*command);
                               sleeps |= name == "sleep";
                               return name == "sleep" || name == "echo" || name == "printf" ||
                                      name == ":" || name == "date";
                             }) &&
         sleeps;
}

DriverReader::Why DriverReader::wait_for_file(const shell::Statement& statement) {
  const Why other = "a loop that waits for a file";
  if (loops_ > 0 || choices_ > 0 || out_ != &driver_.steps) {
    return other;
  }
  std::vector<Term> jobs;
  for (ir::DriverStep& step : driver_.steps) {
    if (std::holds_alternative<ir::Each>(step.value) ||
        std::holds_alternative<ir::Choice>(step.value)) {
      return other;
    }
    auto* submitted = std::get_if<ir::Submitted>(&step.value);
    if (submitted == nullptr) {
      continue;
    }
    if (submitted->name.empty()) {
      submitted->name = fmt::format("job {}", ++temporaries_);
    }
    jobs.push_back(ir::terms::name(submitted->name, Term::Type::job));
  }
  if (jobs.empty()) {
    return other;
  }
  for (const Term& job : jobs) {
    if (std::ranges::find(state_.waits_ok, job) == state_.waits_ok.end()) {
      state_.waits_ok.push_back(job);
    }
  }
  review::Finding finding;
  finding.rule = "S2F367";
  finding.span = statement.span;
  finding.message = "The driver waits for a file that a job is to write.";
  finding.slurm_does = "It goes on when the file is there, and waits for ever where it never is.";
  finding.output_does = "What it submits after that waits for all jobs before it to end well.";
  finding.choices = {"the file is there when they have ended well", "write the dependency"};
  finding.default_ = finding.choices[0];
  context_.findings.add(std::move(finding));
  drop(statement, "the loop that waits for a file", "what comes after it waits for the jobs");
  return {};
}

} // namespace s2f::passes
