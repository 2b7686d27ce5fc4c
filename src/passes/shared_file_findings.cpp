// What jobs of a driver hand to each other by a file's name, and their tasks do not.
//
// before:  first.sh: python first.py | tee counts.txt > all.txt; second.sh, which does not wait for
//          it, reads counts.txt
// after:   S2F605 at second.sh
// before:  one.sh: cd /scratch/$USER && ./one; two.sh: python two.py --in /scratch/$USER/data, an
//          input of the task
// after:   S2F605 at two.sh: one.sh may write what it asks its caller for
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "passes/driver.hpp"
#include "passes/driver_order.hpp"
#include "passes/job_paths.hpp"
#include "passes/path_names.hpp"

namespace s2f::passes {

namespace {

// Of a job whose script stands in the driver, its task.
std::string name_of(const ir::Workload& workload, const ir::Job& job) {
  return job.path == workload.driver->path ? job.function : leaf_of(job.path);
}

// "/scratch/$USER" holds "/scratch/$USER/data"; "/scratch" says too little.
bool holds(const std::string& directory, const std::string& path) {
  return path.starts_with(directory + "/") && directory.find('/', 1) != std::string::npos;
}

class SharedFiles {
public:
  SharedFiles(const ir::Workload& workload, const DriverOrder& order)
      : workload_(workload), driver_(*workload.driver), order_(order) {
    const std::set<std::string> changing = changing_names(driver_);
    for (std::size_t i = 0; i < driver_.submissions.size(); ++i) {
      const ir::Submission& submission = driver_.submissions[i];
      const auto [known, first] = first_.emplace(submission.job, i);
      if (first) {
        const ir::Job& job = workload.jobs[submission.job];
        outputs_[submission.job] = outputs_of(job, submission, changing);
        named_[submission.job] = paths_of(job, submission, changing);
      }
    }
  }

  void run(const std::function<review::Findings&(const ir::Job&)>& findings_of) {
    for (const auto& [reader, first] : first_) {
      for (const auto& [writer, other] : first_) {
        if (writer == reader || order_.before[other].contains(first)) {
          continue; // it waits for the reader
        }
        for (const JobOutput& output : outputs_.at(writer)) {
          by_name(reader, writer, output, findings_of);
        }
        for (const ir::ClusterPath& input : workload_.jobs[reader].cluster_paths) {
          if (!input.written && !handed(reader, input)) {
            asked(reader, writer, input, findings_of);
          }
        }
      }
    }
  }

private:
  // A file that one writes and the other names, and that it is not handed.
  void by_name(std::size_t reader, std::size_t writer, const JobOutput& output,
               const std::function<review::Findings&(const ir::Job&)>& findings_of) const {
    const ir::Job& job = workload_.jobs[reader];
    const bool handed =
        std::ranges::any_of(driver_.submissions, [&](const ir::Submission& submission) {
          return submission.job == reader &&
                 std::ranges::any_of(submission.handed, [&](const ir::Handed& each) {
                   return driver_.submissions[each.from].job == writer &&
                          each.output == output.index;
                 });
        });
    if (handed) {
      return;
    }
    for (const JobPath& path : named_.at(reader)) {
      const Same how = same(path, output.path);
      if (how == Same::no || path.own) {
        continue;
      }
      const std::string& name = how == Same::yes ? path.name : output.path.name;
      if (name.find('\x01') != std::string::npos) {
        return; // the driver's own text
      }
      review::Finding finding;
      finding.rule = "S2F605";
      finding.span = path.span;
      finding.message = fmt::format("{} is written by {} and {} here.", name,
                                    name_of(workload_, workload_.jobs[writer]),
                                    how == Same::maybe ? "may be read" : "read");
      finding.slurm_does = "Both jobs run in one directory of a shared file system.";
      finding.output_does = "Each task has a container of its own, so on a cluster the file is "
                            "not there; a local run shares the directory.";
      add(std::move(finding), findings_of(job));
      return;
    }
  }

  [[nodiscard]] bool handed(std::size_t reader, const ir::ClusterPath& input) const {
    return std::ranges::all_of(driver_.submissions, [&](const ir::Submission& submission) {
      return submission.job != reader ||
             std::ranges::any_of(submission.handed, [&](const ir::Handed& each) {
               return each.parameter == input.parameter;
             });
    });
  }

  // A path that the task asks its caller for, and that another job may write.
  void asked(std::size_t reader, std::size_t writer, const ir::ClusterPath& input,
             const std::function<review::Findings&(const ir::Job&)>& findings_of) const {
    const ir::Job& other = workload_.jobs[writer];
    const auto only_read = [&](const std::string& name) {
      return std::ranges::any_of(other.cluster_paths, [&](const ir::ClusterPath& path) {
        return !path.written && path.was == name;
      });
    };
    std::string where;
    for (const JobOutput& output : outputs_.at(writer)) {
      if (output.path.name == input.was || holds(output.path.name, input.was) ||
          holds(input.was, output.path.name)) {
        where = output.path.name;
      }
    }
    for (const JobPath& path : named_.at(writer)) {
      if ((path.name == input.was || holds(path.name, input.was) || holds(input.was, path.name)) &&
          !only_read(path.name)) {
        where = path.name;
      }
    }
    if (where.empty()) {
      return;
    }
    review::Finding finding;
    finding.rule = "S2F605";
    finding.span = input.spans.front();
    finding.message = where == input.was
                          ? fmt::format("{} may be written by {}, which names it too.", input.was,
                                        name_of(workload_, other))
                          : fmt::format("{} may be written by {}, which names {}.", input.was,
                                        name_of(workload_, other), where);
    finding.slurm_does = "Both jobs see one file system.";
    finding.output_does =
        fmt::format("The task asks whoever starts it for `{}`: what lies there before the run.",
                    input.parameter);
    add(std::move(finding), findings_of(workload_.jobs[reader]));
  }

  static void add(review::Finding finding, review::Findings& to) {
    finding.choices = {"pass it: a File that one task returns and the other takes",
                       "a mounted volume: pod_template=\"NAME\""};
    const bool known = std::ranges::any_of(to.all(), [&](const review::Finding& each) {
      return each.rule == finding.rule && each.span == finding.span &&
             each.message == finding.message;
    });
    if (!known) {
      to.add(std::move(finding));
    }
  }

  const ir::Workload& workload_;
  const ir::Driver& driver_;
  const DriverOrder& order_;
  std::map<std::size_t, std::size_t> first_;              // of each job its first submission
  std::map<std::size_t, std::vector<JobOutput>> outputs_; // by job
  std::map<std::size_t, std::vector<JobPath>> named_;
};

} // namespace

void shared_files(const ir::Workload& workload, const DriverOrder& order,
                  const std::function<review::Findings&(const ir::Job&)>& findings_of) {
  SharedFiles(workload, order).run(findings_of);
}

} // namespace s2f::passes
