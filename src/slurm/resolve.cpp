// From options to what Slurm would grant: the job's fields, and the share of one node.
#include "slurm/resolve.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "slurm/gpus.hpp"
#include "slurm/text.hpp"

namespace s2f::slurm {

namespace {

class Resolver {
public:
  Resolver(Component& component, const Settings& settings, const GresRequest& request,
           const Surroundings& surroundings, const std::function<std::string(std::size_t)>& written)
      : out_(component), settings_(settings), request_(request), surroundings_(surroundings),
        written_(written) {}

  void run() {
    if (const auto& resources = text(row_of("tres-per-task")))
      per_task_ = resources_per_task(*resources);
    names();
    shape();
    memory();
    schedule();
    gpus();
    files();
    share();
  }

private:
  [[nodiscard]] const std::optional<std::string>& text(std::size_t row) const {
    return settings_.text[row];
  }
  [[nodiscard]] const std::optional<std::int64_t>& number(std::size_t row) const {
    return settings_.number[row];
  }
  // "--mem=4G", with the value as the user wrote it.
  [[nodiscard]] std::string as_written(std::size_t row) const {
    return fmt::format("--{}={}", option_at(row).name, written_(row));
  }

  void names() {
    auto& r = out_.resolved;
    r.job_name = text(row_of("job-name"));
    if (!r.job_name)
      r.job_name = surroundings_.script_name.empty() ? "sbatch" : surroundings_.script_name;
    r.partition = text(row_of("partition"));
    r.qos = text(row_of("qos"));
    r.account = text(row_of("account"));
    r.constraint = text(row_of("constraint"));
    if (r.constraint)
      std::ranges::replace(*r.constraint, ',', '&');
    r.export_ = text(row_of("export"));
    r.chdir = text(row_of("chdir"));
    r.requeue = settings_.requeue;
    if (settings_.sharing)
      r.exclusive = show(settings_, row_of("exclusive"), std::nullopt);
  }

  void shape() {
    auto& r = out_.resolved;
    r.nodes_min = request_.min_nodes.value_or(1);
    r.nodes_max = request_.max_nodes;
    r.ntasks = request_.tasks.value_or(r.nodes_min);
    if (request_.tasks_per_node.value_or(0) != 0)
      r.ntasks_per_node = request_.tasks_per_node;
    r.cpus_per_task = request_.cpus_per_task.value_or(per_task_.cpus.value_or(1));
  }

  void memory() {
    auto& r = out_.resolved;
    const auto positive = [this](std::size_t row) {
      return number(row).value_or(0) != 0 ? number(row) : std::nullopt;
    };
    r.mem_per_node_mib = positive(row_of("mem"));
    r.mem_per_cpu_mib = positive(row_of("mem-per-cpu"));
    r.mem_per_gpu_mib = positive(row_of("mem-per-gpu"));
    r.tmp_mib = positive(row_of("tmp"));
  }

  void schedule() {
    auto& r = out_.resolved;
    if (const auto& minutes = number(row_of("time"))) {
      out_.time = Minutes{};
      if (*minutes != unlimited_time)
        out_.time->minutes = static_cast<std::int64_t>(static_cast<std::uint32_t>(*minutes));
      r.time_limit_minutes = out_.time->minutes;
    }
    if (const auto& array = text(row_of("array")); array && !array->empty()) {
      out_.array = parse_array(*array);
      if (out_.array) {
        r.array = show_array(*out_.array);
        r.array_throttle = out_.array->throttle;
      }
    }
    if (const auto& dependency = text(row_of("dependency"))) {
      out_.dependency = parse_dependency(*dependency);
      if (out_.dependency && !out_.dependency->terms.empty())
        r.dependency = show_dependency(*out_.dependency);
    }
    // What does not lie ahead delays nothing.
    const auto passed = [](const Moment& begin) {
      return begin.clock == Moment::Clock::of_instant && begin.day == Moment::Day::of_instant &&
             begin.seconds <= 0;
    };
    if (settings_.begin && !passed(*settings_.begin))
      r.begin = show_moment(*settings_.begin, surroundings_.now);
    if (settings_.signal) {
      const auto& signal = *settings_.signal;
      out_.signal = SignalSpec{.signal = signal_name(signal.number),
                               .seconds = signal.seconds,
                               .batch_shell = signal.batch,
                               .reservation = signal.reservation};
      r.signal = fmt::format("{}{}@{}", signal.batch ? "B:" : "", signal.number, signal.seconds);
    }
  }

