// A job that runs again, with more, where it ended out of memory or out of time.
//
// before:  Submission{train, recoveries {flyte.errors.OOMError: submission 1}}
// after:   try: await train() except flyte.errors.OOMError: await train.override(...)()
#include <algorithm>

#include <fmt/format.h>

#include "lower/driver_main.hpp"

namespace s2f::lower {

namespace {

bool literal(const flyte::Expr& value) {
  if (const auto* list = std::get_if<flyte::ListExpr>(&value.value)) {
    return std::ranges::all_of(list->elements,
                               [](const flyte::Arg& each) { return literal(each.value); });
  }
  return std::holds_alternative<flyte::Str>(value.value);
}

flyte::Stmt run(flyte::Expr call) {
  return flyte::Stmt{flyte::ExprStmt{flyte::await(std::move(call))}, {}};
}

} // namespace

flyte::Stmt Main::recovered(const ir::Submission& submission) {
  flyte::TryStmt attempt;
  attempt.body.push_back(run(plain_call(submission)));
  for (const ir::Recovery& recovery : submission.recoveries) {
    const ir::Submission& again = driver_.submissions[recovery.submission];
    flyte::Handler handler;
    handler.exception = recovery.error;
    handler.body.push_back(run(plain_call(again)));
    handler.body.back().notes.spans = {again.span, recovery.span};
    attempt.handlers.push_back(std::move(handler));
  }
  return flyte::Stmt{std::move(attempt), {}};
}

// The task that does so, with what only `main` knows as its parameters.
flyte::Expr Main::recovered_call(const ir::Submission& submission) {
  flyte::Task task;
  task.environment = "main_env";
  task.function = terms_.unique(job(submission).function + "_or_more");
  task.docstring =
      fmt::format("Run {}, and with more where that was too little.", job(submission).function);
  flyte::Stmt attempt = recovered(submission);
  std::vector<flyte::Arg> given;
  const auto take = [&](flyte::Stmt& statement) {
    auto& call = std::get<flyte::Call>(
        std::get<flyte::Await>(std::get<flyte::ExprStmt>(statement.value).value.value)
            .value->value);
    for (flyte::Arg& argument : call.arguments) {
      if (literal(argument.value)) {
        continue;
      }
      const auto same = std::ranges::find_if(
          given, [&](const flyte::Arg& each) { return each.value == argument.value; });
      std::string name = same == given.end() ? argument.keyword : same->keyword;
      while (same == given.end() &&
             std::ranges::find(given, name, &flyte::Arg::keyword) != given.end()) {
        name += "_again";
      }
      if (same == given.end()) {
        const bool list = std::holds_alternative<flyte::ListExpr>(argument.value.value);
        task.parameters.push_back({name, list ? "list[str]" : "str", std::nullopt, {}});
        given.push_back(flyte::arg(name, argument.value));
      }
      argument.value = flyte::name(name);
    }
  };
  auto& choice = std::get<flyte::TryStmt>(attempt.value);
  take(choice.body.front());
  for (flyte::Handler& handler : choice.handlers) {
    take(handler.body.front());
  }
  task.body.push_back(std::move(attempt));
  flyte::Expr call = flyte::call(task.function, std::move(given));
  arrays_.push_back(std::move(task));
  return call;
}

} // namespace s2f::lower
