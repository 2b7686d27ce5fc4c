// Assignments and exports, as far as their values are known.
//
// before:  export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK
// after:   Assign{OMP_NUM_THREADS = "8", exported}
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "generated/tables/ambient_variables.hpp"
#include "passes/lifting.hpp"
#include "passes/names.hpp"

namespace s2f::passes {

namespace {

// Variables by which the shell itself works otherwise.
bool changes_shell(const std::string& name) {
  const auto* row = tables::find_ambient_variables(name);
  return row != nullptr && row->from == tables::AmbientVariablesFrom::shell;
}

// The last program that runs to make a value.
ir::Output* last_output(ir::Value& value) {
  for (auto part = value.parts.rbegin(); part != value.parts.rend(); ++part) {
    if (auto* output = std::get_if<ir::Output>(&*part)) {
      return output;
    }
    auto* computed = std::get_if<ir::Computed>(&*part);
    if (computed != nullptr && computed->operation == ir::Operation::words) {
      return last_output(computed->operands.front());
    }
  }
  return nullptr;
}

} // namespace

void fail_with_last(ir::Assign& assign, bool matters) {
  for (auto binding = assign.bindings.rbegin(); binding != assign.bindings.rend(); ++binding) {
    if (binding->items) {
      for (auto item = binding->items->rbegin(); item != binding->items->rend(); ++item) {
        if (ir::Output* output = last_output(*item)) {
          output->launch->status_matters = matters && !assign.declared;
          return;
        }
      }
    }
    if (ir::Output* output = last_output(binding->value)) {
      output->launch->status_matters = matters && !assign.declared;
      return;
    }
  }
}

std::string Lifting::assign(ir::Step& step, const std::vector<shell::Assignment>& assignments,
                            bool exported) {
  const Scope before = scope_;
  ir::Assign result;
  std::string why = bind(step, assignments, exported, result);
  if (!why.empty()) {
    scope_ = before;
    return why;
  }
  result.declared = exported;
  for (const ir::Binding& binding : result.bindings) {
    if (binding.exported) {
      exported_.insert(binding.variable);
      maybe_exported_.erase(binding.variable);
    }
  }
  step.value = std::move(result);
  return {};
}

std::string Lifting::bind(const ir::Step& step, const std::vector<shell::Assignment>& assignments,
                          bool exported, ir::Assign& result) {
  if (!step.statement->redirects.empty()) {
    return "an assignment with a redirection";
  }
  for (const shell::Assignment& assignment : assignments) {
    const std::string& name = assignment.name;
    if (assignment.array) {
      if (std::string why = bind_list(assignment, exported, result); !why.empty()) {
        return why;
      }
      const ir::Binding& list = result.bindings.back();
      const bool prints = std::ranges::any_of(*list.items, &ir::Value::runs_program);
      if (!prints && !list.appends && !read_elsewhere(name, *step.statement)) {
        result.bindings.pop_back(); // nothing reads it
      }
      continue;
    }
    if (assignment.subscript) {
      if (std::string why = bind_next(assignment, exported, result); !why.empty()) {
        return why;
      }
      continue;
    }
    if (scope_.list(name) != nullptr) {
      return "an assignment to an item of a list";
    }
    if (name == "SECONDS" && !exported) {
      if (std::string why = count_seconds(assignment, result); !why.empty()) {
        return why;
      }
      continue;
    }
    if (changes_shell(name)) {
      return fmt::format("an assignment to {}, which programs see", name);
    }
    const bool inherited = analysis::ambient_variable(name);
    if (inherited && assignment.value) {
      note_inherited(name, step.span, exported);
    }
    if (!exported && maybe_exported_.contains(name)) {
      return fmt::format("a new value of {}, which may have been exported", name);
    }
    const bool seen = exported || exported_.contains(name) || inherited || allexport_;
    if (!assignment.value) { // `export NAME`
      if (scope_.is_local(name)) {
        return fmt::format("an export of ${}, which may be unset", name);
      }
      const ir::Value* value = scope_.find(name);
      if (value == nullptr) {
        return fmt::format("an export of ${}, which is no constant", name);
      }
      result.bindings.push_back({name, *value, {}, seen});
      continue;
    }
    ir::Value value = scope_.assigned(*assignment.value);
    if (assignment.append) {
      const ir::Value* before = scope_.find(name);
      if (before == nullptr && (!scope_.unset(name) || nounset_)) {
        return "a += to what is no constant";
      }
      ir::Value longer = before == nullptr ? ir::Value{} : *before;
      for (ir::ValuePart& part : value.parts) {
        longer.append(std::move(part));
      }
      longer.span = value.span;
      value = std::move(longer);
    }
    if (!value.known()) {
      return why_unknown(value);
    }
    job_.slurm_payload.merge(slurm_names(value)); // of X="... \$SLURM_PROCID" in bash -c "$X"
    result.bindings.push_back(scope_.set(name, std::move(value)));
    ir::Binding& binding = result.bindings.back();
    binding.exported = seen;
    if (!read_elsewhere(name, *step.statement) &&
        (assignments.size() == 1 || !readers_.contains(name))) {
      binding.local.clear(); // only programs see it, if anything does
    }
  }
  return {};
}

// TMPDIR=/scratch/me, without `export`: programs see it where the job's environment has it.
void Lifting::note_inherited(const std::string& name, source::Span span, bool exported) {
  static constexpr std::array always{"HOME", "LOGNAME", "PATH", "SHELL", "USER"};
  if (exported || exported_.contains(name) || maybe_exported_.contains(name) ||
      std::ranges::find(always, name) != always.end()) {
    return;
  }
  review::Finding finding;
  finding.rule = "S2F490";
  finding.span = span;
  finding.message = fmt::format("{} is set without export.", name);
  finding.slurm_does = fmt::format(
      "Programs see the new value where the environment that the job began with has {}.", name);
  finding.output_does = "Programs see it.";
  context_.findings.add(std::move(finding));
}

// a=(x y), a+=(z)
std::string Lifting::bind_list(const shell::Assignment& assignment, bool exported,
                               ir::Assign& result) {
  const std::string& name = assignment.name;
  if (exported || assignment.subscript || scope_.is_local(name) || exported_.contains(name) ||
      maybe_exported_.contains(name)) {
    return "a list that programs see";
  }
  const Scope::List* before = scope_.list(name);
  const bool appends = assignment.append && before != nullptr;
  if (assignment.append && before == nullptr && !scope_.unset(name)) {
    return "a += to what is no list";
  }
  Scope::List list;
  list.size = appends ? before->size : std::optional<std::size_t>(0);
  list.one_word = !appends || before->one_word;
  list.splits = appends && before->splits;
  std::vector<ir::Value> items;
  for (const shell::Word& word : *assignment.array) {
    const auto* first =
        word.parts.empty() ? nullptr : std::get_if<shell::Literal>(&word.parts[0].value);
    if (first != nullptr && first->value.starts_with('[')) {
      return "a list with gaps";
    }
    for (ir::Value& value : scope_.words_of(word)) {
      if (!value.known()) {
        return why_unknown(value);
      }
      if (may_split(value) && names_list(word)) {
        return "a variable that the shell would split";
      }
      note_splitting(value);
      list.one_word = list.one_word && Scope::one_word(value);
      list.splits |= value.text().value_or("").find_first_of(" \t\n*?[") != std::string::npos;
      if (value.many()) {
        list.size.reset();
      } else if (list.size) {
        ++*list.size;
      }
      items.push_back(std::move(value));
    }
  }
  ir::Binding binding{name, {}, local_name(job_, name)};
  list.python = binding.local;
  binding.items = std::move(items);
  binding.appends = appends;
  result.bindings.push_back(std::move(binding));
  scope_.set_list(name, std::move(list));
  return {};
}

// a[0]=x, behind it a[1]=y; a[${#a[@]}]=z: the next item of the list.
std::string Lifting::bind_next(const shell::Assignment& assignment, bool exported,
                               ir::Assign& result) {
  const std::string other = "an assignment to an item of a list";
  const std::string& name = assignment.name;
  if (exported || scope_.is_local(name) || exported_.contains(name) ||
      maybe_exported_.contains(name) || assignment.append || !assignment.value) {
    return other;
  }
  const Scope::List* before = scope_.list(name);
  if (before == nullptr && !scope_.unset(name)) {
    return other;
  }
  const shell::Word& subscript = **assignment.subscript;
  const auto* counted = subscript.parts.size() == 1
                            ? std::get_if<shell::Parameter>(&subscript.parts.front().value)
                            : nullptr;
  const bool size = counted != nullptr && counted->name == name && counted->length &&
                    counted->op.empty() && counted->subscript &&
                    (*counted->subscript)->literal() == "@";
  const auto number = scope_.assigned(subscript).text();
  const auto next = before == nullptr ? std::optional<std::size_t>(0) : before->size;
  const bool there = number && next && loops_ == 0 && *number == fmt::format("{}", *next);
  if (before == nullptr ? !there : !size && !there) {
    return other;
  }
  ir::Value value = scope_.assigned(*assignment.value);
  if (!value.known()) {
    return why_unknown(value);
  }
  Scope::List list;
  list.size = next ? std::optional(*next + 1) : std::nullopt;
  list.one_word = Scope::one_word(value) && (before == nullptr || before->one_word);
  list.splits = Scope::splits_apart(value) || (before != nullptr && before->splits);
  if (loops_ > 0) {
    list.size.reset();
  }
  ir::Binding binding{name, {}, local_name(job_, name)};
  list.python = binding.local;
  binding.appends = before != nullptr;
  binding.items.emplace();
  binding.items->push_back(std::move(value));
  result.bindings.push_back(std::move(binding));
  scope_.set_list(name, std::move(list));
  return {};
}

// Whether all that is declared gets numbers, which an integer holds as they stand there.
bool Lifting::holds_numbers(const shell::SimpleCommand& command) {
  return std::ranges::all_of(command.declared, [&](const shell::Assignment& each) {
    return each.value && !each.append && is_number(scope_.assigned(*each.value));
  });
}

// declare -a NAME=(...), declare -i NAME=3, declare NAME=value, readonly NAME=value
std::string Lifting::declare(ir::Step& step, const shell::SimpleCommand& command) {
  const std::string general =
      fmt::format("the shell's own {}", command.words.front().literal().value_or(""));
  bool exported = false;
  for (std::size_t i = 1; i < command.words.size(); ++i) {
    const auto word = command.words[i].literal();
    if (word == "-x" || word == "-rx" || word == "-xr") {
      exported = true;
    } else if (word == "-i" && holds_numbers(command)) {
      continue;
    } else if (word != "-a" && word != "-r" && word != "-ra" && word != "-ar") {
      return general;
    }
  }
  const bool values = std::ranges::all_of(command.declared, [](const auto& each) {
    return (each.value || each.array) && !each.append;
  });
  if (command.declared.empty() || !values || later_.size() > 1 || !command.assignments.empty()) {
    return general;
  }
  for (const shell::Assignment& each : command.declared) {
    if (writes_[each.name] > 1) { // it may have been declared to be something else
      return general;
    }
  }
  std::string why = assign(step, command.declared, exported);
  if (auto* made = std::get_if<ir::Assign>(&step.value); why.empty() && made != nullptr) {
    made->declared = true; // whatever $( ) did
  }
  return why;
}

std::string Lifting::export_(ir::Step& step, const shell::SimpleCommand& command) {
  if (command.words.size() > 1 || !command.assignments.empty()) {
    return "an export with options";
  }
  if (command.declared.empty()) {
    return "an export of nothing";
  }
  return assign(step, command.declared, true);
}

} // namespace s2f::passes
