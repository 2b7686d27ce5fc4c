// A driver and its jobs: a task a job, and a `main` that awaits them in the order that the
// dependencies ask for.
#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lower/parts.hpp"

namespace s2f::lower {

namespace {

class Main {
public:
  Main(const ir::Workload& workload, flyte::Module& module)
      : workload_(workload), driver_(*workload.driver), module_(module) {}

  std::vector<flyte::Stmt> body() {
    const auto& submissions = driver_.submissions;
    const bool independent = std::ranges::all_of(submissions, [](const auto& s) {
      return s.ok.empty() && s.any.empty() && s.not_ok.empty();
    });
    bool chain = true;
    for (std::size_t i = 0; i < submissions.size(); ++i) {
      chain &= submissions[i].any.empty() && submissions[i].not_ok.empty() &&
               (i == 0 ? submissions[i].ok.empty()
                       : submissions[i].ok == std::vector<std::size_t>{i - 1});
    }
    if (chain) {
      return in_order();
    }
    if (independent) {
      return side_by_side();
    }
    return graph();
  }

  std::string returns = "None"; // of main

private:
  const ir::Job& job(const ir::Submission& submission) const {
    return workload_.jobs[submission.job];
  }

  // The arguments of the call: what the driver gave by position, and what `main` hands on.
  std::vector<flyte::Arg> arguments(const ir::Submission& submission) const {
    std::vector<flyte::Arg> result;
    const ir::Job& target = job(submission);
    for (const ir::Parameter& parameter : target.parameters) {
      const auto handed =
          std::ranges::find(submission.handed, parameter.name, &ir::Handed::parameter);
      if (handed != submission.handed.end()) {
        if (graph_) { // stands by position, as a job whose result it is
          continue;
        }
        const auto& variables = results_.at(handed->from);
        result.push_back(flyte::arg(parameter.name, flyte::name(variables.at(handed->output))));
      } else if (parameter.type == ir::Type::text_list) {
        if (submission.arguments.empty()) {
          continue;
        }
        flyte::ListExpr list;
        for (const ir::Value& value : submission.arguments) {
          list.elements.push_back(flyte::arg(expression(target, value)));
        }
        result.push_back(flyte::arg(parameter.name, flyte::Expr{std::move(list)}));
      } else if (parameter.position != 0 &&
                 static_cast<std::size_t>(parameter.position) <= submission.arguments.size()) {
        result.push_back(flyte::arg(
            parameter.name,
            expression(target,
                       submission.arguments[static_cast<std::size_t>(parameter.position) - 1])));
      } else if (!parameter.default_) {
        result.push_back(flyte::arg(parameter.name, flyte::name(parameter.name)));
      }
    }
    return result;
  }

  void note(flyte::Notes& notes, const ir::Submission& submission) const {
    notes.spans.push_back(submission.span);
    if (!submission.asked_dependency.empty()) {
      notes.trailing = submission.asked_dependency;
    }
  }

  // An array is a function of `main`'s own, so that it can be awaited like a task.
  std::vector<flyte::Stmt> mapped(const ir::Submission& submission) {
    const ir::Job& target = job(submission);
    std::vector<flyte::Stmt> statements =
        map_statements(target, arguments(submission), module_.helpers);
    note(statements.front().notes, submission);
    return statements;
  }

  // The names of what the task of a submission returns; "_" for what no later one takes.
  std::vector<std::string> result_names(std::size_t index) {
    const ir::Job& target = job(driver_.submissions[index]);
    std::vector<std::string> names;
    for (const ir::ClusterPath& path : target.cluster_paths) {
      if (path.written) {
        names.push_back(path.name);
      }
    }
    for (const ir::OutputFile& output : target.outputs) {
      std::string name;
      for (const char c : base_name(output.path.text().value_or("result"))) {
        if (c == '.') {
          break;
        }
        const auto byte = static_cast<unsigned char>(c);
        name += byte < 128 && std::isalnum(byte) != 0 ? c : '_';
      }
      names.push_back(name);
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      const bool taken = std::ranges::any_of(driver_.submissions, [&](const auto& later) {
        return std::ranges::any_of(later.handed, [&](const ir::Handed& handed) {
          return handed.from == index && handed.output == i;
        });
      });
      if (!taken) {
        names[i] = "_";
        continue;
      }
      if (names[i].empty() || std::isalpha(static_cast<unsigned char>(names[i][0])) == 0 ||
          flyte::reserved_python_name(names[i])) {
        names[i] = target.function + "_output";
      }
      const std::string wish = names[i];
      for (int n = 2; !taken_.insert(names[i]).second; ++n) {
        names[i] = fmt::format("{}_{}", wish, n);
      }
    }
    return std::ranges::all_of(names, [](const auto& name) { return name == "_"; })
               ? std::vector<std::string>()
               : names;
  }

