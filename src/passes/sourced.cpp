// A file that nobody has read may set variables, define functions, turn on options. Variables and
// the directory are handed on; for the rest the region looks, and ends the task.
//
// before:  source ~/env.sh; python train.py --data "$DATA"
// after:   region [source], which returns DATA, the directory and what programs see; Launch
#include "passes/sourced.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "generated/tables/ambient_variables.hpp"
#include "generated/tables/builtins.hpp"
#include "generated/tables/launchers.hpp"
#include "shell/parse.hpp"

namespace s2f::passes {

namespace {

bool plain_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_-.+").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

bool of_the_shell(const std::string& name) {
  return std::ranges::any_of(tables::builtins, [&](const auto& row) { return row.name == name; });
}

// Whether a file that comes with the script does more than set variables, so that Python could not
// go on: an option, a trap, a function that is called later.
bool does_more(const PassContext& context, const std::string& path, std::size_t at) {
  const auto text = context.read_file ? context.read_file(path) : std::nullopt;
  if (!text) {
    return false;
  }
  source::Sources sources;
  const shell::Script script = shell::parse(sources[sources.add("sourced", *text)]);
  return std::ranges::any_of(script.statements, [&](const shell::Statement& statement) {
    const analysis::Effects effects = analysis::effects_of(statement);
    bool called = false;
    analysis::Visitor visitor;
    visitor.statement = [&](const shell::Statement& inner) {
      const auto* function = std::get_if<shell::Function>(&inner.value);
      for (std::size_t i = at + 1; function != nullptr && i < context.job.body.size(); ++i) {
        called = called ||
                 context.text(context.job.body[i].span).find(function->name) != std::string::npos;
      }
    };
    analysis::walk(statement, visitor);
    return called || effects.options || effects.traps || effects.background ||
           effects.commands.contains("alias") || effects.commands.contains("exec");
  });
}

bool sets_variables(const std::string& text) {
  source::Sources sources;
  const shell::Script script = shell::parse(sources[sources.add("sourced", text)]);
  return script.unparsed.empty() &&
         std::ranges::all_of(script.statements, [](const shell::Statement& statement) {
           const analysis::Effects effects = analysis::effects_of(statement);
           const bool shell = effects.anything || effects.exits || effects.traps ||
                              effects.changes_directory || effects.options || effects.background ||
                              effects.functions || effects.unparsed;
           return !shell && std::ranges::none_of(effects.commands, [](const std::string& name) {
             return name != "export" && of_the_shell(name);
           }) && std::ranges::none_of(effects.writes, [](const std::string& name) {
             return name == "HOME" || name == "IFS" || name.starts_with("SLURM_");
           });
         });
}

// Files that it reads, by names that stand there.
std::vector<std::string> files_read(const shell::Statement& statement) {
  std::vector<std::string> paths;
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& inner) {
    const auto* command = shell::as_simple(inner);
    const auto name = command != nullptr ? analysis::command_name(*command) : std::nullopt;
    if ((name == "source" || name == ".") && command->words.size() > 1) {
      std::string path = command->words[1].literal().value_or("");
      paths.push_back(path.starts_with("./") ? path.substr(2) : path);
    }
  };
  analysis::walk(statement, visitor);
  return paths;
}

} // namespace

bool says_what_it_did(const PassContext& context, std::size_t at) {
  const ir::Job& job = context.job;
  const ir::Step& step = job.body[at];
  if (job.interpreter.language != ir::Interpreter::Language::bash || step.statement == nullptr) {
    return false;
  }
  const analysis::Effects effects = analysis::effects_of(*step.statement);
  static constexpr std::array others{"alias", "enable", "exec", "hash", "declare", "typeset"};
  return effects.anything && !effects.unparsed && !effects.traps && !effects.background &&
         !effects.functions &&
         std::ranges::none_of(others,
                              [&](const char* name) { return effects.commands.contains(name); }) &&
         std::ranges::none_of(files_read(*step.statement), [&](const std::string& path) {
           return does_more(context, path, at);
         });
}

bool only_sets_variables(const PassContext& context, const shell::Statement& statement) {
  const analysis::Effects effects = analysis::effects_of(statement);
  if (!effects.anything) {
    return true;
  }
  const auto paths = files_read(statement);
  return shell::as_simple(statement) != nullptr && paths.size() == 1 &&
         std::ranges::all_of(paths, [&](const std::string& path) {
           const auto text = context.read_file ? context.read_file(path) : std::nullopt;
           return text && sets_variables(*text);
         });
}

