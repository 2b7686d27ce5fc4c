// What sbatch checks and derives once all options of a component are read.
#include "slurm/verify.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "slurm/text.hpp"

namespace s2f::slurm {

namespace {

Verdict refuse(std::string message, std::size_t culprit) {
  return {.refused = std::move(message), .culprit = culprit, .warnings = {}};
}

// --ntasks-per-gpu and --ntasks-per-tres are one request, which excludes other ways to place tasks.
Verdict check_tasks_per_gpu(Settings& settings) {
  constexpr auto gpu = row_of("ntasks-per-gpu");
  constexpr auto tres = row_of("ntasks-per-tres");
  const bool by_user = settings.given_by_user(gpu) || settings.given_by_user(tres);
  // Those of another component of the command line are remembered as of the environment.
  if (!by_user && !settings.by_environment[gpu] && !settings.by_environment[tres])
    return {};
  if (settings.given_by_user(gpu) && settings.given_by_user(tres)) {
    if (settings.number[gpu] != settings.number[tres])
      return refuse(fmt::format("Inconsistent values set to --ntasks-per-gpu={} and "
                                "--ntasks-per-tres={} ",
                                *settings.number[gpu], *settings.number[tres]),
                    tres);
  } else if (settings.given_by_user(gpu) && settings.by_environment[tres]) {
    reset(settings, tres);
  } else if (settings.given_by_user(tres) && settings.by_environment[gpu]) {
    reset(settings, gpu);
  }
  for (const auto row :
       {row_of("gpus-per-task"), row_of("gpus-per-socket"), row_of("ntasks-per-node")}) {
    const std::string_view name = option_at(row).name;
    if (settings.given_by_user(row))
      return refuse(fmt::format("--{} is mutually exclusive with --ntasks-per-gpu and "
                                "SLURM_NTASKS_PER_GPU",
                                name),
                    row);
    if (settings.by_environment[row]) {
      auto variable = uppered(name);
      std::ranges::replace(variable, '-', '_');
      return refuse(fmt::format("SLURM_{} is mutually exclusive with --ntasks-per-gpu and "
                                "SLURM_NTASKS_PER_GPU",
                                variable),
                    row);
    }
  }
  return {};
}

Verdict check_core_spec(const Settings& settings) {
  constexpr auto core = row_of("core-spec");
  constexpr auto thread = row_of("thread-spec");
  if (!settings.given(core) && !settings.given(thread))
    return {};
  if (settings.given_by_user(core) && settings.given_by_user(thread))
    return refuse("-S/--core-spec and --thred-spec options are mutually exclusive", thread);
  if (settings.by_environment[core] && settings.by_environment[thread] &&
      !settings.given_by_user(core) && !settings.given_by_user(thread))
    return refuse("Both --core-spec and --thread-spec set using environment variables. Those "
                  "options are mutually exclusive.",
                  thread);
  return {};
}

Verdict check_memory(Settings& settings) {
  constexpr std::array rows = {row_of("mem"), row_of("mem-per-cpu"), row_of("mem-per-gpu")};
  std::size_t by_user = 0;
  auto last = rows.front();
  for (const auto row : rows) {
    if (settings.given_by_user(row)) {
      ++by_user;
      last = row;
    }
  }
  if (by_user > 1)
    return refuse("--mem, --mem-per-cpu, and --mem-per-gpu are mutually exclusive.", last);
  if (by_user == 1) {
    // Those of the environment give way.
    for (const auto row : rows)
      if (!settings.given_by_user(row))
        reset(settings, row);
    return {};
  }
  if (std::ranges::count_if(rows, [&](auto row) { return settings.by_environment[row]; }) > 1)
    return refuse("SLURM_MEM_PER_CPU, SLURM_MEM_PER_GPU, and SLURM_MEM_PER_NODE are mutually "
                  "exclusive.",
                  rows[0]);
  return {};
}

// A hint and the options that say the same by numbers: whoever was given by hand wins.
Verdict check_hint(Settings& settings) {
  constexpr auto hint = row_of("hint");
  constexpr std::array rivals = {row_of("ntasks-per-core"), row_of("threads-per-core"),
                                 row_of("extra-node-info")};
  if (!settings.text[hint])
    return {};
  const auto any_by_user =
      std::ranges::any_of(rivals, [&](auto row) { return settings.given_by_user(row); });
  const auto any_by_environment =
      std::ranges::any_of(rivals, [&](auto row) { return settings.by_environment[row]; });
  if (any_by_user ||
      (settings.by_environment[hint] && !settings.given_by_user(hint) && any_by_environment)) {
    reset(settings, hint);
    return {};
  }
  if (settings.given_by_user(hint))
    for (const auto row : rivals)
      reset(settings, row);
  auto text = *settings.text[hint];
  for (std::size_t at = 0; at < text.size(); ++at)
    if (text[at] == ',' && !(at + 1 < text.size() && is_digit(text[at + 1])))
      text[at] = ';';
  auto& threads = settings.number[row_of("threads-per-core")];
  for (const auto word : pieces(text, ';')) {
    if (same_word(word, "compute_bound")) {
      settings.number[row_of("sockets-per-node")].reset();
      settings.number[row_of("cores-per-socket")].reset();
      threads = 1;
    } else if (same_word(word, "memory_bound")) {
      settings.number[row_of("cores-per-socket")] = 1;
      threads = 1;
    } else if (same_word(word, "multithread")) {
      threads.reset();
      settings.number[row_of("ntasks-per-core")] = 0xffff;
    } else if (same_word(word, "nomultithread")) {
      threads = 1;
    } else if (same_word(word, "help")) {
      return refuse("--hint=help prints a list and submits nothing", hint);
    } else {
      return refuse(fmt::format("unrecognized --hint argument \"{}\", see --hint=help", word),
                    hint);
    }
  }
  return {};
}

void complete_path(Settings& settings, std::size_t row) {
  auto& text = settings.text[row];
  if (!text || settings.resolved_path[row])
    return;
  settings.resolved_path[row] = true;
  const auto& directory = settings.text[row_of("chdir")];
  if (!text->starts_with('/') && directory)
    *text = fmt::format("{}/{}", *directory, *text);
}

bool is_layout(const Settings& settings, std::string_view layout) {
  return settings.distribution && settings.distribution->layout == layout;
}

struct Named { // hosts asked for by name
  std::vector<std::string> unique;
  std::int32_t count = 0;
  bool any = false;
};

Verdict read_node_names(Settings& settings, const Surroundings& surroundings, Named& named) {
  constexpr auto nodefile = row_of("nodefile");
  constexpr auto nodelist = row_of("nodelist");
  constexpr auto exclude = row_of("exclude");
  const auto is_file = [](const std::optional<std::string>& text) {
    return text && text->contains('/');
  };
  const auto missing = [](std::string_view file) {
    return fmt::format("slurm_allocate_resources error opening file {}, No such file or directory",
                       file);
  };
  if (is_file(settings.text[exclude]) && !surroundings.file_exists(*settings.text[exclude]))
    return refuse(missing(*settings.text[exclude]), exclude);
  if (settings.text[nodefile] && !surroundings.file_exists(*settings.text[nodefile]))
    return refuse(missing(*settings.text[nodefile]), nodefile);
  if (!settings.text[nodelist])
    return {};
  if (is_file(settings.text[nodelist])) {
    if (!surroundings.file_exists(*settings.text[nodelist]))
      return refuse(missing(*settings.text[nodelist]), nodelist);
    return {};
  }
  auto hosts = read_hosts(*settings.text[nodelist]);
  if (!hosts)
    return {};
  std::ranges::sort(*hosts);
  const auto [first, last] = std::ranges::unique(*hosts);
  hosts->erase(first, last);
  named.count = static_cast<std::int32_t>(hosts->size());
  named.unique = std::move(*hosts);
  named.any = true;
  settings.min_nodes = settings.nodes_set ? std::max(named.count, settings.min_nodes) : named.count;
  settings.nodes_set = true;
  return {};
}

// One task a node where tasks were not asked for; no more nodes than tasks where they were.
void settle_tasks_and_nodes(Settings& settings, const Named& named, Verdict& verdict) {
  const bool one_count = settings.max_nodes == 0 || settings.min_nodes == settings.max_nodes;
  if ((settings.nodes_set || settings.shape_set) && one_count && !settings.ntasks_set) {
    settings.ntasks = std::max(settings.min_nodes, 1);
    for (const auto row :
         {row_of("sockets-per-node"), row_of("cores-per-socket"), row_of("threads-per-core")})
      if (const auto& number = settings.number[row]) {
        settings.ntasks = static_cast<std::int32_t>(settings.ntasks * *number);
        settings.ntasks_set = true;
      }
    return;
  }
  if (!settings.nodes_set || !settings.ntasks_set)
    return;
  settings.max_nodes = std::min(settings.max_nodes, settings.ntasks);
  if (settings.ntasks >= settings.min_nodes)
    return;
  verdict.warnings.push_back(fmt::format("can't run {} processes on {} nodes, setting nnodes to {}",
                                         settings.ntasks, settings.min_nodes, settings.ntasks));
  settings.min_nodes = settings.max_nodes = settings.ntasks;
  if (named.any && named.count > settings.min_nodes) {
    auto kept = named.unique;
    kept.resize(static_cast<std::size_t>(std::max(settings.min_nodes, 0)));
    settings.text[row_of("nodelist")] = show_hosts(kept);
  }
}

} // namespace

Verdict check_early_files(const Settings& settings, const Surroundings& surroundings) {
  const auto& file = settings.text[row_of("bbf")];
  return file && !surroundings.file_exists(*file)
             ? refuse("Invalid --bbf specification", row_of("bbf"))
             : Verdict{};
}

Verdict check_limits(const Settings& settings) {
  constexpr auto names = std::to_array<std::string_view>(
      {"CPU", "FSIZE", "DATA", "STACK", "CORE", "RSS", "NPROC", "NOFILE", "MEMLOCK", "AS"});
  const auto& limits = settings.text[row_of("propagate")];
  // With --get-user-env the node sets the limits.
  if (!limits || settings.user_env_seconds.value_or(-1) >= 0 || *limits == "NONE" ||
      *limits == "ALL")
    return {};
  auto text = *limits;
  std::ranges::replace_if(text, [](char c) { return is_blank(c) || c == '\n'; }, ',');
  for (auto name : tokens(text, ',')) {
    while (name.starts_with("RLIMIT_"))
      name.remove_prefix(7);
    if (std::ranges::find(names, name) == names.end())
      return refuse(fmt::format("--propagate={} is not valid.", *limits), row_of("propagate"));
  }
  return {};
}

Verdict check_files(const Settings& settings, const Surroundings& surroundings) {
  const auto& file = settings.text[row_of("export-file")];
  // A number is an open descriptor of the submitting shell.
  if (file && !surroundings.file_exists(*file) && !std::ranges::all_of(*file, is_digit))
    return refuse(fmt::format("Could not open user environment file {}", *file),
                  row_of("export-file"));
  return {};
}

Verdict verify(Settings& settings, const Surroundings& surroundings) {
  Verdict verdict;
  if (verdict = check_tasks_per_gpu(settings); verdict.refused)
    return verdict;
  if (verdict = check_core_spec(settings); verdict.refused)
    return verdict;
  if (verdict = check_memory(settings); verdict.refused)
    return verdict;
  if (settings.number[row_of("quiet")] && settings.number[row_of("verbose")])
    return refuse("don't specify both --verbose (-v) and --quiet (-Q)", row_of("quiet"));
  if (settings.given(row_of("bb")) && settings.given(row_of("bbf")))
    return refuse("Cannot specify both --burst-buffer and --bbf", row_of("bbf"));
  if (verdict = check_hint(settings); verdict.refused)
    return verdict;
  for (const auto row : {row_of("error"), row_of("input"), row_of("output")})
    complete_path(settings, row);
  Named named;
  if (verdict = read_node_names(settings, surroundings, named); verdict.refused)
    return verdict;

  const auto& per_node = settings.number[row_of("ntasks-per-node")];
  if (per_node && *per_node > 0 && !settings.ntasks_set &&
      (settings.max_nodes == 0 || settings.min_nodes == settings.max_nodes)) {
    settings.ntasks = static_cast<std::int32_t>(settings.min_nodes * *per_node);
    settings.ntasks_set = true;
  }
  auto& min_cpus = settings.number[row_of("mincpus")];
  const auto& cpus = settings.number[row_of("cpus-per-task")];
  if (settings.cpus_set && min_cpus.value_or(-1) < *cpus)
    min_cpus = *cpus;

  if (settings.ntasks < 0)
    return refuse(fmt::format("invalid number of tasks (-n {})", settings.ntasks),
                  row_of("ntasks"));
  if (settings.cpus_set && *cpus <= 0)
    return refuse(fmt::format("invalid number of cpus per task (-c {})", *cpus),
                  row_of("cpus-per-task"));
  if (settings.min_nodes < 0 || settings.max_nodes < 0 ||
      (settings.max_nodes != 0 && settings.min_nodes > settings.max_nodes))
    return refuse(
        fmt::format("invalid number of nodes (-N {}-{})", settings.min_nodes, settings.max_nodes),
        row_of("nodes"));
  if (is_layout(settings, "plane")) {
    // Without a sign, as Slurm reckons: on no node there are more than enough places.
    const auto size = static_cast<std::uint32_t>(settings.distribution->plane_size);
    const auto tasks = static_cast<std::uint32_t>(settings.ntasks);
    const auto nodes = static_cast<std::uint32_t>(settings.min_nodes);
    if ((nodes == 0 || tasks / size < nodes) && (nodes - 1) * size >= tasks)
      return refuse("Too few processes for the requested {plane,node} distribution",
                    row_of("distribution"));
  }
  settle_tasks_and_nodes(settings, named, verdict);
  if (is_layout(settings, "arbitrary") && (!settings.nodes_set || !settings.ntasks_set)) {
    if (!settings.ntasks_set) {
      settings.ntasks_set = true;
      settings.ntasks = named.count;
    }
    if (!settings.nodes_set) {
      settings.nodes_set = true;
      settings.min_nodes = settings.max_nodes = named.count;
    }
  }
  if (settings.deadline && settings.begin &&
      certainly_before(*settings.deadline, *settings.begin, surroundings.now))
    return refuse("Incompatible begin and deadline time specification", row_of("deadline"));
  return verdict;
}

} // namespace s2f::slurm
