// Programs that Bash or srun starts otherwise than Python does, and arguments that it insists on.
//
// before:  ./tool, a text without `#!`          after:  the same, S2F423: Python cannot start it
// before:  srun tool; echo $?                   after:  the same, S2F422: srun's own status
// before:  IN=${1:?need an input}               after:  a parameter without a default, S2F424
#include "passes/shell_starts.hpp"

#include <algorithm>
#include <set>
#include <string>

#include <fmt/format.h>

#include "analysis/walk.hpp"
#include "generated/tables/base_programs.hpp"
#include "ir/steps.hpp"

namespace s2f::passes {

namespace {

// A text that the kernel starts nothing for.
bool without_interpreter(const PassContext& context, std::string path) {
  if (path.find('/') == std::string::npos || path.starts_with('/') || !context.read_file) {
    return false;
  }
  while (path.starts_with("./")) {
    path.erase(0, 2);
  }
  const auto text = context.read_file(path);
  return text && !text->empty() && !text->starts_with("#!") &&
         text->find('\0') == std::string::npos &&
         !text->starts_with("\x7f"
                            "ELF");
}

void interpreter(PassContext& context, const std::string& name, const Span& span) {
  review::Finding finding;
  finding.rule = "S2F423";
  finding.span = span;
  finding.message = fmt::format("{} has no `#!` line.", name);
  finding.slurm_does = "Bash runs such a text itself.";
  finding.output_does = fmt::format(
      "The system starts no program from it: status 126. `bash {}` is what it means.", name);
  context.findings.add(std::move(finding));
}

void status_of_srun(PassContext& context, const std::string& name, const Span& span) {
  review::Finding finding;
  finding.rule = "S2F422";
  finding.span = span;
  finding.message = fmt::format("The script asks for the status of `srun {}`.", name);
  finding.slurm_does = "Where the program is not there, srun says so, and its status is 2.";
  finding.output_does = "The status is 127 then, as a shell has it.";
  context.findings.add(std::move(finding));
}

// ${1:?usage: job.sh INPUT}
void insisted_on(PassContext& context, const shell::Parameter& argument, const Span& span) {
  const auto known = std::ranges::find_if(context.job.parameters, [&](const auto& parameter) {
    return parameter.position != 0 && fmt::format("{}", parameter.position) == argument.name &&
           parameter.type == ir::Type::text;
  });
  if (known == context.job.parameters.end()) {
    return;
  }
  const std::string text =
      argument.arguments.empty() ? "" : context.text(argument.arguments.front().span);
  review::Finding finding;
  finding.rule = "S2F424";
  finding.span = span;
  finding.message = text.empty()
                        ? fmt::format("The script insists on ${}.", argument.name)
                        : fmt::format("The script insists on ${}: {}", argument.name, text);
  finding.slurm_does = "Without it, or with an empty one, the shell prints that and the job fails.";
  finding.output_does = fmt::format(
      "No run starts without {}; an empty one is taken. The text is printed nowhere.", known->name);
  context.findings.add(std::move(finding));
}

} // namespace

void shell_starts(PassContext& context) {
  std::set<std::string> told;
  ir::for_each_step(std::as_const(context.job.body), [&](const ir::Step& step) {
    const auto* launch = std::get_if<ir::Launch>(&step.value);
    if (launch == nullptr || step.in_region || launch->words.size() <= launch->program) {
      return;
    }
    const auto name = launch->words[launch->program].text();
    if (!name || !told.insert(*name).second) {
      return;
    }
    if (without_interpreter(context, *name)) {
      interpreter(context, *name, step.span);
    } else if (launch->launcher == "srun" && !step.status.empty() && !launch->payload &&
               tables::find_base_programs(*name) == nullptr) {
      status_of_srun(context, *name, step.span);
    }
  });
  for (const ir::Step& step : context.job.body) {
    if (step.statement == nullptr || step.in_region ||
        std::holds_alternative<ir::Nothing>(step.value)) {
      continue;
    }
    analysis::Visitor visitor;
    visitor.functions = false;
    visitor.part = [&](const shell::WordPart& part) {
      const auto* parameter = std::get_if<shell::Parameter>(&part.value);
      if (parameter != nullptr && parameter->op == ":?") {
        insisted_on(context, *parameter, part.span);
      }
    };
    analysis::walk(*step.statement, visitor);
  }
}

} // namespace s2f::passes
