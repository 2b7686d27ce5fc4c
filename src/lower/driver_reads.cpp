// What the statements of a driver's `main` read, and the small ones that they are made of.
#include <algorithm>

#include "lower/driver_main.hpp"

namespace s2f::lower {

using ir::Term;

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

static bool reads(const ir::DriverStep& step, const ir::Driver& driver, const std::string& name) {
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

flyte::Stmt assignment(std::string target, flyte::Expr value, std::string type) {
  return flyte::Stmt{flyte::Assign{std::move(target), std::move(type), std::move(value)}, {}};
}

} // namespace s2f::lower
