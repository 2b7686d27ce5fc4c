// Loops that ask Slurm for the states of jobs until they have ended.
//
// before:  while squeue -h -j $a | grep -q $a; do sleep 60; done; sbatch b.sh
// after:   submission 1 waits for a, however it ends
#include <algorithm>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "passes/driver_reader.hpp"

namespace s2f::passes {

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

} // namespace s2f::passes
