// `main`: what was submitted is awaited in the order that the dependencies ask for.
//
// A chain is awaits, a fan a gather (driver_levels.cpp); anything else is one asyncio task a job
// and `after`.
#include "lower/driver_main.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace s2f::lower {

namespace {

using ir::Term;
using Kind = Term::Kind;
using Type = Term::Type;

std::set<std::string> names_in(const ir::Workload& workload, const flyte::Module& module) {
  std::set<std::string> taken{"results", "jobs",    "main",  "flyte",  "asyncio",
                              "partial", "product", "after", "all_ok", "HERE",
                              "Path",    "range",   "int",   "str",    "len",
                              "path",    "sorted",  "run",   "indices"};
  for (const ir::Job& job : workload.jobs) {
    taken.insert(job.function);
    taken.insert(job.function + "_env");
    taken.insert(job.function + "_array");
  }
  for (const ir::Parameter& parameter : workload.driver->parameters) {
    taken.insert(parameter.name);
  }
  for (const flyte::Image& image : module.images) {
    taken.insert(image.variable);
  }
  return taken;
}

// --kill-on-invalid-dep=yes: for the jobs behind it, it has ended.
bool removed_if_never(const ir::Job& job) {
  if (job.header.components.empty()) {
    return false;
  }
  const auto& winner = job.header.components.front().winner;
  const auto use = winner.find("kill-on-invalid-dep");
  return use != winner.end() && job.header.uses[use->second].value.value_or("").starts_with('y');
}

} // namespace

Main::Main(const ir::Workload& workload, const Overrides& overrides, flyte::Module& module)
    : workload_(workload), overrides_(overrides), driver_(*workload.driver), module_(module),
      terms_(names_in(workload, module)) {}

std::vector<flyte::Stmt> Main::body() {
  std::vector<flyte::Stmt> out = listings();
  std::ranges::move(ordered(), std::back_inserter(out));
  return out;
}

std::vector<flyte::Stmt> Main::ordered() {
  if (driver_.plan) {
    return planned();
  }
  ending_ = ending();
  if (const auto found = ending_ ? levels(ending_->steps) : std::nullopt) {
    const Level& last = found->back();
    if (last.size() == 1 && last.front().loops.empty() &&
        index_of(*last.front().submission) == ending_->of && by_name(*found)) {
      return with_ending(*found, *ending_);
    }
  }
  if (const auto found = levels(driver_.steps)) {
    if (by_name(*found)) {
      return in_levels(*found);
    }
  }
  return graph();
}

void Main::note(flyte::Notes& notes, const ir::Submission& submission) {
  notes.spans.push_back(submission.span);
  if (!submission.asked_dependency.empty()) {
    notes.trailing = submission.asked_dependency;
  }
}

// A parameter of `main` for what a job needs and the driver does not give.
std::string Main::input(const ir::Job& job, const ir::Parameter& parameter) {
  for (const ir::Parameter& known : driver_.parameters) {
    if (known.origin == parameter.origin && parameter.origin.starts_with('$') &&
        known.position == 0) {
      return std::get<flyte::Name>(
                 terms_.expression(ir::terms::make(Kind::parameter, Type::text, {}, known.name))
                     .value)
          .dotted;
    }
  }
  std::string name = parameter.name;
  while (std::ranges::any_of(driver_.parameters,
                             [&](const auto& each) { return each.name == name; })) {
    name += "_";
  }
  if (std::ranges::find(inputs_, name, &flyte::Parameter::name) == inputs_.end()) {
    std::vector<flyte::Parameter> typed = lower::parameters(job);
    std::ranges::move(array_parameters(job), std::back_inserter(typed));
    const auto mine = std::ranges::find(typed, parameter.name, &flyte::Parameter::name);
    inputs_.push_back({name, mine == typed.end() ? "str" : mine->type, std::nullopt, {}});
  }
  return name;
}

