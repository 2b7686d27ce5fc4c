// Which jobs of a driver have ended well before another one starts, loops included.
//
// before:  for lr in 0.1 0.2; do ids+=($(sbatch --parsable train.sh $lr)); done
//          sbatch -d afterok:$(IFS=:; echo "${ids[*]}") report.sh
// after:   before[report.sh] = {train.sh: all}
#include "passes/driver_order.hpp"

#include <algorithm>
#include <set>
#include <string>

namespace s2f::passes {

namespace {

using ir::Term;
using Runs = DriverOrder::Runs;
using Ended = std::map<std::size_t, Runs>;
using Held = std::map<std::string, Ended>; // by the variable that holds their ids

void add(Ended& to, const Ended& more) {
  for (const auto& [submission, runs] : more) {
    const auto [known, added] = to.emplace(submission, runs);
    if (!added && runs == Runs::all) {
      known->second = Runs::all;
    }
  }
}

// The variables that are given a value in these steps.
void changed(const std::vector<ir::DriverStep>& steps, std::set<std::string>& names) {
  for (const ir::DriverStep& step : steps) {
    if (const auto* bind = std::get_if<ir::Bind>(&step.value)) {
      names.insert(bind->name);
    } else if (const auto* extend = std::get_if<ir::Extend>(&step.value)) {
      names.insert(extend->name);
    } else if (const auto* put = std::get_if<ir::PutItem>(&step.value)) {
      names.insert(put->name);
    } else if (const auto* submitted = std::get_if<ir::Submitted>(&step.value)) {
      names.insert(submitted->name);
    } else if (const auto* each = std::get_if<ir::Each>(&step.value)) {
      names.insert(each->variable);
      changed(each->body, names);
    } else if (const auto* choice = std::get_if<ir::Choice>(&step.value)) {
      for (const auto& branch : choice->branches) {
        changed(branch.body, names);
      }
    }
  }
}

// Whether every run of the loop comes to its end.
bool leaves(const std::vector<ir::DriverStep>& steps) {
  return std::ranges::any_of(steps, [](const ir::DriverStep& step) {
    if (const auto* each = std::get_if<ir::Each>(&step.value)) {
      return leaves(each->body);
    }
    if (const auto* choice = std::get_if<ir::Choice>(&step.value)) {
      return std::ranges::any_of(choice->branches,
                                 [](const auto& branch) { return leaves(branch.body); });
    }
    return std::holds_alternative<ir::LeaveEach>(step.value) ||
           std::holds_alternative<ir::Finish>(step.value);
  });
}

class Order {
public:
  explicit Order(const ir::Driver& driver) : driver_(driver) {
    result_.before.resize(driver.submissions.size());
    result_.ended.resize(driver.submissions.size());
    result_.in_loop.resize(driver.submissions.size());
  }

  DriverOrder run() {
    if (!driver_.plan && !driver_.not_lifted) {
      Held held;
      steps(driver_.steps, held, false);
    }
    return std::move(result_);
  }

private:
  // What a term that holds jobs waits for; nothing of one that is not known to be there.
  static Ended jobs_of(const Term& term, const Held& held) {
    Ended found;
    if (term.type == Term::Type::maybe_job || term.kind == Term::Kind::item) {
      return found;
    }
    if (term.kind == Term::Kind::submitted) {
      found.emplace(static_cast<std::size_t>(term.number), Runs::one);
    } else if (term.kind == Term::Kind::name) {
      if (const auto known = held.find(term.text); known != held.end()) {
        found = known->second;
      }
    }
    for (const Term& part : term.parts) {
      add(found, jobs_of(part, held));
    }
    return found;
  }

