// The first jobs of a graph that all others wait for: nothing starts before they have ended well.
//
// before:  Submitted{prep, A}; Submitted{x, after A}; Choice{...}, all of it after A
// after:   await prep(); then the graph of the rest, without it
#include <algorithm>

#include "lower/driver_main.hpp"

namespace s2f::lower {

namespace {

// The names of the submissions that a step makes, within loops and choices too.
void submitted_in(const std::vector<ir::DriverStep>& steps, std::set<std::size_t>& found) {
  for (const ir::DriverStep& step : steps) {
    if (const auto* one = std::get_if<ir::Submitted>(&step.value)) {
      found.insert(one->submission);
    } else if (const auto* each = std::get_if<ir::Each>(&step.value)) {
      submitted_in(each->body, found);
    } else if (const auto* choice = std::get_if<ir::Choice>(&step.value)) {
      for (const auto& branch : choice->branches) {
        submitted_in(branch.body, found);
      }
    }
  }
}

bool is(const ir::Term& term, const std::string& name) {
  return term.kind == ir::Term::Kind::name && term.text == name;
}

} // namespace

// Whether every job of the steps from `first` on waits for that one to succeed, and nothing else is
// done with its id.
bool Main::all_wait_for(const std::string& name, std::size_t first) const {
  const Steps rest(driver_.steps.begin() + static_cast<std::ptrdiff_t>(first), driver_.steps.end());
  std::set<std::size_t> later;
  submitted_in(rest, later);
  for (const ir::DriverStep& step : rest) {
    const auto* each = std::get_if<ir::Each>(&step.value);
    if (std::holds_alternative<ir::Finish>(step.value) ||
        (each != nullptr && each->variable == name)) {
      return false;
    }
  }
  const bool all = std::ranges::all_of(later, [&](std::size_t index) {
    const auto& depends = driver_.submissions[index].depends;
    const bool waits = std::ranges::any_of(depends, [&](const ir::Dependency& on) {
      return on.kind == ir::Dependency::Kind::ok && is(on.jobs, name) && !on.each && !on.element;
    });
    const bool more = std::ranges::any_of(depends, [&](const ir::Dependency& on) {
      return ir::terms::mentions(on.jobs, name) &&
             (on.kind != ir::Dependency::Kind::ok || !is(on.jobs, name));
    });
    return waits && !more && driver_.submissions[index].recoveries.empty();
  });
  // What is bound to it, added to a list or given another value.
  std::vector<ir::DriverStep> plain;
  for (const ir::DriverStep& step : rest) {
    if (!std::holds_alternative<ir::Submitted>(step.value)) {
      plain.push_back(step);
    }
  }
  const auto holds = [&](const auto& self, const Steps& steps) -> bool {
    return std::ranges::any_of(steps, [&](const ir::DriverStep& step) {
      if (const auto* bind = std::get_if<ir::Bind>(&step.value)) {
        return bind->name == name || ir::terms::mentions(bind->value, name);
      }
      if (const auto* extend = std::get_if<ir::Extend>(&step.value)) {
        return extend->name == name || ir::terms::mentions(extend->value, name);
      }
      if (const auto* put = std::get_if<ir::PutItem>(&step.value)) {
        return ir::terms::mentions(put->value, name);
      }
      if (const auto* each = std::get_if<ir::Each>(&step.value)) {
        return ir::terms::mentions(each->over, name) || self(self, each->body);
      }
      if (const auto* choice = std::get_if<ir::Choice>(&step.value)) {
        return std::ranges::any_of(choice->branches, [&](const auto& branch) {
          return (branch.condition && ir::terms::mentions(*branch.condition, name)) ||
                 self(self, branch.body);
        });
      }
      const auto* again = std::get_if<ir::Submitted>(&step.value);
      return again != nullptr && again->name == name;
    });
  };
  return all && !later.empty() && !holds(holds, rest);
}

std::size_t Main::awaited_first(std::vector<flyte::Stmt>& out) {
  std::size_t count = 0; // so many are a chain before all else
  std::size_t last = 0;
  for (; count < driver_.steps.size(); ++count) {
    const auto* one = std::get_if<ir::Submitted>(&driver_.steps[count].value);
    if (one == nullptr || one->name.empty()) {
      break;
    }
    const ir::Submission& submission = driver_.submissions[one->submission];
    const ir::Job& element = job(submission);
    if (element.array || element.stays_on_slurm || submission.by_element ||
        !submission.recoveries.empty() || !submission.handed.empty() ||
        !all_wait_for(one->name, count + 1)) {
      break;
    }
    last = count + 1;
  }
  for (std::size_t i = 0; i < last; ++i) {
    const ir::DriverStep& step = driver_.steps[i];
    const auto& one = std::get<ir::Submitted>(step.value);
    const ir::Submission& submission = driver_.submissions[one.submission];
    const std::size_t first = out.size();
    flyte::Expr run = flyte::await(call_of(submission));
    const bool taken = std::ranges::any_of(driver_.submissions, [&](const auto& later) {
      return std::ranges::any_of(
          later.handed, [&](const ir::Handed& handed) { return handed.from == one.submission; });
    });
    if (taken) { // `after` takes a result as it takes a job
      job_names_[one.submission] = terms_.unique(job(submission).function + "_result");
      out.push_back(assignment(job_names_[one.submission], std::move(run)));
    } else {
      out.push_back(expression_statement(std::move(run)));
    }
    awaited_.insert(one.name);
    note(out[first].notes, submission);
    out[first].notes.spans.push_back(step.span);
    say(step.comments, step.below, first, out);
  }
  return last;
}

} // namespace s2f::lower
