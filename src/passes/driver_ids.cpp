// Which variables of a driver hold the ids of jobs, one or several.
//
// before:  a=$(sbatch --parsable a.sh); deps=""; deps="$deps:$a"
// after:   a is a job, deps are jobs
#include <algorithm>
#include <array>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "passes/driver_reader.hpp"
#include "passes/wrappers.hpp"

namespace s2f::passes {

namespace {

using Type = ir::Term::Type;

const shell::SimpleCommand* first_command(const shell::Statement& statement) {
  if (const auto* pipeline = std::get_if<shell::Pipeline>(&statement.value)) {
    return shell::as_simple(pipeline->commands.front());
  }
  return shell::as_simple(statement);
}

const shell::CommandSubstitution* substitution_of(const shell::Word& word) {
  if (word.parts.size() != 1) {
    return nullptr;
  }
  const shell::WordPart* part = &word.parts.front();
  if (const auto* quoted = std::get_if<shell::DoubleQuoted>(&part->value)) {
    if (quoted->parts.size() != 1) {
      return nullptr;
    }
    part = &quoted->parts.front();
  }
  return std::get_if<shell::CommandSubstitution>(&part->value);
}

} // namespace

bool is_sbatch(const shell::SimpleCommand& command) {
  const auto name = analysis::command_name(command);
  return name && (*name == "sbatch" || name->ends_with("/sbatch"));
}

std::optional<std::size_t> sbatch_in(const shell::SimpleCommand& command) {
  PlainWords words;
  for (const shell::Word& word : command.words) {
    words.push_back(word.literal());
  }
  const Behind behind = behind_wrappers(words);
  const bool found = behind.certain && behind.program < words.size() && words[behind.program] &&
                     program_name(*words[behind.program]) == "sbatch";
  const bool looks = words.size() > 1 && words[0] == "command" && words[1] &&
                     (words[1] == "-v" || words[1] == "-V");
  return found && !looks ? std::optional(behind.program) : std::nullopt;
}

bool is_filter(std::string_view program) {
  static constexpr std::array filters{"awk",  "cut", "egrep", "gawk", "grep", "head",  "sed",
                                      "tail", "tr",  "xargs", "mawk", "rev",  "paste", "perl"};
  return std::ranges::find(filters, program) != filters.end();
}

IdVariables::IdVariables(const shell::Script& script) {
  std::vector<const shell::Assignment*> assignments;
  analysis::Visitor visitor;
  visitor.assignment = [&](const shell::Assignment& each) { assignments.push_back(&each); };
  std::map<std::string, const shell::Statement*> functions;
  visitor.statement = [&](const shell::Statement& each) {
    if (const auto* function = std::get_if<shell::Function>(&each.value)) {
      functions[function->name] = &*function->body;
    }
  };
  for (const shell::Statement& statement : script.statements) {
    analysis::walk(statement, visitor);
  }
  for (bool more = true; more;) { // a function that calls one that submits submits too
    more = false;
    for (const auto& [name, body] : functions) {
      bool found = false;
      analysis::Visitor calls;
      calls.statement = [&](const shell::Statement& each) {
        const auto* command = shell::as_simple(each);
        const auto called = command != nullptr ? analysis::command_name(*command) : std::nullopt;
        found |= command != nullptr && (is_sbatch(*command) || (called && submits(*called)));
      };
      analysis::walk(*body, calls);
      more |= found && functions_.insert(name).second;
    }
  }
  for (bool more = true; more;) {
    more = false;
    for (const shell::Assignment* assignment : assignments) {
      more |= note(*assignment);
    }
  }
  for (const std::string& name : emptied_) {
    if (const auto found = variables_.find(name);
        found != variables_.end() && found->second.type == Type::job) {
      found->second.type = Type::maybe_job;
    }
  }
}

const IdVariable* IdVariables::find(const std::string& name) const {
  const auto found = variables_.find(name);
  return found == variables_.end() ? nullptr : &found->second;
}

bool IdVariables::gives_ids(const shell::CommandSubstitution& substitution) const {
  bool any = false;
  for (const shell::Statement& statement : substitution.body) {
    std::vector<const shell::Statement*> commands{&statement};
    if (const auto* pipeline = std::get_if<shell::Pipeline>(&statement.value)) {
      commands.clear();
      for (const shell::Statement& each : pipeline->commands) {
        commands.push_back(&each);
      }
    }
    for (const shell::Statement* each : commands) {
      const auto* command = shell::as_simple(*each);
      if (command == nullptr) {
        return false;
      }
      if (command->words.empty()) { // IFS=:
        continue;
      }
      const auto name = analysis::command_name(*command);
      if (!name) {
        return false;
      }
      if (is_sbatch(*command) || submits(*name)) {
        any = true;
        continue;
      }
      const bool prints = *name == "echo" || *name == "printf" || name->starts_with("join");
      if (!prints && !is_filter(*name)) {
        return false;
      }
      const bool mentioned = std::ranges::any_of(
          command->words, [&](const shell::Word& word) { return mentions(word); });
      const bool given = std::ranges::any_of(each->redirects, [&](const shell::Redirect& redirect) {
        return redirect.kind == shell::RedirectKind::herestring && mentions(redirect.target);
      });
      any |= given || (mentioned && (prints || *name == "echo"));
    }
  }
  return any;
}

bool IdVariables::mentions(const shell::Word& word) const {
  bool found = false;
  analysis::Visitor visitor;
  visitor.part = [&](const shell::WordPart& part) {
    if (const auto* parameter = std::get_if<shell::Parameter>(&part.value)) {
      found |= !parameter->length && variables_.contains(parameter->name);
    }
  };
  for (const shell::WordPart& part : word.parts) {
    const auto look = [&](const auto& self, const shell::WordPart& each) -> void {
      if (const auto* quoted = std::get_if<shell::DoubleQuoted>(&each.value)) {
        for (const shell::WordPart& inner : quoted->parts) {
          self(self, inner);
        }
      } else if (const auto* substitution = std::get_if<shell::CommandSubstitution>(&each.value)) {
        found |= gives_ids(*substitution);
      } else {
        visitor.part(each);
      }
    };
    look(look, part);
  }
  return found;
}

// A word that is the id of one job.
bool IdVariables::single(const shell::Word& word) const {
  if (const auto* substitution = substitution_of(word)) {
    const auto* command =
        substitution->body.empty() ? nullptr : first_command(substitution->body.back());
    const auto name = command != nullptr ? analysis::command_name(*command) : std::nullopt;
    if (name && (is_sbatch(*command) || submits(*name))) {
      return true;
    }
    bool all = true;
    analysis::Visitor visitor;
    visitor.part = [&](const shell::WordPart& part) {
      if (const auto* parameter = std::get_if<shell::Parameter>(&part.value)) {
        const IdVariable* id = find(parameter->name);
        all &= id == nullptr || id->type == Type::job || id->type == Type::maybe_job;
      }
    };
    for (const shell::Statement& statement : substitution->body) {
      analysis::walk(statement, visitor);
    }
    return all;
  }
  if (word.parts.size() != 1) {
    return false;
  }
  const shell::WordPart* part = &word.parts.front();
  if (const auto* quoted = std::get_if<shell::DoubleQuoted>(&part->value)) {
    if (quoted->parts.size() != 1) {
      return false;
    }
    part = &quoted->parts.front();
  }
  const auto* parameter = std::get_if<shell::Parameter>(&part->value);
  if (parameter == nullptr) {
    return false;
  }
  const IdVariable* id = find(parameter->name);
  if (id == nullptr) {
    return false;
  }
  const auto subscript =
      parameter->subscript ? (*parameter->subscript)->literal() : std::optional<std::string>();
  const bool all = parameter->subscript && subscript && (*subscript == "@" || *subscript == "*");
  return id->type == Type::job || id->type == Type::maybe_job ||
         (parameter->subscript && !all && parameter->op != ":+");
}

bool IdVariables::note(const shell::Assignment& assignment) {
  const auto known = variables_.find(assignment.name);
  const auto become = [&](Type type) {
    if (known == variables_.end()) {
      variables_[assignment.name].type = type;
      return true;
    }
    Type& mine = known->second.type;
    const bool stronger =
        (mine == Type::job && type != Type::job) || (mine == Type::jobs && type == Type::job_map);
    if (stronger) {
      mine = type;
    }
    return stronger;
  };
  const bool empty = (assignment.value && assignment.value->literal() == "") ||
                     (!assignment.value && !assignment.array);
  if (empty && !assignment.subscript) {
    return emptied_.insert(assignment.name).second;
  }
  if (assignment.array) {
    if (assignment.array->empty()) {
      return known != variables_.end() && become(Type::jobs);
    }
    const bool ids = std::ranges::any_of(*assignment.array,
                                         [&](const shell::Word& word) { return mentions(word); });
    const bool one =
        assignment.array->size() == 1 && !assignment.append && single(assignment.array->front());
    return ids && become(one ? Type::job : Type::jobs);
  }
  if (!assignment.value) {
    return false;
  }
  if (!mentions(*assignment.value)) {
    return known != variables_.end() && !empty && become(Type::jobs); // "afterok"
  }
  if (assignment.subscript) {
    return become(Type::job_map);
  }
  return become(single(*assignment.value) && !assignment.append ? Type::job : Type::jobs);
}

} // namespace s2f::passes
