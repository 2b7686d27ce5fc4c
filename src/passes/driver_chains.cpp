// A chain of runs of one script, each behind the one before, as attempts of one task.
//
// before:  jid=$(sbatch --parsable train.sh)
//          for i in $(seq 2 10); do jid=$(sbatch --parsable -d afterany:$jid train.sh); done
// after:   jid = Submitted{train}; train has retries=9, where its program goes on from checkpoints
//
// Where it does not, or where each run waits for the one before to succeed, the chain stays as it
// is: S2F369.
#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "passes/driver.hpp"
#include "passes/pipeline.hpp"

namespace s2f::passes {

namespace {

using ir::Term;
using Kind = Term::Kind;
using Steps = std::vector<ir::DriverStep>;

// The submission of a step that does nothing else.
const ir::Submitted* submitted(const ir::DriverStep& step) {
  return std::get_if<ir::Submitted>(&step.value);
}

// How many turns a loop takes; 0 where only the driver knows.
std::int64_t turns(const Term& over) {
  if (over.kind == Kind::range && over.parts.size() == 2) {
    const auto first = ir::terms::constant_integer(over.parts[0]);
    const auto last = ir::terms::constant_integer(over.parts[1]);
    const std::int64_t step = over.number == 0 ? 1 : over.number;
    return first && last && (*last - *first) / step >= 0 ? (*last - *first) / step + 1 : 0;
  }
  return over.kind == Kind::list ? static_cast<std::int64_t>(over.parts.size()) : 0;
}

class Chains {
public:
  explicit Chains(const ir::Workload& workload) : driver_(*workload.driver) {}

  std::vector<RestartChain> run() {
    const Steps& steps = driver_.steps;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (const auto* each = std::get_if<ir::Each>(&steps[i].value)) {
        in_loop(i, *each);
      } else if (submitted(steps[i]) != nullptr) {
        i = in_a_row(i);
      }
    }
    return std::move(found_);
  }

private:
  [[nodiscard]] const ir::Submission& of(const ir::Submitted& step) const {
    return driver_.submissions[step.submission];
  }

  [[nodiscard]] static bool same(const ir::Submission& one, const ir::Submission& other) {
    return one.job == other.job && one.arguments == other.arguments &&
           one.environment == other.environment && !one.indices && !other.indices &&
           one.recoveries.empty() && other.recoveries.empty();
  }

  // The kind of the only dependency, which is on the job that the variable holds.
  [[nodiscard]] static std::optional<ir::Dependency::Kind> behind(const ir::Submission& submission,
                                                                  const std::string& name) {
    if (submission.depends.size() != 1 || name.empty()) {
      return std::nullopt;
    }
    const ir::Dependency& on = submission.depends.front();
    const bool it = on.jobs.kind == Kind::name && on.jobs.text == name && !on.element && !on.each;
    return it ? std::optional(on.kind) : std::nullopt;
  }

  // jid=$(sbatch x); for ...; do jid=$(sbatch -d afterany:$jid x); done, the first one before the
  // loop or, where the id is still empty, in it.
  void in_loop(std::size_t at, const ir::Each& each) {
    const std::int64_t count = turns(each.over);
    if (each.body.size() != 1 || count == 0) {
      return;
    }
    const ir::Submitted* first = nullptr;
    const ir::Submitted* next = submitted(each.body.front());
    std::int64_t times = count;
    if (next != nullptr && at > 0) {
      first = submitted(driver_.steps[at - 1]);
      ++times;
    } else if (const auto* choice = std::get_if<ir::Choice>(&each.body.front().value);
               choice != nullptr && choice->branches.size() == 2 && at > 0) {
      std::tie(first, next) = begun_in(*choice, driver_.steps[at - 1]);
    }
    if (first == nullptr || next == nullptr || first->name != next->name ||
        !same(of(*first), of(*next)) || mentions(of(*next), each.variable)) {
      return;
    }
    if (const auto kind = behind(of(*next), first->name)) {
      add(*first, *next, *kind, times, {at});
    }
  }

