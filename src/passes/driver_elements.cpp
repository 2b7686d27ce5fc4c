// Arrays whose elements other jobs wait for one by one.
//
// before:  a=$(sbatch --parsable --array=0-7 a.sh); sbatch -d aftercorr:$a --array=0-7 b.sh
//          sbatch -d afterok:${a}_3 c.sh
// after:   submission a by_element; element i of b waits for element i of a, c for element 3
//
// Where the elements of the two are not the same, where they run only so many at a time, or where
// the driver does more with the id than wait for it, the job waits for the whole array: S2F321,
// S2F340. What element i leaves goes to element i alone.
#include <algorithm>

#include <fmt/format.h>

#include "passes/driver_reader.hpp"
#include "passes/pipeline.hpp"

namespace s2f::passes {

namespace {

using ir::Term;
using Kind = Term::Kind;
using Type = Term::Type;

// Every term of the steps but what jobs wait for.
void look(const std::vector<ir::DriverStep>& steps, const ir::Driver& driver,
          const std::function<void(const Term&)>& see) {
  for (const ir::DriverStep& step : steps) {
    if (const auto* bind = std::get_if<ir::Bind>(&step.value)) {
      see(bind->value);
    } else if (const auto* extend = std::get_if<ir::Extend>(&step.value)) {
      see(extend->value);
    } else if (const auto* put = std::get_if<ir::PutItem>(&step.value)) {
      see(put->key);
      see(put->value);
    } else if (const auto* each = std::get_if<ir::Each>(&step.value)) {
      see(each->over);
      look(each->body, driver, see);
    } else if (const auto* choice = std::get_if<ir::Choice>(&step.value)) {
      for (const auto& branch : choice->branches) {
        if (branch.condition) {
          see(*branch.condition);
        }
        look(branch.body, driver, see);
      }
    }
  }
}

class Elements {
public:
  explicit Elements(ir::Workload& workload) : workload_(workload), driver_(*workload.driver) {}

  void run(review::Findings& findings) {
    for (ir::Submission& submission : driver_.submissions) {
      for (ir::Dependency& dependency : submission.depends) {
        if (!dependency.each && !dependency.element) {
          continue;
        }
        const std::string why = refused(submission, dependency);
        if (!why.empty()) {
          waits_for_all(submission, dependency, why, findings);
        }
      }
    }
    for (ir::Submission& submission : driver_.submissions) {
      for (const ir::Dependency& dependency : submission.depends) {
        if (dependency.each || dependency.element) {
          named(dependency.jobs.text)->by_element = true;
          submission.by_element |= dependency.each;
        }
      }
    }
    for (ir::Submission& submission : driver_.submissions) { // now a list of jobs
      for (ir::Dependency& dependency : submission.depends) {
        const ir::Submission* on =
            dependency.jobs.kind == Kind::name ? named(dependency.jobs.text) : nullptr;
        if (on != nullptr && on->by_element) {
          dependency.jobs.type = Type::jobs;
        }
      }
    }
  }

private:
  // The submission whose id the variable holds, if it stands alone in the driver and the variable
  // never holds another.
  ir::Submission* named(const std::string& name) {
    ir::Submission* found = nullptr;
    for (const ir::DriverStep& step : driver_.steps) {
      if (const auto* submitted = std::get_if<ir::Submitted>(&step.value);
          submitted != nullptr && submitted->name == name) {
        if (found != nullptr) {
          return nullptr;
        }
        found = &driver_.submissions[submitted->submission];
      }
    }
    return found;
  }

  [[nodiscard]] bool alone(const ir::Submission& submission) const {
    return std::ranges::any_of(driver_.steps, [&](const ir::DriverStep& step) {
      const auto* submitted = std::get_if<ir::Submitted>(&step.value);
      return submitted != nullptr && &driver_.submissions[submitted->submission] == &submission;
    });
  }

