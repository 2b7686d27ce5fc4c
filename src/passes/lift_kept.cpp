// What is known behind a statement that stays Bash.
//
// before:  if [ -z "$(ls data)" ]; then cd other; export MODE=2; fi      (kept)
// after:   the directory is not known; MODE is a local that the region gives; programs may see it
#include <algorithm>

#include "analysis/behind.hpp"
#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "generated/tables/ambient_variables.hpp"
#include "passes/lifting.hpp"
#include "passes/sourced.hpp"

namespace s2f::passes {

namespace {

bool declares(std::string_view name) {
  return name == "declare" || name == "typeset" || name == "readonly" || name == "local";
}

// Whether a command makes a list of the variable, or what else cannot be given as a text.
bool makes_other(const shell::SimpleCommand& command, const std::string& name) {
  const std::string called = analysis::command_name(command).value_or("");
  const auto has_option = [&](std::string_view letters) {
    return std::ranges::any_of(command.words, [&](const shell::Word& word) {
      const std::string text = word.literal().value_or("-?");
      return text.starts_with('-') && text.find_first_of(letters) != std::string::npos;
    });
  };
  const auto names = [&] {
    return std::ranges::any_of(
               command.words,
               [&](const shell::Word& word) { return word.literal().value_or("") == name; }) ||
           std::ranges::any_of(command.declared,
                               [&](const shell::Assignment& each) { return each.name == name; });
  };
  if (called == "read") {
    return has_option("a?");
  }
  if (declares(called)) {
    return names() && has_option("aAnfF?");
  }
  return (called == "mapfile" || called == "readarray" || called == "unset") && names();
}

// Variables that only shells of their own set, functions that are called there among them.
std::set<std::string>
set_elsewhere(const shell::Statement& statement,
              const std::map<std::string, std::vector<const shell::Statement*>>& functions) {
  std::set<std::string> all = analysis::effects_of(statement).writes;
  std::set<std::string> here = analysis::effects_behind(statement).writes;
  for (const auto& [name, definitions] : functions) {
    for (const shell::Statement* definition : definitions) {
      all.merge(analysis::effects_of(*definition).writes);
      here.merge(analysis::effects_behind(*definition).writes);
    }
  }
  std::erase_if(all, [&](const std::string& name) { return here.contains(name); });
  return all;
}

// Variables that `export` makes visible to programs.
std::set<std::string> exported_by(const shell::Statement& statement) {
  std::set<std::string> names;
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& inner) {
    const auto* command = shell::as_simple(inner);
    if (command == nullptr || analysis::command_name(*command) != "export") {
      return;
    }
    for (const shell::Assignment& each : command->declared) {
      names.insert(each.name);
    }
  };
  analysis::walk(statement, visitor);
  return names;
}

} // namespace

void Lifting::behind_kept(const ir::Step& step) {
  const shell::Statement& statement = *step.statement;
  const analysis::Effects effects = effects_of(statement);
  if (analysis::in_own_shell(statement) && !effects.anything) {
    return;
  }
  note_attributes(statement);
  const std::set<std::string> elsewhere = set_elsewhere(statement, functions_);
  for (const std::string& name : effects.writes) {
    tasks_.erase(name);
    if (!elsewhere.contains(name)) {
      give(name, statement, effects);
    }
  }
  const bool calls = std::ranges::any_of(effects.commands, [&](const std::string& name) {
    return name.empty() || functions_.contains(name);
  });
  if (calls) {
    for (const std::string& name : by_functions_) {
      scope_.forget(name);
    }
    for (const auto& [name, definitions] : functions_) {
      for (const shell::Statement* definition : definitions) {
        note_attributes(*definition);
        maybe_exported_.merge(exported_by(*definition));
      }
    }
  }
  const bool certain = shell::as_simple(statement) != nullptr && !calls;
  for (const std::string& name : exported_by(statement)) {
    (certain ? exported_ : maybe_exported_).insert(name);
  }
  if (allexport_) {
    (certain ? exported_ : maybe_exported_).insert(effects.writes.begin(), effects.writes.end());
  }
  if (effects.changes_directory &&
      (calls || analysis::effects_behind(statement).changes_directory)) {
    old_.reset();
    pushed_.clear();
    elsewhere_ = true;
    directory_.clear();
    scope_.set_directory(std::nullopt);
  }
  if (effects.anything) {
    const auto known = nounset_ ? std::nullopt : variables_set(context_, later_.front().at);
    if (known) {
      behind_known(known->writes);
      return;
    }
    scope_.sourced();
    behind_unread();
  }
  if (effects.anything || effects.commands.contains("shift") ||
      effects.commands.contains("getopts") || effects.commands.contains("set")) {
    scope_.shifted();
  }
}

