// A driver and its jobs: a task a job, and a `main` that awaits them in the order that the
// dependencies ask for.
#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lower/driver_main.hpp"
#include "lower/parts.hpp"

namespace s2f::lower {

namespace {

std::string joined(const std::vector<std::string>& names) {
  if (names.size() < 2) {
    return names.empty() ? "" : names.front();
  }
  return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

// from train_flyte import train, train_env
void import_task(const ir::Job& job, flyte::Module& module) {
  const auto known = std::ranges::find(module.imports, job.module, &flyte::ModuleImport::module);
  if (known == module.imports.end()) {
    module.imports.push_back({job.module, {job.function, job.function + "_env"}});
  }
}

} // namespace

flyte::Module lower_driver(LowerContext& context, const ir::Workload& workload) {
  const ir::Driver& driver = *workload.driver;
  flyte::Module module;
  const std::string file = base_name(driver.path);
  module.file = context.file.empty() ? driver.stem + "_flyte.py" : context.file;
  module.generated_from = file;
  std::vector<std::string> scripts; // that it submits
  bool itself = false;              // it is a job, too
  for (const ir::Job& job : workload.jobs) {
    const std::string name = base_name(job.path);
    if (job.path == driver.path) {
      itself |= !job.header.lines.empty();
    } else if (!job.submits && std::ranges::find(scripts, name) == scripts.end()) {
      scripts.push_back(name);
    }
  }
  std::vector<std::string> runs = scripts;
  if (itself || runs.empty()) {
    runs.insert(runs.begin(), file);
  }
  module.summary = fmt::format("Run {}.", joined(runs));
  module.here_notes.trailing = "the directory the jobs were submitted from";
  for (const ir::Note& note : driver.not_carried) {
    module.not_carried.push_back({note.text, {note.span}});
  }
  const bool lifted = (!driver.not_lifted || driver.plan) &&
                      std::ranges::none_of(workload.jobs, [](const ir::Job& job) {
                        return job.array && job.stays_on_slurm;
                      });
  context.main_gives = lifted && !driver.submissions.empty();
  const Overrides shared = overrides(context, workload);
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
    if (const auto other = shared.find(i); other != shared.end()) {
      context.shared[i] = other->second.of;
      if (const ir::Job* imported = other->second.imported) {
        context.imported.insert(i);
        import_task(*imported, module);
      }
      continue;
    }
    add_job(context, workload.jobs[i], module);
  }
  if (!context.main_gives) {
    module.migrated = fmt::format("Migrated from the jobs that {} submits. The driver itself was "
                                  "not converted: call the tasks in its place.",
                                  file);
    for (const ir::Job& job : workload.jobs) {
      module.commands.push_back(
          {fmt::format("flyte run {} {}", module.file, job.function), "one job"});
    }
    module.commands.push_back({fmt::format("flyte deploy {}", module.file), "register the tasks"});
    return module;
  }
  module.migrated =
      fmt::format("Migrated from {}, which submits {}. What used to be \"{} {}\" is now:", file,
                  scripts.empty() ? "itself" : joined(scripts), itself ? "sbatch" : "bash", file);
  // One image for all where the jobs say nothing of theirs.
  flyte::Noted<flyte::Expr> image{flyte::call("flyte.Image.from_debian_base", {}), {}};
  if (const auto imported =
          std::ranges::find_if(shared, [](const auto& each) { return each.second.imported; });
      module.environments.empty() && imported != shared.end()) {
    image.value = lower::image(context, *imported->second.imported).value;
  }
  if (!module.environments.empty()) {
    image = *module.environments.front().image;
    if (std::holds_alternative<flyte::Call>(image.value.value)) {
      module.images.insert(
          module.images.begin(),
          {module.images.empty() ? "image" : "base_image", std::move(image.value), {}});
      image.value = flyte::name(module.images.front().variable);
      for (flyte::Environment& environment : module.environments) {
        if (environment.image &&
            std::holds_alternative<flyte::Call>(environment.image->value.value)) {
          environment.image->value = image.value;
        }
      }
    }
  }
  flyte::Environment main_env;
  main_env.variable = "main_env";
  std::string name;
  for (const char c : driver.stem) {
    name += c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  main_env.name.value = name;
  const auto taken = [&](const std::string& candidate) {
    return std::ranges::any_of(module.environments,
                               [&](const auto& e) { return e.name.value == candidate; }) ||
           std::ranges::any_of(shared,
                               [&](const auto& each) {
                                 return each.second.imported != nullptr &&
                                        each.second.imported->environment_name == candidate;
                               }) ||
           std::ranges::any_of(module.slurm_tasks,
                               [&](const auto& t) { return t.environment_name == candidate; });
  };
  if (!flyte::valid_environment_name(name) || taken(name)) {
    main_env.name.value = "driver";
  }
  if (taken(main_env.name.value)) {
    main_env.name.value = "the-driver";
  }
  main_env.image = std::move(image);
  main_env.resources.cpu = flyte::Noted<flyte::Expr>{flyte::number("1"), {}};
  main_env.resources.memory = flyte::Noted<flyte::Expr>{flyte::str("1Gi"), {}};
  for (const flyte::ModuleImport& each : module.imports) {
    main_env.depends_on.push_back(each.names.back());
  }
  for (const flyte::Environment& environment : module.environments) {
    main_env.depends_on.push_back(environment.variable);
  }
  for (const flyte::SlurmTask& task : module.slurm_tasks) {
    main_env.depends_on.push_back(task.environment);
  }
  module.environments.push_back(std::move(main_env));

  flyte::Task main;
  main.environment = "main_env";
  main.function = "main";
  main.entrypoint = true;
  main.docstring = fmt::format("Run the jobs in their order ({}).", file);
  Main writer(workload, shared, module);
  main.body = writer.body();
  std::string input;
  const auto add = [&](const std::string& parameter, std::optional<flyte::Expr> value,
                       const std::string& type) {
    if (!value) {
      std::string upper = parameter;
      std::ranges::transform(upper, upper.begin(),
                             [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
      input += fmt::format(" --{} {}", parameter, upper);
    }
    main.parameters.push_back({parameter, type, std::move(value), {}});
  };
  for (const ir::Parameter& parameter : driver.parameters) {
    if (!writer.terms().parameters().contains(parameter.name)) {
      continue;
    }
    if (parameter.type == ir::Type::text_list) {
      add(parameter.name, flyte::name("None"), "list[str] | None");
    } else if (parameter.type == ir::Type::directory) {
      add(parameter.name, std::nullopt, "Dir");
    } else {
      add(parameter.name,
          parameter.default_ ? std::optional(flyte::str(*parameter.default_)) : std::nullopt,
          "str");
    }
  }
  for (const flyte::Parameter& parameter : writer.inputs()) {
    add(parameter.name, parameter.default_, parameter.type);
  }
  main.returns = writer.returns;
  std::ranges::stable_sort(main.parameters, {}, [](const flyte::Parameter& parameter) {
    return parameter.default_.has_value();
  });
  for (flyte::Task& task : writer.arrays()) {
    module.tasks.push_back(std::move(task));
  }
  std::set<std::string> files = writer.terms().files();
  for (const ir::Job& job : workload.jobs) {
    if (job.array) {
      files.insert(job.array->files.begin(), job.array->files.end());
    }
  }
  if (writer.terms().looks_in_here()) {
    module.here_parent = 0;
  }
  if (writer.terms().reads_lines()) {
    auto& options = module.helpers["read_lines"];
    options.insert(writer.terms().line_options().begin(), writer.terms().line_options().end());
    if (driver.errexit) {
      options.insert("check");
    }
  }
  for (const std::string& file : files) {
    module.environments.back().include.push_back(file);
    module.here_parent = 0;
  }
  module.tasks.push_back(std::move(main));
  module.entry = "main";
  module.entry_needs_input = !input.empty();
  module.entry_arguments = input;
  module.commands = {
      {fmt::format("flyte run --local {} main{}", module.file, input), "this machine, no cluster"},
      {fmt::format("flyte run {} main{}", module.file, input), "the cluster"},
      {fmt::format("flyte deploy {}", module.file), "register the tasks"}};
  return module;
}

} // namespace s2f::lower
