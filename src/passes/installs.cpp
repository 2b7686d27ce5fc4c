// Packages that the job itself installs: layers of the image, with the versions that are given.
//
// before:  pip install torch==2.1.0 --index-url https://download.pytorch.org/whl/cu121
// after:   environment.pip = {{torch==2.1.0}, index_url}, S2F508
#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "generated/tables/conda_packages.hpp"
#include "generated/tables/modules.hpp"
#include "generated/tables/python_packages.hpp"
#include "passes/setup.hpp"

namespace s2f::passes {

namespace {

using review::Disposition;

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) {
    return c == '_' ? '-' : static_cast<char>(std::tolower(c));
  });
  return text;
}

std::string clean_path(std::string path) {
  while (path.starts_with("./")) {
    path.erase(0, 2);
  }
  for (const std::string_view here : {"$SLURM_SUBMIT_DIR/", "${SLURM_SUBMIT_DIR}/", "$PWD/"}) {
    if (path.starts_with(here)) {
      path.erase(0, here.size());
    }
  }
  return path;
}

// "numpy=1.20" -> "numpy", "1.20"; "numpy>=1.20" -> "numpy", ">=1.20".
struct CondaSpec {
  std::string name, version;
};
CondaSpec read_spec(std::string spec) {
  if (const auto channel = spec.rfind("::"); channel != std::string::npos) {
    spec.erase(0, channel + 2);
  }
  const auto at = spec.find_first_of("=<>! ");
  CondaSpec result{spec.substr(0, at), at == std::string::npos ? "" : spec.substr(at)};
  std::string& version = result.version;
  std::erase(version, ' ');
  if (version.starts_with("=") && !version.starts_with("==")) {
    version = version.substr(1, version.find('=', 1) - 1); // without the build
    const bool exact = std::ranges::count(version, '.') >= 2;
    const bool open = version.ends_with('*');
    version = version.empty() || version == "*" ? "" : "==" + version + (exact || open ? "" : ".*");
  }
  return result;
}

// PyPI's name for one of conda's packages; "" where pip's packages bring it or nothing is needed.
std::optional<std::string> pip_name(const std::string& conda) {
  const std::string name = lower(conda);
  for (const std::string& each : {name, conda}) {
    if (const auto* row = tables::find_conda_packages(each)) {
      return row->means == tables::CondaPackagesMeans::pip ? std::string(row->brings) : "";
    }
  }
  for (const auto& row : tables::python_packages) {
    if (lower(std::string(row.distribution)) == name) {
      return std::string(row.distribution);
    }
  }
  return std::nullopt;
}

std::string join_comment(const PassContext& context, const Software& software,
                         std::string_view says) {
  return fmt::format("{}: {}", cited(context, software.span), says);
}

} // namespace

Outcome install_pip(Setup& setup, const Software& software) {
  PassContext& context = setup.context;
  ir::Environment& environment = context.job.environment;
  const PipInstall& pip = software.pip;
  ir::PipLayer layer;
  layer.index_url = pip.index_url;
  layer.extra_index_urls = pip.extra_index_urls;
  layer.find_links = pip.find_links;
  layer.pre = pip.pre;
  for (const std::string& package : pip.packages) {
    if (package != "pip" && !package.starts_with("pip=") && !package.starts_with("pip<")) {
      layer.packages.push_back({package, context.at(software.span), {software.span}, {}});
    }
  }
  std::vector<std::string> missing;
  for (const std::string& file : pip.files) {
    const std::string clean = clean_path(file);
    const bool there = context.file_exists && !clean.starts_with('/') && !clean.starts_with('~') &&
                       clean.find("..") == std::string::npos && context.file_exists(clean);
    if (there) {
      layer.files.push_back({clean, context.at(software.span), {software.span}, {}});
    } else {
      missing.push_back(file);
    }
  }
  if (layer.packages.empty() && layer.files.empty() && missing.empty()) {
    return {Disposition::platform, "an image is built with its own installer", {}, {}};
  }
  environment.spans.push_back(software.span);
  Outcome outcome{Disposition::adjusted, "the image installs it", "S2F508", {}};
  review::Finding finding;
  finding.rule = "S2F508";
  finding.span = software.span;
  finding.slurm_does = "The job installs it each time that it runs, before it works.";
  if (!missing.empty()) {
    finding.rule = outcome.rule = "S2F501";
    outcome.disposition = Disposition::decision;
    finding.message = fmt::format("{} was not found beside the script, so what it lists is not "
                                  "known.",
                                  fmt::join(missing, ", "));
    finding.output_does = "The image does not have it.";
    finding.choices = {"not needed", "put the file beside the script and convert again",
                       "an image that has the packages"};
    finding.default_ = finding.choices[0];
    environment.comments.push_back(
        {review_comment("S2F501",
                        join_comment(context, software,
                                     fmt::format("{} was not found, so what it lists is not known.",
                                                 fmt::join(missing, ", ")))),
         software.span});
  } else {
    finding.message = pip.no_index
                          ? "The job installs packages of its own; they come from PyPI instead of "
                            "the cluster's wheels."
                          : "The job installs packages of its own; the image has them instead.";
    finding.output_does = "They are a layer of the image, with the versions that are given.";
    environment.comments.push_back({cited(context, software.span), software.span});
  }
  const std::string repository = "git+";
  if (std::ranges::any_of(layer.packages, [&](const auto& p) {
        return p.value.find(repository) < p.value.size();
      })) {
    environment.apt.push_back({"git", "for git+https://", {software.span}, {}});
  }
  if (!layer.packages.empty() || !layer.files.empty()) {
    environment.pip.push_back(std::move(layer));
  }
  outcome.finding = context.findings.add(std::move(finding));
  return outcome;
}

