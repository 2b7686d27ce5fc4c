// The image of a job: a base, and a layer for each thing that its environment is known to hold.
#include <algorithm>
#include <set>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "flyte/walk.hpp"
#include "generated/tables/package_programs.hpp"
#include "ir/build.hpp"
#include "ir/images.hpp"
#include "ir/inner_text.hpp"
#include "ir/steps.hpp"
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

flyte::Arg text_argument(const ir::Sourced<std::string>& value) {
  flyte::Arg argument = flyte::arg(flyte::str(value.value));
  argument.notes.spans = value.spans;
  return argument;
}

// `index_url=...` and its like, as the script gave them to pip.
void index_arguments(const ir::PipLayer& pip, std::vector<flyte::Arg>& arguments) {
  if (!pip.index_url.empty()) {
    arguments.push_back(flyte::arg("index_url", flyte::str(pip.index_url)));
  }
  if (pip.extra_index_urls.size() == 1) {
    arguments.push_back(flyte::arg("extra_index_urls", flyte::str(pip.extra_index_urls.front())));
  } else if (!pip.extra_index_urls.empty()) {
    flyte::ListExpr urls;
    for (const std::string& url : pip.extra_index_urls) {
      urls.elements.push_back(flyte::arg(flyte::str(url)));
    }
    arguments.push_back(flyte::arg("extra_index_urls", flyte::Expr{std::move(urls)}));
  }
  if (pip.pre) {
    arguments.push_back(flyte::arg("pre", flyte::name("True")));
  }
  if (!pip.find_links.empty()) {
    std::string text;
    for (const std::string& link : pip.find_links) {
      text += (text.empty() ? "" : " ") + fmt::format("--find-links {}", link);
    }
    arguments.push_back(flyte::arg("extra_args", flyte::str(text)));
  }
}

flyte::Expr pip_layer(flyte::Expr image, const ir::PipLayer& pip, std::set<std::string>& seen) {
  for (const auto& file : pip.files) {
    if (!seen.insert("-r " + file.value).second) {
      continue;
    }
    std::vector<flyte::Arg> arguments{flyte::arg(here(file.value))};
    arguments.front().notes.spans = file.spans;
    index_arguments(pip, arguments);
    image = layer(std::move(image), "with_requirements", std::move(arguments));
  }
  std::vector<flyte::Arg> arguments;
  for (const auto& package : pip.packages) {
    if (seen.insert(package.value).second) {
      arguments.push_back(text_argument(package));
    }
  }
  if (arguments.empty()) {
    return image;
  }
  index_arguments(pip, arguments);
  return layer(std::move(image), "with_pip_packages", std::move(arguments));
}

flyte::Expr project_layer(flyte::Expr image, const ir::ProjectFile& project) {
  flyte::Arg file = flyte::arg(here(project.file));
  file.notes.spans = project.spans;
  std::vector<flyte::Arg> arguments;
  const auto with_lock = [&](const char* keyword) {
    arguments.push_back(std::move(file));
    if (!project.lock.empty()) {
      arguments.push_back(flyte::arg(keyword, here(project.lock)));
    }
  };
  using Kind = ir::ProjectFile::Kind;
  switch (project.kind) {
  case Kind::uv:
    with_lock("uvlock");
    return layer(std::move(image), "with_uv_project", std::move(arguments));
  case Kind::poetry:
    with_lock("poetry_lock");
    return layer(std::move(image), "with_poetry_project", std::move(arguments));
  case Kind::pixi:
    with_lock("pixi_lock");
    return layer(std::move(image), "with_pixi_project", std::move(arguments));
  case Kind::requirements:
    arguments.push_back(std::move(file));
    return layer(std::move(image), "with_requirements", std::move(arguments));
  case Kind::conda: // its packages are layers of their own
    break;
  }
  return image;
}

// An image by reference, with flyte added: it cannot be built on before it is cloned.
flyte::Expr based_on(const ir::Sourced<std::string>& image, const ir::Job& job) {
  flyte::Arg reference = text_argument(image);
  reference.notes.trailing = image.asked;
  flyte::Expr value = flyte::call("flyte.Image.from_base", {std::move(reference)});
  value = layer(std::move(value), "clone",
                {flyte::arg("name", flyte::str(job.environment_name)),
                 flyte::arg("extendable", flyte::name("True"))});
  return layer(std::move(value), "with_pip_packages", {flyte::arg(flyte::str("flyte"))});
}

// An image of a Dockerfile, which nothing can be put on: it says all of it.
flyte::Expr of_file(const ir::Sourced<std::string>& image, const ir::Job& job) {
  flyte::Arg file = flyte::arg(here(image.value.substr(ir::of_dockerfile.size())));
  file.notes.spans = image.spans;
  return flyte::call("flyte.Image.from_dockerfile",
                     {std::move(file), flyte::arg("registry", flyte::str("REGISTRY")),
                      flyte::arg("name", flyte::str(job.environment_name))});
}

