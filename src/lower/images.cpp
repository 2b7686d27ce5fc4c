// The image of a job: a base, and a layer for each thing that its environment is known to hold.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "lower/parts.hpp"

namespace s2f::lower {

namespace {

// What the base image is when nothing names a version: the version that the SDK's own examples use.
constexpr std::pair default_python{3, 12};

flyte::Expr layer(flyte::Expr image, std::string method, std::vector<flyte::Arg> arguments) {
  return flyte::Expr{flyte::Call{flyte::Expr{flyte::Attribute{std::move(image), std::move(method)}},
                                 std::move(arguments)}};
}

flyte::Expr here(const std::string& file) {
  return flyte::Expr{flyte::Binary{"/", flyte::name("HERE"), flyte::str(file)}};
}

flyte::Arg python_argument(const ir::Environment& environment) {
  const auto version = environment.python ? environment.python->value : default_python;
  flyte::TupleExpr tuple;
  tuple.elements.push_back(flyte::arg(flyte::number(fmt::format("{}", version.first))));
  tuple.elements.push_back(flyte::arg(flyte::number(fmt::format("{}", version.second))));
  flyte::Arg argument = flyte::arg("python_version", flyte::Expr{std::move(tuple)});
  argument.notes.trailing = environment.python ? environment.python->asked : "default: none named";
  if (environment.python) {
    argument.notes.spans = environment.python->spans;
  }
  return argument;
}

// An image by reference, with flyte added: it cannot be built on before it is cloned.
flyte::Expr based_on(const ir::Sourced<std::string>& image, const ir::Job& job) {
  flyte::Arg reference = flyte::arg(flyte::str(image.value));
  reference.notes.trailing = image.asked;
  reference.notes.spans = image.spans;
  flyte::Expr value = flyte::call("flyte.Image.from_base", {std::move(reference)});
  value = layer(std::move(value), "clone",
                {flyte::arg("name", flyte::str(job.environment_name)),
                 flyte::arg("extendable", flyte::name("True"))});
  return layer(std::move(value), "with_pip_packages", {flyte::arg(flyte::str("flyte"))});
}

} // namespace

LoweredImage image(LowerContext& context, const ir::Job& job) {
  const ir::Environment& environment = job.environment;
  LoweredImage result;
  if (!environment.python && !environment.base_image) {
    review::Finding finding;
    finding.rule = "S2F504";
    finding.span = job.interpreter.span;
    finding.message = fmt::format("The script names no version of Python; the image has {}.{}.",
                                  default_python.first, default_python.second);
    finding.output_does = "It takes the default, which the module says.";
    context.findings.add(std::move(finding));
  }
  result.value = environment.base_image
                     ? based_on(*environment.base_image, job)
                     : flyte::call("flyte.Image.from_debian_base", {python_argument(environment)});
  std::vector<flyte::Arg> packages;
  std::set<std::string> seen;
  for (const auto& package : environment.apt) {
    if (!seen.insert(package.value).second) {
      continue;
    }
    flyte::Arg argument = flyte::arg(flyte::str(package.value));
    argument.notes.spans = package.spans;
    packages.push_back(std::move(argument));
  }
  if (!packages.empty()) {
    result.value = layer(std::move(result.value), "with_apt_packages", std::move(packages));
  }
  std::vector<flyte::Arg> pip;
  for (const auto& package : environment.pip) {
    flyte::Arg argument = flyte::arg(flyte::str(package.value));
    argument.notes.spans = package.spans;
    pip.push_back(std::move(argument));
  }
  if (!pip.empty()) {
    result.value = layer(std::move(result.value), "with_pip_packages", std::move(pip));
  }
  if (environment.requirements) {
    flyte::Arg argument = flyte::arg(here(environment.requirements->value));
    argument.notes.spans = environment.requirements->spans;
    result.value = layer(std::move(result.value), "with_requirements", {std::move(argument)});
  }
  result.notes.above = environment.comments;
  result.notes.spans = environment.spans;
  return result;
}

} // namespace s2f::lower