std::vector<std::string> add_conda_packages(PassContext& context,
                                            const std::vector<std::string>& specs,
                                            const std::string& asked, Span span) {
  ir::Environment& environment = context.job.environment;
  ir::PipLayer layer;
  std::vector<std::string> unknown;
  for (const std::string& spec : specs) {
    const CondaSpec read = read_spec(spec);
    if (const auto name = pip_name(read.name)) {
      if (!name->empty()) {
        layer.packages.push_back({*name + read.version, asked, {span}, {}});
      }
      continue;
    }
    const auto* module = tables::find_modules(lower(read.name));
    if (module != nullptr && module->means == tables::ModulesMeans::apt) {
      environment.apt.push_back({std::string(module->brings), spec, {span}, {}});
    }
    unknown.push_back(spec);
  }
  if (!layer.packages.empty()) {
    environment.pip.push_back(std::move(layer));
  }
  return unknown;
}

Outcome install_conda(Setup& setup, const Software& software) {
  PassContext& context = setup.context;
  ir::Environment& environment = context.job.environment;
  environment.spans.push_back(software.span);
  if (!software.target.empty()) {
    environment.made.insert(software.target);
  }
  if (!software.python.empty()) {
    set_python(context, software.python, "python=" + software.python, software.span);
  }
  std::vector<std::string> unknown =
      add_conda_packages(context, software.names, context.at(software.span), software.span);
  const bool file = !software.file.empty();
  if (file && context.file_exists && context.file_exists(clean_path(software.file))) {
    use_project(context, {ir::ProjectFile::Kind::conda, clean_path(software.file), "", {}},
                software.span);
  } else if (file) {
    unknown.push_back("what " + software.file + " lists");
  }
  review::Finding finding;
  finding.rule = unknown.empty() ? "S2F508" : "S2F509";
  finding.span = software.span;
  finding.slurm_does = "Conda installs it before the job works.";
  if (unknown.empty()) {
    finding.message = "The job installs packages with conda; the image has PyPI's instead.";
    finding.output_does = "They are a layer of the image, with the versions that are given.";
    environment.comments.push_back({cited(context, software.span), software.span});
  } else {
    finding.message = fmt::format("What of conda's {} is to be in the image is not known here.",
                                  fmt::join(unknown, ", "));
    finding.output_does = "The image is made by pip and apt; Debian's package stands in where one "
                          "is known, and nothing otherwise.";
    finding.choices = {"not needed", "packages for pip or apt", "an image that has it"};
    finding.default_ = finding.choices[0];
    environment.comments.push_back(
        {review_comment("S2F509", join_comment(context, software,
                                               fmt::format("{} must be in the image.",
                                                           fmt::join(unknown, ", ")))),
         software.span});
  }
  const Disposition disposition = unknown.empty() ? Disposition::adjusted : Disposition::decision;
  const std::string rule = finding.rule;
  return {disposition, "the image installs it", rule, context.findings.add(std::move(finding))};
}

} // namespace s2f::passes