  static std::string show_array(const ArraySpec& array) {
    std::string out;
    const auto& indices = array.indices;
    for (std::size_t from = 0; from < indices.size();) {
      auto to = from;
      while (to + 1 < indices.size() && indices[to + 1] == indices[to] + 1)
        ++to;
      out += fmt::format("{}{}", out.empty() ? "" : ",", indices[from]);
      if (to > from)
        out += fmt::format("-{}", indices[to]);
      from = to + 1;
    }
    return array.throttle ? fmt::format("{}%{}", out, *array.throttle) : out;
  }

  static std::string show_dependency(const DependencyExpr& dependency) {
    std::string out;
    for (const auto& term : dependency.terms) {
      if (!out.empty())
        out += dependency.any ? '?' : ',';
      out += name_of(term.type);
      if (!term.job.empty())
        out += ':' + term.job;
      if (term.delay)
        out += fmt::format("+{}", *term.delay);
    }
    return out;
  }

  static std::string_view name_of(DependencyType type) {
    switch (type) {
    case DependencyType::after:
      return "after";
    case DependencyType::afterany:
      return "afterany";
    case DependencyType::afterok:
      return "afterok";
    case DependencyType::afternotok:
      return "afternotok";
    case DependencyType::aftercorr:
      return "aftercorr";
    case DependencyType::afterburstbuffer:
      return "afterburstbuffer";
    case DependencyType::singleton:
      return "singleton";
    case DependencyType::expand:
      return "expand";
    }
    return "";
  }

  void ask_gpus(const GpuCount& gpus, Per per) {
    out_.gpus = GpuRequest{.count = gpus.count, .per = per, .type = gpus.type};
    if (!gpus.type.empty())
      out_.resolved.gpu_type = gpus.type;
  }

  void gpus() {
    auto& r = out_.resolved;
    if (const auto& value = text(row_of("gpus")))
      if (const auto gpus = gpus_of_count(*value)) {
        r.gpus_total = gpus->count;
        ask_gpus(*gpus, Per::job);
      }
    if (const auto& value = text(row_of("gpus-per-socket")))
      if (const auto gpus = gpus_of_count(*value))
        ask_gpus(*gpus, Per::socket);
    if (const auto& value = text(row_of("gpus-per-task")))
      if (const auto gpus = gpus_of_count(*value))
        ask_gpus(*gpus, Per::task);
    if (per_task_.gpus)
      ask_gpus(*per_task_.gpus, Per::task);
    // Where both are given, Slurm reads --gres last.
    if (const auto& value = text(row_of("gpus-per-node")))
      if (const auto gpus = gpus_of_count(*value)) {
        r.gpus_per_node = gpus->count;
        ask_gpus(*gpus, Per::node);
      }
    if (const auto& value = text(row_of("gres")))
      if (const auto gpus = gpus_of_gres(*value)) {
        r.gpus_per_node = gpus->count;
        ask_gpus(*gpus, Per::node);
      }
  }

  void files() {
    auto& r = out_.resolved;
    const bool array = out_.array && !out_.array->indices.empty();
    r.stdout_ = text(row_of("output"));
    if (!r.stdout_)
      r.stdout_ = beside(array ? "slurm-%A_%a.out" : "slurm-%j.out");
    r.stderr_ = text(row_of("error"));
    if (!r.stderr_)
      r.stderr_ = r.stdout_;
    for (auto* file : {&r.stdout_, &r.stderr_})
      **file = with_job_name(**file, *r.job_name);
  }

  [[nodiscard]] std::string beside(std::string_view name) const {
    const auto& directory = text(row_of("chdir"));
    return directory ? fmt::format("{}/{}", *directory, name) : std::string(name);
  }