std::vector<flyte::Arg> Main::arguments(const ir::Submission& submission) {
  std::vector<flyte::Arg> result;
  if (job(submission).stays_on_slurm) {
    return result; // such a task takes none: `target` gives them
  }
  for (const ir::Parameter& parameter : job(submission).parameters) {
    const auto variable = parameter.origin.starts_with('$') && parameter.position == 0
                              ? submission.environment.find(parameter.origin.substr(1))
                              : submission.environment.end();
    const auto handed =
        std::ranges::find(submission.handed, parameter.name, &ir::Handed::parameter);
    if (!parameter.secret.empty()) { // the task reads it itself
      continue;
    }
    if (parameter.origin == ir::submit_directory) {
      result.push_back(flyte::arg(
          parameter.name, flyte::str(submission.directory.empty() ? "." : submission.directory)));
      continue;
    }
    if (handed != submission.handed.end()) {
      if (!graph_) { // there it stands by position, as a job whose result it is
        result.push_back(
            flyte::arg(parameter.name, flyte::name(results_.at(handed->from).at(handed->output))));
      }
    } else if (parameter.type == ir::Type::text_list) {
      if (submission.arguments.empty()) {
        continue;
      }
      flyte::ListExpr list;
      for (const Term& value : submission.arguments) {
        list.elements.push_back(
            flyte::arg(value.is_list() ? flyte::Expr{flyte::Starred{terms_.expression(value)}}
                                       : terms_.text(value)));
      }
      result.push_back(flyte::arg(parameter.name, flyte::Expr{std::move(list)}));
    } else if (parameter.position != 0 &&
               static_cast<std::size_t>(parameter.position) <= submission.arguments.size()) {
      give(parameter, submission.arguments[static_cast<std::size_t>(parameter.position) - 1],
           result);
    } else if (variable != submission.environment.end()) {
      give(parameter, variable->second, result);
    } else if (!parameter.default_ && parameter.position == 0 &&
               submission.unset.contains(parameter.origin.substr(1))) {
      result.push_back(flyte::arg(parameter.name, flyte::str("")));
    } else if (!parameter.default_) {
      result.push_back(flyte::arg(parameter.name, flyte::name(input(job(submission), parameter))));
    }
  }
  return result;
}

// The task that stands for the submission: the job's own, that of another one of the same script,
// overridden, or the one that runs its whole array.
flyte::Expr Main::target(const ir::Submission& submission) {
  if (job(submission).array) {
    return flyte::name(array_task(submission));
  }
  const std::string& function = job(submission).function;
  if (job(submission).stays_on_slurm) {
    return on_slurm(submission);
  }
  const auto shared = overrides_.find(submission.job);
  return shared == overrides_.end() || shared->second.arguments.empty()
             ? flyte::name(function)
             : flyte::call(function + ".override", shared->second.arguments);
}

