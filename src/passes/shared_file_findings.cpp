// What jobs of a driver hand to each other by a file's name, and their tasks do not.
//
// before:  first.sh: python first.py | tee counts.txt > all.txt; second.sh, which does not wait for
//          it, reads counts.txt
// after:   S2F605 at second.sh
// before:  first.sh: #SBATCH -o logs/%x.out; second.sh, which waits for it, reads logs/first.out
// after:   S2F605 at second.sh: a task's log is no file
// before:  one.sh: cd /scratch/$USER && ./one; two.sh: python two.py --in /scratch/$USER/data, an
//          input of the task
// after:   S2F605 at two.sh: one.sh may write what it asks its caller for
#include <algorithm>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "analysis/walk.hpp"
#include "passes/driver.hpp"
#include "passes/driver_order.hpp"
#include "passes/job_paths.hpp"
#include "passes/path_names.hpp"

namespace s2f::passes {

namespace {

// "/scratch/$USER" holds "/scratch/$USER/data"; "/scratch" says too little.
bool holds(const std::string& directory, const std::string& path) {
  return path.starts_with(directory + "/") && directory.find('/', 1) != std::string::npos;
}

constexpr auto no_result = static_cast<std::size_t>(-1); // what no task returns

// The files that Slurm writes what the job prints to; "*" for what only Slurm knows.
std::vector<JobOutput> logs_of(const ir::Job& job) {
  const auto& component = job.header.components.front();
  const auto given = [&](const std::string& option) {
    const auto winner = component.winner.find(option);
    return winner == component.winner.end() ? std::string()
                                            : job.header.uses[winner->second].value.value_or("");
  };
  const std::string asked = given("job-name");
  const std::string name = asked.empty() ? leaf_of(job.path) : asked;
  std::vector<JobOutput> logs;
  for (const char* option : {"output", "error"}) {
    std::string pattern = given(option);
    if (pattern.empty() && option == std::string_view("output")) {
      pattern = "slurm-%j.out";
    }
    JobOutput log;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      if (pattern[i] != '%' || i + 1 == pattern.size()) {
        log.path.name += pattern[i];
        continue;
      }
      do { // %4a
        ++i;
      } while (i + 1 < pattern.size() && pattern[i] >= '0' && pattern[i] <= '9');
      if (pattern[i] == 'x') {
        log.path.name += name;
      } else if (pattern[i] == '%') {
        log.path.name += '%';
      } else {
        log.path.name += '*';
        log.path.fixed = false;
      }
    }
    while (log.path.name.starts_with("./")) {
      log.path.name.erase(0, 2);
    }
    log.index = no_result;
    if (!log.path.name.empty() && !log.path.name.starts_with("/dev/")) {
      logs.push_back(std::move(log));
    }
  }
  return logs;
}

// "app_*.log" of app_$1.log: what only the job knows as "*".
std::string pattern_of(const std::vector<shell::WordPart>& parts) {
  std::string pattern;
  for (const shell::WordPart& part : parts) {
    if (const auto* literal = std::get_if<shell::Literal>(&part.value)) {
      pattern += literal->value;
    } else if (const auto* single = std::get_if<shell::SingleQuoted>(&part.value)) {
      pattern += single->value;
    } else if (const auto* quoted = std::get_if<shell::DoubleQuoted>(&part.value)) {
      pattern += pattern_of(quoted->parts);
    } else {
      pattern += '*';
    }
  }
  return pattern;
}

// What a job that stays on Slurm sends its programs' output to, but for what it hands over.
std::vector<JobOutput> written_on_slurm(const ir::Job& job, const std::vector<JobOutput>& known) {
  std::vector<JobOutput> found;
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& statement) {
    for (const shell::Redirect& redirect : statement.redirects) {
      using Kind = shell::RedirectKind;
      const bool writes = redirect.kind == Kind::output || redirect.kind == Kind::append ||
                          redirect.kind == Kind::clobber || redirect.kind == Kind::output_both ||
                          redirect.kind == Kind::append_both;
      JobOutput output;
      output.path.name = writes ? pattern_of(redirect.target.parts) : "";
      const std::string& name = output.path.name;
      output.path.fixed = name.find('*') == std::string::npos;
      output.index = no_result;
      const bool handed =
          std::ranges::any_of(known, [&](const JobOutput& each) { return each.path.name == name; });
      if (!name.empty() && !name.starts_with("*") && !name.starts_with("/dev/") && !handed) {
        found.push_back(std::move(output));
      }
    }
  };
  for (const ir::Step& step : job.body) {
    if (job.stays_on_slurm && step.statement != nullptr) {
      analysis::walk(*step.statement, visitor);
    }
  }
  return found;
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
        auto& outputs = outputs_[submission.job];
        std::ranges::move(written_on_slurm(job, outputs), std::back_inserter(outputs));
        std::ranges::move(logs_of(job), std::back_inserter(outputs));
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
    for (const JobPath& path : named_.at(reader)) {
      const Same how = same(path, output.path);
      // Who makes the directory of the logs reads none of them.
      const bool around =
          output.index == no_result && output.path.name.starts_with(path.name + "/");
      if (how == Same::no || path.own || around) {
        continue;
      }
      const std::string& name = how == Same::yes ? path.name : output.path.name;
      if (name.find('\x01') != std::string::npos) {
        return; // the driver's own text
      }
      if (is_handed(reader, writer, output)) {
        return;
      }
      review::Finding finding;
      // What the reader waits for may have failed: a task that fails hands over nothing.
      const bool failed = output.index != no_result && after_its_end(reader, writer);
      finding.rule = failed ? "S2F364" : "S2F605";
      finding.span = path.span;
      finding.message = fmt::format("{} is written by {} and {} here{}.", name,
                                    script_name_of(workload_, workload_.jobs[writer]),
                                    how == Same::maybe ? "may be read" : "read",
                                    failed ? ", where that may have failed" : "");
      finding.slurm_does = failed ? "What a job wrote before it failed stays where it is."
                                  : "Both jobs run in one directory of a shared file system.";
      finding.output_does = failed
                                ? "A task that fails hands over nothing, so on a cluster the file "
                                  "is not there; a local run shares the directory."
                                : "Each task has a container of its own, so on a cluster the file "
                                  "is not there; a local run shares the directory.";
      add(std::move(finding), findings_of(job));
      return;
    }
  }

  [[nodiscard]] bool is_handed(std::size_t reader, std::size_t writer,
                               const JobOutput& output) const {
    return std::ranges::any_of(driver_.submissions, [&](const ir::Submission& submission) {
      return submission.job == reader &&
             std::ranges::any_of(submission.handed, [&](const ir::Handed& each) {
               return driver_.submissions[each.from].job == writer && each.output == output.index;
             });
    });
  }

  // Whether a submission of the one waits for one of the other to fail, or to end.
  [[nodiscard]] bool after_its_end(std::size_t reader, std::size_t writer) const {
    for (std::size_t i = 0; i < driver_.submissions.size(); ++i) {
      const auto& ended = order_.ended[i];
      if (driver_.submissions[i].job == reader && std::ranges::any_of(ended, [&](std::size_t each) {
            return driver_.submissions[each].job == writer;
          })) {
        return true;
      }
    }
    return false;
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
                                        script_name_of(workload_, other))
                          : fmt::format("{} may be written by {}, which names {}.", input.was,
                                        script_name_of(workload_, other), where);
    finding.slurm_does = "Both jobs see one file system.";
    finding.output_does =
        fmt::format("The task asks whoever starts it for `{}`: what lies there before the run.",
                    input.parameter);
    add(std::move(finding), findings_of(workload_.jobs[reader]));
  }

  static void add(review::Finding finding, review::Findings& to) {
    finding.choices = {finding.rule == "S2F364"
                           ? "catch the failure: the task returns the file and its status"
                           : "pass it: a File that one task returns and the other takes",
                       "a mounted volume: pod_template=\"NAME\""};
    const bool known = std::ranges::any_of(to.all(), [&](const review::Finding& each) {
      const bool of_name = finding.rule == "S2F364" || each.message == finding.message;
      return each.rule == finding.rule && each.span == finding.span && of_name;
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