  void submitted(const ir::Submitted& step, Held& held, bool in_loop) {
    Ended& before = result_.before[step.submission];
    for (const ir::Dependency& dependency : driver_.submissions[step.submission].depends) {
      if (dependency.kind != ir::Dependency::Kind::ok) {
        for (const auto& [earlier, runs] : jobs_of(dependency.jobs, held)) {
          result_.ended[step.submission].insert(earlier);
        }
        continue;
      }
      for (const auto& [earlier, runs] : jobs_of(dependency.jobs, held)) {
        add(before, {{earlier, runs}});
        add(before, result_.before[earlier]); // what it waited for, all its runs did
      }
    }
    result_.in_loop[step.submission] = in_loop;
    if (!step.name.empty()) {
      held[step.name] = {{step.submission, Runs::one}};
    }
  }

  void each(const ir::Each& loop, Held& held) {
    std::set<std::string> names;
    changed(loop.body, names);
    Held inside = held;
    for (const std::string& name : names) { // as an earlier turn left it
      inside.erase(name);
    }
    std::map<std::string, Ended> collected;
    steps(loop.body, inside, true);
    if (!leaves(loop.body)) {
      collect(loop.body, collected);
    }
    // What is known of one turn is not known of another.
    for (const std::string& name : names) {
      const auto all = collected.find(name);
      const auto before = held.find(name);
      if (all == collected.end() || before == held.end()) {
        held.erase(name);
      } else {
        add(before->second, all->second);
      }
    }
  }

  // Lists to which every turn adds what it submits.
  static void collect(const std::vector<ir::DriverStep>& body, Held& collected) {
    std::map<std::string, std::size_t> submitted;
    std::set<std::string> reset;
    for (const ir::DriverStep& step : body) {
      if (const auto* each = std::get_if<ir::Each>(&step.value)) {
        Held inner;
        collect(each->body, inner);
        for (const auto& [name, jobs] : inner) {
          add(collected[name], jobs);
        }
      } else if (const auto* one = std::get_if<ir::Submitted>(&step.value)) {
        submitted[one->name] = one->submission;
      } else if (const auto* bind = std::get_if<ir::Bind>(&step.value)) {
        reset.insert(bind->name);
        submitted.erase(bind->name);
      } else if (const auto* extend = std::get_if<ir::Extend>(&step.value);
                 extend != nullptr && extend->value.kind == Term::Kind::submitted) {
        add(collected[extend->name], {{static_cast<std::size_t>(extend->value.number), Runs::all}});
      } else if (extend != nullptr && extend->value.kind == Term::Kind::name) {
        if (const auto known = submitted.find(extend->value.text); known != submitted.end()) {
          add(collected[extend->name], {{known->second, Runs::all}});
        }
      } else if (const auto* choice = std::get_if<ir::Choice>(&step.value)) {
        for (const auto& branch : choice->branches) {
          std::set<std::string> names;
          changed(branch.body, names);
          for (const std::string& name : names) {
            submitted.erase(name);
          }
        }
      }
    }
    for (const std::string& name : reset) {
      collected.erase(name);
    }
  }

  void steps(const std::vector<ir::DriverStep>& list, Held& held, bool in_loop) {
    for (const ir::DriverStep& step : list) {
      if (const auto* one = std::get_if<ir::Submitted>(&step.value)) {
        submitted(*one, held, in_loop);
      } else if (const auto* bind = std::get_if<ir::Bind>(&step.value)) {
        held[bind->name] = jobs_of(bind->value, held);
      } else if (const auto* extend = std::get_if<ir::Extend>(&step.value)) {
        add(held[extend->name], jobs_of(extend->value, held));
      } else if (const auto* loop = std::get_if<ir::Each>(&step.value)) {
        each(*loop, held);
      } else if (const auto* choice = std::get_if<ir::Choice>(&step.value)) {
        std::set<std::string> names;
        for (const auto& branch : choice->branches) {
          Held inside = held;
          steps(branch.body, inside, in_loop);
          changed(branch.body, names);
        }
        for (const std::string& name : names) {
          held.erase(name);
        }
      }
    }
  }

  const ir::Driver& driver_;
  DriverOrder result_;
};

} // namespace

DriverOrder order_of(const ir::Driver& driver) { return Order(driver).run(); }

} // namespace s2f::passes
