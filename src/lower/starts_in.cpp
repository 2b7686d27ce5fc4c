// A job that its driver submits from another directory: what stood for HERE is that directory.
//
// before:  await run("python", "sim.py", stdout=(HERE / "out.txt").open("wb"))
// after:   here = submit_dir("run1")
//          await run("python", "sim.py", cwd=here, stdout=(here / "out.txt").open("wb"))
#include "lower/starts_in.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <variant>

namespace s2f::lower {

namespace {

constexpr const char* here = "here";

// Helpers that run in HERE where nothing else is said.
bool runs_there(std::string_view helper) {
  static constexpr std::array names{"run",         "spawn",        "capture",
                                    "pipe",        "bash",         "capture_status",
                                    "pipe_output", "bash_values",  "pipe_output_status",
                                    "bash_state",  "split_words",  "expand",
                                    "matches",     "split_matches"};
  return std::ranges::find(names, helper) != names.end();
}

void move(flyte::Expr& expr);

void move(std::vector<flyte::Arg>& arguments) {
  for (flyte::Arg& argument : arguments) {
    if (argument.key) {
      move(*argument.key);
    }
    move(argument.value);
  }
}

struct MoveExpression {
  void operator()(flyte::Name& name) const {
    if (name.dotted == "HERE") {
      name.dotted = here;
    } else if (name.dotted.starts_with("HERE.")) {
      name.dotted.replace(0, 4, here);
    }
  }
  void operator()(flyte::Call& call) const {
    move(*call.callee);
    move(call.arguments);
    const auto* callee = std::get_if<flyte::Name>(&call.callee->value);
    const bool said =
        std::ranges::find(call.arguments, "cwd", &flyte::Arg::keyword) != call.arguments.end();
    if (callee != nullptr && runs_there(callee->dotted) && !said) {
      const auto place = std::ranges::find_if(
          call.arguments, [](const flyte::Arg& each) { return !each.keyword.empty(); });
      call.arguments.insert(place, flyte::arg("cwd", flyte::name(here)));
    }
  }
  void operator()(flyte::ListExpr& list) const { move(list.elements); }
  void operator()(flyte::TupleExpr& tuple) const { move(tuple.elements); }
  void operator()(flyte::DictExpr& dict) const { move(dict.elements); }
  void operator()(flyte::FString& text) const {
    for (flyte::Expr& part : text.parts) {
      move(part);
    }
  }
  void operator()(flyte::Attribute& attribute) const { move(*attribute.value); }
  void operator()(flyte::Subscript& subscript) const {
    move(*subscript.value);
    move(*subscript.index);
  }
  void operator()(flyte::Binary& binary) const {
    move(*binary.left);
    move(*binary.right);
  }
  void operator()(flyte::Unary& unary) const { move(*unary.operand); }
  void operator()(flyte::Await& await) const { move(*await.value); }
  void operator()(flyte::Starred& starred) const { move(*starred.value); }
  void operator()(flyte::Conditional& conditional) const {
    move(*conditional.value);
    move(*conditional.condition);
    move(*conditional.otherwise);
  }
  void operator()(flyte::Comprehension& each) const {
    move(*each.element);
    move(*each.iterable);
    if (each.condition) {
      move(**each.condition);
    }
  }
  void operator()(flyte::Named& named) const { move(*named.value); }
  void operator()(auto& /*text or number*/) const {}
};

void move(flyte::Expr& expr) { std::visit(MoveExpression{}, expr.value); }

void move(std::vector<flyte::Stmt>& statements);

struct MoveStatement {
  void operator()(flyte::Assign& assign) const { move(assign.value); }
  void operator()(flyte::ExprStmt& statement) const { move(statement.value); }
  void operator()(flyte::Return& leave) const {
    if (leave.value) {
      move(*leave.value);
    }
  }
  void operator()(flyte::Raise& raise) const {
    move(raise.value);
    if (raise.cause) {
      move(*raise.cause);
    }
  }
  void operator()(flyte::IfStmt& choice) const {
    for (flyte::Branch& branch : choice.branches) {
      if (branch.condition) {
        move(*branch.condition);
      }
      move(branch.body);
    }
  }
  void operator()(flyte::ForStmt& loop) const {
    move(loop.iterable);
    move(loop.body);
  }
  void operator()(flyte::WhileStmt& loop) const {
    move(loop.condition);
    move(loop.body);
  }
  void operator()(flyte::WithStmt& with) const {
    move(with.context);
    move(with.body);
  }
  void operator()(flyte::TryStmt& attempt) const {
    move(attempt.body);
    for (flyte::Handler& handler : attempt.handlers) {
      move(handler.body);
    }
    move(attempt.finally);
  }
  void operator()(flyte::FunctionDef& function) const { move(function.body); }
  void operator()(auto& /*nothing in it*/) const {}
};

void move(std::vector<flyte::Stmt>& statements) {
  for (flyte::Stmt& statement : statements) {
    std::visit(MoveStatement{}, statement.value);
  }
}

} // namespace

void start_in(const ir::Job& job, LoweredBody& body) {
  if (job.starts_in.empty() || job.missing) {
    return;
  }
  move(body.statements);
  const auto given =
      std::ranges::find(job.parameters, ir::submit_directory, &ir::Parameter::origin);
  flyte::Expr directory =
      given == job.parameters.end() ? flyte::str(job.starts_in) : flyte::name(given->name);
  body.helpers["submit_dir"];
  flyte::Stmt first{
      flyte::Assign{here, "", flyte::call("submit_dir", {flyte::arg(std::move(directory))})}, {}};
  first.notes.trailing = "where it was submitted from";
  body.statements.insert(body.statements.begin(), std::move(first));
}

} // namespace s2f::lower
