// What `main` does not need of a driver's steps, and dependencies by number.
//
// before:  Submitted{0, "id"}, Bind{x, ...}, with nothing that reads id or x
// after:   Submitted{0, ""}
#include <algorithm>

#include <fmt/format.h>

#include "passes/driver_reader.hpp"

namespace s2f::passes {

namespace {

using ir::Term;
using Kind = Term::Kind;

// The names that a step, a submission or a term reads.
class Reads {
public:
  explicit Reads(const ir::Workload& workload) : workload_(workload), driver_(*workload.driver) {
    steps(driver_.steps);
  }
  [[nodiscard]] bool contains(const std::string& name) const { return names_.contains(name); }
  [[nodiscard]] bool takes(const std::string& parameter) const {
    return parameters_.contains(parameter);
  }

private:
  void term(const Term& each) {
    if (each.kind == Kind::name) {
      names_.insert(each.text);
    } else if (each.kind == Kind::parameter) {
      parameters_.insert(each.text);
    }
    std::ranges::for_each(each.parts, [this](const Term& part) { term(part); });
  }
  void steps(const std::vector<ir::DriverStep>& list) {
    for (const ir::DriverStep& step : list) {
      if (const auto* bind = std::get_if<ir::Bind>(&step.value)) {
        term(bind->value);
      } else if (const auto* extend = std::get_if<ir::Extend>(&step.value)) {
        term(extend->value);
      } else if (const auto* put = std::get_if<ir::PutItem>(&step.value)) {
        term(put->key);
        term(put->value);
      } else if (const auto* each = std::get_if<ir::Each>(&step.value)) {
        term(each->over);
        steps(each->body);
      } else if (const auto* choice = std::get_if<ir::Choice>(&step.value)) {
        for (const auto& branch : choice->branches) {
          if (branch.condition) {
            term(*branch.condition);
          }
          steps(branch.body);
        }
      } else if (const auto* submitted = std::get_if<ir::Submitted>(&step.value)) {
        of(driver_.submissions[submitted->submission]);
      }
    }
  }
  void of(const ir::Submission& submission) {
    std::ranges::for_each(submission.arguments, [this](const Term& each) { term(each); });
    for (const ir::Dependency& dependency : submission.depends) {
      term(dependency.jobs);
      if (dependency.element) {
        term(*dependency.element);
      }
    }
    for (const ir::Parameter& parameter : workload_.jobs[submission.job].parameters) {
      const auto given = submission.environment.find(
          parameter.origin.substr(parameter.origin.starts_with('$') ? 1 : 0));
      if (given != submission.environment.end()) {
        term(given->second);
      }
    }
    if (submission.indices) {
      term(*submission.indices);
    }
    for (const ir::Recovery& recovery : submission.recoveries) {
      of(driver_.submissions[recovery.submission]);
    }
  }

  const ir::Workload& workload_;
  const ir::Driver& driver_;
  std::set<std::string> names_;
  std::set<std::string> parameters_;
};

bool sweep(std::vector<ir::DriverStep>& steps, const Reads& reads) {
  const std::size_t before = steps.size();
  bool changed = false;
  for (ir::DriverStep& step : steps) {
    if (auto* each = std::get_if<ir::Each>(&step.value)) {
      changed |= sweep(each->body, reads);
    } else if (auto* choice = std::get_if<ir::Choice>(&step.value)) {
      for (auto& branch : choice->branches) {
        changed |= sweep(branch.body, reads);
      }
    } else if (auto* submitted = std::get_if<ir::Submitted>(&step.value);
               submitted != nullptr && !submitted->name.empty() &&
               !reads.contains(submitted->name)) {
      submitted->name.clear();
      changed = true;
    }
  }
  std::erase_if(steps, [&](const ir::DriverStep& step) {
    if (const auto* bind = std::get_if<ir::Bind>(&step.value)) {
      return !reads.contains(bind->name);
    }
    if (const auto* extend = std::get_if<ir::Extend>(&step.value)) {
      return !reads.contains(extend->name);
    }
    if (const auto* put = std::get_if<ir::PutItem>(&step.value)) {
      return !reads.contains(put->name);
    }
    if (const auto* each = std::get_if<ir::Each>(&step.value)) {
      return each->body.empty();
    }
    if (const auto* choice = std::get_if<ir::Choice>(&step.value)) {
      return std::ranges::all_of(choice->branches,
                                 [](const auto& branch) { return branch.body.empty(); });
    }
    return false;
  });
  return changed || steps.size() != before;
}

} // namespace

void sweep_driver(ir::Workload& workload, review::Findings& findings) {
  while (sweep(workload.driver->steps, Reads(workload))) {
  }
  const Reads reads(workload);
  for (const ir::Parameter& parameter : workload.driver->parameters) {
    if (parameter.span.end == 0 || parameter.default_ || parameter.may_be_unset ||
        workload.driver->not_lifted || !reads.takes(parameter.name)) {
      continue;
    }
    review::Finding finding; // as of a job
    finding.rule = "S2F403";
    finding.span = parameter.span;
    finding.message = fmt::format(
        "Nothing in the script sets {}; it came from the shell that ran it.", parameter.origin);
    finding.slurm_does = "The driver has the variables of its shell; unset, it is empty.";
    finding.output_does =
        fmt::format("`main` has a parameter {} without a default.", parameter.name);
    finding.choices = {"give it at each run", "a default in the module",
                       "it was never set: give it the empty text"};
    finding.default_ = finding.choices[0];
    findings.add(std::move(finding));
  }
}

// Dependencies by index, where each variable stands for one submission.
void DriverReader::number_dependencies() {
  std::map<std::string, std::vector<std::size_t>> held;
  const auto jobs_of = [&](const Term& term, const auto& self) -> std::vector<std::size_t> {
    std::vector<std::size_t> found;
    if (const auto known = held.find(term.text); term.kind == Kind::name && known != held.end()) {
      found = known->second;
    }
    for (const Term& part : term.parts) {
      const auto more = self(part, self);
      found.insert(found.end(), more.begin(), more.end());
    }
    return found;
  };
  const bool straight = std::ranges::none_of(driver_.steps, [](const ir::DriverStep& step) {
    return std::holds_alternative<ir::Each>(step.value) ||
           std::holds_alternative<ir::Choice>(step.value) ||
           std::holds_alternative<ir::PutItem>(step.value);
  });
  for (const ir::DriverStep& step : straight ? driver_.steps : std::vector<ir::DriverStep>{}) {
    if (const auto* bind = std::get_if<ir::Bind>(&step.value)) {
      held[bind->name] = jobs_of(bind->value, jobs_of);
    } else if (const auto* extend = std::get_if<ir::Extend>(&step.value)) {
      const auto more = jobs_of(extend->value, jobs_of);
      held[extend->name].insert(held[extend->name].end(), more.begin(), more.end());
    } else if (const auto* submitted = std::get_if<ir::Submitted>(&step.value)) {
      ir::Submission& submission = driver_.submissions[submitted->submission];
      for (const ir::Dependency& dependency : submission.depends) {
        auto& list = dependency.kind == ir::Dependency::Kind::ok    ? submission.ok
                     : dependency.kind == ir::Dependency::Kind::any ? submission.any
                                                                    : submission.not_ok;
        const auto jobs = jobs_of(dependency.jobs, jobs_of);
        list.insert(list.end(), jobs.begin(), jobs.end());
      }
      held[submitted->name] = {submitted->submission};
    }
  }
}

} // namespace s2f::passes
