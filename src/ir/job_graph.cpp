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

class Reader {
public:
  explicit Reader(const Driver& driver) {
    // A loop can use what a later statement in it has set.
    std::size_t known = 0;
    do {
      known = size();
      walk(driver.steps, false);
    } while (size() != known);
  }

  [[nodiscard]] Submissions of(const Term& term) const {
    Submissions found;
    collect(term, found);
    return found;
  }
  [[nodiscard]] bool loops(std::size_t submission) const { return loops_.contains(submission); }
  [[nodiscard]] bool chosen(std::size_t submission) const { return chosen_.contains(submission); }

private:
  [[nodiscard]] std::size_t size() const {
    std::size_t sum = 0;
    for (const auto& [name, submissions] : holds_) {
      sum += submissions.size();
    }
    return sum;
  }

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

  void put(const std::string& name, const Term& value) {
    const Submissions found = of(value);
    holds_[name].insert(found.begin(), found.end());
  }

  void walk(const std::vector<DriverStep>& steps, bool loop, bool choice = false) {
    for (const DriverStep& step : steps) {
      if (const auto* bind = std::get_if<Bind>(&step.value)) {
        put(bind->name, bind->value);
      } else if (const auto* extend = std::get_if<Extend>(&step.value)) {
        put(extend->name, extend->value);
      } else if (const auto* item = std::get_if<PutItem>(&step.value)) {
        put(item->name, item->value);
      } else if (const auto* submitted = std::get_if<Submitted>(&step.value)) {
        if (!submitted->name.empty()) {
          holds_[submitted->name].insert(submitted->submission);
        }
        if (loop) {
          loops_.insert(submitted->submission);
        }
        if (choice) {
          chosen_.insert(submitted->submission);
        }
      } else if (const auto* each = std::get_if<Each>(&step.value)) {
        put(each->variable, each->over);
        walk(each->body, true, choice);
      } else if (const auto* branches = std::get_if<Choice>(&step.value)) {
        for (const Choice::Branch& branch : branches->branches) {
          walk(branch.body, loop, true);
        }
      }
    }
  }

  std::map<std::string, Submissions> holds_; // which jobs a variable can hold
  Submissions loops_, chosen_;
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
    graph.nodes.push_back(std::move(node));
    for (const Dependency& depends : submission.depends) {
      for (const std::size_t from : reader.of(depends.jobs)) {
        edge(from, i, name_of(depends.kind));
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
