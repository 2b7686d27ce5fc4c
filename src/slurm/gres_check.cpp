// The check of GPUs and other generic resources that sbatch makes of its own before it submits.
#include "slurm/verify.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "slurm/text.hpp"

namespace s2f::slurm {

namespace {

constexpr std::string_view invalid_gres = "Invalid generic resource (gres) specification";

struct Asked { // of one kind and type
  std::string name;
  std::string type;
  std::uint64_t per_job = 0, per_node = 0, per_socket = 0, per_task = 0, memory = 0;
  std::uint64_t total = 0;
  std::uint16_t cpus_per = 0;
  std::optional<std::uint16_t> tasks_per;
};

// A number in a field of Slurm's record, whose last value but one means that there is none.
template <class Field> std::optional<Field> in_field(const std::optional<std::int64_t>& number) {
  constexpr auto none = static_cast<Field>(-2);
  if (!number || static_cast<Field>(*number) == none)
    return std::nullopt;
  return static_cast<Field>(*number);
}

class Check {
public:
  Check(const Settings& settings, const Surroundings& surroundings, GresRequest& request)
      : settings_(settings), surroundings_(surroundings), request_(request) {}

  std::optional<std::string> run() {
    collect();
    if (!error_.empty())
      return error_;
    settle_tasks_per_gres();
    if (!error_.empty())
      return error_;
    if (asked_.empty())
      return std::nullopt;
    if (const auto& memory = settings_.number[row_of("mem-per-gpu")];
        memory && settings_.given(row_of("mem-per-gpu")) && !gpu_asked_)
      return fmt::format("Requested mem_per_tres=gres:gpu:{} but did not request any GPU.",
                         static_cast<std::uint64_t>(*memory));
    auto refused = check_each();
    // With and without a type of one resource: what follows from that is all that sbatch goes by,
    // even where it has complained of something else before.
    return overlaps_.empty() ? std::move(refused) : check_overlap();
  }

private:
  Asked* find(std::string_view name, std::string_view type) {
    const auto [found, added] =
        index_.emplace(std::pair(std::string(name), std::string(type)), asked_.size());
    if (!added)
      return &asked_[found->second];
    return &asked_.emplace_back(Asked{.name = std::string(name), .type = std::string(type)});
  }

  [[nodiscard]] bool known(std::string_view name) const {
    if (surroundings_.gres_types)
      return std::ranges::find(*surroundings_.gres_types, name) != surroundings_.gres_types->end();
    // GresTypes is the site's; a name with such a byte is in no site's.
    return !name.empty() && std::ranges::none_of(name, [](char c) {
      return is_space(c) || c == '/' || c == '=' || c == '"' || c == '\'';
    });
  }

  // One list, "gres:gpu:a100:2,gres:shard:1"; `use` takes the count.
  template <class Use> void each(std::string_view list, bool asks, Use use) {
    while (error_.empty()) {
      // Slurm looks for the next "gres:" and drops what stands before it.
      const auto start = list.find("gres:");
      if (start == std::string_view::npos)
        return;
      list.remove_prefix(start + 5);
      const auto comma = list.find(',');
      const auto item = list.substr(0, comma);
      list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
      if (item.empty())
        continue;
      const auto colon = item.find(':');
      const auto name = item.substr(0, colon);
      std::string_view type;
      std::optional<std::uint64_t> count = 1;
      if (colon != std::string_view::npos) {
        const auto rest = item.substr(colon + 1);
        const auto second = rest.find(':');
        if (second != std::string_view::npos) {
          type = rest.substr(0, second);
          const auto number = rest.substr(second + 1);
          if (type.empty() || number.empty())
            return fail();
          count = read_gres_count(number);
          if (!count)
            return fail();
        } else if (rest.empty()) {
          return fail();
        } else {
          count = read_gres_count(rest);
          if (!count) {
            type = rest;
            count = 1;
          }
        }
      }
      if (*count == 0)
        continue;
      if (!known(name))
        return fail();
      gpu_asked_ = gpu_asked_ || (asks && name == "gpu");
      auto* asked = find(name, type);
      use(*asked, *count);
      asked->tasks_per = request_.tasks_per_gres;
    }
  }

  void fail() { error_ = invalid_gres; }

  [[nodiscard]] std::string with_prefix(std::size_t row) const {
    std::string out;
    if (settings_.text[row])
      for (const auto item : tokens(*settings_.text[row], ','))
        out += fmt::format("{}gres:gpu:{}", out.empty() ? "" : ",", item);
    return out;
  }

  static void raise(Asked& asked, std::uint64_t total) {
    asked.total = std::max(asked.total, total);
  }

