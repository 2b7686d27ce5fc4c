// Files that one job of a driver writes and another reads.
//
// before:  count.sh: python count.py --out counts.json; report.sh: python report.py --in
//          counts.json
// after:   the submission of report.sh is handed what the task of count.sh returns. Where the
//          passes of the reader could not tell what it does with the file, it is put where the
//          reader looks for it (S2F360)
// before:  for lr in ...: train.sh writes results/lr$1.json; report.sh reads results
// after:   report.sh is handed a list of what all of them return
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "ir/steps.hpp"
#include "passes/driver.hpp"
#include "passes/driver_order.hpp"
#include "passes/job_paths.hpp"
#include "passes/left_files.hpp"
#include "passes/names.hpp"
#include "passes/path_names.hpp"

namespace s2f::passes {

namespace {

using Runs = DriverOrder::Runs;

std::string directory_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

// A value is what a task returns, so it can be handed on.
bool can_hand_on(const ir::Driver& driver, const ir::Job& job) {
  const bool on_slurm = job.stays_on_slurm.has_value();
  return !driver.not_lifted && !job.submits && !job.missing &&
         !(on_slurm && (job.array || job.returned() != 1));
}

// A file that has to be there: what else the job does cannot have moved it.
bool certain(const ir::Job& job) { return job.kept.empty(); }

// The tasks of an array, and of a loop, return a list.
bool several(const ir::Workload& workload, const DriverOrder& order, std::size_t from, Runs runs) {
  const ir::Submission& submission = workload.driver->submissions[from];
  return workload.jobs[submission.job].array.has_value() ||
         (order.in_loop[from] && runs == Runs::all);
}

// Whether the list of what they return can be had.
bool can_collect(const ir::Workload& workload, std::size_t from) {
  const ir::Submission& submission = workload.driver->submissions[from];
  const ir::Job& job = workload.jobs[submission.job];
  return !job.array || job.array->mapped() || submission.indices;
}

class HandOn {
public:
  HandOn(ir::Workload& workload, const DriverOrder& order)
      : workload_(workload), driver_(*workload.driver), order_(order),
        changing_(changing_names(driver_)) {
    for (const ir::Submission& submission : driver_.submissions) {
      outputs_.push_back(outputs_of(workload.jobs[submission.job], submission, changing_));
    }
  }

  void run(const std::function<review::Findings&(const ir::Job&)>& findings_of) {
    for (std::size_t i = 0; i < driver_.submissions.size(); ++i) {
      inputs(i);
    }
    std::map<std::size_t, std::vector<std::size_t>> by_job;
    for (std::size_t i = 0; i < driver_.submissions.size(); ++i) {
      by_job[driver_.submissions[i].job].push_back(i);
    }
    for (const auto& [job, submissions] : by_job) {
      place(workload_.jobs[job], submissions, findings_of);
    }
    hand_on_left(workload_, order_, findings_of);
    for (const auto& [job, submissions] : by_job) {
      give_first(workload_.jobs[job], driver_.submissions[submissions.front()]);
    }
  }

private:
  // An output of an earlier submission that a later one takes.
  struct Source {
    std::size_t from = 0;
    const JobOutput* output = nullptr;
    bool each = false;
    bool all_turns = false;
  };

  // Inputs that the passes of the job made of paths.
  void inputs(std::size_t index) {
    ir::Submission& submission = driver_.submissions[index];
    for (const ir::ClusterPath& input : workload_.jobs[submission.job].cluster_paths) {
      if (input.written) {
        continue;
      }
      const auto& earlier = order_.before[index];
      for (auto from = earlier.rbegin(); from != earlier.rend(); ++from) { // the last that wrote it
        ir::Job& writer = workload_.jobs[driver_.submissions[from->first].job];
        const auto found = std::ranges::find_if(outputs_[from->first], [&](const JobOutput& each) {
          return input.collected
                     ? each.varies && directory_of(each.path.name) == clean(input.was)
                     : each.path.name == clean(input.was) && each.directory == input.directory;
        });
        const bool relative = !input.was.starts_with('/') && !input.was.starts_with('$');
        if (relative && driver_.submissions[from->first].directory != submission.directory) {
          continue; // it lies elsewhere
        }
        if (found == outputs_[from->first].end() || !can_hand_on(driver_, writer) ||
            input.collected != several(workload_, order_, from->first, from->second)) {
          continue;
        }
        submission.handed.push_back({input.parameter, from->first, found->index, input.collected,
                                     order_.in_loop[from->first] && from->second == Runs::all});
        taken(writer, *found, !input.collected && certain(writer));
        break;
      }
    }
  }

