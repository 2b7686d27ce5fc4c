// $SECONDS and $EPOCHSECONDS.
//
// before:  SECONDS=0; ./run; echo $SECONDS
// after:   Assign{started = Computed{seconds}}; ...; Computed{subtract, {Computed{seconds},
// <started>}}
#include "passes/arithmetic.hpp"
#include "passes/clock.hpp"
#include "passes/lifting.hpp"
#include "passes/names.hpp"

namespace s2f::passes {

namespace {

ir::Value now() {
  ir::Value value;
  value.append(ir::Computed{ir::Operation::seconds, {}, true});
  return value;
}

} // namespace

// Both are whole seconds of the clock.
ir::Value seconds_since(ir::Job& job, bool counted) {
  const std::string python = local_name(job, "SECONDS");
  job.number_locals.insert(python);
  if (!counted) {
    job.started = python; // since the task began
  }
  ir::Value since;
  since.append(ir::Local{python, true, false, false, true, true, false});
  return combined(ir::Operation::subtract, now(), std::move(since));
}

ir::Value Scope::clock(const std::string& name) {
  return name != "SECONDS" ? now() : seconds_since(*job_, counts_seconds_);
}

// SECONDS=0
std::string Lifting::count_seconds(const shell::Assignment& assignment, ir::Assign& result) {
  constexpr const char* other = "an assignment to SECONDS";
  ir::Value value = assignment.value ? scope_.assigned(*assignment.value) : ir::Value{};
  const auto text = value.text();
  if (assignment.append || !text || !plain_number(*text) || later_.size() > 1) {
    return other;
  }
  if (!readers_.contains(assignment.name)) {
    return {};
  }
  const std::string python = local_name(job_, assignment.name);
  if (job_.number_locals.contains(python)) {
    job_.changing_locals.insert(python);
  }
  job_.number_locals.insert(python);
  ir::Value since = *text == "0" ? now() : combined(ir::Operation::subtract, now(), value);
  since.span = assignment.value->span;
  result.bindings.push_back({assignment.name, std::move(since), python});
  scope_.count_seconds();
  return {};
}

} // namespace s2f::passes
