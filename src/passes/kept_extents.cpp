// Finds the statements that stay Bash: those that no pass lifted, with what they need of others.
//
// before:  steps  Assign, Opaque (it reads the variable), Launch, Opaque, Launch
// after:   [1, 1], which begins with the text of 0; [3, 3]
#include "passes/kept_extents.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <map>
#include <set>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "generated/tables/builtins.hpp"
#include "ir/steps.hpp"
#include "passes/region.hpp"

namespace s2f::passes {

namespace {

bool opaque(const ir::Step& step) { return std::holds_alternative<ir::Opaque>(step.value); }

bool holds_others(const ir::Step& step) {
  return std::holds_alternative<ir::If>(step.value) || std::holds_alternative<ir::For>(step.value);
}

bool ends_job(const ir::Step& step) {
  return ir::any_step(
      step, [](const ir::Step& each) { return std::holds_alternative<ir::Exit>(each.value); });
}

// Whether statements behind it would see what the kept ones did to the shell.
bool leaves_state(const analysis::Effects& effects) {
  static constexpr std::array writers{"export", "declare", "typeset", "readonly", "unset", "alias",
                                      "exec",   "hash",    "shift",   "getopts",  "enable"};
  return effects.exits || effects.traps || effects.background || effects.options ||
         effects.anything || effects.changes_directory || effects.functions || effects.unparsed ||
         std::ranges::any_of(writers,
                             [&](const char* name) { return effects.commands.contains(name); });
}

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

// What is asked of the steps again and again.
struct Facts {
  explicit Facts(const PassContext& context) {
    const auto& body = context.job.body;
    for (std::size_t i = 0; i < body.size(); ++i) {
      const ir::Step& step = body[i];
      effects.push_back(step.statement != nullptr ? analysis::effects_of(*step.statement)
                                                  : analysis::Effects{});
      locals.push_back(locals_in(step));
      assigned.push_back(assigned_by(step));
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
    std::vector<analysis::Effects> alone = effects;
    calls.resize(body.size());
    named_directly.resize(functions.empty() ? 0 : body.size());
    for (std::size_t i = 0; i < named_directly.size(); ++i) {
      named_directly[i] = functions_named(texts[i]);
    }
    for (std::size_t i = 0; i < body.size() && !functions.empty(); ++i) {
      calls[i] = closed_calls(i);
      for (const std::string& name : called(i)) { // what they do, it does
        for (const std::size_t place : functions.at(name)) {
          if (place != i) {
            analysis::merge(effects[i], alone[place]);
            // run cd data, where run() { "$@"; }
            const bool any = alone[place].commands.contains("") && changes_shell(texts[i]);
            effects[i].anything = effects[i].anything || any;
            effects[i].exits = effects[i].exits || any;
          }
        }
      }
    }
    for (std::size_t i = 0; i < body.size(); ++i) {
      index(body[i], i);
    }
    for (std::size_t i = 0; i < body.size(); ++i) {
      mentioned.push_back(mentions(texts[i]));
    }
  }

  // The variables that the script sets whose names stand in a text.
  [[nodiscard]] std::set<std::string> mentions(const std::string& text) const {
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

  // Variables of the script that a step gives a value.
  [[nodiscard]] static std::set<std::string> written(const ir::Step& step,
                                                     const analysis::Effects& effects) {
    std::set<std::string> names = effects.writes;
    if (const auto* assign = std::get_if<ir::Assign>(&step.value)) {
      for (const ir::Binding& binding : assign->bindings) {
        names.insert(binding.variable);
      }
    }
    if (effects.writes_match) {
      names.insert("BASH_REMATCH");
    }
    return names;
  }

  // The functions that a step may call: whose names stand in its text, or in theirs.
  [[nodiscard]] const std::set<std::string>& called(std::size_t step) const { return calls[step]; }

  // By the index of the step.
  std::vector<analysis::Effects> effects;
  std::vector<std::set<std::string>> locals;   // that Python reads
  std::vector<std::set<std::string>> assigned; // that Python has a value for behind it, by name
  std::vector<std::string> texts;
  std::vector<std::set<std::string>> mentioned; // variables by name, in whatever place
  std::vector<std::set<std::string>> calls;     // functions, and those that they call

  std::map<std::string, std::vector<std::size_t>> functions; // where each is defined
  bool plain_functions = true;           // their names are such that variables have, too
  std::set<std::string> exported, lists; // variables of the script

  // Where to look, so that a long script is not read again for each region.
  std::map<std::string, std::vector<std::size_t>> writers; // of a variable
  std::map<std::string, std::size_t> last_read;            // of a local, by Python's name
  std::vector<std::size_t> always;                         // steps that any region may need
  std::size_t first_move = std::string::npos;
  std::size_t last_command = 0;

private:
  std::vector<std::set<std::string>> named_directly; // functions, by the index of the step

  // The functions whose names stand in a text, as a word of it or as a part of one that a quote
  // makes (a backslash, a name that is no name elsewhere).
  [[nodiscard]] std::set<std::string> functions_named(const std::string& text) const {
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

  [[nodiscard]] std::set<std::string> closed_calls(std::size_t step) const {
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

  void index(const ir::Step& step, std::size_t i) {
    for (const std::string& name : written(step, effects[i])) {
      writers[name].push_back(i);
    }
    for (const std::string& name : locals[i]) {
      last_read[name] = i;
    }
    if (!effects[i].commands.empty()) {
      last_command = i;
    }
    const auto matters = [](const ir::Step& each) {
      const auto* assign = std::get_if<ir::Assign>(&each.value);
      return std::holds_alternative<ir::ShellOptions>(each.value) ||
             std::holds_alternative<ir::ChangeDirectory>(each.value) ||
             std::holds_alternative<ir::Background>(each.value) ||
             std::holds_alternative<ir::Wait>(each.value) ||
             (assign != nullptr && assign->exports());
    };
    const bool shell = effects[i].background || effects[i].changes_directory ||
                       (opaque(step) && effects[i].functions);
    if (shell || ir::any_step(step, matters)) {
      always.push_back(i);
    }
    if (first_move == std::string::npos && ir::any_step(step, [](const ir::Step& each) {
          return std::holds_alternative<ir::ChangeDirectory>(each.value);
        })) {
      first_move = i;
    }
  }
};

// Whether it is the same value where it is made again a little later, in the region's own shell.
bool replayable(const ir::Value& value, bool moved) {
  return std::ranges::all_of(value.parts, [&](const ir::ValuePart& part) {
    if (const auto* computed = std::get_if<ir::Computed>(&part)) {
      using Operation = ir::Operation;
      static constexpr std::array steady{Operation::host_name, Operation::user_name,
                                         Operation::home,      Operation::temporary_directory,
                                         Operation::base_name, Operation::directory_name};
      return std::ranges::find(steady, computed->operation) != steady.end() &&
             std::ranges::all_of(computed->operands, [&](const ir::Value& operand) {
               return replayable(operand, moved);
             });
    }
    const auto* local = std::get_if<ir::Local>(&part);
    return std::holds_alternative<ir::Text>(part) || (local != nullptr && local->once) ||
           std::holds_alternative<ir::ParameterRef>(part) ||
           std::holds_alternative<ir::ArrayIndex>(part) ||
           std::holds_alternative<ir::SlurmVariable>(part) ||
           std::holds_alternative<ir::EnvironmentVariable>(part) ||
           (!moved && std::holds_alternative<ir::SubmitDirectory>(part));
  });
}

// Where one region begins and ends.
class Extent : public KeptExtent {
public:
  Extent(const PassContext& context, const Facts& facts, std::size_t step)
      : KeptExtent{step, step, {}, false, {}, {}}, context_(&context), facts_(&facts),
        body_(&context.job.body) {}

  void find() {
    std::size_t was_first = 0;
    std::size_t was_last = 0;
    std::map<std::string, std::string> returned;
    do {
      was_first = first;
      was_last = last;
      returned = returns;
      begin();
      status();
      end();
      lines();
    } while (first != was_first || last != was_last || returns != returned);
  }

  void return_if_written(const std::string& name, const std::string& local) {
    if (effects(false).writes.contains(name)) {
      returns.emplace(name, local);
    }
  }

private:
  const PassContext* context_;
  const Facts* facts_;
  const std::vector<ir::Step>* body_;

  [[nodiscard]] std::set<std::string> called() const {
    std::set<std::string> names;
    for (std::size_t i = first; i <= last; ++i) {
      const std::set<std::string>& more = facts_->called(i);
      names.insert(more.begin(), more.end());
    }
    return names;
  }

  [[nodiscard]] analysis::Effects effects(bool only_opaque) const {
    analysis::Effects result;
    for (std::size_t i = first; i <= last; ++i) {
      const bool defines = defined_function((*body_)[i]) != nullptr; // only a call does anything
      if (!defines && (!only_opaque || opaque((*body_)[i]))) {
        analysis::merge(result, facts_->effects[i]);
      }
    }
    return result;
  }

  [[nodiscard]] bool indirect() const {
    bool found = false;
    analysis::Visitor visitor;
    visitor.part = [&](const shell::WordPart& part) {
      const auto* parameter = std::get_if<shell::Parameter>(&part.value);
      found |= parameter != nullptr && parameter->indirect;
    };
    for (std::size_t i = first; i <= last; ++i) {
      analysis::walk(*(*body_)[i].statement, visitor);
    }
    return found;
  }

  [[nodiscard]] bool nounset() const {
    return std::ranges::any_of(*body_, [](const ir::Step& step) {
      const auto* options = std::get_if<ir::ShellOptions>(&step.value);
      return options != nullptr && options->nounset;
    });
  }

  // What it needs of the steps before it is said again at its beginning, or these go with it.
  void begin() {
    const analysis::Effects own = effects(false);
    // $SECONDS and its like count from the script's first command.
    static constexpr std::array counters{"SECONDS", "RANDOM", "BASHPID", "LINENO", "BASH_COMMAND"};
    const auto has = [this](std::string_view what) {
      for (std::size_t i = first; i <= last; ++i) {
        if (facts_->texts[i].find(what) != std::string::npos) {
          return true;
        }
      }
      return false;
    };
    const bool counts =
        std::ranges::any_of(counters, [&](const char* name) { return own.reads.contains(name); });
    if (counts || has("$$")) { // of one shell
      first = 0;
    }
    if (has("$$")) {
      last = body_->size() - 1;
    }
    // Where a variable is unset the script ends, and nothing behind a region could tell.
    if (!context_->job.errexit && (nounset() || has(":?") || has("?}"))) {
      last = body_->size() - 1;
    }
    std::set<std::string> needed = own.reads;
    needed.insert(own.reads_defaulted.begin(), own.reads_defaulted.end());
    // [[ N -lt 2 ]], -v N, a trap's text: a name may be read that does not look it.
    for (std::size_t i = first; i <= last; ++i) {
      needed.insert(facts_->mentioned[i].begin(), facts_->mentioned[i].end());
    }
    for (const std::string& name : called()) {
      for (const std::size_t i : facts_->functions.at(name)) {
        needed.insert(facts_->mentioned[i].begin(), facts_->mentioned[i].end());
      }
    }
    // What it may leave as it was and returns all the same.
    for (const auto& [name, local] : returns) {
      needed.insert(name);
    }
    named(first, last, needed);
    const bool everything = own.anything || indirect();
    const std::set<std::string> functions = called();
    const bool moved = facts_->first_move < first;
    before.clear();
    takes.clear();
    // The steps to look at, the last first.
    std::set<std::size_t, std::greater<>> open;
    const auto look = [&](const std::vector<std::size_t>& steps, std::size_t end) {
      open.insert(steps.begin(), std::ranges::lower_bound(steps, end));
    };
    const auto need_name = [&](const std::string& name, std::size_t end) {
      if (const auto found = facts_->writers.find(name); found != facts_->writers.end()) {
        look(found->second, end);
      }
    };
    look(facts_->always, first);
    for (const std::string& name : functions) {
      look(facts_->functions.at(name), first);
    }
    for (const std::string& name : needed) {
      need_name(name, first);
    }
    for (std::size_t i = 0; everything && i < first; ++i) {
      open.insert(i);
    }
    while (!open.empty()) {
      const std::size_t i = *open.begin();
      open.erase(open.begin());
      const std::string* function = defined_function((*body_)[i]);
      const Need need = function == nullptr             ? needs(i, needed, everything, own, moved)
                        : functions.contains(*function) ? Need::text
                                                        : Need::nothing;
      if (need == Need::whole) {
        first = i;
        return begin();
      }
      if (need == Need::value) {
        for (const std::string& name : written(i)) {
          if (needed.erase(name) > 0) {
            takes.emplace(name, context_->job.locals.at(name));
          }
        }
      }
      const analysis::Effects& reads = facts_->effects[i];
      const auto taken = [this](const std::string& name) { return takes.contains(name); };
      if (need == Need::text && (std::ranges::any_of(reads.reads, taken) ||
                                 std::ranges::any_of(reads.reads_defaulted, taken))) {
        first = i; // it was made of what they held then
        return begin();
      }
      if (need == Need::text) {
        before.insert(before.begin(), i);
        if (std::holds_alternative<ir::Assign>((*body_)[i].value)) { // in any case
          for (const std::string& name : facts_->effects[i].writes) {
            needed.erase(name);
          }
        }
        needed.insert(reads.reads.begin(), reads.reads.end());
        needed.insert(reads.reads_defaulted.begin(), reads.reads_defaulted.end());
        named(i, i, needed);
        for (const std::string& name : needed) {
          need_name(name, i);
        }
      }
    }
  }

  [[nodiscard]] std::set<std::string> written(std::size_t index) const {
    return Facts::written((*body_)[index], facts_->effects[index]);
  }

  // Whether Python holds what a step may have given them, and can hand it to the region.
  [[nodiscard]] bool takes_all(std::size_t index, const std::set<std::string>& needed,
                               const analysis::Effects& own) const {
    const ir::Job& job = context_->job;
    return job.interpreter.language == ir::Interpreter::Language::bash &&
           std::ranges::all_of(written(index), [&](const std::string& name) {
             return !needed.contains(name) ||
                    (job.locals.contains(name) && facts_->assigned[index].contains(name) &&
                     !facts_->exported.contains(name) && !facts_->lists.contains(name) &&
                     !own.reads_defaulted.contains(name) && !analysis::ambient_variable(name));
           });
  }

  // `export NAME` reads it as well.
  void named(std::size_t from, std::size_t to, std::set<std::string>& names) const {
    analysis::Visitor visitor;
    visitor.assignment = [&](const shell::Assignment& assignment) {
      if ((!assignment.value && !assignment.array) || assignment.append) {
        names.insert(assignment.name);
      }
    };
    for (std::size_t i = from; i <= to; ++i) {
      analysis::walk(*(*body_)[i].statement, visitor);
    }
  }

  enum class Need { nothing, text, value, whole };

  [[nodiscard]] Need needs(std::size_t index, const std::set<std::string>& needed, bool everything,
                           const analysis::Effects& own, bool moved) const {
    const ir::Step& step = (*body_)[index];
    const analysis::Effects& effects = facts_->effects[index];
    if (step.statement == nullptr) {
      return Need::nothing;
    }
    if (const auto* options = std::get_if<ir::ShellOptions>(&step.value)) {
      const bool matters = options->errexit || options->nounset || options->pipefail;
      return matters ? Need::text : Need::nothing;
    }
    const auto wanted = [&](const std::string& name) {
      return everything || needed.contains(name);
    };
    if (const auto* assign = std::get_if<ir::Assign>(&step.value)) {
      bool text = false;
      bool same = true;
      bool exported = false;
      for (const ir::Binding& binding : assign->bindings) {
        exported |= binding.exported || binding.unset;
        text |= wanted(binding.variable);
        same &= replayable(binding.value, moved) && !binding.appends;
        for (const ir::Value& item : binding.items.value_or(std::vector<ir::Value>{})) {
          same &= replayable(item, moved);
        }
      }
      if (!text && !exported) {
        return Need::nothing;
      }
      return same                                                        ? Need::text
             : !exported && !everything && takes_all(index, needed, own) ? Need::value
                                                                         : Need::whole;
    }
    if (std::holds_alternative<ir::ChangeDirectory>(step.value)) {
      const bool asks = own.changes_directory || wanted("OLDPWD") || wanted("PWD") ||
                        own.commands.contains("dirs");
      return asks ? Need::whole : Need::nothing;
    }
    if (opaque(step)) {
      if (!effects.functions && std::ranges::none_of(written(index), wanted)) {
        return Need::nothing;
      }
      return !effects.functions && !everything && takes_all(index, needed, own) ? Need::value
                                                                                : Need::whole;
    }
    if (!holds_others(step)) {
      const bool beside = std::holds_alternative<ir::Background>(step.value) ||
                          std::holds_alternative<ir::Wait>(step.value);
      // pid=$!; what an option loop sets is the task's to give.
      const bool given = std::holds_alternative<ir::Nothing>(step.value) && !effects.background;
      const bool sets = !given && std::ranges::any_of(effects.writes, wanted);
      return sets || (beside && own.background) ? Need::whole : Need::nothing;
    }
    const bool writes = std::ranges::any_of(effects.writes, wanted);
    const bool exports = ir::any_step(step, [](const ir::Step& each) {
      const auto* assign = std::get_if<ir::Assign>(&each.value);
      return assign != nullptr && assign->exports();
    });
    if (exports || (effects.background && own.background) ||
        (effects.changes_directory && own.changes_directory)) {
      return Need::whole;
    }
    return !writes                                        ? Need::nothing
           : !everything && takes_all(index, needed, own) ? Need::value
                                                          : Need::whole;
  }

  // The status of the command before, in whatever words.
  void status() {
    const auto reads_status = [this](std::size_t i) {
      const analysis::Effects& own = facts_->effects[i];
      return own.status || own.reads.contains("PIPESTATUS") || own.reads.contains("_");
    };
    while (first > 0 && reads_status(first)) {
      --first;
    }
    const auto keeps = [&](std::size_t i) {
      const auto* nothing = std::get_if<ir::Nothing>(&(*body_)[i].value);
      return reads_status(i) || (nothing != nullptr && nothing->keeps_status);
    };
    while (last + 1 < body_->size() && keeps(last + 1)) {
      ++last;
    }
  }

  void end() {
    analysis::Effects own = effects(true);
    const bool environment = std::ranges::any_of(own.writes, [&](const std::string& name) {
      return facts_->exported.contains(name) || analysis::ambient_variable(name);
    });
    // An exit in it ends the script, not the region alone; so does a directory that it may go to.
    const bool leaves =
        std::any_of(body_->begin() + static_cast<std::ptrdiff_t>(first),
                    body_->begin() + static_cast<std::ptrdiff_t>(last) + 1, leaves_shell);
    own.functions = false; // what calls one says it again
    if (leaves_state(own) || environment || leaves || exports_computed() || !find_returns()) {
      last = body_->size() - 1;
      returns.clear();
    }
    // Under errexit a false `&&` list ends no script, but would end a region.
    appends_true = context_->job.errexit && last + 1 < body_->size();
  }

  // Whether programs behind it see a variable that it makes.
  [[nodiscard]] bool exports_computed() const {
    bool exports = false;
    for (std::size_t i = first; i <= last; ++i) {
      const ir::Step& outer = (*body_)[i];
      exports |= ir::any_step(outer, [&](const ir::Step& step) {
        const auto* assign = std::get_if<ir::Assign>(&step.value);
        return assign != nullptr && std::ranges::any_of(assign->bindings, [&](const auto& binding) {
                 return binding.exported &&
                        (&step != &outer || !binding.local.empty() || !binding.value.fixed());
               });
      });
    }
    return exports && facts_->last_command > last;
  }

  // What Python reads behind it of what it makes; false where that cannot be returned.
  bool find_returns() {
    returns.clear();
    const auto read = [this](const std::string& local) {
      const auto found = facts_->last_read.find(local);
      return found != facts_->last_read.end() && found->second > last;
    };
    const ir::Job& job = context_->job;
    std::set<std::string> exported; // by the region's own statements, which Python does too
    for (std::size_t i = first; i <= last; ++i) {
      const auto* assign = std::get_if<ir::Assign>(&(*body_)[i].value);
      if (assign != nullptr && assign->exports()) {
        exported.insert(facts_->locals[i].begin(), facts_->locals[i].end());
      }
    }
    for (const std::string& name : effects(false).writes) {
      const auto local = job.locals.find(name);
      if (local == job.locals.end() ||
          (!read(local->second) && !exported.contains(local->second))) {
        continue;
      }
      if (job.number_locals.contains(local->second) || facts_->lists.contains(name)) {
        return false;
      }
      returns.emplace(name, local->second);
    }
    return true;
  }

  static bool leaves_shell(const ir::Step& step) {
    const auto* change = std::get_if<ir::ChangeDirectory>(&step.value);
    const bool beside = ir::any_step(step, [](const ir::Step& each) {
      return std::holds_alternative<ir::Background>(each.value);
    });
    return ends_job(step) || beside ||
           (change != nullptr && (!change->certain || !change->below)) ||
           (holds_others(step) && ir::any_step(step, [](const ir::Step& each) {
              return std::holds_alternative<ir::ChangeDirectory>(each.value);
            }));
  }

  // Statements that share a line with the region's ends go with it.
  void lines() {
    const auto& body = *body_;
    const auto line = [&](std::uint32_t offset) {
      return context_->sources[body[first].span.source].position(offset).line;
    };
    while (first > 0 && line(body[first - 1].span.end) == line(body[first].span.begin)) {
      --first;
    }
    while (last + 1 < body.size() && line(body[last].span.end) == line(body[last + 1].span.begin)) {
      ++last;
    }
  }
};

// Whether it starts a program that Python can start itself.
bool starts_program(const ir::Step& step) {
  return ir::any_step(step, [](const ir::Step& each) {
    return std::holds_alternative<ir::Launch>(each.value) ||
           std::holds_alternative<ir::Pipeline>(each.value) ||
           std::holds_alternative<ir::Background>(each.value) ||
           std::holds_alternative<ir::Submit>(each.value);
  });
}

} // namespace

const std::string* defined_function(const ir::Step& step) {
  const auto* function = step.statement != nullptr && opaque(step)
                             ? std::get_if<shell::Function>(&step.statement->value)
                             : nullptr;
  return function != nullptr ? &function->name : nullptr;
}

std::vector<KeptExtent> kept_extents(const PassContext& context) {
  const auto& body = context.job.body;
  if (std::ranges::none_of(body, opaque)) {
    return {};
  }
  const Facts facts(context);
  std::vector<Extent> found;
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (!opaque(body[i]) || defined_function(body[i]) != nullptr ||
        (!found.empty() && i <= found.back().last)) {
      continue;
    }
    Extent extent(context, facts, i);
    // Those that would become one all the same are looked at together.
    for (std::size_t k = i + 1; k < body.size() && !starts_program(body[k]); ++k) {
      if (opaque(body[k]) && defined_function(body[k]) == nullptr) {
        extent.last = k;
      }
    }
    if (context.job.submits) { // the script notes what it submits, from its first line on
      extent.first = 0;
      extent.last = body.size() - 1;
    }
    extent.find();
    // What only assignments and lines of text stand between is read more easily as one.
    const auto together = [&](const Extent& before) {
      for (std::size_t k = before.last + 1; k < extent.first; ++k) {
        if (starts_program(body[k])) {
          return false;
        }
      }
      return true;
    };
    while (!found.empty() && together(found.back())) {
      extent.first = std::min(extent.first, found.back().first);
      extent.last = std::max(extent.last, found.back().last);
      found.pop_back();
      extent.find();
    }
    found.push_back(std::move(extent));
  }
  // What a later one is given, an earlier one that sets it must return.
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const auto& [name, local] : found[i].takes) {
      for (std::size_t k = 0; k < i; ++k) {
        found[k].return_if_written(name, local);
      }
    }
  }
  return {found.begin(), found.end()};
}

std::vector<RegionBounds> region_bounds(const PassContext& context) {
  std::vector<RegionBounds> bounds;
  for (const KeptExtent& extent : kept_extents(context)) {
    bounds.push_back({extent.first, extent.last});
  }
  return bounds;
}

bool in_region(const std::vector<RegionBounds>& regions, std::size_t step) {
  const auto next = std::ranges::partition_point(
      regions, [step](const RegionBounds& region) { return region.first <= step; });
  return next != regions.begin() && step <= std::prev(next)->last;
}

} // namespace s2f::passes