  // %x is known here; the other patterns are not. A backslash switches all of them off.
  static std::string with_job_name(std::string_view pattern, std::string_view job_name) {
    if (pattern.contains('\\'))
      return std::string(pattern);
    std::string out;
    for (std::size_t at = 0; at < pattern.size(); ++at) {
      const auto two = pattern.substr(at, 2);
      if (two == "%x")
        out += job_name;
      else if (two == "%%")
        out += two;
      else
        out += pattern[at];
      at += two == "%x" || two == "%%" ? 1 : 0;
    }
    return out;
  }

  // ---- what one node gets
  // ------------------------------------------------------------------------

  void share() {
    share_tasks();
    share_gpus();
    share_cpus();
    share_memory();
  }

  void share_tasks() {
    const auto& r = out_.resolved;
    const auto nodes = std::max<std::int64_t>(r.nodes_min, 1);
    const auto spread = (std::max<std::int64_t>(r.ntasks, 1) + nodes - 1) / nodes;
    out_.share.tasks =
        r.ntasks_per_node ? std::min(*r.ntasks_per_node, std::max(r.ntasks, nodes)) : spread;
    out_.share.tasks = std::max<std::int64_t>(out_.share.tasks, 1);
  }

  // The largest number where the product is larger: such a request is nonsense, not an error.
  static std::int64_t product(std::int64_t left, std::int64_t right) {
    std::int64_t out = 0;
    return __builtin_mul_overflow(left, right, &out) ? std::numeric_limits<std::int64_t>::max()
                                                     : out;
  }

  static std::string times(std::string how, std::int64_t count, std::string_view what) {
    return count == 1 ? how : fmt::format("{} x {} {}", how, count, what);
  }

  void share_gpus() {
    auto& share = out_.share;
    const auto& r = out_.resolved;
    const auto nodes = std::max<std::int64_t>(r.nodes_min, 1);
    if (!out_.gpus) {
      // Tasks and tasks per GPU give the GPUs.
      const auto row = settings_.given(row_of("ntasks-per-gpu")) ? row_of("ntasks-per-gpu")
                                                                 : row_of("ntasks-per-tres");
      if (const auto& per = number(row); per && *per > 0 && request_.tasks) {
        share.gpus = (share.tasks + *per - 1) / *per;
        share.gpus_how = fmt::format("{} for {} tasks", as_written(row), share.tasks);
      }
      return;
    }
    share.gpu_type = out_.gpus->type;
    const auto count = out_.gpus->count;
    switch (out_.gpus->per) {
    case Per::node:
      share.gpus = count;
      share.gpus_how = as_written(text(row_of("gres")) && gpus_of_gres(*text(row_of("gres")))
                                      ? row_of("gres")
                                      : row_of("gpus-per-node"));
      break;
    case Per::job:
      share.gpus = (count + nodes - 1) / nodes;
      share.gpus_how = as_written(row_of("gpus"));
      if (nodes > 1)
        share.gpus_how += fmt::format(" over {} nodes", nodes);
      break;
    case Per::task:
      share.gpus = product(count, share.tasks);
      share.gpus_how =
          times(as_written(per_task_.gpus ? row_of("tres-per-task") : row_of("gpus-per-task")),
                share.tasks, "tasks");
      break;
    case Per::socket: {
      const auto sockets = request_.sockets_per_node.value_or(1);
      share.gpus = product(count, sockets);
      share.gpus_how = times(as_written(row_of("gpus-per-socket")), sockets, "sockets");
      break;
    }
    }
  }