// flyte.Image.from_debian_base(...), which the layers are put on.
flyte::Call* base_of(flyte::Expr& image) {
  auto* call = std::get_if<flyte::Call>(&image.value);
  while (call != nullptr) {
    auto* layer = std::get_if<flyte::Attribute>(&call->callee->value);
    if (layer == nullptr) {
      break;
    }
    call = std::get_if<flyte::Call>(&layer->value->value);
  }
  return call;
}

// What has an argument of its own is not the whole image's; what has a comment alone is the base's,
// which stands for it.
void place(const std::vector<ir::Span>& spans, LoweredImage& image) {
  std::set<ir::Span> layers;
  flyte::Walker walker;
  walker.argument = [&](const flyte::Arg& argument) {
    layers.insert(argument.notes.spans.begin(), argument.notes.spans.end());
  };
  walker.expression(image.value);
  flyte::Call* base = base_of(image.value);
  for (const ir::Span& span : spans) {
    const bool said =
        std::ranges::any_of(image.notes.above, [&](const flyte::Paragraph& paragraph) {
          return paragraph.cites && paragraph.span == span;
        });
    if (layers.contains(span)) {
      continue;
    }
    if (said && base != nullptr && !base->arguments.empty()) {
      base->arguments.front().notes.spans.push_back(span);
    } else {
      image.notes.spans.push_back(span);
    }
  }
}

bool of_python(std::string_view program) {
  const auto slash = program.rfind('/');
  const std::string_view name =
      slash == std::string_view::npos ? program : program.substr(slash + 1);
  return name.starts_with("python") || name.starts_with("pip") || name.ends_with(".py") ||
         tables::find_package_programs(name) != nullptr;
}

// Whether its version of Python is of interest: something of the job is run by it.
bool runs_python(const ir::Job& job) {
  if (!ir::is_shell(job.interpreter)) {
    return job.interpreter.language == ir::Interpreter::Language::python;
  }
  bool found = !job.environment.pip.empty() || job.environment.project.has_value() ||
               job.cluster.has_value();
  ir::for_each_step(job.body, [&](const ir::Step& step) {
    if (const auto* launch = std::get_if<ir::Launch>(&step.value);
        launch && !ir::stays_bash(step)) {
      found =
          found || launch->payload || std::ranges::any_of(launch->words, [](const ir::Value& word) {
            const auto text = word.text();
            return text && of_python(*text);
          });
      found = found || (launch->program < launch->words.size() &&
                        !launch->words[launch->program].text()); // what is not known may be
    } else if (step.statement != nullptr && ir::stays_bash(step)) {
      const auto effects = analysis::effects_of(*step.statement);
      found = found || effects.anything || effects.unparsed ||
              std::ranges::any_of(effects.commands, of_python);
    }
  });
  return found;
}

} // namespace

LoweredImage image(LowerContext& context, const ir::Job& job) {
  const ir::Environment& environment = job.environment;
  LoweredImage result;
  result.notes.above = paragraphs(environment.said);
  for (const ir::Remark& remark : environment.comments) {
    result.notes.above.push_back(remark.of ? flyte::Paragraph::of(remark.text, *remark.of)
                                           : flyte::Paragraph(remark.text));
  }
  const auto& reference = environment.reference();
  if (!environment.python && !reference && runs_python(job)) {
    review::Finding finding;
    finding.rule = "S2F504";
    finding.span = job.interpreter.span;
    finding.message = fmt::format("The script names no version of Python; the image has {}.{}.",
                                  default_python.first, default_python.second);
    finding.output_does = "It takes the default, which the module says.";
    context.findings.add(std::move(finding));
  }
  if (reference && reference->value.starts_with(ir::of_dockerfile)) {
    result.value = of_file(*reference, job);
    place(environment.spans, result);
    return result;
  }
  result.value = reference
                     ? based_on(*reference, job)
                     : flyte::call("flyte.Image.from_debian_base", {python_argument(environment)});
  std::vector<flyte::Arg> packages;
  std::set<std::string> named;
  for (const auto& package : environment.apt) {
    if (named.insert(package.value).second) {
      packages.push_back(text_argument(package));
    }
  }
  if (!packages.empty()) {
    result.value = layer(std::move(result.value), "with_apt_packages", std::move(packages));
  }
  if (environment.project) {
    result.value = project_layer(std::move(result.value), *environment.project);
  }
  std::set<std::string> seen;
  for (const ir::PipLayer& pip : environment.pip) {
    result.value = pip_layer(std::move(result.value), pip, seen);
  }
  place(environment.spans, result);
  return result;
}

} // namespace s2f::lower
