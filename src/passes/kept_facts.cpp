// Facts about the steps of a body.
#include "passes/kept_facts.hpp"

#include <algorithm>
#include <cctype>

#include "analysis/behind.hpp"
#include "analysis/walk.hpp"
#include "generated/tables/builtins.hpp"
#include "ir/functions.hpp"
#include "ir/steps.hpp"
#include "passes/errexit.hpp"
#include "passes/kept_extents.hpp"
#include "passes/sourced.hpp"

namespace s2f::passes {

bool opaque(const ir::Step& step) { return std::holds_alternative<ir::Opaque>(step.value); }

bool holds_others(const ir::Step& step) {
  return std::holds_alternative<ir::If>(step.value) || std::holds_alternative<ir::For>(step.value);
}

bool ends_job(const ir::Step& step) {
  return ir::any_step(step, [](const ir::Step& each) { // a function may end it as well
    return std::holds_alternative<ir::Exit>(each.value) ||
           std::holds_alternative<ir::Call>(each.value);
  });
}

namespace {

// Python's variables that the values of a step are made of.
std::set<std::string> locals_in(const ir::Step& step) {
  std::set<std::string> names;
  (void)ir::any_step(step, [&](const ir::Step& each) {
    ir::Step copy = each;
    ir::for_each_value(copy, [&](ir::Value& value) {
      for (const ir::ValuePart& part : value.parts) {
        if (const auto* local = std::get_if<ir::Local>(&part)) {
          names.insert(local->name);
        }
      }
    });
    if (const auto* exit = std::get_if<ir::Exit>(&each.value)) {
      names.insert(exit->variable);
    }
    return false;
  });
  return names;
}

// Variables of the script that are set behind the step, whatever branch it takes, and of which
// Python holds the value.
std::set<std::string> assigned_by(const ir::Step& step) {
  const std::vector<ir::Binding>* bindings = nullptr;
  const std::vector<ir::Binding>* assigned = nullptr;
  if (const auto* assign = std::get_if<ir::Assign>(&step.value)) {
    bindings = assigned = &assign->bindings;
  } else if (const auto* branches = std::get_if<ir::If>(&step.value)) {
    bindings = &branches->before;
  } else if (const auto* loop = std::get_if<ir::For>(&step.value)) {
    bindings = &loop->before;
  }
  std::set<std::string> names;
  if (opaque(step) && step.statement != nullptr) { // the region returns it
    const auto* command = shell::as_simple(*step.statement);
    for (std::size_t i = 0;
         command != nullptr && command->words.empty() && i < command->assignments.size(); ++i) {
      names.insert(command->assignments[i].name);
    }
  }
  for (std::size_t i = 0; bindings != nullptr && i < bindings->size(); ++i) {
    const ir::Binding& binding = (*bindings)[i];
    const bool unset = binding.unset || (bindings != assigned && binding.value.parts.empty());
    if (!binding.local.empty() && !unset) {
      names.insert(binding.variable);
    }
  }
  return names;
}

// The same, where it may be that no branch that sets them is taken.
std::set<std::string> held_by(const ir::Step& step) {
  std::set<std::string> names;
  const auto take = [&](const std::vector<ir::Binding>& bindings) {
    for (const ir::Binding& binding : bindings) {
      if (!binding.local.empty() && !binding.unset && !binding.items) {
        names.insert(binding.variable);
      }
    }
  };
  if (const auto* branches = std::get_if<ir::If>(&step.value)) {
    take(branches->before);
  } else if (const auto* loop = std::get_if<ir::For>(&step.value)) {
    take(loop->before);
  }
  return names;
}

// Whether it asks for one of the processes that were started beside it.
bool asks_of_jobs(const shell::Statement& statement) {
  static constexpr std::array askers{"jobs", "fg", "bg", "disown"};
  bool found = std::holds_alternative<shell::Coprocess>(statement.value);
  analysis::Visitor visitor;
  visitor.part = [&](const shell::WordPart& part) {
    const auto* parameter = std::get_if<shell::Parameter>(&part.value);
    found = found || (parameter != nullptr && parameter->name == "!");
  };
  visitor.statement = [&](const shell::Statement& inner) {
    const auto* command = shell::as_simple(inner);
    const std::string name =
        command != nullptr ? analysis::command_name(*command).value_or("") : std::string();
    found = found || std::ranges::find(askers, name) != askers.end() ||
            (name == "wait" &&
             (&inner != &statement || command->words.size() > 1 || !inner.redirects.empty())) ||
            (name == "kill" && std::ranges::any_of(command->words, [](const shell::Word& word) {
               return word.literal().value_or("").starts_with('%');
             }));
  };
  analysis::walk(statement, visitor);
  return found;
}

bool starts_beside(const shell::Statement& statement) {
  bool found = false;
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& inner) {
    found = found || inner.background || std::holds_alternative<shell::Coprocess>(inner.value);
  };
  analysis::walk(statement, visitor);
  return found;
}

// A `wait` for all of them, whatever happens.
bool waits_for_all(const shell::Statement& statement) {
  const auto* command = shell::as_simple(statement);
  return command != nullptr && command->words.size() == 1 && statement.redirects.empty() &&
         !statement.background && analysis::command_name(*command) == "wait";
}

// Whether the name of a command that the shell does itself stands in a text.
bool changes_shell(const std::string& text) {
  std::string word;
  for (const char c : text + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.') {
      word += c;
      continue;
    }
    const auto* row =
        std::ranges::find_if(tables::builtins, [&](const auto& each) { return each.name == word; });
    if (row != std::end(tables::builtins) && row->as != tables::BuiltinsAs::program &&
        word != "echo") {
      return true;
    }
    word.clear();
  }
  return false;
}

