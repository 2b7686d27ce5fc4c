// Whether a job is one that `python` on its module starts.
#include "passes/own_start.hpp"

#include <algorithm>

#include "slurm/crontab.hpp"

namespace s2f::passes {

namespace {

// A crontab's triggers are runs of the job; what a driver submits is a part of one.
bool is_part(const PassContext& context) {
  if (context.outer_ledger == nullptr || context.outer_ledger->entries().empty()) {
    return context.outer_ledger != nullptr;
  }
  const auto& outer = context.sources[context.outer_ledger->entries().front().span.source];
  return !slurm::read_crontab(outer).has_value();
}

} // namespace

bool starts_by_itself(const PassContext& context) {
  const auto without_default = [&context](const ir::Parameter& parameter) {
    return !parameter.default_ && parameter.type != ir::Type::text_list &&
           !(context.job.array && parameter.name == context.job.array->index_parameter);
  };
  return !is_part(context) && std::ranges::none_of(context.job.parameters, without_default);
}

} // namespace s2f::passes
