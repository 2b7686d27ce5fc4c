// A job's task, its array's `main`, and the module of a job that stands by itself.
#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>

#include "ir/build.hpp"
#include "lower/directive_comments.hpp"
#include "lower/parts.hpp"
#include "lower/starts_in.hpp"
#include "lower/what_runs.hpp"

namespace s2f::lower {

namespace {

flyte::Expr timedelta(std::int64_t minutes) {
  const auto make = [](const char* unit, std::int64_t value) {
    return flyte::call("timedelta", {flyte::arg(unit, flyte::number(fmt::format("{}", value)))});
  };
  if (minutes % (24 * 60) == 0) {
    return make("days", minutes / (24 * 60));
  }
  if (minutes % 60 == 0) {
    return make("hours", minutes / 60);
  }
  return make("minutes", minutes);
}

std::string count_of(std::int64_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

// The time limit and the wait in the queue as one flyte.Timeout(...).
void limit_queueing(flyte::Task& task, const ir::Sourced<std::int64_t>& queued) {
  std::vector<flyte::Arg> arguments;
  if (task.timeout) {
    arguments.push_back(flyte::arg("max_runtime", std::move(task.timeout->value)));
    arguments.back().notes = std::move(task.timeout->notes);
  }
  arguments.push_back(flyte::arg("max_queued_time", timedelta(queued.value)));
  arguments.back().notes.trailing = queued.asked;
  task.timeout = flyte::Noted<flyte::Expr>{flyte::call("flyte.Timeout", std::move(arguments)), {}};
}

// What Flyte calls the GPUs, where it knows them.
std::string gpu_name(const ir::Gpus& gpus) {
  const flyte::GpuChoice choice = flyte::gpu_choice(gpus.type, gpus.count);
  if (const auto* text = std::get_if<flyte::Str>(&choice.value.value)) {
    return text->value.substr(0, text->value.find(':')) + " GPU";
  }
  return gpus.type.empty() ? "GPU" : gpus.type + " GPU";
}

std::string command_input(const ir::Job& job) {
  std::string text;
  std::vector<flyte::Parameter> all = parameters(job);
  const auto whole = array_parameters(job);
  all.insert(all.begin(), whole.begin(), whole.end());
  for (const flyte::Parameter& parameter : all) {
    if (!parameter.default_ && !given_by_index(job, parameter.name) &&
        !given_by_start(job, parameter.name)) {
      std::string value = parameter.name;
      std::ranges::transform(value, value.begin(),
                             [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
      text += fmt::format(" --{} {}", parameter.name, value);
    }
  }
  return text;
}

bool needs_input(const ir::Job& job) { return !command_input(job).empty(); }

void commands(flyte::Module& module, std::string_view input) {
  module.commands = {
      {fmt::format("flyte run --local {} {}{}", module.file, module.entry, input),
       "this machine, no cluster"},
      {fmt::format("flyte run {} {}{}", module.file, module.entry, input), "the cluster"},
      {fmt::format("flyte deploy {}", module.file),
       module.tasks.size() + module.slurm_tasks.size() == 1 ? "register the task"
                                                            : "register the tasks"},
  };
}

// Slurm's mail as notifications of a run that the module itself starts; nothing where nobody is
// named or nothing can be started without input.
void notifications(const source::Sources& sources, flyte::Module& module, const ir::Job& job) {
  if (!job.mail || job.mail->user.empty() || module.entry_needs_input || module.entry.empty()) {
    return;
  }
  std::set<std::string> phases;
  for (const std::string& event : job.mail->events) {
    if (event == "END" || event == "ALL") {
      phases.insert({"SUCCEEDED", "FAILED", "ABORTED", "TIMED_OUT"});
    }
    if (event == "FAIL") {
      phases.insert({"FAILED", "TIMED_OUT"});
    }
    if (event == "TIME_LIMIT") {
      phases.insert("TIMED_OUT");
    }
  }
  if (phases.empty()) {
    return;
  }
  std::vector<flyte::Arg> names;
  for (const char* phase : {"SUCCEEDED", "FAILED", "ABORTED", "TIMED_OUT"}) {
    if (phases.contains(phase)) {
      names.push_back(flyte::arg(flyte::name(std::string("ActionPhase.") + phase)));
    }
  }
  flyte::Expr on = names.size() == 1 ? std::move(names.front().value)
                                     : flyte::Expr{flyte::TupleExpr{std::move(names)}};
  flyte::TupleExpr recipients;
  recipients.elements.push_back(flyte::arg(flyte::str(job.mail->user)));
  std::vector<flyte::Arg> arguments;
  arguments.push_back(flyte::arg("on_phase", std::move(on)));
  arguments.back().notes.trailing = "--mail-type";
  add_option_comments(sources, job, "mail-type", arguments.back().notes);
  arguments.push_back(flyte::arg("recipients", flyte::Expr{std::move(recipients)}));
  arguments.back().notes.trailing = "--mail-user";
  add_option_comments(sources, job, "mail-user", arguments.back().notes);
  flyte::Constant mail{"MAIL", flyte::call("notify.Email", std::move(arguments)), {}};
  if (job.mail->answered.empty()) {
    mail.notes.above.push_back("REVIEW S2F103: sent only for a run that `python` on this file "
                               "starts; `flyte run` sends none.");
  }
  mail.notes.spans = job.mail->spans;
  module.constants.push_back(std::move(mail));
  module.notifications = "MAIL";
}

// The account that Slurm charged as a label of the run that the module itself starts.
void labels(flyte::Module& module, const ir::Job& job) {
  for (const ir::Label& label : job.labels) {
    flyte::Arg element = flyte::arg(flyte::str(label.value));
    element.key = flyte::str(label.name);
    module.labels.push_back(std::move(element));
    module.label_notes.trailing += (module.label_notes.trailing.empty() ? "" : " ") + label.asked;
    module.label_notes.spans.push_back(label.span);
  }
}

} // namespace

void merge(flyte::Helpers& into, const flyte::Helpers& other) {
  for (const auto& [name, options] : other) {
    into[name].insert(options.begin(), options.end());
  }
}

std::string summary(const ir::Job& job) {
  std::string what =
      !job.kept.empty() ? base_name(job.path) : what_runs(job).value_or(base_name(job.path));
  if (job.stays_on_slurm) {
    return fmt::format("Run {} on Slurm, as before.", base_name(job.path));
  }
  std::string text = fmt::format("Run {}", what);
  if (job.array && job.array->mapped()) {
    text += fmt::format(" {} {}", job.array->spec.indices.size(),
                        job.array->spec.indices.size() == 1 ? "time" : "times");
    if (job.array->spec.throttle) {
      text += fmt::format(", at most {} at a time", *job.array->spec.throttle);
    }
  }
  const bool ray = job.cluster && job.cluster->ray(); // its head is one more
  if (job.cluster && job.cluster->dask() != nullptr) {
    return fmt::format("{} with {} Dask workers.", text, job.cluster->replicas.value);
  }
  if (job.cluster && job.cluster->spark() != nullptr) {
    return fmt::format("{} with {} Spark executors.", text, job.cluster->replicas.value);
  }
  const std::int64_t nodes = job.cluster ? job.cluster->replicas.value + (ray ? 1 : 0) : 1;
  const char* of_ray = ray ? "a Ray cluster of " : "";
  if (job.resources.gpus) {
    const auto& gpus = job.resources.gpus->value;
    text += job.array && job.array->mapped() ? ", each" : "";
    const std::string each = count_of(gpus.count, gpu_name(gpus));
    text += job.cluster ? fmt::format(" on {}{} nodes with {} each", of_ray, nodes, each)
                        : fmt::format(" on {}", each);
  } else if (job.cluster) {
    text += fmt::format(" on {}{} nodes", of_ray, nodes);
  }
  return text + ".";
}

flyte::Task task(LowerContext& context, const ir::Job& job, std::vector<flyte::Stmt> body,
                 std::string returns) {
  flyte::Task result;
  result.environment = job.function + "_env";
  result.function = job.function;
  result.parameters = parameters(job);
  if (job.retries) {
    flyte::Notes notes;
    notes.above.assign(job.retries->reviews.begin(), job.retries->reviews.end());
    notes.trailing = job.retries->asked;
    notes.spans = job.retries->spans;
    result.retries = flyte::Noted<flyte::Expr>{flyte::number(fmt::format("{}", job.retries->value)),
                                               std::move(notes)};
  }
  if (job.time_minutes) {
    flyte::Notes notes;
    notes.trailing = job.time_minutes->asked;
    notes.spans = job.time_minutes->spans;
    add_comments(context.sources, job, job.time_minutes->spans, notes);
    result.timeout =
        flyte::Noted<flyte::Expr>{timedelta(job.time_minutes->value), std::move(notes)};
  }
  if (job.max_queued_minutes) {
    limit_queueing(result, *job.max_queued_minutes);
  }
  std::vector<std::string> origins;
  if (job.array) {
    std::ranges::move(origins_of(*job.array), std::back_inserter(origins));
  }
  for (const ir::Parameter& parameter : job.parameters) {
    if (parameter.origin.starts_with('$') && !parameter.of_whole_array) {
      const std::string& name = parameter.taken_as.empty() ? parameter.name : parameter.taken_as;
      origins.push_back(given_by_start(job, parameter.name)
                            ? fmt::format("{} differs from start to start", name)
                            : fmt::format("{} was {}", name, parameter.origin));
    }
  }
  if (job.array && job.array->index_used) {
    origins.insert(origins.begin(),
                   fmt::format("{} was $SLURM_ARRAY_TASK_ID", job.array->index_parameter));
  }
  std::string where = base_name(job.path);
  std::vector<Span> work;
  for (const ir::Step& step : job.body) {
    if (!std::holds_alternative<ir::Nothing>(step.value) &&
        !std::holds_alternative<ir::ShellOptions>(step.value)) {
      work.push_back(step.span);
    }
  }
  if (!work.empty()) {
    where = lines(context.sources, Span{work.front().source, work.front().begin, work.back().end});
  }
  const std::string program = what_runs(job).value_or("the job");
  const bool ray = job.cluster && job.cluster->ray();
  const bool dask = job.cluster && job.cluster->dask() != nullptr;
  const bool spark = job.cluster && job.cluster->spark() != nullptr;
  const std::string what = job.submits         ? std::string("Run the driver for what it submits")
                           : !job.kept.empty() ? std::string("Run the job script")
                           : ray               ? fmt::format("Run {} on the Ray cluster", program)
                           : spark             ? fmt::format("Run {} on the Spark cluster", program)
                           : dask              ? fmt::format("Run {} on the Dask cluster", program)
                           : job.cluster       ? fmt::format("Be one rank of {}", program)
                                               : fmt::format("Run {}", program);
  result.docstring =
      fmt::format("{} ({}){}", what, where,
                  origins.empty() ? "." : fmt::format("; {}.", fmt::join(origins, ", ")));
  if (const auto* ranks = job.cluster ? job.cluster->ranks() : nullptr) {
    result.docstring +=
        fmt::format("\n\n{} with RANK, WORLD_SIZE, MASTER_ADDR, ... set: {} here. Flyte keeps what "
                    "rank 0 returns.",
                    ranks->jax() ? "Flyte starts this task once a node,"
                                 : "torchrun starts this task once a rank,",
                    program.find(" and ") == std::string::npos ? program + " is a plain command"
                                                               : program + " are plain commands");
  }
  result.body = std::move(body);
  result.returns = std::move(returns);
  return result;
}

// The task of a script that was not found, or that only Slurm can run.
LoweredBody missing_body(const ir::Job& job) {
  LoweredBody result;
  const std::string script = base_name(job.path);
  if (!ir::is_shell(job.interpreter)) {
    flyte::Stmt stays{
        flyte::Raise{flyte::call("NotImplementedError",
                                 {flyte::arg(flyte::str(script + " runs on Slurm alone"))}),
                     std::nullopt},
        {}};
    stays.notes.above.push_back(
        fmt::format("REVIEW S2F529: {} was not converted; write what it did.", script));
    result.statements.push_back(std::move(stays));
    return result;
  }
  flyte::Stmt raise{flyte::Raise{flyte::call("FileNotFoundError",
                                             {flyte::arg(flyte::str(fmt::format(
                                                 "{} was not there to be converted", script)))}),
                                 std::nullopt},
                    {}};
  raise.notes.above.push_back(
      fmt::format("REVIEW S2F323: {} was not found; write what it did.", script));
  result.statements.push_back(std::move(raise));
  return result;
}

// What Client(scheduler_file=...) reads: Dask's scheduler would have written it.
flyte::Stmt address_of_scheduler(const ir::Cluster& cluster, const std::string& scheduler_file) {
  flyte::Expr file{flyte::Binary{"/", flyte::name("HERE"), flyte::str(scheduler_file)}};
  flyte::Expr write{flyte::Attribute{std::move(file), "write_text"}};
  flyte::Arg each = flyte::arg(flyte::Expr{
      flyte::Subscript{flyte::name("os.environ"), flyte::str("DASK_SCHEDULER_ADDRESS")}});
  each.key = flyte::str("address");
  flyte::DictExpr address;
  address.elements.push_back(std::move(each));
  std::vector<flyte::Arg> text{
      flyte::arg(flyte::call("json.dumps", {flyte::arg(flyte::Expr{std::move(address)})}))};
  flyte::Stmt statement{
      flyte::ExprStmt{flyte::Expr{flyte::Call{std::move(write), std::move(text)}}}, {}};
  statement.notes.trailing = "as Dask's scheduler did";
  statement.notes.spans = {cluster.span};
  return statement;
}

// What a head or a worker is given: requests and limits are the same object.
flyte::Constant ray_resources(const ir::Job& job, const flyte::Resources& asked) {
  std::vector<flyte::Arg> arguments;
  for (const auto& [name, value] : {std::pair{"cpu", &asked.cpu},
                                    {"memory", &asked.memory},
                                    {"gpu", &asked.gpu},
                                    {"disk", &asked.disk}}) {
    if (*value) {
      const auto* number = std::get_if<flyte::Number>(&(*value)->value.value);
      const bool cpus = number != nullptr && value == &asked.cpu; // the plugin takes a text
      arguments.push_back(flyte::arg(name, cpus ? flyte::str(number->text) : (*value)->value));
      arguments.back().notes = (*value)->notes;
    }
  }
  return {ray_node(job), flyte::call("flyte.Resources", std::move(arguments)), {}};
}

// "train.sh:5 module load cuda" and "eval.sh:4 module load cuda" say the same of one image: their
// places, and the text; nothing where the comment names none.
std::optional<std::pair<std::string, std::string>> place_and_text(const std::string& comment) {
  const auto space = comment.find(' ');
  const auto colon = comment.find(':');
  if (colon == std::string::npos || space == std::string::npos || colon > space ||
      comment.starts_with("REVIEW")) {
    return std::nullopt;
  }
  return std::pair{comment.substr(0, space), comment.substr(space)};
}

// An image's expression without the places that it came from.
flyte::Expr placeless(flyte::Expr expr) {
  const auto each = [](std::vector<flyte::Arg>& list) {
    for (flyte::Arg& argument : list) {
      argument.notes.spans.clear();
      argument.value = placeless(std::move(argument.value));
    }
  };
  if (auto* call = std::get_if<flyte::Call>(&expr.value)) {
    call->callee = placeless(std::move(*call->callee));
    each(call->arguments);
  } else if (auto* attribute = std::get_if<flyte::Attribute>(&expr.value)) {
    attribute->value = placeless(std::move(*attribute->value));
  } else if (auto* list = std::get_if<flyte::ListExpr>(&expr.value)) {
    each(list->elements);
  } else if (auto* tuple = std::get_if<flyte::TupleExpr>(&expr.value)) {
    each(tuple->elements);
  }
  return expr;
}

// Whether an image of the module is this one, whatever lines ask for it; then those are named too.
bool same_image(flyte::Image& known, const LoweredImage& other) {
  if (!(placeless(known.value) == placeless(other.value)) ||
      known.notes.trailing != other.notes.trailing ||
      known.notes.above.size() != other.notes.above.size()) {
    return false;
  }
  std::vector<flyte::Paragraph> above = known.notes.above;
  for (std::size_t i = 0; i < above.size(); ++i) {
    if (above[i] == other.notes.above[i]) {
      continue;
    }
    const auto mine = place_and_text(other.notes.above[i].text);
    std::string& text = above[i].text;
    // One of several jobs: "a.sh:5, b.sh:4 module load cuda".
    if (above[i].verbatim || other.notes.above[i].verbatim || !mine ||
        !text.ends_with(mine->second) || !place_and_text(text)) {
      return false;
    }
    text.insert(text.size() - mine->second.size(), ", " + mine->first);
  }
  known.notes.above = std::move(above);
  known.notes.spans.insert(known.notes.spans.end(), other.notes.spans.begin(),
                           other.notes.spans.end());
  return true;
}

void add_job(LowerContext& context, const ir::Job& job, flyte::Module& module) {
  for (const ir::Note& note : job.not_carried) {
    module.not_carried.push_back({note.text, {note.span}});
  }
  if (job.stays_on_slurm) {
    LoweredSlurmTask lowered = slurm_task(context, job);
    module.kept.push_back(std::move(lowered.script));
    module.slurm_tasks.push_back(std::move(lowered.task));
    std::ranges::move(lowered.inputs, std::back_inserter(module.constants));
    const bool there = std::ranges::any_of(
        module.constants, [](const auto& c) { return c.variable == "SUBMIT_DIR"; });
    if (!there) {
      flyte::Constant directory{
          "SUBMIT_DIR", flyte::str(job.slurm.submit_dir ? job.slurm.submit_dir->value : ""), {}};
      if (job.slurm.submit_dir) {
        directory.notes.trailing = job.slurm.submit_dir->asked;
      } else {
        directory.notes.above.push_back(
            fmt::format("REVIEW S2F710: the connector submits from its home directory. Name the "
                        "directory on the "
                        "cluster that {} was submitted from; without it the job stops at `cd`.",
                        base_name(job.path)));
      }
      module.constants.push_back(std::move(directory));
    }
    return;
  }
  module.here_parent = 0;
  LoweredImage lowered_image = image(context, job);
  LoweredBody lowered = job.missing ? missing_body(job) : body(context, job);
  start_in(job, lowered);
  flyte::Environment env = environment(context, job, {});
  // The image stands in the environment where nothing needs to be said of it, above it otherwise.
  if (lowered_image.notes.empty()) {
    env.image = flyte::Noted<flyte::Expr>{std::move(lowered_image.value), {}};
  } else if (const auto same = std::ranges::find_if(
                 module.images, [&](auto& each) { return same_image(each, lowered_image); });
             same != module.images.end()) {
    env.image = flyte::Noted<flyte::Expr>{flyte::name(same->variable), {}};
  } else {
    const std::string variable = module.images.empty() ? "image" : job.function + "_image";
    module.images.push_back(
        {variable, std::move(lowered_image.value), std::move(lowered_image.notes)});
    env.image = flyte::Noted<flyte::Expr>{flyte::name(variable), {}};
  }
  if (job.cluster && job.cluster->ray()) {
    module.between.push_back(ray_resources(job, env.resources));
    env.resources = {};
  } else if (const auto* dask = job.cluster ? job.cluster->dask() : nullptr) {
    module.between.push_back(ray_resources(job, worker_resources(context, job)));
    if (const std::string& file = dask->scheduler_file; !file.empty()) {
      lowered.statements.insert(lowered.statements.begin(),
                                address_of_scheduler(*job.cluster, file));
    }
  }
  if (lowered.exported) {
    env.env_vars = flyte::Noted<flyte::Expr>{flyte::name(lowered.exported->variable), {}};
    module.between.push_back(std::move(*lowered.exported));
  }
  module.environments.push_back(std::move(env));
  if (job.array) {
    add_lists(context, *job.array, module);
  }
  for (flyte::KeptText& text : lowered.kept) {
    module.kept.push_back(std::move(text));
  }
  merge(module.helpers, lowered.helpers);
  module.tasks.push_back(task(context, job, std::move(lowered.statements), lowered.returns));
}

// The environment of `main`, which only calls the task.
static flyte::Environment main_environment(flyte::Module& module, const ir::Job& job,
                                           const char* what) {
  flyte::Environment env;
  env.variable = "main_env";
  env.name.value = job.environment_name.substr(0, 57) + what;
  env.image = module.environments.front().image;
  if (std::holds_alternative<flyte::Call>(env.image->value.value)) { // one image, two environments
    module.images.push_back({"image", std::move(env.image->value), {}});
    env.image->value = flyte::name("image");
    module.environments.front().image = env.image;
  }
  env.resources.cpu = flyte::Noted<flyte::Expr>{flyte::number("1"), {}};
  env.resources.memory = flyte::Noted<flyte::Expr>{flyte::str("1Gi"), {}};
  env.depends_on = {module.environments.front().variable};
  return env;
}

// `main`, which calls the task of a rank for each start of them.
static void add_starts(LowerContext& context, const ir::Job& job, flyte::Module& module) {
  flyte::Environment main_env = main_environment(module, job, "-starts");
  flyte::Task main;
  main.environment = "main_env";
  main.function = "main";
  main.entrypoint = true;
  const ir::Starts& starts = *job.starts;
  main.docstring = fmt::format(
      "Start the ranks {} times, one after the other ({}).", starts.runs.size(),
      lines(context.sources, Span{starts.runs.front().span.source, starts.runs.front().span.begin,
                                  starts.runs.back().span.end}));
  std::vector<flyte::Arg> given;
  for (const flyte::Parameter& parameter : parameters(job)) {
    if (!given_by_start(job, parameter.name)) {
      main.parameters.push_back(parameter);
      given.push_back(flyte::arg(parameter.name, flyte::name(parameter.name)));
    }
  }
  main.body = start_statements(context, job, std::move(given));
  module.environments.push_back(std::move(main_env));
  module.tasks.push_back(std::move(main));
  module.entry = "main";
}

flyte::Module lower_job(LowerContext& context, const ir::Job& job) {
  flyte::Module module;
  const std::string file = base_name(job.path);
  module.file = context.file.empty() ? job.stem + "_flyte.py" : context.file;
  module.generated_from = file;
  module.summary = summary(job);
  module.migrated =
      fmt::format("Migrated from {}.{} What used to be \"sbatch {}\" is now:", file,
                  job.stays_on_slurm ? " It stays on Slurm: Flyte's connector submits the script, "
                                       "waits for the job and takes over its log."
                                     : "",
                  file);
  module.here_notes.trailing = "the directory the job was submitted from";
  add_job(context, job, module);
  module.entry = job.function;
  module.entry_needs_input = !job.stays_on_slurm && needs_input(job);
  if (job.array && job.array->mapped() && !job.stays_on_slurm) {
    flyte::Environment main_env = main_environment(module, job, "-array");
    flyte::Task main;
    main.environment = "main_env";
    main.function = "main";
    main.entrypoint = true;
    const std::string& count = job.array->count_parameter;
    main.docstring =
        count.empty() ? "Run the whole array."
                      : fmt::format("Run the whole array; {} was $SLURM_ARRAY_TASK_COUNT.", count);
    std::vector<flyte::Arg> given;
    main.parameters = array_parameters(job);
    for (const flyte::Parameter& parameter : parameters(job)) {
      if (!given_by_index(job, parameter.name)) {
        main.parameters.push_back(parameter);
        given.push_back(flyte::arg(flyte::name(parameter.name)));
      }
    }
    main_env.include = job.array->files;
    if (job.array->index_used || !job.array->items.empty()) {
      main.body = map_statements(job, given, module.helpers);
    } else { // every element does the same
      module.helpers["all_ok"];
      flyte::Comprehension calls{flyte::call(job.function, given),
                                 "_",
                                 indices(job.array->spec),
                                 std::nullopt,
                                 false,
                                 true};
      flyte::Arg star =
          flyte::arg(flyte::Expr{flyte::Starred{flyte::Expr{std::move(calls)}, false}});
      star.notes.trailing = job.array->asked;
      star.notes.spans = job.array->spans;
      std::vector<flyte::Arg> arguments;
      arguments.push_back(std::move(star));
      arguments.push_back(flyte::arg("return_exceptions", flyte::name("True")));
      main.body.push_back(flyte::Stmt{
          flyte::Assign{"results", "",
                        flyte::await(flyte::call("asyncio.gather", std::move(arguments)))},
          {}});
      main.body.push_back(flyte::Stmt{
          flyte::ExprStmt{flyte::call("all_ok", {flyte::arg(flyte::name("results"))})}, {}});
    }
    if (const std::string& each = module.tasks.back().returns; each != "None") {
      // What the elements left is what the whole array leaves.
      auto& last = std::get<flyte::ExprStmt>(main.body.back().value);
      main.body.back().value = flyte::Return{std::move(last.value)};
      main.returns = fmt::format("list[{}]", each);
    }
    module.environments.push_back(std::move(main_env));
    module.tasks.push_back(std::move(main));
    module.entry = "main";
  }
  if (job.starts && !job.stays_on_slurm) {
    add_starts(context, job, module);
  }
  module.entry_arguments = job.stays_on_slurm ? "" : command_input(job);
  commands(module, module.entry_arguments);
  notifications(context.sources, module, job);
  if (job.cluster && job.cluster->ray()) {
    module.commands.front().comment = "this machine, a Ray of its own";
  } else if (const auto* dask = job.cluster ? job.cluster->dask() : nullptr) {
    module.commands.front().comment = dask->scheduler_file.empty()
                                          ? "this machine, a Dask of its own"
                                          : "with a scheduler of yours";
  } else if (job.cluster) {
    module.commands.front().comment = "one process";
  }
  if (!module.entry_needs_input) {
    labels(module, job);
  }
  if (job.stays_on_slurm) {
    module.commands = {
        {fmt::format("flyte run {} {}", module.file, module.entry), "the cluster, and Slurm"},
        {fmt::format("flyte deploy {}", module.file), "register the task"}};
  }
  return module;
}

std::vector<ir::NumberRow> numbers_of(const ir::Job& job) {
  std::vector<ir::NumberRow> rows;
  if (job.stays_on_slurm) {
    return rows;
  }
  const ir::Resources& asked = job.resources;
  if (asked.cpus) {
    rows.push_back(
        {asked.cpus->asked, fmt::format("cpu={}", asked.cpus->value), asked.cpus->asked});
  }
  if (asked.memory_mib) {
    rows.push_back({asked.memory_mib->asked,
                    fmt::format("memory=\"{}\"", flyte::quantity_of_mib(asked.memory_mib->value)),
                    fmt::format("{} MiB", asked.memory_mib->value)});
  }
  if (asked.gpus) {
    rows.push_back(
        {asked.gpus->asked,
         fmt::format("{} GPU{}", asked.gpus->value.count, asked.gpus->value.count == 1 ? "" : "s"),
         "in one container"});
  }
  if (asked.disk_mib) {
    rows.push_back({asked.disk_mib->asked,
                    fmt::format("disk=\"{}\"", flyte::quantity_of_mib(asked.disk_mib->value)),
                    fmt::format("{} MiB", asked.disk_mib->value)});
  }
  if (job.time_minutes) {
    rows.push_back({job.time_minutes->asked,
                    fmt::format("timeout of {} minutes", job.time_minutes->value),
                    "for each attempt"});
  }
  if (job.retries) {
    rows.push_back({job.retries->asked, fmt::format("retries={}", job.retries->value),
                    job.retries->reviews.empty() ? std::string("the site's number")
                                                 : std::string("the migration guide's number")});
  }
  if (job.array && job.array->mapped()) {
    rows.push_back({job.array->asked, fmt::format("{} calls", job.array->spec.indices.size()),
                    job.array->spec.throttle
                        ? fmt::format("{} at a time", *job.array->spec.throttle)
                        : std::string("all at once")});
  }
  return rows;
}

} // namespace s2f::lower