  // if [ -z "$jid" ]; then jid=$(sbatch x); else jid=$(sbatch -d afterany:$jid x); fi
  static std::pair<const ir::Submitted*, const ir::Submitted*>
  begun_in(const ir::Choice& choice, const ir::DriverStep& before) {
    const auto* bind = std::get_if<ir::Bind>(&before.value);
    const auto& then = choice.branches[0];
    const auto& otherwise = choice.branches[1];
    if (bind == nullptr || bind->value.kind != Kind::no_job || !then.condition ||
        otherwise.condition || then.body.size() != 1 || otherwise.body.size() != 1) {
      return {};
    }
    Term asked = *then.condition;
    const bool negated = asked.kind == Kind::negated;
    asked = negated ? Term(asked.parts.front()) : asked;
    const bool set = asked.kind == Kind::set && ir::terms::mentions(asked, bind->name);
    const auto* one = submitted(then.body.front());
    const auto* other = submitted(otherwise.body.front());
    if (!set || one == nullptr || other == nullptr || one->name != bind->name) {
      return {};
    }
    return negated ? std::pair(one, other) : std::pair(other, one);
  }

  // a=$(sbatch x); b=$(sbatch -d afterany:$a x); c=...
  std::size_t in_a_row(std::size_t at) {
    const Steps& steps = driver_.steps;
    const ir::Submitted* first = submitted(steps[at]);
    const ir::Submitted* last = first;
    std::optional<ir::Dependency::Kind> kind;
    std::vector<std::size_t> places;
    for (std::size_t i = at + 1; i < steps.size(); ++i) {
      const ir::Submitted* next = submitted(steps[i]);
      const auto on = next == nullptr ? std::nullopt : behind(of(*next), last->name);
      if (!on || (kind && *kind != *on) || !same(of(*first), of(*next))) {
        break;
      }
      kind = on;
      last = next;
      places.push_back(i);
    }
    if (places.empty() || places.size() == 1 || read_between(at, places)) {
      return at;
    }
    add(*first, *last, *kind, static_cast<std::int64_t>(places.size()) + 1, places);
    return places.back();
  }

  // Whether another job waits for a run that is not the last.
  [[nodiscard]] bool read_between(std::size_t first, const std::vector<std::size_t>& places) const {
    std::set<std::string> names{submitted(driver_.steps[first])->name};
    for (const std::size_t place : places) {
      names.insert(submitted(driver_.steps[place])->name);
    }
    names.erase(submitted(driver_.steps[places.back()])->name);
    for (std::size_t i = places.back() + 1; i < driver_.steps.size(); ++i) {
      const ir::Submitted* later = submitted(driver_.steps[i]);
      if (later == nullptr) { // what else there is may hold them
        return true;
      }
      for (const std::string& name : names) {
        if (!name.empty() && mentions(of(*later), name)) {
          return true;
        }
      }
    }
    return false;
  }

  static bool mentions(const ir::Submission& submission, const std::string& name) {
    const auto holds = [&](const Term& term) { return ir::terms::mentions(term, name); };
    return std::ranges::any_of(submission.arguments, holds) ||
           std::ranges::any_of(submission.environment,
                               [&](const auto& each) { return holds(each.second); }) ||
           std::ranges::any_of(submission.depends,
                               [&](const auto& each) { return holds(each.jobs); });
  }

  void add(const ir::Submitted& first, const ir::Submitted& last, ir::Dependency::Kind kind,
           std::int64_t times, std::vector<std::size_t> places) {
    const auto alike = std::ranges::count(driver_.submissions, of(first).job, &ir::Submission::job);
    const auto mine = places.size() == 1 ? 2 : static_cast<std::ptrdiff_t>(places.size()) + 1;
    if (alike != mine) { // the script is submitted elsewhere, too
      return;
    }
    RestartChain chain;
    chain.first = first.submission;
    chain.name = last.name;
    chain.places = std::move(places);
    chain.in_order = kind == ir::Dependency::Kind::ok;
    chain.restart = {ir::Restart::How::chain, of(last).span, times,
                     kind == ir::Dependency::Kind::any};
    found_.push_back(std::move(chain));
  }