std::optional<analysis::Effects> variables_set(const PassContext& context, std::size_t at) {
  const auto& body = context.job.body;
  const shell::Statement* statement = body[at].statement;
  const auto moves = [](const ir::Step& step) {
    return step.statement != nullptr && analysis::effects_of(*step.statement).changes_directory;
  };
  const auto here = body.begin() + static_cast<std::ptrdiff_t>(at);
  if (statement == nullptr || !statement->redirects.empty() || statement->negated ||
      statement->background || !analysis::effects_of(*statement).anything ||
      !only_sets_variables(context, *statement) || std::any_of(body.begin(), here, moves)) {
    return std::nullopt;
  }
  const auto paths = files_read(*statement);
  const auto text = context.read_file(paths.front());
  source::Sources sources;
  const shell::Script script = shell::parse(sources[sources.add("sourced", text.value_or(""))]);
  if (!text || text->find("${!") != std::string::npos) {
    return std::nullopt;
  }
  analysis::Effects effects;
  analysis::Visitor visitor; // `export NAME`
  visitor.assignment = [&](const shell::Assignment& assignment) {
    effects.writes.insert(assignment.name);
    if (!assignment.value) {
      effects.reads.insert(assignment.name);
    }
  };
  for (const shell::Statement& each : script.statements) {
    analysis::merge(effects, analysis::effects_of(each));
    analysis::walk(each, visitor);
  }
  return effects;
}

std::set<std::string> read_behind(const std::vector<ir::Step>& body, std::size_t at) {
  std::set<std::string> names;
  std::set<std::string> written;
  for (std::size_t i = 0; i < body.size(); ++i) {
    const shell::Statement* statement = body[i].statement;
    const bool function =
        statement != nullptr && std::holds_alternative<shell::Function>(statement->value);
    if (statement == nullptr || (i <= at && !function)) {
      continue;
    }
    const analysis::Effects effects = analysis::effects_of(*statement);
    for (const auto* reads : {&effects.reads, &effects.reads_defaulted}) {
      for (const std::string& name : *reads) {
        if (function || !written.contains(name)) {
          names.insert(name);
        }
      }
    }
    analysis::Visitor visitor; // `export NAME` reads it
    visitor.assignment = [&](const shell::Assignment& assignment) {
      if (!assignment.value && !assignment.array && !written.contains(assignment.name)) {
        names.insert(assignment.name);
      }
    };
    analysis::walk(*statement, visitor);
    const auto* command = shell::as_simple(*statement);
    if (command != nullptr && command->words.empty() && !statement->background) {
      for (const shell::Assignment& each : command->assignments) {
        written.insert(each.name);
      }
    }
  }
  std::erase_if(names, [](const std::string& name) { // the shell's own, and $HOME, are looked at
    const auto* row = tables::find_ambient_variables(name);
    return row != nullptr && (row->from == tables::AmbientVariablesFrom::shell ||
                              row->is == tables::AmbientVariablesIs::home);
  });
  return names;
}

std::string watched(const std::string& text, const std::vector<ir::Step>& body, std::size_t last,
                    const std::string& place) {
  std::set<std::string> names;
  for (std::size_t i = last + 1; i < body.size(); ++i) {
    if (body[i].statement == nullptr) {
      continue;
    }
    for (const std::string& name : analysis::effects_of(*body[i].statement).commands) {
      // What starts the job's ranks is no program of a task, and its name stands in no kept text.
      const bool starter =
          std::ranges::any_of(tables::launchers, [&](const auto& row) { return row.name == name; });
      if (plain_name(name) && !of_the_shell(name) && !starter) {
        names.insert(name);
      }
    }
  }
  for (const char* name : {"echo", "printf", "pwd", "test", "cd"}) { // which Python does itself
    names.insert(name);
  }
  return fmt::format(
      "of_the_shell() {{ trap; set +o; shopt; umask; ulimit -Sa; jobs -p; alias; declare -f {}\n"
      "  declare -p HOME IFS ${{!SLURM_@}}; printf '%s\\n' \"$@\"; }}\n"
      "as_it_was=$(of_the_shell \"$@\" 2>&1)\n"
      "{}\n"
      "set -- $? \"$@\"\n"
      "[ \"$(shift; of_the_shell \"$@\" 2>&1)\" = \"$as_it_was\" ] || {{\n"
      "  echo \"{}: this sets more than variables, which Python cannot take over\" >&2; exit 70; "
      "}}\n"
      "(exit $1)",
      fmt::join(names, " "), text, place);
}

} // namespace s2f::passes