  static void taken(ir::Job& writer, const JobOutput& output, bool must_be_there) {
    if (output.cluster) {
      writer.cluster_paths[output.at].handed_on |= must_be_there;
    } else {
      writer.outputs[output.at].handed_on |= must_be_there;
      writer.outputs[output.at].taken = true;
    }
  }

  // Files below the submit directory that the job looks for by their names.
  void place(ir::Job& job, const std::vector<std::size_t>& submissions,
             const std::function<review::Findings&(const ir::Job&)>& findings_of) {
    if (job.stays_on_slurm || job.submits || job.missing) {
      return;
    }
    const auto& first = driver_.submissions[submissions.front()];
    const std::vector<JobPath> named = paths_of(job, first, changing_);
    for (const auto& [from, runs] : order_.before[submissions.front()]) {
      for (const JobOutput& output : outputs_[from]) {
        place(job, submissions,
              {from, &output, several(workload_, order_, from, runs),
               order_.in_loop[from] && runs == Runs::all},
              named, findings_of);
      }
    }
  }

  void place(ir::Job& job, const std::vector<std::size_t>& submissions, const Source& source,
             const std::vector<JobPath>& named,
             const std::function<review::Findings&(const ir::Job&)>& findings_of) {
    const JobOutput& output = *source.output;
    ir::Job& writer = workload_.jobs[driver_.submissions[source.from].job];
    const std::string& name = output.path.name;
    if (output.cluster || output.directory || name.starts_with('/') || name.starts_with('$') ||
        &writer == &job || !can_hand_on(driver_, writer) ||
        (source.each && (!output.varies || !can_collect(workload_, source.from))) ||
        (!source.each && !output.path.fixed)) {
      return;
    }
    // Every submission of the job must have it.
    for (const std::size_t each : submissions) {
      const auto& before = order_.before[each];
      if (!before.contains(source.from) ||
          driver_.submissions[each].directory != driver_.submissions[source.from].directory ||
          takes(each, source.from, output)) {
        return;
      }
    }
    const JobPath* found = nullptr;
    Same how = Same::no;
    for (const JobPath& path : named) {
      const Same one = same(path, output.path);
      if (one != Same::no && (found == nullptr || one == Same::yes)) {
        found = &path;
        how = one;
      }
    }
    const auto where = found == nullptr ? std::nullopt : target(*found, how, source);
    if (!where) {
      return;
    }
    ir::Placed placed;
    placed.several = source.each;
    placed.writer = script_name_of(workload_, writer);
    placed.path = *where;
    placed.parameter = parameter_name(job, writer, name, source.each);
    ir::Parameter parameter;
    parameter.name = placed.parameter;
    parameter.type = source.each ? ir::Type::files : ir::Type::maybe_file;
    parameter.origin = placed.writer;
    job.parameters.push_back(std::move(parameter));
    for (const std::size_t each : submissions) {
      driver_.submissions[each].handed.push_back(
          {placed.parameter, source.from, output.index, source.each, source.all_turns});
    }
    taken(writer, output, false);
    announce(findings_of(job), *found, placed, name);
    job.placed.push_back(std::move(placed));
  }

  // In a graph they stand by position, before what is given by name.
  static void give_first(ir::Job& job, const ir::Submission& submission) {
    std::ranges::stable_partition(job.parameters, [&](const ir::Parameter& parameter) {
      return std::ranges::find(submission.handed, parameter.name, &ir::Handed::parameter) !=
             submission.handed.end();
    });
  }

  // Whether a submission is handed that output already.
  [[nodiscard]] bool takes(std::size_t index, std::size_t from, const JobOutput& output) const {
    return std::ranges::any_of(driver_.submissions[index].handed, [&](const ir::Handed& handed) {
      return handed.from == from && handed.output == output.index;
    });
  }