  std::vector<flyte::Stmt> in_order() {
    std::vector<flyte::Stmt> statements;
    for (const ir::Submission& submission : driver_.submissions) {
      taken_.insert(job(submission).function);
      for (const ir::Parameter& parameter : job(submission).parameters) {
        if (!parameter.default_ &&
            std::ranges::find(submission.handed, parameter.name, &ir::Handed::parameter) ==
                submission.handed.end()) {
          taken_.insert(parameter.name); // perhaps one of main
        }
      }
    }
    for (const ir::Submission& submission : driver_.submissions) {
      const auto index = static_cast<std::size_t>(&submission - driver_.submissions.data());
      if (job(submission).array) {
        for (flyte::Stmt& statement : mapped(submission)) {
          statements.push_back(std::move(statement));
        }
        continue;
      }
      flyte::Expr run = flyte::await(flyte::call(job(submission).function, arguments(submission)));
      results_[index] = result_names(index);
      flyte::Stmt statement{flyte::ExprStmt{run}, {}};
      if (!results_[index].empty()) {
        statement.value =
            flyte::Assign{fmt::format("{}", fmt::join(results_[index], ", ")), "", std::move(run)};
      }
      const auto task =
          std::ranges::find(module_.tasks, job(submission).function, &flyte::Task::function);
      if (index + 1 == driver_.submissions.size() && task != module_.tasks.end() &&
          task->returns != "None") {
        returns = task->returns;
        statement.value = flyte::Return{std::get<flyte::ExprStmt>(statement.value).value};
      }
      note(statement.notes, submission);
      statements.push_back(std::move(statement));
    }
    return statements;
  }

  std::vector<flyte::Stmt> side_by_side() {
    module_.helpers["all_ok"];
    std::vector<flyte::Arg> calls;
    for (const ir::Submission& submission : driver_.submissions) {
      flyte::Arg call = flyte::arg(call_of(submission));
      note(call.notes, submission);
      calls.push_back(std::move(call));
    }
    calls.push_back(flyte::arg("return_exceptions", flyte::name("True")));
    std::vector<flyte::Stmt> statements = std::move(functions_);
    statements.push_back(flyte::Stmt{
        flyte::Assign{"results", "", flyte::await(flyte::call("asyncio.gather", std::move(calls)))},
        {}});
    statements.push_back(flyte::Stmt{
        flyte::ExprStmt{flyte::call("all_ok", {flyte::arg(flyte::name("results"))})}, {}});
    return statements;
  }

  flyte::Expr call_of(const ir::Submission& submission) {
    return flyte::call(job(submission).function, arguments(submission));
  }