bool declares(std::string_view name) {
  return name == "declare" || name == "typeset" || name == "readonly" || name == "local";
}

// export A B=c: the variables. Behind an option they are functions, or exported no more.
std::set<std::string> exported_by(const ir::Step& step) {
  std::set<std::string> names;
  const auto* command = opaque(step) && step.statement != nullptr && !step.statement->background
                            ? shell::as_simple(*step.statement)
                            : nullptr;
  if (command != nullptr && analysis::command_name(*command) == "export" &&
      command->words.size() == 1) {
    for (const shell::Assignment& each : command->declared) {
      names.insert(each.name);
    }
  }
  return names;
}

// Whether some command in it gives or takes what is neither a value nor seen by programs: export
// -n, unset -f, declare -x and names that are computed.
bool gives_attributes(const shell::Statement& statement) {
  bool found = false;
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& inner) {
    const auto* command = shell::as_simple(inner);
    const auto name = command != nullptr ? analysis::command_name(*command) : std::nullopt;
    if (!name || !(*name == "export" || *name == "unset" || declares(*name))) {
      return;
    }
    for (std::size_t i = 1; i < command->words.size(); ++i) {
      const std::string word = command->words[i].literal().value_or("-?");
      if (*name == "export") {
        found = found || (word != "-f" && word.starts_with('-'));
      } else if (*name == "unset") {
        found = found || (word.starts_with('-') && word != "-v");
      } else {
        found =
            found || (word.starts_with('-') && word.find_first_of("xnfF?") != std::string::npos);
      }
    }
  };
  analysis::walk(statement, visitor);
  return found;
}

} // namespace

static bool nounset(const std::vector<ir::Step>& body) {
  return std::ranges::any_of(body, [](const ir::Step& step) {
    const auto* options = std::get_if<ir::ShellOptions>(&step.value);
    return options != nullptr && options->nounset;
  });
}

