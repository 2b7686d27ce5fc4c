// Follows the ids of jobs through a driver's variables to the submissions that they are of.
//
// before:  for i in 1 2; do ids+=($(sbatch --parsable a.sh)); done; sbatch -d afterok:${ids...}
// b.sh after:   a (in a loop) --> b
#include "ir/job_graph.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

namespace s2f::ir {

namespace {

using Submissions = std::set<std::size_t>;

// What a submission waits for, as the variables that its --dependency names held there.
struct Waits {
  Submissions for_jobs;
  Dependency::Kind kind{};
  friend auto operator<=>(const Waits&, const Waits&) = default;
};

class Reader {
public:
  explicit Reader(const Driver& driver) : driver_(driver), waits_(driver.submissions.size()) {
    walk(driver.steps, false);
  }

  [[nodiscard]] const std::set<Waits>& waits_of(std::size_t submission) const {
    return waits_[submission];
  }
  [[nodiscard]] bool loops(std::size_t submission) const { return loops_.contains(submission); }
  [[nodiscard]] bool chosen(std::size_t submission) const { return chosen_.contains(submission); }

private:
  void collect(const Term& term, Submissions& found) const {
    if (term.kind == Term::Kind::submitted) {
      found.insert(static_cast<std::size_t>(term.number));
    } else if (term.kind == Term::Kind::name) {
      if (const auto known = holds_.find(term.text); known != holds_.end()) {
        found.insert(known->second.begin(), known->second.end());
      }
    }
    for (const Term& part : term.parts) {
      collect(part, found);
    }
  }

  // What a variable held is gone with the next assignment, where that is made once and for certain.
  void put(const std::string& name, Submissions found, bool certain) {
    Submissions& held = holds_[name];
    if (certain) {
      grown_ = grown_ || found != held;
      held = std::move(found);
      return;
    }
    const std::size_t before = held.size();
    held.insert(found.begin(), found.end());
    grown_ = grown_ || held.size() != before;
  }

  void put(const std::string& name, const Term& value, bool certain) {
    Submissions found;
    collect(value, found);
    put(name, std::move(found), certain);
  }

  void submit(const Submitted& submitted, bool loop, bool choice) {
    const std::size_t number = submitted.submission;
    for (const Dependency& depends : driver_.submissions[number].depends) {
      Waits waits{.for_jobs = {}, .kind = depends.kind};
      collect(depends.jobs, waits.for_jobs);
      waits_[number].insert(std::move(waits));
    }
    if (!submitted.name.empty()) {
      put(submitted.name, Submissions{number}, !loop && !choice);
    }
    if (loop) {
      loops_.insert(number);
    }
    if (choice) {
      chosen_.insert(number);
    }
  }

  // A loop can use what a later statement in it has set.
  void repeat(const Each& each, bool choice) {
    bool grown = grown_;
    do {
      grown_ = false;
      put(each.variable, each.over, false);
      walk(each.body, true, choice);
      grown = grown || grown_;
    } while (grown_);
    grown_ = grown; // a loop around this one goes by it
  }

  void walk(const std::vector<DriverStep>& steps, bool loop, bool choice = false) {
    for (const DriverStep& step : steps) {
      if (const auto* bind = std::get_if<Bind>(&step.value)) {
        put(bind->name, bind->value, !loop && !choice);
      } else if (const auto* extend = std::get_if<Extend>(&step.value)) {
        put(extend->name, extend->value, false);
      } else if (const auto* item = std::get_if<PutItem>(&step.value)) {
        put(item->name, item->value, false);
      } else if (const auto* submitted = std::get_if<Submitted>(&step.value)) {
        submit(*submitted, loop, choice);
      } else if (const auto* each = std::get_if<Each>(&step.value)) {
        repeat(*each, choice);
      } else if (const auto* branches = std::get_if<Choice>(&step.value)) {
        for (const Choice::Branch& branch : branches->branches) {
          walk(branch.body, loop, true);
        }
      }
    }
  }

  const Driver& driver_;
  std::map<std::string, Submissions> holds_; // which jobs a variable can hold
  std::vector<std::set<Waits>> waits_;       // by submission
  Submissions loops_, chosen_;
  bool grown_ = false; // a variable can hold more than before
};

std::string_view name_of(Dependency::Kind kind) {
  switch (kind) {
  case Dependency::Kind::ok:
    return "afterok";
  case Dependency::Kind::any:
    return "afterany";
  case Dependency::Kind::not_ok:
    return "afternotok";
  }
  return "";
}

} // namespace

review::JobGraph job_graph(const Workload& workload) {
  review::JobGraph graph;
  if (!workload.driver || workload.driver->not_lifted) {
    return graph;
  }
  const Driver& driver = *workload.driver;
  const Reader reader(driver);
  std::set<std::tuple<std::size_t, std::size_t, std::string>> seen;
  const auto edge = [&](std::size_t from, std::size_t to, std::string_view kind) {
    // Who takes a job's files waits for its success anyway.
    const bool told = kind == "files" && seen.contains({from, to, "afterok"});
    if (from < driver.submissions.size() && !told && seen.emplace(from, to, kind).second) {
      graph.edges.push_back({from, to, std::string(kind)});
    }
  };
  for (std::size_t i = 0; i < driver.submissions.size(); ++i) {
    const Submission& submission = driver.submissions[i];
    const Job& job = workload.jobs[submission.job];
    review::JobNode node{job.function, {}};
    if (job.array) {
      node.note = job.array->mapped() ? fmt::format("{} elements", job.array->spec.indices.size())
                                      : "an array";
    }
    const auto add = [&](std::string_view words) {
      node.note += fmt::format("{}{}", node.note.empty() ? "" : ", ", words);
    };
    if (reader.loops(i)) {
      add("in a loop");
    }
    if (reader.chosen(i)) {
      add("in a branch");
    }
    if (job.stays_on_slurm) {
      add("on Slurm");
    }
    if (!job.module.empty()) {
      add("of " + job.module + ".py");
    }
    graph.nodes.push_back(std::move(node));
    for (const Waits& waits : reader.waits_of(i)) {
      for (const std::size_t from : waits.for_jobs) {
        edge(from, i, name_of(waits.kind));
      }
    }
    for (const std::size_t from : submission.ok) {
      edge(from, i, "afterok");
    }
    for (const std::size_t from : submission.any) {
      edge(from, i, "afterany");
    }
    for (const std::size_t from : submission.not_ok) {
      edge(from, i, "afternotok");
    }
    for (const Handed& handed : submission.handed) {
      edge(handed.from, i, "files");
    }
  }
  return graph;
}

bool as_written(const Job& job) {
  return std::ranges::none_of(job.header.uses, [](const slurm::OptionUse& use) {
    return use.origin == slurm::Origin::command_line;
  });
}

} // namespace s2f::ir
