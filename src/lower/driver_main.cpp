// `main`: what was submitted is awaited in the order that the dependencies ask for.
//
// A chain is awaits, a fan a gather; anything else is one asyncio task a job and `after`.
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

// "Dir" or "File": of what the task of a job returns, the one with that index.
std::string_view output_type(const ir::Job& job, std::size_t output) {
  std::size_t index = 0;
  for (const ir::ClusterPath& path : job.cluster_paths) {
    if (path.written && index++ == output) {
      return path.directory ? "Dir" : "File";
    }
  }
  const bool last = output + 1 == job.returned();
  const bool checkpoints = job.resume && output + (job.left ? 2 : 1) == job.returned();
  return (job.left && last) || checkpoints ? "Dir" : "File";
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

bool reads(const std::vector<ir::DriverStep>& steps, const ir::Driver& driver,
           const std::string& name);

bool reads(const ir::Driver& driver, const ir::Submission& submission, const std::string& name) {
  if (std::ranges::any_of(submission.recoveries, [&](const ir::Recovery& each) {
        return reads(driver, driver.submissions[each.submission], name);
      })) {
    return true;
  }
  const auto mentions = [&](const Term& term) { return ir::terms::mentions(term, name); };
  return std::ranges::any_of(submission.arguments, mentions) ||
         std::ranges::any_of(submission.environment,
                             [&](const auto& each) { return mentions(each.second); }) ||
         std::ranges::any_of(submission.depends,
                             [&](const auto& each) {
                               return mentions(each.jobs) ||
                                      (each.element && mentions(*each.element));
                             }) ||
         (submission.indices && mentions(*submission.indices));
}

bool reads(const ir::DriverStep& step, const ir::Driver& driver, const std::string& name) {
  const auto mentions = [&](const Term& term) { return ir::terms::mentions(term, name); };
  if (const auto* bind = std::get_if<ir::Bind>(&step.value)) {
    return mentions(bind->value);
  }
  if (const auto* extend = std::get_if<ir::Extend>(&step.value)) {
    return mentions(extend->value);
  }
  if (const auto* put = std::get_if<ir::PutItem>(&step.value)) {
    return mentions(put->key) || mentions(put->value);
  }
  if (const auto* each = std::get_if<ir::Each>(&step.value)) {
    return mentions(each->over) || reads(each->body, driver, name);
  }
  if (const auto* choice = std::get_if<ir::Choice>(&step.value)) {
    return std::ranges::any_of(choice->branches, [&](const auto& branch) {
      return (branch.condition && mentions(*branch.condition)) || reads(branch.body, driver, name);
    });
  }
  const auto* submitted = std::get_if<ir::Submitted>(&step.value);
  return submitted != nullptr && reads(driver, driver.submissions[submitted->submission], name);
}

bool reads(const std::vector<ir::DriverStep>& steps, const ir::Driver& driver,
           const std::string& name) {
  return std::ranges::any_of(steps,
                             [&](const ir::DriverStep& step) { return reads(step, driver, name); });
}

flyte::Stmt expression_statement(flyte::Expr value) {
  return flyte::Stmt{flyte::ExprStmt{std::move(value)}, {}};
}

flyte::Stmt assignment(std::string target, flyte::Expr value, std::string type = "") {
  return flyte::Stmt{flyte::Assign{std::move(target), std::move(type), std::move(value)}, {}};
}

} // namespace

Main::Main(const ir::Workload& workload, const Overrides& overrides, flyte::Module& module)
    : workload_(workload), overrides_(overrides), driver_(*workload.driver), module_(module),
      terms_(names_in(workload, module)) {}

