// Container programs in a body: the task's image is to be the container.
//
// before:  apptainer run tools.sif, whose own start command is not in the script
// after:   the command as it was, and S2F520, which asks for the image
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "generated/tables/containers.hpp"
#include "passes/pipeline.hpp"

namespace s2f::passes {

void containers(PassContext& context) {
  std::set<std::string> seen;
  for (const ir::Step& step : context.job.body) {
    if (step.statement == nullptr || std::holds_alternative<ir::Nothing>(step.value)) {
      continue;
    }
    analysis::Visitor visitor;
    visitor.word = [&](const shell::Word& word) {
      const auto text = word.literal();
      if (!text) {
        return;
      }
      const std::string name = text->substr(text->find_last_of('/') + 1);
      const bool gone = std::ranges::any_of(context.job.removals, [&](const ir::Removal& each) {
        return each.span.contains(word.span);
      });
      const bool runs = !gone && std::ranges::any_of(tables::containers, [&](const auto& row) {
        return row.name == name;
      });
      if (!runs || !seen.insert(name).second) {
        return;
      }
      review::Finding finding;
      finding.rule = "S2F520";
      finding.span = word.span;
      finding.message =
          fmt::format("{} runs a container, which a task in a container cannot do.", name);
      finding.slurm_does = "The program runs on the node and starts the container.";
      finding.output_does =
          "The command stands as it was and fails where the image has no such program: make the "
          "container's image the task's, and the inner command its command.";
      finding.choices = {"image=flyte.Image.from_base(\"...\") and the inner command",
                         "a ContainerTask", "keep the job on Slurm",
                         "leave the command as it is: the task's image can run it"};
      finding.default_ = finding.choices.back();
      context.findings.add(std::move(finding));
      context.job.reviews.push_back(
          review_comment("S2F520", fmt::format("{} {} runs a container, which a container cannot "
                                               "do: name its image here and run the inner command.",
                                               context.at(word.span), name)));
    };
    analysis::walk(*step.statement, visitor);
  }
}

} // namespace s2f::passes