std::string Main::array_task(const ir::Submission& submission) {
  const ir::Job& element = job(submission);
  const std::string key = fmt::format("{}|{}", element.function, submission.indices ? "i" : "");
  std::string name = element.function + "_array" + (submission.indices ? "_of" : "");
  if (std::ranges::find(array_names_, key) != array_names_.end()) {
    return name;
  }
  array_names_.push_back(key);
  flyte::Task task;
  task.environment = "main_env";
  task.function = name;
  task.docstring = fmt::format("Run the whole array of {}.", element.function);
  std::vector<flyte::Arg> given;
  if (submission.indices) {
    task.parameters.push_back({"indices", "list[int]", std::nullopt, {}});
  }
  for (const flyte::Parameter& parameter : array_parameters(element)) {
    task.parameters.push_back(parameter);
    given.push_back(flyte::arg(parameter.name, flyte::name(parameter.name)));
  }
  for (const flyte::Parameter& parameter : lower::parameters(element)) {
    if (given_by_index(element, parameter.name)) {
      continue;
    }
    task.parameters.push_back(parameter);
    given.push_back(flyte::arg(parameter.name, flyte::name(parameter.name)));
  }
  std::ranges::stable_sort(task.parameters, {}, [](const flyte::Parameter& parameter) {
    return parameter.default_.has_value();
  });
  task.body = array_statements(
      element, given, submission.indices ? std::optional(flyte::name("indices")) : std::nullopt,
      module_.helpers);
  if (const auto outputs = collected(index_of(submission)); !outputs.empty()) {
    collect(index_of(submission), task.body);
    std::vector<std::string> types;
    flyte::TupleExpr lists;
    for (const std::size_t output : outputs) {
      types.push_back(fmt::format("list[{}]", output_type(element, output)));
      lists.elements.push_back(flyte::arg(flyte::name(results_[index_of(submission)][output])));
    }
    if (types.size() == 1) {
      auto& last = std::get<flyte::Assign>(task.body.back().value);
      task.body.back().value = flyte::Return{std::move(last.value)};
      task.returns = types.front();
    } else {
      task.body.push_back(flyte::Stmt{flyte::Return{flyte::Expr{std::move(lists)}}, {}});
      task.returns = fmt::format("tuple[{}]", fmt::join(types, ", "));
    }
  }
  arrays_.push_back(std::move(task));
  return name;
}

flyte::Expr Main::call_of(const ir::Submission& submission) {
  return submission.recoveries.empty() ? plain_call(submission) : recovered_call(submission);
}

flyte::Expr Main::plain_call(const ir::Submission& submission) {
  std::vector<flyte::Arg> given = arguments(submission);
  if (submission.indices) {
    given.insert(
        given.begin(),
        flyte::arg("indices",
                   flyte::call("list", {flyte::arg(terms_.iterable(*submission.indices))})));
  }
  return flyte::Expr{flyte::Call{target(submission), std::move(given)}};
}

