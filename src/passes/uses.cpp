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
  Reader reader{name, span, nullptr, at};
  for (const ir::Step* step : steps_) { // an outer one comes before what is in it
    if (step->statement != nullptr && step->span.contains(span)) {
      reader.step = step;
    }
  }
  readers_.push_back(std::move(reader));
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
  for (std::size_t at = 0; at < job_->body.size(); ++at) {
    if (job_->body[at].span.contains(step.span)) {
      return at;
    }
  }
  return job_->body.size();
}

// The first step behind `at` that sets the variable whatever happens.
std::size_t Uses::overwritten(std::size_t at, const std::string& name) const {
  if (at >= job_->body.size() || !std::holds_alternative<ir::Assign>(job_->body[at].value)) {
    return job_->body.size();
  }
  for (std::size_t next = at + 1; next < job_->body.size(); ++next) {
    const auto* assign = std::get_if<ir::Assign>(&job_->body[next].value);
    if (assign != nullptr && std::ranges::any_of(assign->bindings, [&](const ir::Binding& each) {
          return each.variable == name && !each.appends;
        })) {
      return next;
    }
  }
  return job_->body.size();
}

void Uses::collect(const ir::Step& assign, const std::string& name, std::set<const ir::Step*>& seen,
                   std::vector<source::Span>& found) const {
  if (!seen.insert(&assign).second) {
    return;
  }
  const std::size_t here = place(assign);
  const std::size_t last = overwritten(here, name);
  for (const Reader& reader : readers_) {
    const bool top = here < job_->body.size() && &job_->body[here] == &assign;
    if (reader.name != name || reader.step == nullptr || reader.step == &assign ||
        (top && (reader.at < here || reader.at > last)) ||
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
  for (std::size_t at = place(step); at < job_->body.size(); ++at) {
    const ir::Step& next = job_->body[at];
    const bool inside = next.span.contains(step.span) && next.span != step.span;
    if ((inside || next.span.begin > step.span.begin) && starts_program(next)) {
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