  std::vector<flyte::Stmt> graph() {
    graph_ = true;
    module_.helpers["after"];
    module_.helpers["all_ok"];
    std::vector<flyte::Stmt> statements;
    std::vector<std::string> names;
    std::set<std::string> taken{"results"};
    for (const ir::Job& each : workload_.jobs) {
      taken.insert(each.function);
    }
    for (const ir::Submission& submission : driver_.submissions) {
      std::string name = job(submission).function + "_job";
      for (int n = 2; !taken.insert(name).second; ++n) {
        name = fmt::format("{}_job_{}", job(submission).function, n);
      }
      names.push_back(name);
      flyte::Expr target = flyte::name(job(submission).function);
      std::vector<flyte::Arg> given = arguments(submission);
      if (!given.empty()) { // what is given by name is bound first
        given.insert(given.begin(), flyte::arg(std::move(target)));
        target = flyte::call("partial", std::move(given));
      }
      std::vector<flyte::Arg> words;
      words.push_back(flyte::arg(std::move(target)));
      for (const ir::Parameter& parameter : job(submission).parameters) {
        const auto handed =
            std::ranges::find(submission.handed, parameter.name, &ir::Handed::parameter);
        if (handed != submission.handed.end()) {
          words.push_back(flyte::arg(flyte::name(names[handed->from])));
        }
      }
      const auto list = [&](const char* keyword, const std::vector<std::size_t>& on) {
        if (on.empty()) {
          return;
        }
        flyte::ListExpr tasks;
        for (const std::size_t index : on) {
          tasks.elements.push_back(flyte::arg(flyte::name(names[index])));
        }
        words.push_back(flyte::arg(keyword, flyte::Expr{std::move(tasks)}));
      };
      list("ok", submission.ok);
      list("any", submission.any);
      list("not_ok", submission.not_ok);
      flyte::Stmt statement{
          flyte::Assign{name, "",
                        flyte::call("asyncio.create_task",
                                    {flyte::arg(flyte::call("after", std::move(words)))})},
          {}};
      note(statement.notes, submission);
      statements.push_back(std::move(statement));
    }
    std::vector<flyte::Arg> all;
    all.reserve(names.size() + 1);
    for (const std::string& name : names) {
      all.push_back(flyte::arg(flyte::name(name)));
    }
    all.push_back(flyte::arg("return_exceptions", flyte::name("True")));
    statements.push_back(flyte::Stmt{
        flyte::Assign{"results", "", flyte::await(flyte::call("asyncio.gather", std::move(all)))},
        {}});
    statements.push_back(flyte::Stmt{
        flyte::ExprStmt{flyte::call("all_ok", {flyte::arg(flyte::name("results"))})}, {}});
    return statements;
  }

  const ir::Workload& workload_;
  const ir::Driver& driver_;
  flyte::Module& module_;
  std::vector<flyte::Stmt> functions_;
  std::map<std::size_t, std::vector<std::string>> results_; // of submissions, by index
  std::set<std::string> taken_;
  bool graph_ = false;
};

std::string joined(const std::vector<std::string>& names) {
  if (names.size() < 2) {
    return names.empty() ? "" : names.front();
  }
  return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

} // namespace

flyte::Module lower_driver(LowerContext& context, const ir::Workload& workload) {
  const ir::Driver& driver = *workload.driver;
  flyte::Module module;
  const std::string file = base_name(driver.path);
  module.file = driver.stem + "_flyte.py";
  module.generated_from = file;
  std::vector<std::string> scripts;
  for (const ir::Job& job : workload.jobs) {
    const std::string name = base_name(job.path);
    if (std::ranges::find(scripts, name) == scripts.end()) {
      scripts.push_back(name);
    }
  }
  module.summary = fmt::format("Run {}.", joined(scripts));
  module.here_notes.trailing = "the directory the jobs were submitted from";
  for (const ir::Note& note : driver.not_carried) {
    module.not_carried.push_back({note.text, {note.span}});
  }
  for (const ir::Job& job : workload.jobs) {
    add_job(context, job, module);
  }
  const bool lifted =
      !driver.not_lifted && std::ranges::none_of(workload.jobs, [](const ir::Job& job) {
        return job.array && job.stays_on_slurm;
      });
  if (!lifted || driver.submissions.empty()) {
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
      fmt::format("Migrated from {}, which submits {}. What used to be \"bash {}\" is now:", file,
                  joined(scripts), file);
  // One image for all where the jobs say nothing of theirs.
  flyte::Noted<flyte::Expr> image{flyte::call("flyte.Image.from_debian_base", {}), {}};
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
  std::set<std::string> seen;
  std::string input;
  for (const ir::Submission& submission : driver.submissions) {
    const ir::Job& job = workload.jobs[submission.job];
    for (const ir::Parameter& parameter : job.parameters) {
      const bool handed = std::ranges::find(submission.handed, parameter.name,
                                            &ir::Handed::parameter) != submission.handed.end();
      const bool given =
          handed || (parameter.position != 0 &&
                     static_cast<std::size_t>(parameter.position) <= submission.arguments.size());
      if (given || parameter.default_ || parameter.type == ir::Type::text_list ||
          !seen.insert(parameter.name).second) {
        continue;
      }
      const std::vector<flyte::Parameter> typed = parameters(job);
      main.parameters.push_back(*std::ranges::find(typed, parameter.name, &flyte::Parameter::name));
      std::string value = parameter.name;
      std::ranges::transform(value, value.begin(),
                             [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
      input += fmt::format(" --{} {}", parameter.name, value);
    }
  }
  Main lowered(workload, module);
  main.body = lowered.body();
  main.returns = lowered.returns;
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
