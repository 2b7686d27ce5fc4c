// Jobs that wait for how another one ends, as `try`.
//
// before:  d=$(sbatch --parsable -d afterok:$b:$c merge.sh); sbatch -d afternotok:$d alert.sh;
//          sbatch -d afterany:$d cleanup.sh
// after:   try: await merge(); except Exception: await alert(); raise; finally: await cleanup()
#include <algorithm>

#include "lower/driver_main.hpp"

namespace s2f::lower {

namespace {

using ir::Term;

bool names_jobs(const Term& term, const std::string& name) {
  return ir::terms::mentions(term, name);
}

// Whether anything but its own step knows the job by this name.
bool known_elsewhere(const ir::Driver& driver, const std::string& name) {
  if (name.empty()) {
    return false;
  }
  const auto mentions = [&](const Term& term) { return names_jobs(term, name); };
  const bool waited = std::ranges::any_of(driver.submissions, [&](const ir::Submission& each) {
    return std::ranges::any_of(each.depends,
                               [&](const auto& depends) { return mentions(depends.jobs); }) ||
           std::ranges::any_of(each.arguments, mentions) ||
           std::ranges::any_of(each.environment,
                               [&](const auto& given) { return mentions(given.second); });
  });
  return waited || std::ranges::any_of(driver.steps, [&](const ir::DriverStep& step) {
           const auto* bind = std::get_if<ir::Bind>(&step.value);
           const auto* extend = std::get_if<ir::Extend>(&step.value);
           return (bind != nullptr && mentions(bind->value)) ||
                  (extend != nullptr && mentions(extend->value));
         });
}

} // namespace

// The jobs that wait for the end of one alone, where nothing waits for them and the rest of the
// driver ends with that one.
std::optional<Main::Ending> Main::ending() const {
  std::map<std::string, std::size_t> submitted; // by name
  Ending ending;
  std::optional<std::size_t> last;
  for (const ir::DriverStep& step : driver_.steps) {
    const auto* one = std::get_if<ir::Submitted>(&step.value);
    if (one == nullptr) {
      ending.steps.push_back(step);
      continue;
    }
    const ir::Submission& submission = driver_.submissions[one->submission];
    const auto* depends = submission.depends.size() == 1 ? &submission.depends.front() : nullptr;
    if (depends == nullptr || depends->kind == ir::Dependency::Kind::ok) {
      ending.steps.push_back(step);
      if (!one->name.empty() && !submitted.emplace(one->name, one->submission).second) {
        return std::nullopt; // the name holds another job later
      }
      continue;
    }
    const auto of = depends->jobs.kind == Term::Kind::name ? submitted.find(depends->jobs.text)
                                                           : submitted.end();
    if (of == submitted.end() || depends->jobs.type != Term::Type::job ||
        (last && *last != of->second) || known_elsewhere(driver_, one->name) ||
        !submission.handed.empty()) {
      return std::nullopt;
    }
    last = of->second;
    auto& list = depends->kind == ir::Dependency::Kind::any ? ending.any : ending.not_ok;
    list.push_back({&submission, {}, step.comments, step.below});
  }
  if (!last) {
    return std::nullopt;
  }
  ending.of = *last;
  return ending;
}

// `await cleanup()`, or all of several side by side.
std::vector<flyte::Stmt> Main::side_by_side(const Level& level) {
  std::vector<flyte::Stmt> out;
  std::vector<ir::Comment> comments;
  std::vector<ir::Comment> below;
  for (const Group& each : level) {
    comments.insert(comments.end(), each.comments.begin(), each.comments.end());
    below.insert(below.end(), each.below.begin(), each.below.end());
  }
  if (level.size() == 1) {
    const ir::Submission& submission = *level.front().submission;
    out.push_back(flyte::Stmt{flyte::ExprStmt{flyte::await(call_of(submission))}, {}});
    note(out.back().notes, submission);
  } else {
    module_.helpers["all_ok"];
    std::vector<flyte::Arg> calls;
    for (const Group& each : level) {
      calls.push_back(group(each));
    }
    calls.push_back(flyte::arg("return_exceptions", flyte::name("True")));
    flyte::Expr results = flyte::await(flyte::call("asyncio.gather", std::move(calls)));
    out.push_back(
        flyte::Stmt{flyte::ExprStmt{flyte::call("all_ok", {flyte::arg(std::move(results))})}, {}});
  }
  say(comments, below, 0, out);
  return out;
}

// All but the last statement of the job that the others wait for stands before the `try`.
std::vector<flyte::Stmt> Main::with_ending(const std::vector<Level>& levels, const Ending& ending) {
  std::vector<flyte::Stmt> out = in_levels(levels);
  flyte::TryStmt attempt;
  attempt.body.push_back(std::move(out.back()));
  out.pop_back();
  if (!ending.not_ok.empty()) {
    flyte::Handler failed{"Exception", "", side_by_side(ending.not_ok)};
    failed.body.push_back(flyte::Stmt{flyte::Raise{flyte::name(""), std::nullopt}, {}});
    attempt.handlers.push_back(std::move(failed));
  }
  if (!ending.any.empty()) {
    attempt.finally = side_by_side(ending.any);
  }
  out.push_back(flyte::Stmt{std::move(attempt), {}});
  return out;
}

} // namespace s2f::lower