// A file that comes with the script and sets these variables, and nothing else.
void Lifting::behind_known(const std::set<std::string>& names) {
  const std::set<std::string> read = read_behind(job_.body, later_.front().at);
  for (const std::string& name : names) {
    maybe_exported_.insert(name);
    exported_.erase(name);
    if (!read.contains(name) || scope_.list(name) != nullptr || scope_.number(name) ||
        analysis::ambient_variable(name)) {
      scope_.forget(name);
      continue;
    }
    if (job_.locals.contains(name)) {
      job_.changing_locals.insert(job_.locals[name]);
    }
    (void)scope_.local(name, false, true);
  }
}

// A file or a text that nobody has read: the region gives what each variable holds that is read
// behind it.
void Lifting::behind_unread() {
  if (!says_what_it_did(context_, later_.front().at) || nounset_) {
    return;
  }
  for (const std::string& name : read_behind(job_.body, later_.front().at)) {
    const auto* row = tables::find_ambient_variables(name);
    if (name.starts_with("SLURM_")) {
      continue; // the region looks whether it has changed them
    }
    if (scope_.list(name) != nullptr || scope_.number(name) ||
        (row != nullptr && row->from == tables::AmbientVariablesFrom::shell)) {
      scope_.forget(name);
      continue;
    }
    if (job_.locals.contains(name)) {
      job_.changing_locals.insert(job_.locals[name]);
    }
    (void)scope_.local(name, false, true);
  }
  old_.reset();
  pushed_.clear();
  elsewhere_ = true;
  directory_.clear();
  scope_.set_directory(std::nullopt);
}

// declare -i, -A, -l, readonly: what is assigned to them later is not the text that stands there,
// or is an error.
void Lifting::note_attributes(const shell::Statement& statement) {
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& inner) {
    const auto* command = shell::as_simple(inner);
    if (command == nullptr || !declares(analysis::command_name(*command).value_or(""))) {
      return;
    }
    for (const shell::Assignment& each : command->declared) {
      attributes_.insert(each.name);
    }
  };
  analysis::walk(statement, visitor);
}

// Of a variable that a statement which stays Bash assigns, only that Python gets its value from
// there; of a list, or one that programs see, nothing at all.
void Lifting::give(const std::string& name, const shell::Statement& statement,
                   const analysis::Effects& effects) {
  bool plain = !effects.anything && !effects.unparsed && !nounset_;
  analysis::Visitor visitor;
  visitor.assignment = [&](const shell::Assignment& assignment) {
    plain = plain && (assignment.name != name || (!assignment.array && !assignment.subscript));
  };
  visitor.statement = [&](const shell::Statement& inner) {
    const auto* command = shell::as_simple(inner);
    plain = plain && (command == nullptr || !makes_other(*command, name));
  };
  analysis::walk(statement, visitor);
  if (!plain || scope_.list(name) != nullptr || scope_.number(name) ||
      analysis::ambient_variable(name) || name.starts_with("SLURM_")) {
    scope_.forget(name);
    return;
  }
  if (job_.locals.contains(name)) {
    job_.changing_locals.insert(job_.locals[name]);
  }
  (void)scope_.local(name, false, true);
}

} // namespace s2f::passes
