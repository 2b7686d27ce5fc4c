// The pieces of Bash within what is lifted: each is named to the user, and its text is one of those
// that the module holds.
//
// before:  For{f: Launch{bash -c "x=${f^} ..."}, Launch{./run <x>}}
// after:   the same, a region with the text that no step of the body stands in, S2F406
#include <fmt/format.h>

#include "ir/inner_text.hpp"
#include "ir/steps.hpp"
#include "passes/pipeline.hpp"
#include "passes/region.hpp"

namespace s2f::passes {

namespace {

void keep_inside(PassContext& context, const ir::Step& step, const ir::Launch& launch) {
  context.job.kept.push_back(ir::inner_region(step.span, ir::inner_text(launch)));
  include_files(context, *step.statement);
  files_left(context, std::vector{step.statement});
  const auto first = context.sources.begin(step.span).line;
  const auto last = context.sources.end(step.span).line;
  review::Finding finding;
  finding.rule = "S2F406";
  finding.span = step.span;
  finding.message = first == last ? fmt::format("Line {} is kept as exact Bash: {}.", first,
                                                ir::why_inner(launch))
                                  : fmt::format("Lines {}-{} are kept as exact Bash: {}.", first,
                                                last, ir::why_inner(launch));
  finding.output_does = "The task runs them byte for byte as they were, where they stand.";
  context.findings.add(std::move(finding));
}

} // namespace

void kept_inside(PassContext& context) {
  if (context.job.stays_on_slurm) {
    return;
  }
  for (const ir::Step& outer : context.job.body) {
    if (outer.in_region && !std::holds_alternative<ir::Function>(outer.value)) {
      continue;
    }
    (void)ir::any_step(outer, [&](const ir::Step& step) {
      for (const ir::Launch* launch : ir::inner_launches(step)) {
        const bool known = std::ranges::any_of(context.job.kept, [&](const auto& region) {
          return ir::is_inner(region) && region.text == ir::inner_text(*launch);
        });
        if (!known) { // a function that stands where it is called, twice
          keep_inside(context, step, *launch);
        }
      }
      return false;
    });
  }
}

} // namespace s2f::passes
