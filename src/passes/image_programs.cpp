// Programs that the job starts and that nothing is known to bring into its image.
//
// before:  samtools sort a.bam, without a module or a package of that name
// after:   the same, and S2F511, which asks for an image that has samtools
//
// before:  module load gromacs-gpu/2023, of which S2F503 asks what it brings, and gromacs-gpu
// after:   the same, and S2F503 says that the job runs it: one question
#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/effects.hpp"
#include "generated/tables/base_programs.hpp"
#include "generated/tables/builtins.hpp"
#include "generated/tables/containers.hpp"
#include "generated/tables/gpu_driver_programs.hpp"
#include "generated/tables/interpreters.hpp"
#include "generated/tables/launchers.hpp"
#include "generated/tables/package_programs.hpp"
#include "generated/tables/software_commands.hpp"
#include "ir/inner_text.hpp"
#include "ir/steps.hpp"
#include "passes/pipeline.hpp"
#include "review/amend.hpp"

namespace s2f::passes {

namespace {

// The defaults of S2F503, of a module that is not known.
constexpr std::string_view not_needed = "not needed";
constexpr std::string_view not_given = "the image is yet to be given it";

// "torch==2.1.0" -> "torch", "scikit_learn" -> "scikit-learn"
std::string package_name(std::string_view requirement) {
  std::string name(requirement.substr(0, requirement.find_first_of("=<>!~[; @")));
  std::ranges::replace(name, '_', '-');
  return name;
}

class Programs {
public:
  explicit Programs(PassContext& context) : context_(context) {
    const ir::Environment& environment = context.job.environment;
    for (const ir::PipLayer& layer : environment.pip) {
      files_ |= !layer.files.empty();
      for (const auto& package : layer.packages) {
        packages_.insert(package_name(package.value));
      }
    }
    for (const auto& package : environment.apt) {
      packages_.insert(package.value);
    }
    files_ |= environment.project.has_value();
  }

  // In the order of the script, each once, and where first.
  std::vector<std::pair<std::string, Span>> missing() {
    ir::for_each_step(std::as_const(context_.job.body), [this](const ir::Step& step) {
      if (in_container(step)) {
        return;
      }
      if (ir::stays_bash(step) && step.statement != nullptr) {
        const auto effects = analysis::effects_of(*step.statement);
        for (const std::string& name : effects.commands) {
          add(name, step.span);
        }
      } else if (const auto* launch = std::get_if<ir::Launch>(&step.value);
                 launch != nullptr && launch->words.size() > launch->program) {
        if (const auto name = launch->words[launch->program].text()) {
          add(*name, step.span);
        }
      }
      if (!step.in_region) {
        in_values(step);
      }
    });
    return std::move(found_);
  }

private:
  // $(samtools view -c a.bam)
  void in_values(ir::Step step) {
    const auto started = [&](const ir::Launch& launch) {
      const auto name =
          launch.words.size() > launch.program ? launch.words[launch.program].text() : std::nullopt;
      if (name) {
        add(*name, step.span);
      }
    };
    ir::for_each_value(step, [&](ir::Value& value) {
      for (const ir::ValuePart& part : value.parts) {
        if (const auto* output = std::get_if<ir::Output>(&part)) {
          started(*output->launch);
          std::ranges::for_each(output->next, [&](const auto& next) { started(*next); });
        }
      }
    });
  }

  // What `docker run IMAGE` and its like stood before.
  [[nodiscard]] bool in_container(const ir::Step& step) const {
    return context_.job.environment.container &&
           std::ranges::any_of(context_.job.prefixes, [&](const ir::Prefix& prefix) {
             return step.span.contains(prefix.span);
           });
  }

  void add(const std::string& name, const Span& span) {
    // What starts a program on Slurm's nodes, or sets up software, is taken out of kept text.
    const bool removed =
        std::ranges::any_of(tables::launchers, [&](const auto& row) { return row.name == name; }) ||
        tables::find_containers(name) != nullptr || // S2F520 asks for the image
        std::ranges::any_of(tables::software_commands, [&](const auto& row) {
          return row.command.substr(0, row.command.find(' ')) == name;
        });
    const bool of_driver = context_.job.resources.gpus &&
                           context_.job.resources.gpus->value.count > 0 &&
                           tables::find_gpu_driver_programs(name) != nullptr;
    // PATH=$PWD/bin, where the directory goes with the module.
    const bool beside = context_.file_exists && !name.contains('/') &&
                        std::ranges::any_of(context_.job.include, [&](const std::string& each) {
                          return each != "." && context_.file_exists(each + "/" + name);
                        });
    const bool other = removed || of_driver || beside ||
                       (context_.job.submits && name == "submit") || name.empty() ||
                       name.contains('/') || name.contains('$') || name.ends_with(".py") ||
                       name.starts_with("python");
    if (other || tables::find_base_programs(name) != nullptr || brought(name) ||
        functions().contains(name) || !seen_.insert(name).second) {
      return;
    }
    const auto* builtin = tables::find_builtins(name);
    if ((builtin == nullptr || builtin->as == tables::BuiltinsAs::program) &&
        !asked_with_module(name)) {
      found_.emplace_back(name, span);
    }
  }

