// One task for all submissions of a script that differ in resources, time limit, queue and retries.
//
// before:  a job of train.sh, and another one of train.sh with --mem=64G
// after:   train, and train.override(resources=flyte.Resources(cpu=2, memory="64Gi"))
#include "lower/overrides.hpp"

#include <algorithm>
#include <utility>

#include "ir/job_graph.hpp"

namespace s2f::lower {

namespace {

// What a job is in a module, but for its place there.
struct Shape {
  flyte::Module module;
  [[nodiscard]] flyte::Environment& environment() { return module.environments.front(); }
  [[nodiscard]] flyte::Task& task() { return module.tasks.front(); }
};

std::optional<Shape> shape(const LowerContext& context, const ir::Job& job) {
  review::Findings scratch;
  LowerContext own{context.sources, scratch};
  Shape result;
  add_job(own, job, result.module);
  return result.module.environments.size() == 1 && result.module.tasks.size() == 1
             ? std::optional(std::move(result))
             : std::nullopt;
}

// Jobs that Flyte starts in other ways, or that are not one task, are no candidates.
bool plain(const ir::Job& job) {
  return !job.array && !job.cluster && !job.stays_on_slurm && !job.missing && !job.submits;
}

// flyte.Resources(...), whole: what an override does not name is not inherited.
flyte::Arg resources_argument(const flyte::Resources& resources) {
  std::vector<flyte::Arg> arguments;
  flyte::Notes notes;
  for (const auto& [name, value] : {std::pair{"cpu", &resources.cpu},
                                    {"memory", &resources.memory},
                                    {"gpu", &resources.gpu},
                                    {"disk", &resources.disk},
                                    {"shm", &resources.shm}}) {
    if (!*value) {
      continue;
    }
    const flyte::Notes& said = (*value)->notes;
    notes.above.insert(notes.above.end(), said.above.begin(), said.above.end());
    notes.spans.insert(notes.spans.end(), said.spans.begin(), said.spans.end());
    if (said.trailing.starts_with('-')) {
      notes.trailing += (notes.trailing.empty() ? "" : " ") + said.trailing;
    }
    arguments.push_back(flyte::arg(name, (*value)->value));
  }
  flyte::Arg result = flyte::arg("resources", flyte::call("flyte.Resources", std::move(arguments)));
  result.notes = std::move(notes);
  return result;
}

// An override can set a field, and not take one away.
template <typename Value>
bool set_anew(const char* keyword, const std::optional<Value>& before,
              const std::optional<Value>& now, std::vector<flyte::Arg>& arguments) {
  if (before == now) {
    return true;
  }
  if (!now) {
    return false;
  }
  if constexpr (std::is_same_v<Value, flyte::Noted<std::string>>) {
    arguments.push_back(flyte::arg(keyword, flyte::str(now->value)));
  } else {
    arguments.push_back(flyte::arg(keyword, now->value));
  }
  arguments.back().notes = now->notes;
  return true;
}

// The arguments that make the one task of the other; nothing where they differ in more.
std::optional<std::vector<flyte::Arg>> difference(Shape& base, Shape& other) {
  std::vector<flyte::Arg> arguments;
  flyte::Environment& from = base.environment();
  flyte::Environment& to = other.environment();
  if (!(from.resources == to.resources)) {
    if (to.resources.empty()) {
      return std::nullopt;
    }
    arguments.push_back(resources_argument(to.resources));
    to.resources = from.resources;
  }
  if (!set_anew("queue", from.queue, to.queue, arguments) ||
      !set_anew("timeout", base.task().timeout, other.task().timeout, arguments) ||
      !set_anew("retries", base.task().retries, other.task().retries, arguments)) {
    return std::nullopt;
  }
  to.queue = from.queue;
  other.task().timeout = base.task().timeout;
  other.task().retries = base.task().retries;
  const flyte::Module& one = base.module;
  const flyte::Module& two = other.module;
  const bool same = one.environments == two.environments && one.tasks == two.tasks &&
                    one.images == two.images && one.between == two.between &&
                    one.constants == two.constants && one.kept == two.kept &&
                    one.helpers == two.helpers;
  return same ? std::optional(std::move(arguments)) : std::nullopt;
}

// The job under the names that another one goes by.
ir::Job named_as(const ir::Job& job, const ir::Job& other) {
  ir::Job renamed = job;
  renamed.function = other.function;
  renamed.environment_name = other.environment_name;
  renamed.name_asked = other.name_asked;
  renamed.name_spans = other.name_spans;
  return renamed;
}

// Jobs whose task can be had from the module of their script.
void import_tasks(const LowerContext& context, const ir::Workload& workload, Overrides& found) {
  for (const auto& [index, base] : context.own_modules) {
    const ir::Job& job = workload.jobs[index];
    const bool taken = std::ranges::any_of(workload.jobs, [&](const ir::Job& other) {
      return other.source != job.source && other.function == base->function;
    });
    auto one = shape(context, *base);
    auto other = shape(context, named_as(job, *base));
    auto arguments = !taken && one && other ? difference(*one, *other) : std::nullopt;
    const bool lists = job.array && !job.array->lists.empty(); // constants of the module
    if (arguments && !lists && (arguments->empty() || plain(job))) {
      found[index] = {index, std::move(*arguments), base};
    }
  }
  // A task of the driver's own of that name stands in the way.
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
    if (!found.contains(i)) {
      std::erase_if(found, [&](const auto& each) {
        return each.second.imported->function == workload.jobs[i].function;
      });
    }
  }
}

} // namespace

Overrides overrides(const LowerContext& context, const ir::Workload& workload) {
  Overrides found;
  import_tasks(context, workload, found);
  std::map<source::SourceId, std::vector<std::size_t>> scripts;
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
    if (plain(workload.jobs[i])) {
      scripts[workload.jobs[i].source].push_back(i);
    }
  }
  for (auto& [source, jobs] : scripts) {
    std::ranges::stable_partition(jobs,
                                  [&](std::size_t i) { return ir::as_written(workload.jobs[i]); });
    for (auto job = jobs.begin(); job != jobs.end(); ++job) {
      for (auto base = jobs.begin(); base != job && !found.contains(*job); ++base) {
        if (found.contains(*base)) {
          continue;
        }
        const ir::Job& first = workload.jobs[*base];
        const ir::Job renamed = named_as(workload.jobs[*job], first);
        auto one = shape(context, first);
        auto other = shape(context, renamed);
        if (auto arguments = one && other ? difference(*one, *other) : std::nullopt) {
          found[*job] = {*base, std::move(*arguments), nullptr};
        }
      }
    }
  }
  return found;
}

} // namespace s2f::lower