  // Whether a job takes what that array wrote and waits for it by way of others only: which of its
  // elements have ended then is not known.
  [[nodiscard]] bool handed_further(const ir::Submission& submission) const {
    return std::ranges::any_of(driver_.submissions, [&](const ir::Submission& reader) {
      const bool takes = std::ranges::any_of(reader.handed, [&](const ir::Handed& handed) {
        return &driver_.submissions[handed.from] == &submission;
      });
      const bool waits = std::ranges::any_of(reader.depends, [&](const ir::Dependency& on) {
        return on.kind == ir::Dependency::Kind::ok && on.jobs.kind == Kind::name &&
               on.jobs.text == name_of(submission);
      });
      return takes && !waits;
    });
  }

  [[nodiscard]] std::string name_of(const ir::Submission& submission) const {
    for (const ir::DriverStep& step : driver_.steps) {
      if (const auto* submitted = std::get_if<ir::Submitted>(&step.value);
          submitted != nullptr && &driver_.submissions[submitted->submission] == &submission) {
        return submitted->name;
      }
    }
    return {};
  }

  // Why the elements of that array cannot stand for themselves; "" where they can.
  [[nodiscard]] std::string elements_of(const ir::Submission& submission) const {
    const ir::Job& job = workload_.jobs[submission.job];
    if (!job.array || !job.array->mapped() || submission.indices || job.stays_on_slurm) {
      return "its elements are known only when it runs";
    }
    if (job.array->spec.throttle &&
        static_cast<std::size_t>(*job.array->spec.throttle) < job.array->spec.indices.size()) {
      return "only some of its elements run at a time";
    }
    return handed_further(submission) ? "a later job takes its files, too" : "";
  }

  [[nodiscard]] std::string refused(const ir::Submission& submission,
                                    const ir::Dependency& dependency) {
    const std::string& name = dependency.jobs.text;
    const ir::Submission* on = dependency.jobs.kind == Kind::name ? named(name) : nullptr;
    bool read = false;
    look(driver_.steps, driver_,
         [&](const Term& term) { read |= ir::terms::mentions(term, name); });
    for (const ir::Submission& each : driver_.submissions) {
      for (const ir::Dependency& other : each.depends) {
        read |= other.jobs.kind != Kind::name && ir::terms::mentions(other.jobs, name);
        // One failing element is enough for it, of those that it waits for.
        read |= other.jobs.kind == Kind::name && other.jobs.text == name &&
                other.kind == ir::Dependency::Kind::not_ok && !other.element;
      }
    }
    if (on == nullptr || read || driver_.plan) {
      return "the driver does more with its id than wait for it";
    }
    if (std::string why = elements_of(*on); !why.empty()) {
      return why;
    }
    const auto& indices = workload_.jobs[on->job].array->spec.indices;
    if (dependency.element) {
      const auto index = ir::terms::constant_integer(*dependency.element);
      const bool there = index && std::ranges::find(indices, *index) != indices.end();
      const bool in_row =
          indices.back() - indices.front() + 1 == static_cast<std::int64_t>(indices.size());
      return there || (!index && in_row) ? "" : "it has no such element";
    }
    if (std::string why = alone(submission) ? elements_of(submission) : "it stands in a loop";
        !why.empty()) {
      return why;
    }
    return indices == workload_.jobs[submission.job].array->spec.indices
               ? ""
               : "the two have other elements";
  }

  static void waits_for_all(const ir::Submission& submission, ir::Dependency& dependency,
                            const std::string& why, review::Findings& findings) {
    review::Finding finding;
    finding.span = submission.span;
    if (dependency.each) {
      finding.rule = "S2F321";
      finding.message = fmt::format(
          "aftercorr became afterok: each element waits for the whole array ({}).", why);
      finding.slurm_does = "Element i starts as soon as element i of the other array succeeded.";
      finding.output_does = "No element starts before all of the other array succeeded.";
    } else {
      finding.rule = "S2F340";
      finding.message =
          fmt::format("A dependency on one element became one on its whole array ({}).", why);
      finding.slurm_does = "The job waits for that element alone, whatever becomes of the others.";
      finding.output_does = "It waits for all elements, and what one of them does counts for all.";
    }
    findings.add(std::move(finding));
    dependency.each = false;
    dependency.element.reset();
  }

  ir::Workload& workload_;
  ir::Driver& driver_;
};

} // namespace

void driver_elements(ir::Workload& workload, review::Findings& findings) {
  if (workload.driver) {
    Elements(workload).run(findings);
  }
}

} // namespace s2f::passes