  const ir::Driver& driver_;
  std::vector<RestartChain> found_;
};

void keep_submissions(Steps& steps, const std::vector<std::size_t>& now) {
  for (ir::DriverStep& step : steps) {
    if (auto* one = std::get_if<ir::Submitted>(&step.value)) {
      one->submission = now[one->submission];
    } else if (auto* each = std::get_if<ir::Each>(&step.value)) {
      keep_submissions(each->body, now);
    } else if (auto* choice = std::get_if<ir::Choice>(&step.value)) {
      for (auto& branch : choice->branches) {
        keep_submissions(branch.body, now);
      }
    }
  }
}

void submissions_in(const Steps& steps, std::set<std::size_t>& found) {
  for (const ir::DriverStep& step : steps) {
    if (const auto* one = std::get_if<ir::Submitted>(&step.value)) {
      found.insert(one->submission);
    } else if (const auto* each = std::get_if<ir::Each>(&step.value)) {
      submissions_in(each->body, found);
    } else if (const auto* choice = std::get_if<ir::Choice>(&step.value)) {
      for (const auto& branch : choice->branches) {
        submissions_in(branch.body, found);
      }
    }
  }
}

} // namespace

std::vector<RestartChain> restart_chains(const ir::Workload& workload) {
  const ir::Driver& driver = *workload.driver;
  if (driver.plan || driver.not_lifted) {
    return {};
  }
  return Chains(workload).run();
}

void fold_chain(ir::Workload& workload, const RestartChain& chain) {
  ir::Driver& driver = *workload.driver;
  std::set<std::size_t> before;
  submissions_in(driver.steps, before);
  for (ir::DriverStep& step : driver.steps) {
    if (auto* one = std::get_if<ir::Submitted>(&step.value);
        one != nullptr && one->submission == chain.first) {
      one->name = chain.name;
    }
  }
  ir::DriverStep& place = driver.steps[chain.places.front()];
  const auto* loop = std::get_if<ir::Each>(&place.value);
  std::set<std::size_t> dropped(chain.places.begin(), chain.places.end());
  if (loop != nullptr && std::holds_alternative<ir::Choice>(loop->body.front().value)) {
    // Its first run stands in it.
    place.value = ir::Submitted{chain.first, chain.name};
    dropped = {chain.places.front() - 1};
  }
  Steps kept;
  for (std::size_t i = 0; i < driver.steps.size(); ++i) {
    if (!dropped.contains(i)) {
      kept.push_back(std::move(driver.steps[i]));
    }
  }
  driver.steps = std::move(kept);
  std::set<std::size_t> after;
  submissions_in(driver.steps, after);
  std::vector<std::size_t> now(driver.submissions.size());
  std::vector<ir::Submission> submissions;
  for (std::size_t i = 0; i < driver.submissions.size(); ++i) {
    now[i] = submissions.size();
    if (after.contains(i) || !before.contains(i)) {
      submissions.push_back(std::move(driver.submissions[i]));
    }
  }
  for (std::size_t i = 0; i < now.size(); ++i) { // what waited for the last run
    if (before.contains(i) && !after.contains(i)) {
      now[i] = now[chain.first];
    }
  }
  driver.submissions = std::move(submissions);
  for (ir::Submission& submission : driver.submissions) {
    for (auto* list : {&submission.ok, &submission.any, &submission.not_ok}) {
      for (std::size_t& each : *list) {
        each = now[each];
      }
    }
    for (ir::Recovery& recovery : submission.recoveries) {
      recovery.submission = now[recovery.submission];
    }
  }
  keep_submissions(driver.steps, now);
}

void say_chain(const RestartChain& chain, const std::string& script, review::Findings& findings) {
  review::Finding finding;
  finding.rule = "S2F369";
  finding.span = chain.restart.span;
  finding.message = fmt::format(
      "{} runs {} times, one behind the other, and no run gets what the one before wrote.", script,
      chain.restart.times);
  finding.slurm_does = "All runs find the directory as the one before left it.";
  finding.output_does = "Each run begins in a container of its own; a local run shares the "
                        "directory.";
  finding.choices = {"no run needs it",
                     "return the directory as a Dir from each turn and give it to the next",
                     "checkpoints and retries: flyte.ctx().checkpoint",
                     "a mounted volume: "
                     "pod_template=\"NAME\""};
  finding.default_ = finding.choices[0];
  findings.add(std::move(finding));
}

} // namespace s2f::passes
