// Finds the readers of variables, for the account of an assignment whose value stands elsewhere.
#include "passes/uses.hpp"

#include <algorithm>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "ir/steps.hpp"

namespace s2f::passes {

namespace {

// An assignment of which nothing is left but the value where it is read.
const ir::Assign* passes_on(const ir::Step& step) {
  const auto* assign = std::get_if<ir::Assign>(&step.value);
  return assign != nullptr && !assign->exports() &&
                 std::ranges::all_of(
                     assign->bindings,
                     [](const ir::Binding& binding) { return binding.local.empty(); })
             ? assign
             : nullptr;
}

bool starts_program(const ir::Step& step) {
  return ir::any_step(step, [](const ir::Step& each) {
    return std::holds_alternative<ir::Launch>(each.value) ||
           std::holds_alternative<ir::Pipeline>(each.value) ||
           std::holds_alternative<ir::Call>(each.value) ||
           std::holds_alternative<ir::Opaque>(each.value);
  });
}

} // namespace

bool never(const ir::Condition& condition) {
  const auto* known = std::get_if<ir::Always>(&condition.value);
  return known != nullptr && !known->value;
}

bool always(const ir::Condition& condition) {
  const auto* known = std::get_if<ir::Always>(&condition.value);
  return known != nullptr && known->value;
}

Uses::Uses(const ir::Job& job) : job_(&job) {
  ir::for_each_step(job.body, [&](const ir::Step& step) {
    if (first_of_.size() < job.body.size() && &step == &job.body[first_of_.size()]) {
      places_[step.span].push_back(first_of_.size());
      first_of_.push_back(steps_.size());
    }
    const std::size_t top = first_of_.size() - 1;
    at_.emplace(&step, top);
    if (!job.body[top].span.contains(step.span)) {
      called_.push_back(steps_.size());
    }
    steps_.push_back(&step);
    const auto* command = std::get_if<ir::If>(&step.value);
    bool taken = false;
    for (std::size_t i = 0; command != nullptr && i < command->branches.size(); ++i) {
      const ir::Branch& branch = command->branches[i];
      if (branch.span == step.span) { // { } and ( )
        break;
      }
      if (taken || never(branch.condition) || always(branch.condition)) {
        never_.push_back(branch.span);
      }
      if (taken || never(branch.condition)) {
        for (const ir::Step& inner : branch.steps) {
          never_.push_back(inner.span);
        }
      }
      taken = taken || always(branch.condition);
    }
    if (command != nullptr && command->otherwise && taken) {
      for (const ir::Step& inner : *command->otherwise) {
        never_.push_back(inner.span);
      }
    }
  });
  for (std::size_t at = 0; at < job.body.size(); ++at) {
    const auto* assign = std::get_if<ir::Assign>(&job.body[at].value);
    for (std::size_t i = 0; assign != nullptr && i < assign->bindings.size(); ++i) {
      if (!assign->bindings[i].appends) {
        setters_[assign->bindings[i].variable].push_back(at);
      }
    }
    if (starts_program(job.body[at])) {
      starting_.push_back(at);
    }
    if (job.body[at].statement != nullptr) {
      analysis::Visitor visitor;
      visitor.statement = [&](const shell::Statement& each) { read(each, at); };
      analysis::walk(*job.body[at].statement, visitor);
    }
  }
}

void Uses::add(const std::string& name, source::Span span, std::size_t at) {
  if (std::ranges::any_of(never_, [&](const auto& each) { return each.contains(span); })) {
    return;
  }
  Reader reader{span, nullptr, at};
  // An outer one comes before what is in it.
  std::size_t last = 0;
  const auto look_at = [&](std::size_t i) {
    if (i >= last && steps_[i]->statement != nullptr && steps_[i]->span.contains(span)) {
      reader.step = steps_[i];
      last = i;
    }
  };
  for (const std::size_t top : places_.at(job_->body[at].span)) {
    const std::size_t end = top + 1 < first_of_.size() ? first_of_[top + 1] : steps_.size();
    for (std::size_t i = first_of_[top]; i < end; ++i) {
      look_at(i);
    }
  }
  std::ranges::for_each(called_, look_at);
  readers_[name].push_back(reader);
}

void Uses::read(const shell::Statement& statement, std::size_t at) {
  std::set<std::string> names;
  const bool leaf = shell::as_simple(statement) != nullptr ||
                    std::holds_alternative<shell::Test>(statement.value) ||
                    std::holds_alternative<shell::ArithmeticCommand>(statement.value) ||
                    std::holds_alternative<shell::ArithmeticFor>(statement.value) ||
                    std::holds_alternative<shell::Unparsed>(statement.value);
  if (leaf) {
    const analysis::Effects effects = analysis::effects_of(statement);
    names = effects.reads;
    names.insert(effects.reads_defaulted.begin(), effects.reads_defaulted.end());
  }
  analysis::Visitor visitor;
  visitor.functions = false;
  visitor.part = [&](const shell::WordPart& part) {
    if (const auto* parameter = std::get_if<shell::Parameter>(&part.value)) {
      names.insert(parameter->name);
    }
  };
  if (const auto* command = shell::as_simple(statement)) {
    for (const shell::Assignment& assignment : command->declared) {
      if (!assignment.value && !assignment.array) { // export NAME
        names.insert(assignment.name);
      }
    }
  } else if (const auto* loop = std::get_if<shell::For>(&statement.value)) {
    for (const shell::Word& word : loop->words) {
      analysis::walk(word, visitor);
    }
  } else if (const auto* choice = std::get_if<shell::Case>(&statement.value)) {
    analysis::walk(choice->subject, visitor);
  }
  for (const shell::Redirect& redirect : statement.redirects) {
    analysis::walk(redirect.target, visitor);
  }
  for (const std::string& name : names) {
    add(name, statement.span, at);
  }
}

std::size_t Uses::place(const ir::Step& step) const {
  const auto found = at_.find(&step);
  if (found == at_.end()) {
    return job_->body.size();
  }
  const source::Span& outer = job_->body[found->second].span;
  if (!outer.contains(step.span)) { // where the function stands
    const auto holds = [&](const ir::Step& top) { return top.span.contains(step.span); };
    return static_cast<std::size_t>(std::ranges::find_if(job_->body, holds) - job_->body.begin());
  }
  std::size_t at = places_.at(outer).front();
  while (at > 0 && job_->body[at - 1].span.contains(step.span)) {
    --at;
  }
  return at;
}

// The first step behind `at` that sets the variable whatever happens.
std::size_t Uses::overwritten(std::size_t at, const std::string& name) const {
  if (at >= job_->body.size() || !std::holds_alternative<ir::Assign>(job_->body[at].value)) {
    return job_->body.size();
  }
  const auto setters = setters_.find(name);
  if (setters == setters_.end()) {
    return job_->body.size();
  }
  const auto next = std::ranges::upper_bound(setters->second, at);
  return next == setters->second.end() ? job_->body.size() : *next;
}

void Uses::collect(const ir::Step& assign, const std::string& name, std::set<const ir::Step*>& seen,
                   std::vector<source::Span>& found) const {
  if (!seen.insert(&assign).second) {
    return;
  }
  const std::size_t here = place(assign);
  const std::size_t last = overwritten(here, name);
  const auto readers = readers_.find(name);
  if (readers == readers_.end()) {
    return;
  }
  const bool top = here < job_->body.size() && &job_->body[here] == &assign;
  const auto begin = std::ranges::lower_bound(readers->second, top ? here : 0, {}, &Reader::at);
  const auto end =
      top ? std::ranges::upper_bound(begin, readers->second.end(), last, {}, &Reader::at)
          : readers->second.end();
  for (const Reader& reader : std::ranges::subrange(begin, end)) {
    if (reader.step == nullptr || reader.step == &assign ||
        std::holds_alternative<ir::Nothing>(reader.step->value)) {
      continue;
    }
    if (const ir::Assign* next = passes_on(*reader.step);
        next != nullptr && !reader.step->in_region) {
      for (const ir::Binding& binding : next->bindings) {
        collect(*reader.step, binding.variable, seen, found);
      }
    } else {
      found.push_back(reader.span);
      if (std::holds_alternative<ir::ChangeDirectory>(reader.step->value)) {
        const auto behind = started_after(*reader.step);
        found.insert(found.end(), behind.begin(), behind.end());
      }
    }
  }
}

std::vector<source::Span> Uses::of(const ir::Step& assign, const std::string& name) const {
  std::vector<source::Span> found;
  std::set<const ir::Step*> seen;
  collect(assign, name, seen, found);
  return found;
}

std::vector<source::Span> Uses::started_after(const ir::Step& step) const {
  std::vector<source::Span> found;
  auto at = std::ranges::lower_bound(starting_, place(step));
  for (; at != starting_.end(); ++at) {
    const ir::Step& next = job_->body[*at];
    const bool inside = next.span.contains(step.span) && next.span != step.span;
    if (!inside && next.span.begin <= step.span.begin) {
      continue;
    }
    // Of a function that stands where it is called, the statements stand in the output.
    const std::size_t before = found.size();
    const std::size_t end = *at + 1 < first_of_.size() ? first_of_[*at + 1] : steps_.size();
    for (std::size_t i = first_of_[*at]; i < end; ++i) {
      if (!next.span.contains(steps_[i]->span) && starts_program(*steps_[i])) {
        found.push_back(steps_[i]->span);
      }
    }
    if (found.size() == before) {
      found.push_back(next.span);
    }
  }
  return found;
}

std::vector<source::Span> Uses::seen_by(const ir::Step& assign, const std::string& name) const {
  std::vector<source::Span> found = started_after(assign);
  const std::size_t last = overwritten(place(assign), name);
  if (last < job_->body.size()) {
    std::erase_if(
        found, [&](const source::Span& span) { return span.begin > job_->body[last].span.begin; });
  }
  return found;
}

} // namespace s2f::passes
