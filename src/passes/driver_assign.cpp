// Assignments of drivers: values, and ids of jobs.
//
// before:  ids=(); ids+=($(sbatch --parsable a.sh)); deps="$deps:$id"
// after:   Bind{ids, []}, Submitted{0, _1}, Extend{ids, _1}, Extend{deps, id}
#include <algorithm>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "passes/driver_reader.hpp"

namespace s2f::passes {

namespace {

namespace terms = ir::terms;
using ir::Term;
using Kind = Term::Kind;
using Type = Term::Type;

const shell::WordPart* only_part(const shell::Word& word) {
  if (word.parts.size() != 1) {
    return nullptr;
  }
  const shell::WordPart* part = &word.parts.front();
  if (const auto* quoted = std::get_if<shell::DoubleQuoted>(&part->value)) {
    return quoted->parts.size() == 1 ? &quoted->parts.front() : nullptr;
  }
  return part;
}

// The jobs in a value, and the text before the first and between the first two.
struct Jobs {
  std::vector<Term> jobs;
  std::string head, between;
  bool dynamic = false; // other values stand in it
};

void collect(const Term& term, Jobs& out) {
  if (term.holds_jobs()) {
    out.jobs.push_back(term);
  } else if (term.kind == Kind::text || term.kind == Kind::integer) {
    if (out.jobs.empty()) {
      out.head += *terms::constant(term);
    } else if (out.jobs.size() == 1) {
      out.between += *terms::constant(term);
    }
  } else if (term.kind == Kind::joined || term.kind == Kind::list) {
    for (const Term& part : term.parts) {
      collect(part, out);
    }
  } else {
    out.dynamic = true;
  }
}

} // namespace

void DriverReader::invalidate(const std::string& name, const Span& span) {
  for (auto& [other, value] : state_.variables) {
    if (other == name || !terms::mentions(value, name)) {
      continue;
    }
    const Type type = value.type;
    push(ir::Bind{other, value}, span);
    value = terms::name(other, type);
    state_.bound.insert(other);
  }
}

void DriverReader::set(const std::string& name, Term value, const Span& span) {
  const auto now = state_.variables.find(name);
  const bool changes = now != state_.variables.end() && now->second.kind == Kind::name;
  if (changes) { // the old value may stand in others
    invalidate(name, span);
  }
  if (!state_.bound.contains(name)) {
    state_.variables[name] = std::move(value);
    return;
  }
  if (terms::first_unknown(value) != nullptr) {
    state_.variables[name] = std::move(value);
    return;
  }
  if (is_integer(name)) {
    if (const auto number = terms::constant_integer(value)) {
      value = terms::integer(*number);
    }
  }
  const Type type = value.type;
  if (may_part(value)) {
    parted_.insert(name);
  }
  push(ir::Bind{name, std::move(value)}, span);
  state_.variables[name] = terms::name(name, type);
}

// A submission that stands in $( ): the job. Nothing where the word is none.
std::optional<Term> DriverReader::submission_in(const shell::Word& word, Why& why) {
  const shell::WordPart* part = only_part(word);
  const auto* substitution =
      part != nullptr ? std::get_if<shell::CommandSubstitution>(&part->value) : nullptr;
  if (substitution == nullptr || substitution->body.size() != 1) {
    return std::nullopt;
  }
  const shell::Statement* statement = &substitution->body.front();
  bool cut = false;
  if (const auto* line = std::get_if<shell::Pipeline>(&statement->value)) {
    const auto* last = shell::as_simple(line->commands.back());
    if (last != nullptr && is_sbatch(*last)) {
      const auto text = printed_text(line->commands.front());
      if (!text || line->commands.size() != 2) {
        why = "a job script that a program prints";
        return terms::unknown(why);
      }
      why = submit(line->commands.back(), fmt::format("job {}", ++temporaries_), &*text);
      return terms::name(fmt::format("job {}", temporaries_), Type::job);
    }
    statement = &line->commands.front();
    cut = true;
  }
  const auto* command = shell::as_simple(*statement);
  const auto name = command != nullptr ? analysis::command_name(*command) : std::nullopt;
  if (name && is_sbatch(*command)) {
    const std::string temporary = fmt::format("job {}", ++temporaries_);
    why = submit(*statement, temporary);
    last_raw_ = !parsable_ && !cut;
    return terms::name(temporary, Type::job);
  }
  const auto function = name ? functions_.find(*name) : functions_.end();
  if (function == functions_.end() || !ids_.submits(*name)) {
    return std::nullopt;
  }
  const std::size_t before = driver_.submissions.size();
  const std::string temporary = fmt::format("job {}", ++temporaries_);
  const auto outer = std::exchange(returned_, temporary);
  printed_id_ = false;
  why = call(*command, *function->second);
  returned_ = outer;
  last_raw_ = !parsable_ && !cut && !printed_id_;
  if (why.empty() && driver_.submissions.size() != before + 1) {
    why = "a function that submits several jobs and prints an id";
  }
  return terms::name(temporary, Type::job);
}

DriverReader::Why DriverReader::assign(const shell::Assignment& assignment, const Span& span) {
  if (const IdVariable* id = ids_.find(assignment.name)) {
    return assign_id(assignment, *id, span);
  }
  const std::string& name = assignment.name;
  state_.states.erase(name);
  if (auto job = assignment.value ? asked_job(*assignment.value) : std::nullopt) {
    state_.states.insert_or_assign(name, *job);
    set(name, terms::unknown("the state of a job"), span);
    said_ = "what `main` sees by how the job ends";
    return {};
  }
  if (assignment.array) {
    Term list = terms::list({});
    if (assignment.append) {
      const auto now = state_.variables.find(name);
      if (now == state_.variables.end() || now->second.kind != Kind::list || loops_ > 0) {
        set(name, terms::unknown(fmt::format("the list {}", name)), span);
        return {};
      }
      list = now->second;
    }
    for (Term& field : fields_of(*assignment.array)) {
      if (field.is_list() && list.parts.empty() && assignment.array->size() == 1) {
        set(name, std::move(field), span);
        return {};
      }
      if (field.is_list()) {
        field = terms::unknown("a list within a list");
      }
      list.parts.push_back(std::move(field));
    }
    set(name, std::move(list), span);
    return {};
  }
  if (assignment.subscript) {
    set(name, terms::unknown(fmt::format("an element of {}", name)), span);
    return {};
  }
  hint_ = name;
  Term value = assignment.value ? value_of(*assignment.value) : terms::text("");
  hint_.clear();
  if (assignment.append) {
    const auto now = state_.variables.find(name);
    const Term before = now == state_.variables.end() ? terms::text("") : now->second;
    value = before.is_list() ? terms::unknown(fmt::format("the list {}", name))
                             : terms::joined({before, std::move(value)});
  }
  set(name, std::move(value), span);
  return {};
}

DriverReader::Why DriverReader::assign_id(const shell::Assignment& assignment, const IdVariable& id,
                                          const Span& span) {
  const std::string& name = assignment.name;
  const bool list = id.type == Type::jobs || id.type == Type::job_map;
  const bool empty = assignment.array ? assignment.array->empty()
                                      : !assignment.value || assignment.value->parts.empty() ||
                                            assignment.value->literal() == "";
  if (empty && !assignment.subscript) {
    if (assignment.append) {
      return {};
    }
    push(ir::Bind{name, list ? terms::make(Kind::list, id.type, {})
                             : terms::make(Kind::no_job, Type::maybe_job, {})},
         span);
    state_.variables[name] = terms::name(name, list ? id.type : Type::maybe_job);
    state_.heads[name].clear();
    return {};
  }
  if (assignment.subscript) {
    Why why;
    Term key = map_key(**assignment.subscript);
    if (const Term* unknown = terms::first_unknown(key)) {
      return unknown->text;
    }
    std::optional<Term> job =
        assignment.value ? submission_in(*assignment.value, why) : std::nullopt;
    if (!why.empty()) {
      return why;
    }
    Jobs found;
    if (!job && assignment.value) {
      collect(value_of(*assignment.value), found);
      if (found.jobs.size() == 1) {
        job = found.jobs.front();
      }
    }
    if (!job) {
      return "an element of a list of ids that is something else";
    }
    if (!state_.variables.contains(name)) {
      push(ir::Bind{name, terms::make(Kind::list, id.type, {})}, span);
      state_.variables[name] = terms::name(name, id.type);
    }
    push(ir::PutItem{name, std::move(key), *job}, span);
    return {};
  }
  if (assignment.array) {
    std::vector<Term> jobs;
    for (const shell::Word& word : *assignment.array) {
      Why why;
      if (auto job = submission_in(word, why)) {
        jobs.push_back(*job);
      } else if (ids_.mentions(word)) {
        Jobs found;
        for (const Term& field : fields_of(word)) {
          collect(field, found);
        }
        jobs.insert(jobs.end(), found.jobs.begin(), found.jobs.end());
      } else {
        why = "a list of ids and other words";
      }
      if (!why.empty()) {
        return why;
      }
    }
    if (!list) { // out=($(sbatch x.sh)): the words of what it printed
      return jobs.size() == 1 ? (extend_ids(name, jobs.front(), true, span), "") : "a list of ids";
    }
    return extend_ids(name, terms::list(std::move(jobs)), !assignment.append, span);
  }
  return give_id(name, *assignment.value, id, span);
}

DriverReader::Why DriverReader::give_id(const std::string& name, const shell::Word& value,
                                        const IdVariable& id, const Span& span) {
  Why why;
  const bool list = id.type == Type::jobs || id.type == Type::job_map;
  // The usual form: name=$(sbatch ...)
  if (!list) {
    const std::size_t steps = out_->size();
    if (auto job = submission_in(value, why)) {
      if (!why.empty()) {
        return why;
      }
      auto* submitted =
          out_->size() > steps ? std::get_if<ir::Submitted>(&out_->back().value) : nullptr;
      if (submitted != nullptr && submitted->name == job->text) {
        // A submission that is waited for had a name already.
        for (auto* waits : {&state_.waits_ok, &state_.waits_any, &background_}) {
          for (Term& each : *waits) {
            if (!submitted->name.empty() && each.text == submitted->name) {
              each.text = name;
            }
          }
        }
        submitted->name = name;
      } else {
        push(ir::Bind{name, *job}, span);
      }
      state_.variables[name] = terms::name(name, Type::job);
      if (last_raw_) {
        state_.raw.insert(name);
      } else {
        state_.raw.erase(name);
      }
      return {};
    }
  }
  state_.raw.erase(name);
  // Text with ids in it; a submission may stand within.
  std::vector<Term> parts;
  bool appends = false;
  for (std::size_t i = 0; i < value.parts.size(); ++i) {
    const auto add = [&](const shell::WordPart& part) -> bool {
      if (const auto* parameter = std::get_if<shell::Parameter>(&part.value);
          parameter != nullptr && parameter->name == name && list && parts.empty() &&
          (parameter->op.empty() || parameter->op == ":+")) {
        appends = true;
        if (parameter->op == ":+" && parameter->arguments.size() == 1) {
          for (const shell::WordPart& inner : parameter->arguments.front().parts) {
            if (const auto* literal = std::get_if<shell::Literal>(&inner.value)) {
              parts.push_back(terms::text(literal->value));
            }
          }
        }
        return true;
      }
      shell::Word word;
      word.parts = {part};
      word.span = part.span;
      if (auto job = submission_in(word, why)) {
        parts.push_back(*job);
        return why.empty();
      }
      parts.push_back(part_value(part, true));
      return true;
    };
    const shell::WordPart& part = value.parts[i];
    if (const auto* quoted = std::get_if<shell::DoubleQuoted>(&part.value)) {
      for (const shell::WordPart& inner : quoted->parts) {
        if (!add(inner)) {
          return why;
        }
      }
    } else if (!add(part)) {
      return why;
    }
  }
  Jobs found;
  collect(terms::joined(parts), found);
  if (found.dynamic) {
    state_.variables[name] = terms::unknown(fmt::format("what ${} holds", name));
    return {};
  }
  if (!list) {
    if (found.jobs.size() != 1) {
      state_.variables[name] = terms::unknown(fmt::format("what ${} holds", name));
      return {};
    }
    return extend_ids(name, found.jobs.front(), true, span);
  }
  if (appends) {
    std::string& separator = state_.separators[name];
    if (!found.jobs.empty() && separator.empty()) {
      separator = found.head;
    }
    // $deps:$id, and :$deps with the colon before
    if (found.jobs.empty()) {
      return {};
    }
  } else {
    state_.heads[name] = found.head;
    if (found.jobs.size() > 1) {
      state_.separators[name] = found.between;
    }
  }
  return extend_ids(name, terms::list(std::move(found.jobs)), !appends, span);
}

DriverReader::Why DriverReader::extend_ids(const std::string& name, const Term& added, bool replace,
                                           const Span& span) {
  const IdVariable& id = *ids_.find(name);
  if (id.type != Type::jobs) {
    push(ir::Bind{name, added}, span);
    state_.variables[name] = terms::name(name, added.type);
    return {};
  }
  if (id.type == Type::jobs && replace) {
    push(ir::Bind{name, added}, span);
  } else {
    if (!state_.variables.contains(name)) {
      push(ir::Bind{name, terms::make(Kind::list, Type::jobs, {})}, span);
    }
    for (const Term& part : added.kind == Kind::list ? added.parts : std::vector<Term>{added}) {
      push(ir::Extend{name, part}, span);
    }
  }
  state_.variables[name] = terms::name(name, Type::jobs);
  return {};
}

} // namespace s2f::passes