KeptFacts::KeptFacts(const PassContext& context) {
  const auto& body = context.job.body;
  for (std::size_t i = 0; i < body.size(); ++i) {
    const ir::Step& step = body[i];
    effects.push_back(step.statement != nullptr ? analysis::effects_of(*step.statement)
                                                : analysis::Effects{});
    locals.push_back(locals_in(step));
    if (const auto* function = std::get_if<ir::Function>(&step.value)) {
      for (const std::string& name : ir::own_names(*function)) {
        locals.back().erase(name);
      }
    }
    starts_jobs.push_back(step.statement != nullptr && starts_beside(*step.statement));
    asks_jobs.push_back(step.statement != nullptr && asks_of_jobs(*step.statement));
    waits.push_back(step.statement != nullptr && waits_for_all(*step.statement));
    assigned.push_back(assigned_by(step));
    held.push_back(held_by(step));
    exports.push_back(exported_by(step));
    if (step.statement != nullptr) {
      asked.merge(analysis::asked_whether_set(*step.statement));
    }
    attributes.push_back(step.statement != nullptr && gives_attributes(*step.statement));
    texts.push_back(context.text(step.span));
    if (const std::string* name = defined_function(step)) {
      functions[*name].push_back(i);
      plain_functions = plain_functions && std::ranges::all_of(*name, [](unsigned char c) {
                          return std::isalnum(c) != 0 || c == '_';
                        });
    }
    (void)ir::any_step(step, [&](const ir::Step& each) {
      const auto* assign = std::get_if<ir::Assign>(&each.value);
      for (std::size_t b = 0; assign != nullptr && b < assign->bindings.size(); ++b) {
        if (assign->bindings[b].exported) {
          exported.insert(assign->bindings[b].variable);
        }
        if (assign->bindings[b].items) {
          lists.insert(assign->bindings[b].variable);
        }
      }
      return false;
    });
  }
  calls.resize(body.size());
  named_directly.resize(functions.empty() ? 0 : body.size());
  for (std::size_t i = 0; i < named_directly.size(); ++i) {
    named_directly[i] = functions_named(texts[i]);
  }
  analysis::Visitor declarations;
  declarations.statement = [this](const shell::Statement& inner) {
    const auto* command = shell::as_simple(inner);
    if (command != nullptr && declares(analysis::command_name(*command).value_or(""))) {
      for (const shell::Assignment& each : command->declared) {
        declared.insert(each.name);
      }
    }
  };
  for (const ir::Step& step : body) {
    if (step.statement != nullptr && opaque(step)) {
      analysis::walk(*step.statement, declarations);
      note_arrays(*step.statement);
    }
  }
  errexit = errexit_at(context.job);
  bool shows = false;
  for (const ir::Step& step : body) {
    const auto* options = std::get_if<ir::ShellOptions>(&step.value);
    if (options != nullptr && options->allexport) {
      shows = !context.text(step.span).contains('+');
    }
    allexport.push_back(shows);
  }
  merge_calls(context.job);
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (body[i].statement != nullptr && analysis::in_own_shell(*body[i].statement)) {
      left[i] = {};
      left[i].background = effects[i].background;
      attributes[i] = false;
    }
    if (opaque(body[i])) { // the region returns it
      const bool own = analysis::in_own_shell(*body[i].statement);
      held[i] = own ? std::set<std::string>{} : left[i].writes;
    }
    if (const auto known = opaque(body[i]) && left[i].anything && !nounset(body)
                               ? variables_set(context, i)
                               : std::nullopt) {
      analysis::merge(effects[i], *known);
      left[i].anything = effects[i].anything = false;
      left[i].commands.insert("export");
      const std::set<std::string> read = read_behind(body, i);
      for (const std::string& name : known->writes) {
        left[i].writes.insert(name);
        if (read.contains(name)) {
          assigned[i].insert(name);
        }
      }
    }
    unread.push_back(opaque(body[i]) && left[i].anything && says_what_it_did(context, i));
    if (unread.back()) {
      left[i].anything = false;
      left[i].exits = left[i].changes_directory = true;
      left[i].commands.insert("export");
      assigned[i] = read_behind(body, i);
      left[i].writes.insert(assigned[i].begin(), assigned[i].end());
    }
  }
  for (std::size_t i = 0; i < body.size(); ++i) {
    index(body[i], i);
  }
  std::set<std::string> names; // of functions
  for (const auto& [name, places] : functions) {
    names.insert(name);
  }
  for (std::size_t i = 0; i < body.size(); ++i) {
    mentioned.push_back(body[i].statement == nullptr
                            ? mentions(texts[i])
                            : mentions(text_with_names(context, *body[i].statement, names)));
  }
}

void KeptFacts::note_arrays(const shell::Statement& statement) {
  analysis::Visitor visitor;
  visitor.assignment = [&](const shell::Assignment& each) {
    if (each.array || each.subscript) {
      arrays.insert(each.name);
    }
  };
  visitor.statement = [&](const shell::Statement& inner) {
    const auto* command = shell::as_simple(inner);
    const std::string name =
        command != nullptr ? analysis::command_name(*command).value_or("") : std::string();
    if (name == "export" || name == "declare" || name == "typeset") {
      for (const shell::Assignment& each : command->declared) {
        exported.insert(each.name);
      }
    }
    const bool lists = name == "mapfile" || name == "readarray" || declares(name);
    const bool reads = name == "read" && std::ranges::any_of(command->words, [](const auto& word) {
                         const std::string text = word.literal().value_or("-a");
                         return text.starts_with('-') && text.find('a') != std::string::npos;
                       });
    for (std::size_t i = 1; (lists || reads) && i < command->words.size(); ++i) {
      arrays.insert(command->words[i].literal().value_or(""));
    }
    for (std::size_t i = 0; lists && i < command->declared.size(); ++i) {
      arrays.insert(command->declared[i].name);
    }
    arrays.insert({"MAPFILE", "BASH_REMATCH", "PIPESTATUS"});
  };
  analysis::walk(statement, visitor);
}