  // A module of the program's own name, of which S2F503 asks what it brings: that is answered now.
  bool asked_with_module(const std::string& name) {
    const auto& all = context_.findings.all();
    for (const ir::ModuleUse& module : context_.job.environment.modules) {
      if (!same_name(module, name)) {
        continue;
      }
      const auto asked = std::ranges::find_if(all, [&](const review::Finding& each) {
        return each.rule == "S2F503" && each.span == module.span && each.default_ == not_needed &&
               asks_of(each.message, module);
      });
      if (asked == all.end()) {
        continue;
      }
      const auto id = static_cast<review::FindingId>(std::distance(all.begin(), asked));
      review::amend(context_.findings, id, [&](review::Finding& finding) { say(finding, name); });
      return true;
    }
    return false;
  }

  static void say(review::Finding& finding, const std::string& name) {
    finding.message += fmt::format(" The job runs {}.", name);
    finding.output_does +=
        " Where nothing gives it to the image, the command fails with status 127.";
    finding.choices[0] = not_given;
    finding.default_ = finding.choices[0];
  }

  // The name may be the second part of what was written: bio/velvet/1.2.
  static bool asks_of(std::string_view message, const ir::ModuleUse& module) {
    const std::string version = module.version.empty() ? "" : "/" + module.version;
    return message.find(module.name + version + " brings") != std::string_view::npos;
  }

  // "matlab/R2021b", "bio/velvet": the name, or the first part of the version.
  static bool same_name(const ir::ModuleUse& module, std::string_view name) {
    const auto equal = [name](std::string_view text) {
      return std::ranges::equal(text, name, [](unsigned char a, unsigned char b) {
        return std::tolower(a) == std::tolower(b);
      });
    };
    const std::string_view version = module.version;
    return equal(module.name) || equal(version.substr(0, version.find('/')));
  }

  // By a package of that name, or one that is known to bring it. What a list of packages in a file
  // holds is not looked up.
  [[nodiscard]] bool brought(const std::string& name) const {
    const auto* row = tables::find_package_programs(name);
    const auto* interpreter = tables::find_interpreters(name);
    if (interpreter != nullptr && packages_.contains(std::string(interpreter->apt))) {
      return true; // Rscript comes with r-base-core
    }
    return packages_.contains(name) ||
           (row != nullptr && (files_ || packages_.contains(package_name(row->package))));
  }

  const std::set<std::string>& functions() {
    if (!functions_) {
      functions_.emplace();
      for (const ir::Step& step : context_.job.body) {
        const auto* function = step.statement == nullptr
                                   ? nullptr
                                   : std::get_if<shell::Function>(&step.statement->value);
        if (function != nullptr) {
          functions_->insert(function->name);
        }
      }
    }
    return *functions_;
  }

  PassContext& context_;
  std::set<std::string> packages_;
  bool files_ = false;
  std::set<std::string> seen_;
  std::optional<std::set<std::string>> functions_;
  std::vector<std::pair<std::string, Span>> found_;
};

// .with_pip_packages("torch") for what a package of PyPI is known to bring, .with_apt_packages(...)
// for the rest.
std::string layers_for(const std::vector<std::string>& names) {
  std::vector<std::string> packages;
  for (const std::string& name : names) {
    const auto* row = tables::find_package_programs(name);
    if (row != nullptr) {
      packages.push_back(fmt::format("\"{}\"", row->package));
    }
  }
  std::string layers;
  if (!packages.empty()) {
    layers = fmt::format(".with_pip_packages({})", fmt::join(packages, ", "));
  }
  if (packages.size() < names.size()) {
    layers += layers.empty() ? ".with_apt_packages(...)" : " and .with_apt_packages(...)";
  }
  return layers;
}

} // namespace

void image_programs(PassContext& context) {
  const ir::Environment& environment = context.job.environment;
  // What an image that somebody named for the whole job has is not known here; what ran beside a
  // container of one command has to be in its image as well.
  const bool whole = environment.container && context.job.prefixes.empty();
  if (environment.base_image || whole || context.winner("container-image") != nullptr ||
      context.winner("image") != nullptr) {
    return;
  }
  const auto missing = Programs(context).missing();
  if (missing.empty()) {
    return;
  }
  std::vector<std::string> names;
  names.reserve(missing.size());
  for (const auto& [name, span] : missing) {
    names.push_back(name);
  }
  const std::string list = fmt::format("{}", fmt::join(names, ", "));
  review::Finding finding;
  finding.rule = "S2F511";
  finding.span = missing.front().second;
  finding.message =
      environment.container
          ? fmt::format(
                "{} ran on the node, beside the container; nothing brings {} into the image.", list,
                names.size() == 1 ? "it" : "them")
          : fmt::format("Nothing brings {} into the image.", list);
  finding.slurm_does = "The programs are found on the node: by a module, or because the site "
                       "installed them.";
  finding.output_does = "Where the image has no such program its command fails with status 127.";
  const std::string layers = layers_for(names);
  finding.choices = {"the image is yet to be given them",
                     layers + (layers.ends_with("(...)")
                                   ? " with the Debian packages that have them"
                                   : ", the package of PyPI that has it"),
                     "an image that has them"};
  finding.default_ = finding.choices[0];
  finding.config_key = "image.default";
  context.findings.add(std::move(finding));
  context.job.environment.comments.push_back(
      {review_comment("S2F511", fmt::format("nothing brings {} into the image; use one that has "
                                            "{}, or {}.",
                                            list, names.size() == 1 ? "it" : "them", layers)),
       std::nullopt});
}

} // namespace s2f::passes
