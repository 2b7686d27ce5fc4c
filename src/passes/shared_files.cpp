// Files that one job of a driver writes and another reads.
//
// before:  count.sh: python count.py --out counts.json; report.sh: python report.py --in
// counts.json after:   the submission of report.sh is handed what the task of count.sh returns;
// where the reader
//          does more than read the file, S2F605 at the reader: their containers share no directory
#include <algorithm>

#include <fmt/format.h>

#include "ir/steps.hpp"
#include "passes/driver.hpp"

namespace s2f::passes {

namespace {

std::string clean(std::string path) {
  while (path.starts_with("./")) {
    path.erase(0, 2);
  }
  return path;
}

std::string name_of(const ir::Job& job) { return job.path.substr(job.path.find_last_of('/') + 1); }

std::optional<std::string> path_of(const ir::OutputFile& output) {
  const auto text = output.path.text();
  if (!text) {
    return std::nullopt;
  }
  return output.directory.empty() ? clean(*text) : output.directory + "/" + clean(*text);
}

// The word of a job's commands that is this path, but for its own outputs.
const ir::Value* reads(const ir::Job& job, const std::string& path) {
  for (const ir::OutputFile& output : job.outputs) {
    if (output.path.text() == path) {
      return nullptr;
    }
  }
  const ir::Value* found = nullptr;
  ir::for_each_step(job.body, [&](const ir::Step& step) {
    const auto* launch = std::get_if<ir::Launch>(&step.value);
    for (std::size_t i = 1; found == nullptr && launch != nullptr && i < launch->words.size();
         ++i) {
      const auto text = launch->words[i].text();
      const auto equals = text ? text->find('=') : std::string::npos;
      if (text && (clean(*text) == path ||
                   (equals != std::string::npos && clean(text->substr(equals + 1)) == path))) {
        found = &launch->words[i];
      }
    }
  });
  return found;
}

// The submissions that have ended well before this one starts.
std::set<std::size_t> awaited(const ir::Driver& driver, std::size_t index) {
  std::set<std::size_t> all;
  std::vector<std::size_t> todo = driver.submissions[index].ok;
  while (!todo.empty()) {
    const std::size_t next = todo.back();
    todo.pop_back();
    if (all.insert(next).second) {
      const auto& more = driver.submissions[next].ok;
      todo.insert(todo.end(), more.begin(), more.end());
    }
  }
  return all;
}

// Each waits for the one before it and for nothing else.
bool is_chain(const ir::Driver& driver) {
  for (std::size_t i = 0; i < driver.submissions.size(); ++i) {
    const ir::Submission& one = driver.submissions[i];
    const bool ok = i == 0 ? one.ok.empty() : one.ok == std::vector<std::size_t>{i - 1};
    if (!ok || !one.any.empty() || !one.not_ok.empty()) {
      return false;
    }
  }
  return true;
}

std::size_t outputs_of(const ir::Job& job) {
  return job.outputs.size() + static_cast<std::size_t>(std::ranges::count_if(
                                  job.cluster_paths, &ir::ClusterPath::written));
}

// A value is what a task returns, so it can be handed on; of several values only a chain picks one.
bool can_hand_on(const ir::Driver& driver, const ir::Job& job) {
  return !driver.not_lifted && !job.array && job.kept.empty() &&
         (outputs_of(job) == 1 || (is_chain(driver) && !job.stays_on_slurm));
}

// The output of a job that lies at this path.
std::optional<std::size_t> output_at(ir::Job& job, const std::string& path, bool directory) {
  std::size_t index = 0;
  for (ir::ClusterPath& output : job.cluster_paths) {
    if (!output.written) {
      continue;
    }
    if (output.was == path && output.directory == directory) {
      output.handed_on = true;
      return index;
    }
    ++index;
  }
  for (ir::OutputFile& output : job.outputs) {
    if (path_of(output) == clean(path) && !directory) {
      output.handed_on = true;
      return index;
    }
    ++index;
  }
  return std::nullopt;
}

} // namespace

std::set<std::string> provided_to(const ir::Workload& workload, std::size_t job) {
  std::set<std::string> paths;
  const ir::Driver& driver = *workload.driver;
  bool first = true;
  for (std::size_t i = 0; i < driver.submissions.size(); ++i) {
    if (driver.submissions[i].job != job) {
      continue;
    }
    std::set<std::string> here;
    for (const std::size_t earlier : awaited(driver, i)) {
      const ir::Job& writer = workload.jobs[driver.submissions[earlier].job];
      if (!can_hand_on(driver, writer)) {
        continue;
      }
      for (const ir::OutputFile& output : writer.outputs) {
        if (const auto path = path_of(output)) {
          here.insert(*path);
        }
      }
      for (const ir::ClusterPath& output : writer.cluster_paths) {
        if (output.written) {
          here.insert(output.was);
        }
      }
    }
    if (first) {
      paths = std::move(here);
    } else { // every submission of the job must have it
      std::erase_if(paths, [&](const std::string& path) { return !here.contains(path); });
    }
    first = false;
  }
  return paths;
}

void hand_on(ir::Workload& workload) {
  ir::Driver& driver = *workload.driver;
  for (std::size_t i = 0; i < driver.submissions.size(); ++i) {
    ir::Submission& submission = driver.submissions[i];
    for (const ir::ClusterPath& input : workload.jobs[submission.job].cluster_paths) {
      if (input.written) {
        continue;
      }
      const std::set<std::size_t> earlier = awaited(driver, i);
      for (auto from = earlier.rbegin(); from != earlier.rend(); ++from) { // the last that wrote it
        ir::Job& writer = workload.jobs[driver.submissions[*from].job];
        if (!can_hand_on(driver, writer)) {
          continue;
        }
        if (const auto output = output_at(writer, input.was, input.directory)) {
          submission.handed.push_back({input.parameter, *from, *output});
          break;
        }
      }
    }
  }
}

void shared_files(const ir::Workload& workload,
                  const std::function<review::Findings&(const ir::Job&)>& findings_of) {
  for (const ir::Job& writer : workload.jobs) {
    for (const ir::OutputFile& output : writer.outputs) {
      const auto path = path_of(output);
      for (const ir::Job& reader : workload.jobs) {
        const ir::Value* word = path && &reader != &writer ? reads(reader, *path) : nullptr;
        if (word == nullptr) {
          continue;
        }
        review::Finding finding;
        finding.rule = "S2F605";
        finding.span = word->span;
        finding.message = fmt::format("{} is written by {} and read here.", *path, name_of(writer));
        finding.slurm_does = "Both jobs run in one directory of a shared file system.";
        finding.output_does = "Each task has a container of its own, so on a cluster the file is "
                              "not there; a local run shares the directory.";
        finding.choices = {"pass it: a File that one task returns and the other takes",
                           "a mounted volume: pod_template=\"NAME\""};
        findings_of(reader).add(std::move(finding));
      }
    }
  }
}

} // namespace s2f::passes
