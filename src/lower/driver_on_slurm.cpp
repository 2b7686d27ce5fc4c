// What `main` gives a job that stays on Slurm, in place of the command line of its sbatch.
//
// before:  TAG=$t sbatch mpi.sh input.nc 12
// after:   given(mpi, SUBMIT_ARGUMENTS="input.nc 12", TAG=t)
#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "ir/arguments.hpp"
#include "lower/driver_main.hpp"
#include "lower/parts.hpp"

namespace s2f::lower {

namespace {

using ir::Term;

// A word that a shell reads as it stands.
bool is_plain(const Term& term) {
  return term.kind == Term::Kind::text && !term.text.empty() &&
         std::ranges::all_of(term.text, [](unsigned char c) {
           return std::isalnum(c) != 0 ||
                  std::string_view("@%+=:,./-_").find(static_cast<char>(c)) !=
                      std::string_view::npos;
         });
}

flyte::Expr given(const std::string& task, std::vector<flyte::Arg> variables,
                  flyte::Module& module) {
  if (variables.empty()) {
    return flyte::name(task);
  }
  module.helpers["given"];
  variables.insert(variables.begin(), flyte::arg(flyte::name(task)));
  return flyte::call("given", std::move(variables));
}

} // namespace

// The words behind the script, as a shell reads them.
flyte::Expr Main::submit_words(const ir::Submission& submission) {
  const ir::Job& target = job(submission);
  flyte::ListExpr list;
  std::string plain;
  bool all_plain = true;
  for (const Term& word : submission.arguments) {
    all_plain = all_plain && is_plain(word);
    plain += (plain.empty() ? "" : " ") + word.text;
    list.elements.push_back(flyte::arg(
        word.is_list() ? flyte::Expr{flyte::Starred{terms_.expression(word)}} : terms_.text(word)));
  }
  for (const ir::Parameter& parameter : target.parameters) { // that the driver does not give
    if (static_cast<std::size_t>(parameter.position) > submission.arguments.size() &&
        !parameter.default_) {
      all_plain = false;
      list.elements.push_back(flyte::arg(flyte::name(input(target, parameter))));
    }
  }
  return all_plain ? flyte::str(plain)
                   : flyte::call("shlex.join", {flyte::arg(flyte::Expr{std::move(list)})});
}

flyte::Expr Main::on_slurm(const ir::Submission& submission) {
  const ir::Job& target = job(submission);
  std::vector<flyte::Arg> variables;
  if (std::ranges::any_of(target.parameters, ir::is_argument)) {
    variables.push_back(flyte::arg(submit_arguments, submit_words(submission)));
  }
  for (const ir::Parameter& parameter : target.parameters) {
    if (ir::is_argument(parameter)) {
      continue;
    }
    const std::string name = parameter.origin.substr(1);
    const auto known = submission.environment.find(name);
    if (known == submission.environment.end() && parameter.default_) {
      continue; // the script has a value of its own
    }
    variables.push_back(flyte::arg(name, known == submission.environment.end()
                                             ? flyte::name(input(target, parameter))
                                             : terms_.text(known->second)));
  }
  return given(target.function, std::move(variables), module_);
}

// given(mpi, SUBMIT_ARGUMENTS=shlex.join(each.arguments), **each.values)
flyte::Expr Main::planned_on_slurm(const ir::Submission& submission,
                                   const ir::Plan::Candidate& candidate) {
  const ir::Job& target = job(submission);
  std::vector<flyte::Arg> variables;
  bool values = false;
  if (std::ranges::any_of(target.parameters, ir::is_argument)) {
    variables.push_back(
        flyte::arg(submit_arguments,
                   flyte::call("shlex.join", {flyte::arg(flyte::name(note_ + ".arguments"))})));
  }
  for (const ir::Parameter& parameter : target.parameters) {
    const std::string name = parameter.origin.substr(1);
    if (ir::is_argument(parameter)) {
      continue;
    }
    if (candidate.values.contains(name) || submission.environment.contains(name)) {
      values = true;
    } else if (!parameter.default_) {
      variables.push_back(flyte::arg(name, flyte::name(input(target, parameter))));
    }
  }
  if (values) {
    variables.push_back(
        flyte::arg(flyte::Expr{flyte::Starred{flyte::name(note_ + ".values"), true}}));
  }
  return given(target.function, std::move(variables), module_);
}

} // namespace s2f::lower