  void collect() {
    if (const auto& cpus = settings_.number[row_of("cpus-per-gpu")]; cpus && *cpus != 0)
      each(fmt::format("gres:gpu:{}", *cpus), false, [](Asked& asked, std::uint64_t count) {
        asked.cpus_per = static_cast<std::uint16_t>(count);
      });
    each(with_prefix(row_of("gpus")), true, [](Asked& asked, std::uint64_t count) {
      asked.per_job = count;
      raise(asked, count);
    });
    auto per_node = with_prefix(row_of("gpus-per-node"));
    if (const auto& gres = settings_.text[row_of("gres")]; gres && !same_word(*gres, "none"))
      per_node += (per_node.empty() ? "" : ",") + *gres;
    each(per_node, true, [&](Asked& asked, std::uint64_t count) {
      asked.per_node = count;
      raise(asked, request_.min_nodes ? count * *request_.min_nodes : count);
    });
    each(with_prefix(row_of("gpus-per-socket")), true, [&](Asked& asked, std::uint64_t count) {
      asked.per_socket = count;
      if (request_.min_nodes && request_.sockets_per_node)
        count *= *request_.min_nodes * *request_.sockets_per_node; // of 32 bits
      else if (request_.tasks && request_.tasks_per_socket.value_or(0) != 0)
        count *= (*request_.tasks + *request_.tasks_per_socket - 1) / *request_.tasks_per_socket;
      raise(asked, count);
    });
    each(with_prefix(row_of("gpus-per-task")), true, [&](Asked& asked, std::uint64_t count) {
      asked.per_task = count;
      raise(asked, request_.tasks ? count * *request_.tasks : count);
    });
    if (const auto& memory = settings_.number[row_of("mem-per-gpu")])
      each(fmt::format("gres:gpu:{}", static_cast<std::uint64_t>(*memory)), false,
           [](Asked& asked, std::uint64_t count) { asked.memory = count; });
  }

  void settle_tasks_per_gres() {
    if (!request_.tasks_per_gres || *request_.tasks_per_gres == 0)
      return;
    const auto per = *request_.tasks_per_gres;
    if (gpu_asked_ && !asked_.empty()) {
      constexpr std::uint64_t none = -2;
      auto gpus = none;
      for (const auto& asked : asked_)
        if (asked.name == "gpu" && asked.total != 0 && asked.total != none)
          gpus = gpus == none ? asked.total : gpus + asked.total;
      if (gpus == none) {
        error_ = "gres_job_state_validate: Can't set num_tasks = gpus * *ntasks_per_tres because "
                 "there are no allocated GPUs";
        return;
      }
      request_.tasks = in_field<std::uint32_t>(static_cast<std::int64_t>(gpus * per));
    } else if (request_.tasks.value_or(0) != 0) {
      each(fmt::format("gres:gpu:{}", *request_.tasks / per), true,
           [](Asked& asked, std::uint64_t count) {
             asked.per_job = count;
             raise(asked, count);
           });
      // Slurm only looks whether anything is asked for now, be it memory per GPU of no GPU.
      gpu_asked_ = gpu_asked_ || !asked_.empty();
    } else {
      error_ = "gres_job_state_validate: --ntasks-per-tres needs either a GRES GPU specification "
               "or a node/ntask specification";
    }
  }

  // One after the other; the first that does not fit ends it.
  std::optional<std::string> check_each() {
    std::map<std::string_view, std::pair<bool, bool>> seen; // by name: without a type, and with one
    for (auto& asked : asked_) {
      if (auto refused = check_counts(asked))
        return refused;
      if (!fits_sharing(asked))
        return std::string(invalid_gres);
      auto& [generic, typed] = seen[asked.name];
      (asked.type.empty() ? generic : typed) = true;
      if (generic && typed)
        overlaps_.insert(asked.name);
    }
    if (shared_asked_ && settings_.text[row_of("gpu-freq")])
      return std::string(invalid_gres);
    return std::nullopt;
  }

