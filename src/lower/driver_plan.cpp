// `main` of a driver that runs as it was: a job for each note that its task returns.
//
// before:  submit 12 notes train.sh with its arguments, and what it waits for
// after:   if each.place == "12": job = partial(train, **each.given(lr=1))
#include <algorithm>
#include <map>
#include <string>

#include <fmt/format.h>

#include "lower/driver_main.hpp"

namespace s2f::lower {

namespace {

flyte::Expr same(const std::string& note, const char* attribute, const std::string& value) {
  flyte::Expr left = flyte::name(fmt::format("{}.{}", note, attribute));
  return flyte::Expr{flyte::Binary{"==", std::move(left), flyte::str(value)}};
}

flyte::Stmt statement(flyte::Expr value) {
  return flyte::Stmt{flyte::ExprStmt{std::move(value)}, {}};
}

} // namespace

// A parameter of `main` that a task needs.
std::string Main::planned_input(const flyte::Parameter& parameter) {
  if (std::ranges::find(inputs_, parameter.name, &flyte::Parameter::name) == inputs_.end()) {
    inputs_.push_back({parameter.name, parameter.type, parameter.default_, {}});
  }
  return parameter.name;
}

// The task of a submission, with what the note gives it.
flyte::Expr Main::planned_job(const ir::Plan::Site& site, const ir::Plan::Candidate& candidate) {
  const ir::Submission& submission = driver_.submissions[candidate.submission];
  const ir::Job& target_job = job(submission);
  if (target_job.stays_on_slurm) {
    return planned_on_slurm(submission, candidate);
  }
  std::vector<flyte::Arg> bound;
  std::vector<flyte::Arg> given;
  bound.push_back(flyte::arg(target(submission)));
  if (site.computed_indices && target_job.array) {
    bound.push_back(flyte::arg("indices", flyte::call(note_ + ".indices", {})));
  }
  for (const ir::Parameter& parameter : target_job.parameters) {
    const std::string variable = parameter.position == 0 && parameter.origin.starts_with('$')
                                     ? parameter.origin.substr(1)
                                     : "";
    if (!parameter.secret.empty()) {
      continue;
    }
    if (parameter.type == ir::Type::text_list) {
      bound.push_back(flyte::arg(parameter.name, flyte::name(note_ + ".arguments")));
    } else if (parameter.position != 0) {
      given.push_back(
          flyte::arg(parameter.name, flyte::number(fmt::format("{}", parameter.position))));
    } else if (candidate.values.contains(variable) || submission.environment.contains(variable)) {
      given.push_back(flyte::arg(parameter.name, flyte::str(variable)));
    } else if (!parameter.default_) {
      bound.push_back(flyte::arg(parameter.name, flyte::name(input(target_job, parameter))));
    }
  }
  if (!given.empty()) {
    flyte::Expr values = flyte::call(note_ + ".given", std::move(given));
    bound.push_back(flyte::arg(flyte::Expr{flyte::Starred{std::move(values), true}}));
  }
  return bound.size() == 1 ? std::move(bound.front().value)
                           : flyte::call("partial", std::move(bound));
}

std::vector<flyte::Stmt> Main::planned() {
  module_.helpers["submissions"];
  note_ = terms_.unique("each");
  const std::string task = terms_.unique("call");
  const std::string running = terms_.unique("running");
  const ir::Plan& plan = *driver_.plan;
  const ir::Job& own = job(driver_.submissions[plan.submission]);
  std::vector<flyte::Arg> arguments;
  for (const flyte::Parameter& parameter : lower::parameters(own)) {
    arguments.push_back(flyte::arg(parameter.name, flyte::name(planned_input(parameter))));
  }
  flyte::IfStmt which;
  std::map<std::string, std::size_t> branches; // by what they call
  for (const ir::Plan::Site& site : plan.sites) {
    for (const ir::Plan::Candidate& candidate : site.candidates) {
      flyte::Expr condition = same(note_, "place", site.place);
      for (const auto& [attribute, value] :
           {std::pair{"text", &candidate.text}, {"script", &candidate.script}}) {
        if (!value->empty()) {
          condition = flyte::Expr{
              flyte::Binary{"and", std::move(condition), same(note_, attribute, *value)}};
        }
      }
      std::string key = fmt::format("{}|{}", driver_.submissions[candidate.submission].job,
                                    site.computed_indices);
      for (const auto& [name, value] : candidate.values) {
        key += "|" + name;
      }
      const auto [same_call, added] = branches.try_emplace(key, which.branches.size());
      if (!added) {
        flyte::Expr& before = *which.branches[same_call->second].condition;
        before = flyte::Expr{flyte::Binary{"or", std::move(before), std::move(condition)}};
        continue;
      }
      flyte::Stmt job = assignment(task, planned_job(site, candidate));
      job.notes.spans.push_back(site.span);
      which.branches.push_back({std::move(condition), {}, {}});
      which.branches.back().body.push_back(std::move(job));
    }
  }
  which.branches.push_back({std::nullopt, {}, {}});
  which.branches.back().body.push_back(assignment(task, flyte::name(note_ + ".missing")));
  flyte::ForStmt loop;
  loop.target = note_;
  // What one runs that submits itself, notes something in turn.
  loop.is_async = std::ranges::any_of(plan.sites, [&](const ir::Plan::Site& site) {
    return std::ranges::any_of(site.candidates, [&](const ir::Plan::Candidate& candidate) {
      return candidate.submission == plan.submission;
    });
  });
  loop.iterable =
      flyte::call(loop.is_async ? running + ".follow" : "submitted",
                  {flyte::arg(flyte::await(flyte::call(own.function, std::move(arguments))))});
  loop.body.push_back(flyte::Stmt{std::move(which), {}});
  loop.body.push_back(statement(flyte::call(
      running + ".start", {flyte::arg(flyte::name(note_)), flyte::arg(flyte::name(task))})));
  std::vector<flyte::Stmt> out;
  out.push_back(assignment(running, flyte::call("Jobs", {})));
  out.push_back(flyte::Stmt{std::move(loop), {}});
  out.push_back(statement(flyte::await(flyte::call(running + ".end", {}))));
  return out;
}

} // namespace s2f::lower