std::vector<flyte::Stmt> Main::body() {
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
      result.push_back(flyte::arg(
          parameter.name,
          terms_.text(submission.arguments[static_cast<std::size_t>(parameter.position) - 1])));
    } else if (variable != submission.environment.end()) {
      result.push_back(flyte::arg(parameter.name, terms_.text(variable->second)));
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

// ---- levels: each waits for all of the one before ------------------------------------------

std::optional<std::vector<Main::Level>> Main::levels(const Steps& steps) const {
  std::vector<Level> levels;
  std::vector<std::size_t> level_of;                 // by group
  std::map<std::string, std::set<std::size_t>> held; // the groups whose ids a variable holds
  std::set<std::size_t> before;                      // the groups that the last level waits for
  std::set<std::size_t> last;                        // the groups of the last level
  const auto groups_of = [&](const Term& term, const auto& self) -> std::set<std::size_t> {
    std::set<std::size_t> found;
    if (term.kind == Kind::name) {
      if (const auto known = held.find(term.text); known != held.end()) {
        found = known->second;
      }
    }
    for (const Term& part : term.parts) {
      found.merge(self(part, self));
    }
    return found;
  };
  const auto add = [&](Group group) -> bool {
    std::set<std::size_t> needs;
    for (const ir::Dependency& dependency : group.submission->depends) {
      const auto groups = groups_of(dependency.jobs, groups_of);
      if (dependency.each || dependency.element) {
        return false;
      }
      if (dependency.kind != ir::Dependency::Kind::ok || groups.empty() ||
          dependency.jobs.type == Type::maybe_job || dependency.jobs.kind == Kind::item) {
        return false;
      }
      needs.insert(groups.begin(), groups.end());
    }
    const std::size_t id = level_of.size();
    if (levels.empty() || (needs == last && !needs.empty())) {
      if (!needs.empty() && levels.empty()) {
        return false;
      }
      levels.emplace_back();
      before = needs;
      last.clear();
    } else if (needs != before) {
      return false;
    }
    last.insert(id);
    level_of.push_back(levels.size() - 1);
    levels.back().push_back(std::move(group));
    return true;
  };
  for (const ir::DriverStep& step : steps) {
    const std::size_t next = level_of.size();
    if (const auto* submitted = std::get_if<ir::Submitted>(&step.value)) {
      if (!add({&driver_.submissions[submitted->submission], {}, step.comments, step.below})) {
        return std::nullopt;
      }
      if (!submitted->name.empty()) {
        held[submitted->name] = {next};
      }
      continue;
    }
    if (const auto* bind = std::get_if<ir::Bind>(&step.value)) {
      if (!bind->value.holds_jobs() || bind->value.kind == Kind::no_job) {
        return std::nullopt;
      }
      held[bind->name] = groups_of(bind->value, groups_of);
      continue;
    }
    if (const auto* extend = std::get_if<ir::Extend>(&step.value)) {
      held[extend->name].merge(groups_of(extend->value, groups_of));
      continue;
    }
    Group group;
    group.below = step.below;
    const ir::DriverStep* at = &step;
    std::set<std::string> variables;
    while (const auto* each = std::get_if<ir::Each>(&at->value)) {
      group.comments.insert(group.comments.end(), at->comments.begin(), at->comments.end());
      const bool depends = std::ranges::any_of(
          variables, [&](const auto& name) { return ir::terms::mentions(each->over, name); });
      if (depends || each->body.empty()) {
        return std::nullopt;
      }
      group.loops.push_back(each);
      variables.insert(each->variable);
      if (each->body.size() == 1 && std::holds_alternative<ir::Each>(each->body.front().value)) {
        at = &each->body.front();
        continue;
      }
      const auto* submitted = std::get_if<ir::Submitted>(&each->body.front().value);
      if (submitted == nullptr || each->body.size() > 2) {
        return std::nullopt;
      }
      group.submission = &driver_.submissions[submitted->submission];
      for (const ir::DriverStep& inner : each->body) {
        group.comments.insert(group.comments.end(), inner.comments.begin(), inner.comments.end());
        group.below.insert(group.below.begin(), inner.below.begin(), inner.below.end());
      }
      std::string list;
      if (each->body.size() == 2) {
        const auto* extend = std::get_if<ir::Extend>(&each->body.back().value);
        if (extend == nullptr || extend->value.kind != Kind::name ||
            extend->value.text != submitted->name) {
          return std::nullopt;
        }
        list = extend->name;
      } else if (!submitted->name.empty()) {
        return std::nullopt;
      }
      if (!add(std::move(group))) {
        return std::nullopt;
      }
      if (!list.empty()) {
        held[list].insert(next);
      }
      break;
    }
    if (level_of.size() == next) {
      return std::nullopt;
    }
  }
  return levels.empty() ? std::nullopt : std::optional(std::move(levels));
}

// One element of a gather: a call, or *(call for x in ...).
flyte::Arg Main::group(const Group& group) {
  if (group.loops.empty()) {
    flyte::Arg call = flyte::arg(call_of(*group.submission));
    note(call.notes, *group.submission);
    return call;
  }
  std::string target;
  std::vector<flyte::Arg> overs;
  for (const ir::Each* loop : group.loops) {
    const bool used = reads(driver_, *group.submission, loop->variable);
    target += (target.empty() ? "" : ", ") + (used ? terms_.name_of(loop->variable) : "_");
    overs.push_back(flyte::arg(terms_.iterable(loop->over)));
  }
  flyte::Expr over =
      overs.size() == 1 ? std::move(overs.front().value) : flyte::call("product", std::move(overs));
  flyte::Comprehension calls{
      call_of(*group.submission), target, std::move(over), std::nullopt, false, true};
  flyte::Arg star = flyte::arg(flyte::Expr{flyte::Starred{flyte::Expr{std::move(calls)}, false}});
  note(star.notes, *group.submission);
  return star;
}

// What the script says above and below the statements from `first` on.
void Main::say(const std::vector<ir::Comment>& above, const std::vector<ir::Comment>& below,
               std::size_t first, std::vector<flyte::Stmt>& out) {
  std::vector<flyte::Paragraph> said = paragraphs(above);
  auto& notes = out[first].notes.above;
  notes.insert(notes.begin(), said.begin(), said.end());
  if (!below.empty()) {
    flyte::Stmt rest{flyte::CommentOnly{}, {}};
    rest.notes.above = paragraphs(below);
    const auto& last = out.back().value;
    const bool leaves = out.size() > first + 1 && (std::holds_alternative<flyte::Return>(last) ||
                                                   std::holds_alternative<flyte::Raise>(last));
    out.insert(out.end() - (leaves ? 1 : 0), std::move(rest));
  }
}

// Whether all that is handed on comes from levels of one submission, whose results have a name.
bool Main::by_name(const std::vector<Level>& levels) const {
  return std::ranges::all_of(driver_.submissions, [&](const ir::Submission& each) {
    return std::ranges::all_of(each.handed, [&](const ir::Handed& handed) {
      return std::ranges::any_of(levels, [&](const Level& level) {
        const ir::Submission& from = driver_.submissions[handed.from];
        return level.size() == 1 && level.front().submission == &from && !from.indices &&
               (level.front().loops.empty() || (handed.each && !job(from).array));
      });
    });
  });
}

std::set<std::size_t> Main::collected(std::size_t index) const {
  std::set<std::size_t> outputs;
  for (const ir::Submission& later : driver_.submissions) {
    for (const ir::Handed& handed : later.handed) {
      if (handed.from == index && handed.each) {
        outputs.insert(handed.output);
      }
    }
  }
  return outputs;
}

// The last statement checks that all went well: `all_ok(...)`; what it gives is kept.
void Main::collect(std::size_t index, std::vector<flyte::Stmt>& out) {
  const std::set<std::size_t> outputs = collected(index);
  if (outputs.empty()) {
    return;
  }
  const ir::Job& element = job(driver_.submissions[index]);
  flyte::Expr all = std::move(std::get<flyte::ExprStmt>(out.back().value).value);
  flyte::Notes notes = std::move(out.back().notes);
  out.pop_back();
  const std::size_t count = element.returned();
  auto& names = results_[index];
  names.assign(count, "_");
  const bool one = count == 1;
  if (!one) {
    const std::string name = terms_.unique(element.function + "_results");
    out.push_back(flyte::Stmt{flyte::Assign{name, "list[Any]", std::move(all)}, {}});
    all = flyte::name(name);
  }
  for (const std::size_t output : outputs) {
    const bool left = element.left && output + 1 == count;
    const std::size_t files =
        outputs.size() - (element.left && outputs.contains(count - 1) ? 1 : 0);
    names[output] =
        terms_.unique(element.function + (left         ? "_left"
                                          : files == 1 ? "_files"
                                                       : fmt::format("_files_{}", output + 1)));
    flyte::Expr each = flyte::name("r");
    if (!one) {
      each =
          flyte::Expr{flyte::Subscript{std::move(each), flyte::number(fmt::format("{}", output))}};
    }
    // The types of `flyte.map` tell no more than that they may be exceptions.
    const std::string type(output_type(element, output));
    flyte::Expr there =
        flyte::call("isinstance", {flyte::arg(each), flyte::arg(flyte::name(type))});
    out.push_back(
        flyte::Stmt{flyte::Assign{names[output], fmt::format("list[{}]", type),
                                  flyte::Expr{flyte::Comprehension{
                                      std::move(each), "r", all, std::move(there), false, false}}},
                    {}});
  }
  out.back().notes = std::move(notes);
}

std::vector<flyte::Stmt> Main::in_levels(const std::vector<Level>& levels) {
  std::vector<flyte::Stmt> out;
  for (const Level& level : levels) {
    std::vector<ir::Comment> comments;
    std::vector<ir::Comment> below;
    for (const Group& each : level) {
      comments.insert(comments.end(), each.comments.begin(), each.comments.end());
      below.insert(below.end(), each.below.begin(), each.below.end());
    }
    const std::size_t first = out.size();
    const ir::Submission& submission = *level.front().submission;
    if (level.size() == 1 && level.front().loops.empty()) {
      if (!submission.recoveries.empty()) {
        out.push_back(recovered(submission));
      } else if (job(submission).array && !submission.indices) {
        std::vector<flyte::Arg> given = arguments(submission);
        for (flyte::Stmt& statement :
             array_statements(job(submission), given, std::nullopt, module_.helpers)) {
          out.push_back(std::move(statement));
        }
        collect(index_of(submission), out);
      } else {
        const std::size_t index = index_of(submission);
        flyte::Expr run = flyte::await(call_of(submission));
        results_[index] = result_names(index);
        const auto task =
            std::ranges::find(module_.tasks, job(submission).function, &flyte::Task::function);
        const bool end = &level == &levels.back() && !submission.indices;
        if (!results_[index].empty()) {
          out.push_back(
              assignment(fmt::format("{}", fmt::join(results_[index], ", ")), std::move(run)));
        } else if (end && task != module_.tasks.end() && task->returns != "None") {
          returns = task->returns;
          out.push_back(flyte::Stmt{flyte::Return{std::move(run)}, {}});
        } else {
          out.push_back(expression_statement(std::move(run)));
        }
      }
      note(out[first].notes, submission);
    } else {
      module_.helpers["all_ok"];
      std::vector<flyte::Arg> calls;
      for (const Group& each : level) {
        calls.push_back(group(each));
      }
      calls.push_back(flyte::arg("return_exceptions", flyte::name("True")));
      out.push_back(
          assignment("results", flyte::await(flyte::call("asyncio.gather", std::move(calls)))));
      out.push_back(
          expression_statement(flyte::call("all_ok", {flyte::arg(flyte::name("results"))})));
      if (level.size() == 1) {
        collect(index_of(submission), out);
      }
    }
    say(comments, below, first, out);
  }
  return out;
}

// ---- any other order -----------------------------------------------------------------------

std::optional<flyte::Expr> Main::waits(const ir::Submission& submission,
                                       ir::Dependency::Kind kind) {
  flyte::ListExpr list;
  std::vector<const Term*> on;
  for (const ir::Dependency& dependency : submission.depends) {
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
flyte::Expr Main::handed_result(const ir::Handed& handed) {
  const auto list = job_lists_.find(handed.from);
  flyte::Expr jobs = flyte::name(
      handed.all_turns && list != job_lists_.end() ? list->second : job_names_.at(handed.from));
  const ir::Job& from = job(driver_.submissions[handed.from]);
  std::size_t count = from.returned();
  std::size_t part = handed.output;
  if (from.array) { // the task of the whole array returns what is taken
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
  for (const ir::Parameter& parameter : job(submission).parameters) {
    const auto handed =
        std::ranges::find(submission.handed, parameter.name, &ir::Handed::parameter);
    if (handed != submission.handed.end()) {
      arguments.push_back(flyte::arg(handed_result(*handed)));
    }
  }
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
  steps(driver_.steps, out);
  gather(out);
  return out;
}

} // namespace s2f::lower