  // The numbers of one resource must fit each other and those of tasks and nodes.
  std::optional<std::string> check_counts(Asked& a) {
    const auto& n = a.name;
    auto& r = request_;
    const auto is = [](const std::optional<std::uint16_t>& value, std::uint64_t wanted) {
      return value && *value == static_cast<std::int32_t>(wanted);
    };
    if (a.per_job != 0 &&
        (a.per_node > a.per_job || a.per_task > a.per_job || a.per_socket > a.per_job))
      return fmt::format(
          "Failed to ensure --{0}s >= --gres={0}/--{0}s-per-node >= --{0}s-per-socket", n);
    if (a.per_node != 0 && (a.per_task > a.per_node || a.per_socket > a.per_node))
      return fmt::format("Failed to ensure --{0}s >= --{0}s-per-task", n);
    if (a.per_socket != 0 && !r.sockets_per_node)
      return fmt::format("--{0}s-per-socket option requires --sockets-per-node specification", n);
    if (a.cpus_per != 0 && r.cpus_per_task)
      return fmt::format("--cpus-per-{0} is mutually exclusive with --cpus-per-task", n);
    if (a.per_job != 0 && a.per_node != 0) {
      if (a.per_job % a.per_node != 0)
        return fmt::format("Failed to validate job spec, --{0}s is not multiple of "
                           "--gres={0}/--{0}s-per-node",
                           n);
      const auto nodes = static_cast<std::uint32_t>(a.per_job / a.per_node);
      if ((r.min_nodes && nodes < *r.min_nodes) || (r.max_nodes && nodes > *r.max_nodes))
        return fmt::format(
            "Failed to validate job spec. Based on --{0} and --gres={0}/--{0}s-per-node required "
            "nodes ({1}) doesn't fall between min_nodes ({2}) and max_nodes ({3}) boundaries.",
            n, nodes, r.min_nodes.value_or(0xfffffffe), r.max_nodes.value_or(0xfffffffe));
      r.min_nodes = r.max_nodes = nodes;
    }
    if (a.per_node != 0 && a.per_socket != 0) {
      if (a.per_node % a.per_socket != 0)
        return fmt::format("Failed to validate job spec, --gres={0}/--{0}s-per-node not multiple "
                           "of --{0}s-per-socket.",
                           n);
      if (!is(r.sockets_per_node, a.per_node / a.per_socket))
        return fmt::format("Failed to validate job spec. Based on --gres={0}/--{0}s-per-node and "
                           "--{0}s-per-socket required number of sockets differ from "
                           "--sockets-per-node.",
                           n);
    }
    if (a.tasks_per.value_or(0) != 0 && r.tasks && *r.tasks % *a.tasks_per != 0)
      return fmt::format("Failed to validate job spec, -n/--ntasks has to be a multiple of "
                         "--ntasks-per-{0}.",
                         n);
    if (auto refused = check_per_task(a))
      return refused;
    if (a.per_job != 0) {
      if (r.min_nodes && a.per_job < *r.min_nodes)
        return fmt::format("Failed to validate job spec, --{0}s < -N", n);
      if (r.max_nodes && a.per_job < *r.max_nodes)
        r.max_nodes = static_cast<std::uint32_t>(a.per_job);
    }
    return std::nullopt;
  }

  std::optional<std::string> check_per_task(Asked& a) {
    const auto& n = a.name;
    auto& r = request_;
    if (a.per_task == 0)
      return std::nullopt;
    // A number that follows from two others is set where it is missing and must agree otherwise.
    const auto settle = [](std::optional<std::uint16_t>& value, std::uint64_t wanted) {
      const auto number = static_cast<std::int32_t>(wanted);
      if (value.value_or(0) != 0)
        return *value == number;
      value = static_cast<std::uint16_t>(number);
      return true;
    };
    if (a.per_job != 0) {
      if (a.per_job % a.per_task != 0)
        return fmt::format("Failed to validate job spec, --{0}s not multiple of --{0}s-per-task",
                           n);
      const auto tasks = static_cast<std::uint32_t>(a.per_job / a.per_task);
      if (r.tasks.value_or(tasks) != tasks)
        return fmt::format("Failed to validate job spec. Based on --{0}s and --{0}s-per-task "
                           "number of requested tasks differ from -n/--ntasks.",
                           n);
      r.tasks = tasks;
    } else if (r.tasks) {
      a.per_job = *r.tasks * a.per_task;
    } else {
      return fmt::format("Failed to validate job spec. --{0}s-per-task used without either --{0}s "
                         "or -n/--ntasks is not allowed.",
                         n);
    }
    if (a.per_node != 0) {
      if (a.per_node % a.per_task != 0)
        return fmt::format("Failed to validate job spec, --gres={0}/--{0}s-per-node not multiple "
                           "of --{0}s-per-task.",
                           n);
      if (!settle(r.tasks_per_node, a.per_node / a.per_task))
        return fmt::format("Failed to validate job spec. Based on --gres={0}/--{0}s-per-node and "
                           "--{0}s-per-task requested number of tasks per node differ from "
                           "--ntasks-per-node.",
                           n);
    }
    if (a.per_socket != 0) {
      if (a.per_socket % a.per_task != 0)
        return fmt::format("Failed to validate job spec, --{0}s-per-socket not multiple of "
                           "--{0}s-per-task.",
                           n);
      if (!settle(r.tasks_per_socket, a.per_socket / a.per_task))
        return fmt::format("Failed to validate job spec. Based on --{0}s-per-socket and "
                           "--{0}s-per-task requested number of tasks per sockets differ from "
                           "--ntasks-per-socket.",
                           n);
    }
    if (a.cpus_per != 0 && !settle(r.cpus_per_task, a.cpus_per * a.per_task))
      return fmt::format("Failed to validate job spec. Based on --cpus-per-{0} and "
                         "--{0}s-per-task requested number of cpus differ from "
                         "-c/--cpus-per-task.",
                         n);
    return std::nullopt;
  }