void KeptFacts::merge_calls(const ir::Job& job) {
  const std::vector<analysis::Effects> alone = effects;
  for (const ir::Step& step : job.body) {
    left.push_back(step.statement != nullptr ? analysis::effects_behind(*step.statement)
                                             : analysis::Effects{});
  }
  const std::vector<analysis::Effects> left_alone = left;
  for (std::size_t i = 0; i < job.body.size() && !functions.empty(); ++i) {
    calls[i] = closed_calls(i);
    for (const std::string& name : called(i)) { // what they do, it does
      for (const std::size_t place : functions.at(name)) {
        if (place != i) {
          analysis::merge(effects[i], alone[place]);
          analysis::merge(left[i], left_alone[place]);
          starts_jobs[i] = starts_jobs[i] || starts_jobs[place];
          asks_jobs[i] = asks_jobs[i] || asks_jobs[place] || waits[place];
          attributes[i] = attributes[i] || attributes[place];
          // run cd data, where run() { "$@"; }
          const bool any = alone[place].commands.contains("") && changes_shell(texts[i]);
          for (analysis::Effects* each : {&effects[i], &left[i]}) {
            each->anything = each->anything || any;
            each->exits = each->exits || any;
          }
        }
      }
    }
  }
}

std::set<std::string> KeptFacts::mentions(const std::string& text) const {
  std::set<std::string> names;
  const auto is_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_name(text[end])) {
      ++end;
    }
    if (end > at) {
      if (auto name = text.substr(at, end - at); writers.contains(name)) {
        names.insert(std::move(name));
      }
    }
    at = end + 1;
  }
  return names;
}

std::set<std::string> KeptFacts::written(const ir::Step& step, const analysis::Effects& effects) {
  std::set<std::string> names = effects.writes;
  if (const auto* assign = std::get_if<ir::Assign>(&step.value)) {
    for (const ir::Binding& binding : assign->bindings) {
      names.insert(binding.variable);
    }
  }
  if (effects.writes_match) {
    names.insert("BASH_REMATCH");
  }
  if (opaque(step) && step.statement != nullptr &&
      (effects.commands.contains("declare") || effects.commands.contains("typeset"))) {
    analysis::Visitor visitor; // `declare -A NAME` gives it no value, but makes it what it is
    visitor.assignment = [&](const shell::Assignment& each) { names.insert(each.name); };
    analysis::walk(*step.statement, visitor);
  }
  return names;
}

// The functions whose names stand in a text, as a word of it or as a part of one that a quote
// makes (a backslash, a name that is no name elsewhere).
std::set<std::string> KeptFacts::functions_named(const std::string& text) const {
  std::set<std::string> names;
  const auto is_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  const bool plain = text.find('\\') == std::string::npos;
  if (!plain || !plain_functions) {
    for (const auto& [name, places] : functions) {
      if (text.find(name) != std::string::npos) {
        names.insert(name);
      }
    }
    return names;
  }
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_name(text[end])) {
      ++end;
    }
    if (auto name = text.substr(at, end - at); end > at && functions.contains(name)) {
      names.insert(std::move(name));
    }
    at = end + 1;
  }
  return names;
}

std::set<std::string> KeptFacts::closed_calls(std::size_t step) const {
  std::set<std::string> names;
  std::vector<std::size_t> open{step};
  while (!open.empty()) {
    const std::set<std::string>& next = named_directly[open.back()];
    open.pop_back();
    for (const std::string& name : next) {
      if (names.insert(name).second) {
        const auto& places = functions.at(name);
        open.insert(open.end(), places.begin(), places.end());
      }
    }
  }
  return names;
}

void KeptFacts::index(const ir::Step& step, std::size_t i) {
  for (const std::string& name : written(step, left[i])) {
    writers[name].push_back(i);
  }
  // What runs at the end reads there; a function, wherever it is called.
  const bool late = std::holds_alternative<ir::AtExit>(step.value) ||
                    std::holds_alternative<ir::Function>(step.value);
  for (const std::string& name : locals[i]) {
    std::size_t& last = last_read[name];
    last = std::max(last, late ? texts.size() : i);
  }
  if (!effects[i].commands.empty()) {
    last_command = i;
  }
  const auto matters = [](const ir::Step& each) {
    const auto* assign = std::get_if<ir::Assign>(&each.value);
    return std::holds_alternative<ir::ShellOptions>(each.value) ||
           std::holds_alternative<ir::ChangeDirectory>(each.value) ||
           std::holds_alternative<ir::Background>(each.value) ||
           std::holds_alternative<ir::Wait>(each.value) || (assign != nullptr && assign->exports());
  };
  const bool shell =
      left[i].background || left[i].changes_directory || (opaque(step) && left[i].functions);
  if (shell || ir::any_step(step, matters)) {
    always.push_back(i);
  }
  if (first_move == std::string::npos && ir::any_step(step, [](const ir::Step& each) {
        return std::holds_alternative<ir::ChangeDirectory>(each.value);
      })) {
    first_move = i;
  }
}

} // namespace s2f::passes