// The names of what the task of a submission returns; "_" for what no later one takes.
std::vector<std::string> Main::result_names(std::size_t index) {
  const ir::Job& target = job(driver_.submissions[index]);
  std::vector<std::string> names;
  for (const ir::ClusterPath& path : target.cluster_paths) {
    if (path.written) {
      names.push_back(path.name);
    }
  }
  for (const ir::OutputFile& output : target.outputs) {
    if (target.keeps(output.span)) {
      continue;
    }
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
  if (target.resume) {
    names.emplace_back("checkpoints");
  }
  if (target.left) {
    names.push_back(target.function + "_left");
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
    names[i] = terms_.unique(names[i]);
  }
  return std::ranges::all_of(names, [](const auto& name) { return name == "_"; })
             ? std::vector<std::string>()
             : names;
}

// ---- any other order -----------------------------------------------------------------------

std::optional<flyte::Expr> Main::waits(const ir::Submission& submission,
                                       ir::Dependency::Kind kind) {
  flyte::ListExpr list;
  std::vector<const Term*> on;
  for (const ir::Dependency& dependency : submission.depends) {
    if (dependency.jobs.kind == Kind::name && awaited_.contains(dependency.jobs.text)) {
      continue;
    }
    if (dependency.kind == kind && !dependency.each && !dependency.element) {
      on.push_back(&dependency.jobs);
    } else if (dependency.kind == kind) {
      list.elements.push_back(flyte::arg(element(dependency)));
    }
  }
  if (on.empty() && list.elements.empty()) {
    return std::nullopt;
  }
  for (const Term* jobs : on) {
    flyte::Expr value = terms_.expression(*jobs);
    if (jobs->type == Type::job) {
      list.elements.push_back(flyte::arg(std::move(value)));
      continue;
    }
    if (jobs->type == Type::job_map) {
      value =
          flyte::Expr{flyte::Call{flyte::Expr{flyte::Attribute{std::move(value), "values"}}, {}}};
    } else if (jobs->type == Type::maybe_job) {
      flyte::ListExpr one;
      one.elements.push_back(flyte::arg(value));
      flyte::Expr there{
          flyte::Conditional{flyte::Expr{std::move(one)}, value, flyte::Expr{flyte::ListExpr{}}}};
      if (on.size() == 1 && list.elements.empty()) {
        return there;
      }
      value = std::move(there);
    }
    list.elements.push_back(flyte::arg(flyte::Expr{flyte::Starred{std::move(value), false}}));
  }
  return flyte::Expr{std::move(list)};
}

// Its own option, though its task may be that of another job.
void Main::removed_where_never(const ir::Submission& submission,
                               std::vector<flyte::Arg>& arguments) {
  if (removed_if_never(workload_.jobs[submission.job]) && !submission.depends.empty()) {
    arguments.push_back(flyte::arg("kill", flyte::name("True")));
    module_.helpers["after"].insert("kill");
  }
}

// A job whose result another one takes, or (job, i) of several; of a loop the list of them.
flyte::Expr Main::handed_result(const ir::Submission& reader, const ir::Handed& handed) {
  const auto list = job_lists_.find(handed.from);
  const bool by_element = driver_.submissions[handed.from].by_element;
  flyte::Expr jobs = by_element ? handed_elements(reader, handed)
                                : flyte::name(handed.all_turns && list != job_lists_.end()
                                                  ? list->second
                                                  : job_names_.at(handed.from));
  const ir::Job& from = job(driver_.submissions[handed.from]);
  std::size_t count = from.returned();
  std::size_t part = handed.output;
  if (from.array && !by_element) { // the task of the whole array returns what is taken
    const std::set<std::size_t> outputs = collected(handed.from);
    count = outputs.size();
    part = static_cast<std::size_t>(std::distance(outputs.begin(), outputs.find(handed.output)));
    if (handed.all_turns) {
      module_.helpers["after"].insert({"lists", "parts"});
    }
  }
  if (count == 1) {
    return jobs;
  }
  module_.helpers["after"].insert({"lists", "parts"});
  flyte::TupleExpr pair;
  pair.elements.push_back(flyte::arg(std::move(jobs)));
  pair.elements.push_back(flyte::arg(flyte::number(fmt::format("{}", part))));
  return flyte::Expr{std::move(pair)};
}

// The jobs whose results a job takes, in the order of its parameters.
void Main::add_results(const ir::Submission& submission, std::vector<flyte::Arg>& arguments) {
  for (const ir::Parameter& parameter : job(submission).parameters) {
    const auto handed =
        std::ranges::find(submission.handed, parameter.name, &ir::Handed::parameter);
    if (handed != submission.handed.end()) {
      arguments.push_back(flyte::arg(handed_result(submission, *handed)));
    }
  }
}

void Main::submitted(const ir::Submitted& step, std::vector<flyte::Stmt>& out) {
  const ir::Submission& submission = driver_.submissions[step.submission];
  if (submission.by_element) {
    elements(step, out);
    return;
  }
  flyte::Expr call = call_of(submission);
  auto& words = std::get<flyte::Call>(call.value);
  std::vector<flyte::Arg> given = std::move(words.arguments);
  flyte::Expr what = *words.callee;
  if (!given.empty()) { // what is given by name is bound first
    given.insert(given.begin(), flyte::arg(std::move(what)));
    what = flyte::call("partial", std::move(given));
  }
  std::vector<flyte::Arg> arguments;
  arguments.push_back(flyte::arg(std::move(what)));
  add_results(submission, arguments);
  for (const auto& [keyword, kind] : {std::pair{"ok", ir::Dependency::Kind::ok},
                                      {"any", ir::Dependency::Kind::any},
                                      {"not_ok", ir::Dependency::Kind::not_ok}}) {
    if (auto list = waits(submission, kind)) {
      arguments.push_back(flyte::arg(keyword, std::move(*list)));
    }
  }
  removed_where_never(submission, arguments);
  flyte::Expr task =
      flyte::call("asyncio.create_task", {flyte::arg(flyte::call("after", std::move(arguments)))});
  const std::size_t first = out.size();
  if (listed_ && step.name.empty() && !job_lists_.contains(step.submission)) {
    out.push_back(
        expression_statement(flyte::call(list_ + ".append", {flyte::arg(std::move(task))})));
  } else {
    std::string name;
    const std::string plain = job(submission).function + "_job";
    if (step.name.empty()) {
      name = terms_.unique(plain);
    } else if (step.name.find(' ') != std::string::npos || !listed_) {
      name = terms_.unique(plain);
      terms_.call_it(step.name, name);
    } else {
      name = terms_.name_of(step.name);
    }
    job_names_[step.submission] = name;
    out.push_back(assignment(name, std::move(task)));
    if (listed_) {
      out.push_back(
          expression_statement(flyte::call(list_ + ".append", {flyte::arg(flyte::name(name))})));
    } else {
      names_.push_back(name);
    }
  }
  if (const auto list = job_lists_.find(step.submission); list != job_lists_.end()) {
    out.push_back(expression_statement(flyte::call(
        list->second + ".append", {flyte::arg(flyte::name(job_names_.at(step.submission)))})));
  }
  note(out[first].notes, submission);
}

void Main::bind(const ir::Bind& step, std::vector<flyte::Stmt>& out) {
  std::string type;
  const bool empty = step.value.kind == Kind::list && step.value.parts.empty();
  if (step.value.type == Type::job_map) {
    type = "dict[Any, asyncio.Task[Any]]";
  } else if (step.value.type == Type::jobs && empty) {
    type = "list[asyncio.Task[Any]]";
  } else if (step.value.kind == Kind::no_job) {
    type = "asyncio.Task[Any] | None";
  }
  out.push_back(assignment(terms_.name_of(step.name), terms_.expression(step.value), type));
}

void Main::gather(std::vector<flyte::Stmt>& out) {
  std::vector<flyte::Arg> all;
  if (listed_) {
    all.push_back(flyte::arg(flyte::Expr{flyte::Starred{flyte::name(list_), false}}));
  }
  for (const std::string& name : names_) {
    all.push_back(flyte::arg(flyte::name(name)));
  }
  for (const std::string& name : lists_) {
    all.push_back(flyte::arg(flyte::Expr{flyte::Starred{flyte::name(name), false}}));
  }
  all.push_back(flyte::arg("return_exceptions", flyte::name("True")));
  out.push_back(assignment("results", flyte::await(flyte::call("asyncio.gather", std::move(all)))));
  out.push_back(expression_statement(flyte::call("all_ok", {flyte::arg(flyte::name("results"))})));
}

void Main::finish(const ir::Finish& step, std::vector<flyte::Stmt>& out) {
  // What was submitted before runs on all the same.
  const bool none = listed_ && !any_submitted_;
  if (!none) {
    gather(out);
  }
  if (step.failed) {
    const std::string text = step.message.empty() ? "the driver stops here" : step.message;
    out.push_back(flyte::Stmt{
        flyte::Raise{flyte::call("ValueError", {flyte::arg(flyte::str(text))}), std::nullopt}, {}});
  } else {
    out.push_back(flyte::Stmt{flyte::Return{}, {}});
  }
}

void Main::steps(const Steps& list, std::vector<flyte::Stmt>& out) {
  for (const ir::DriverStep& step : list) {
    const std::size_t first = out.size();
    if (const auto* submission = std::get_if<ir::Submitted>(&step.value)) {
      submitted(*submission, out);
      any_submitted_ = true;
    } else if (const auto* value = std::get_if<ir::Bind>(&step.value)) {
      bind(*value, out);
    } else if (const auto* extend = std::get_if<ir::Extend>(&step.value)) {
      const bool one = extend->value.is_job();
      flyte::Expr added = terms_.expression(extend->value);
      if (extend->value.type == Type::job_map) {
        added =
            flyte::Expr{flyte::Call{flyte::Expr{flyte::Attribute{std::move(added), "values"}}, {}}};
      }
      if (extend->value.type == Type::maybe_job) {
        flyte::ListExpr alone;
        alone.elements.push_back(flyte::arg(added));
        added = flyte::Expr{flyte::Conditional{flyte::Expr{std::move(alone)}, added,
                                               flyte::Expr{flyte::ListExpr{}}}};
      }
      const bool append = one && extend->value.type == Type::job;
      out.push_back(expression_statement(
          flyte::call(terms_.name_of(extend->name) + (append ? ".append" : ".extend"),
                      {flyte::arg(std::move(added))})));
    } else if (const auto* put = std::get_if<ir::PutItem>(&step.value)) {
      out.push_back(expression_statement(flyte::call(
          terms_.name_of(put->name) + ".__setitem__",
          {flyte::arg(terms_.expression(put->key)), flyte::arg(terms_.expression(put->value))})));
    } else if (const auto* each = std::get_if<ir::Each>(&step.value)) {
      const bool used = reads(each->body, driver_, each->variable);
      flyte::ForStmt loop{
          used ? terms_.name_of(each->variable) : "_", terms_.iterable(each->over), false, {}};
      steps(each->body, loop.body);
      out.push_back(flyte::Stmt{std::move(loop), {}});
    } else if (const auto* choice = std::get_if<ir::Choice>(&step.value)) {
      flyte::IfStmt branches;
      for (const auto& branch : choice->branches) {
        flyte::Branch one;
        if (branch.condition) {
          one.condition = terms_.condition(*branch.condition);
        }
        steps(branch.body, one.body);
        if (one.body.empty()) {
          if (!branch.condition) {
            continue;
          }
          one.body.push_back(flyte::Stmt{flyte::Pass{}, {}});
        }
        branches.branches.push_back(std::move(one));
      }
      out.push_back(flyte::Stmt{std::move(branches), {}});
    } else if (const auto* leave = std::get_if<ir::LeaveEach>(&step.value)) {
      out.push_back(leave->next ? flyte::Stmt{flyte::Continue{}, {}}
                                : flyte::Stmt{flyte::Break{}, {}});
    } else if (const auto* end = std::get_if<ir::Finish>(&step.value)) {
      finish(*end, out);
    }
    if (out.size() > first) {
      out[first].notes.spans.push_back(step.span);
      say(step.comments, step.below, first, out);
    }
  }
}

std::vector<flyte::Stmt> Main::graph() {
  graph_ = true;
  module_.helpers["after"];
  module_.helpers["all_ok"];
  listed_ = std::ranges::any_of(driver_.steps, [](const ir::DriverStep& step) {
    return std::holds_alternative<ir::Each>(step.value) ||
           std::holds_alternative<ir::Choice>(step.value);
  });
  std::vector<flyte::Stmt> out;
  const std::size_t first = awaited_first(out);
  if (listed_) {
    out.push_back(assignment(list_, flyte::Expr{flyte::ListExpr{}}, "list[asyncio.Task[Any]]"));
  }
  for (std::size_t i = 0; i < driver_.submissions.size(); ++i) {
    const ir::Job& element = job(driver_.submissions[i]);
    const bool all_turns = std::ranges::any_of(driver_.submissions, [&](const auto& later) {
      return std::ranges::any_of(later.handed, [&](const ir::Handed& handed) {
        return handed.from == i && handed.all_turns;
      });
    });
    if (listed_ && all_turns) {
      job_lists_[i] = terms_.unique(element.function + "_jobs");
      module_.helpers["after"].insert("lists");
      out.push_back(
          assignment(job_lists_[i], flyte::Expr{flyte::ListExpr{}}, "list[asyncio.Task[Any]]"));
    }
  }
  steps(Steps(driver_.steps.begin() + static_cast<std::ptrdiff_t>(first), driver_.steps.end()),
        out);
  gather(out);
  return out;
}

} // namespace s2f::lower