  // Where the job looks for it, of nothing but text and its own parameters.
  static std::optional<ir::Value> target(const JobPath& named, Same how, const Source& source) {
    const JobPath& written = source.output->path;
    const bool plain = written.name.find('\x01') == std::string::npos;
    if (source.each) {
      const std::string directory = directory_of(written.name);
      return directory.find_first_of("\x01*") == std::string::npos
                 ? std::optional(ir::Value::of(directory))
                 : std::nullopt;
    }
    if (plain) {
      return ir::Value::of(written.name);
    }
    if (how == Same::yes && !named.value.parts.empty()) {
      return named.value;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::string parameter_name(const ir::Job& job, const ir::Job& writer,
                                           const std::string& path, bool each) const {
    std::set<std::string> taken = taken_names(job);
    for (const ir::Job& other : workload_.jobs) { // a task that the name would hide
      taken.insert(other.function);
    }
    taken.insert({"results", "main"});
    const std::string leaf = each ? "" : path_python_name(leaf_of(path));
    std::string name = leaf.empty() ? writer.function + (each ? "_files" : "_file") : leaf;
    name += taken.contains(name) && !name.ends_with("_file") ? "_file" : "";
    while (taken.contains(name)) {
      name += "_";
    }
    return name;
  }

  static void announce(review::Findings& findings, const JobPath& named, const ir::Placed& placed,
                       const std::string& path) {
    std::string shown = path;
    for (auto at = shown.find('\x01'); at != std::string::npos; at = shown.find('\x01')) {
      shown.replace(at, shown.find('\x02', at) + 1 - at, "*");
    }
    review::Finding finding;
    finding.rule = "S2F360";
    finding.span = named.span;
    finding.message = fmt::format("{}, which {} writes, {} found here.", shown, placed.writer,
                                  placed.several ? "are" : "is");
    finding.slurm_does = "Both jobs run in one directory of a shared file system.";
    finding.output_does =
        placed.several
            ? fmt::format("The task takes the files as `{}` and puts them where the script looks "
                          "for them.",
                          placed.parameter)
            : fmt::format("The task takes the file as `{}` and puts it where the script looks for "
                          "it; where none was written there is none.",
                          placed.parameter);
    findings.add(std::move(finding));
  }

  ir::Workload& workload_;
  ir::Driver& driver_;
  const DriverOrder& order_;
  std::set<std::string> changing_;
  std::vector<std::vector<JobOutput>> outputs_; // by submission
};

} // namespace

Provided provided_to(const ir::Workload& workload, const DriverOrder& order, std::size_t job) {
  Provided provided;
  const ir::Driver& driver = *workload.driver;
  const std::set<std::string> changing = changing_names(driver);
  bool first = true;
  for (std::size_t i = 0; i < driver.submissions.size(); ++i) {
    if (driver.submissions[i].job != job) {
      continue;
    }
    Provided here;
    for (const auto& [earlier, runs] : order.before[i]) {
      const ir::Submission& submission = driver.submissions[earlier];
      const ir::Job& writer = workload.jobs[submission.job];
      if (!can_hand_on(driver, writer) || submission.directory != driver.submissions[i].directory) {
        continue;
      }
      const bool each = several(workload, order, earlier, runs);
      for (const JobOutput& output : outputs_of(writer, submission, changing)) {
        if (each && output.varies && can_collect(workload, earlier)) {
          here.collected.insert(directory_of(output.path.name));
        } else if (!each && output.path.fixed && certain(writer)) {
          here.paths.insert(output.path.name);
        }
      }
    }
    here.collected.erase("");
    if (first) {
      provided = std::move(here);
    } else { // every submission of the job must have it
      std::erase_if(provided.paths, [&](const auto& path) { return !here.paths.contains(path); });
      std::erase_if(provided.collected,
                    [&](const auto& path) { return !here.collected.contains(path); });
    }
    first = false;
  }
  return provided;
}

void hand_on(ir::Workload& workload, const DriverOrder& order,
             const std::function<review::Findings&(const ir::Job&)>& findings_of) {
  HandOn(workload, order).run(findings_of);
}

} // namespace s2f::passes