  // Shards and MPS are shares of a GPU: not to be had beside whole ones, and only by the node.
  bool fits_sharing(const Asked& a) {
    sharing_asked_ = sharing_asked_ || a.name == "gpu";
    if (a.name != "mps" && a.name != "shard")
      return !(sharing_asked_ && shared_asked_);
    shared_asked_ = true;
    const auto alone = [](std::uint64_t count, const auto& of) { return count == 0 || of == 1; };
    return alone(a.per_job, request_.max_nodes) && alone(a.per_socket, request_.sockets_per_node) &&
           alone(a.per_task, request_.tasks) && !sharing_asked_;
  }

  // "gpu:2,gpu:a100:1": one resource with and without a type; the one without may only say what
  // belongs to each, CPUs and memory.
  [[nodiscard]] std::optional<std::string> check_overlap() const {
    for (const auto& generic : asked_) {
      const bool counts = generic.per_job != 0 || generic.per_node != 0 ||
                          generic.per_socket != 0 || generic.per_task != 0;
      if (generic.type.empty() && counts && overlaps_.contains(generic.name))
        return "Invalid GRES specification (with and without type identification)";
    }
    return std::nullopt;
  }

  const Settings& settings_;
  const Surroundings& surroundings_;
  GresRequest& request_;
  std::vector<Asked> asked_;
  std::map<std::pair<std::string, std::string>, std::size_t> index_; // by name and type
  std::set<std::string_view> overlaps_; // names asked for with and without a type
  bool gpu_asked_ = false;
  bool sharing_asked_ = false; // whole GPUs
  bool shared_asked_ = false;  // parts of them
  std::string error_;
};

} // namespace

GresRequest gres_request(const Settings& settings) {
  const auto number = [&settings](std::string_view name) {
    return in_field<std::uint16_t>(settings.number[find_row(name)]);
  };
  GresRequest request{.tasks = settings.ntasks_set ? in_field<std::uint32_t>(settings.ntasks)
                                                   : std::nullopt,
                      .min_nodes = {},
                      .max_nodes = {},
                      .tasks_per_node = number("ntasks-per-node"),
                      .tasks_per_socket = number("ntasks-per-socket"),
                      .sockets_per_node = number("sockets-per-node"),
                      .cpus_per_task = settings.cpus_set ? number("cpus-per-task") : std::nullopt,
                      .tasks_per_gres = number("ntasks-per-tres")};
  if (!request.tasks_per_gres)
    request.tasks_per_gres = number("ntasks-per-gpu");
  if (settings.nodes_set) {
    request.min_nodes = in_field<std::uint32_t>(settings.min_nodes);
    if (settings.max_nodes != 0)
      request.max_nodes = in_field<std::uint32_t>(settings.max_nodes);
  } else if (settings.ntasks_set && settings.ntasks == 0) {
    request.min_nodes = 0;
  }
  return request;
}

Verdict check_gres(const Settings& settings, const Surroundings& surroundings,
                   GresRequest& request) {
  constexpr std::array rows = {
      row_of("cpus-per-gpu"),    row_of("gpus"),           row_of("gpus-per-node"),
      row_of("gpus-per-socket"), row_of("gpus-per-task"),  row_of("gres"),
      row_of("mem-per-gpu"),     row_of("ntasks-per-gpu"), row_of("ntasks-per-tres")};
  // With --clusters the check is left to the cluster that is chosen.
  if (settings.text[row_of("clusters")] || settings.text[row_of("cluster")])
    return {};
  const bool tasks_follow = settings.text[row_of("gpus-per-task")] || request.tasks_per_gres;
  if (tasks_follow && !request.tasks && request.min_nodes &&
      request.min_nodes == request.max_nodes) {
    if (request.tasks_per_gres)
      request.tasks = *request.min_nodes * *request.tasks_per_gres;
    else if (request.tasks_per_node)
      request.tasks = *request.min_nodes * *request.tasks_per_node;
    else if (!request.cpus_per_task)
      request.tasks = request.min_nodes;
  }
  auto refused = Check(settings, surroundings, request).run();
  if (!refused)
    return {};
  Verdict verdict{.refused = std::move(refused), .culprit = {}, .warnings = {}};
  for (const auto row : rows)
    if (settings.given(row))
      verdict.culprit = row;
  return verdict;
}

} // namespace s2f::slurm