  void share_cpus() {
    auto& share = out_.share;
    const auto tasks_option = [this] {
      for (const auto row : {row_of("ntasks-per-node"), row_of("ntasks")})
        if (settings_.given(row))
          return as_written(row);
      return std::string{};
    };
    if (settings_.cpus_set) {
      share.cpus = product(out_.resolved.cpus_per_task, share.tasks);
      share.cpus_how = times(as_written(row_of("cpus-per-task")), share.tasks, "tasks");
    } else if (per_task_.cpus) {
      share.cpus = product(*per_task_.cpus, share.tasks);
      share.cpus_how = times(as_written(row_of("tres-per-task")), share.tasks, "tasks");
    } else if (const auto& per_gpu = number(row_of("cpus-per-gpu")); per_gpu && share.gpus) {
      share.cpus = product(*per_gpu, *share.gpus);
      share.cpus_how = times(as_written(row_of("cpus-per-gpu")), *share.gpus, "GPUs");
    } else if (auto how = tasks_option(); !how.empty()) {
      share.cpus = share.tasks;
      share.cpus_how = std::move(how);
    }
    if (const auto& least = number(row_of("mincpus"));
        least && settings_.given(row_of("mincpus")) && *least > share.cpus.value_or(0)) {
      share.cpus = *least;
      share.cpus_how = as_written(row_of("mincpus"));
    }
  }

  void share_memory() {
    auto& share = out_.share;
    for (const auto row : {row_of("mem"), row_of("mem-per-cpu")})
      if (number(row) && *number(row) == 0) {
        share.whole_node_memory = true;
        share.memory_how = as_written(row);
        return;
      }
    const auto& r = out_.resolved;
    if (r.mem_per_node_mib) {
      share.memory_mib = r.mem_per_node_mib;
      share.memory_how = as_written(row_of("mem"));
    } else if (r.mem_per_cpu_mib) {
      const auto cpus = share.cpus.value_or(share.tasks);
      share.memory_mib = product(*r.mem_per_cpu_mib, cpus);
      share.memory_how = times(as_written(row_of("mem-per-cpu")), cpus, "CPUs");
    } else if (r.mem_per_gpu_mib && share.gpus) {
      share.memory_mib = product(*r.mem_per_gpu_mib, *share.gpus);
      share.memory_how = times(as_written(row_of("mem-per-gpu")), *share.gpus, "GPUs");
    }
  }

  Component& out_;
  const Settings& settings_;
  const GresRequest& request_;
  const Surroundings& surroundings_;
  const std::function<std::string(std::size_t)>& written_;
  TaskResources per_task_; // of --tres-per-task
};

// A count that is no number, as in gpu:1.5: sbatch takes it for a type, the controller does not.
bool malformed_gres(std::string_view text) {
  if (text.empty() || text == "gres:")
    return true;
  for (auto item : tokens(text, ',')) {
    if (item.starts_with("gres:"))
      item.remove_prefix(5);
    const auto colon = item.find(':');
    if (colon == std::string_view::npos)
      continue;
    const auto rest = item.substr(colon + 1);
    const bool typed = rest.contains(':');
    if (!typed && !rest.empty() && is_digit(rest.front()) && !read_gres_count(rest))
      return true;
  }
  return false;
}

} // namespace

void resolve(Component& component, const Settings& settings, const GresRequest& request,
             const Surroundings& surroundings,
             const std::function<std::string(std::size_t)>& written) {
  Resolver(component, settings, request, surroundings, written).run();
}

std::vector<ControllerRefusal> controller_refusals(const Settings& settings, bool heterogeneous) {
  std::vector<ControllerRefusal> out;
  const auto& array = settings.text[row_of("array")];
  if (array && !array->empty() && (heterogeneous || !parse_array(*array)))
    out.push_back({row_of("array"), "Invalid job array specification"});
  if (const auto& dependency = settings.text[row_of("dependency")];
      dependency && !parse_dependency(*dependency))
    out.push_back({row_of("dependency"), "Job dependency problem"});
  if (const auto& gres = settings.text[row_of("gres")];
      gres && !same_word(*gres, "none") && malformed_gres(*gres))
    out.push_back({row_of("gres"), "Invalid Trackable RESource (TRES) specification"});
  const auto minutes = [&settings](std::size_t row) -> std::optional<std::uint32_t> {
    if (!settings.number[row])
      return std::nullopt;
    return static_cast<std::uint32_t>(*settings.number[row]);
  };
  const auto least = minutes(row_of("time-min"));
  const auto limit = minutes(row_of("time"));
  if (least && limit && *least > *limit)
    out.push_back({row_of("time-min"),
                   "Invalid time-min specification (exceeds job's time or other limits)"});
  return out;
}

} // namespace s2f::slurm
