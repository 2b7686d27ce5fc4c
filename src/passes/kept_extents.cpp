// Finds the statements that stay Bash: those that no pass lifted, with what they need of others.
//
// before:  steps  Assign, Opaque (it reads the variable), Launch, Opaque, Launch
// after:   [1, 1], which begins with the text of 0; [3, 3]
#include "passes/kept_extents.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "generated/tables/ambient_variables.hpp"
#include "ir/steps.hpp"
#include "passes/errexit.hpp"
#include "passes/kept_facts.hpp"
#include "passes/region.hpp"

namespace s2f::passes {

namespace {

// Whether statements behind it would see what the kept ones did to the shell, and Python cannot
// take it over.
bool leaves_state(const analysis::Effects& effects) {
  static constexpr std::array writers{"alias", "exec", "hash", "enable"};
  return effects.traps || effects.options || effects.anything || effects.functions ||
         effects.unparsed || std::ranges::any_of(writers, [&](const char* name) {
           return effects.commands.contains(name);
         });
}

// Variables by which the shell itself works, and the home directory.
bool works_by(const std::string& name) {
  const auto* row = tables::find_ambient_variables(name);
  return row != nullptr && (row->is == tables::AmbientVariablesIs::home ||
                            row->from == tables::AmbientVariablesFrom::shell);
}

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
  Extent(const PassContext& context, const KeptFacts& facts, std::size_t step)
      : KeptExtent{step, step, {}, false, {}, {}, false, {}, false, false}, context_(&context),
        facts_(&facts), body_(&context.job.body) {}

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

  // Variables that a region behind it is given, and where the last of these begins.
  using Wanted = std::map<std::string, std::size_t>;
  void wanted_behind(const Wanted* wanted) { wanted_ = wanted; }

  // Regions before it that say what programs see behind them; the last of them ends before here.
  void known_before(std::size_t end) { known_ = end; }

private:
  const PassContext* context_;
  const KeptFacts* facts_;
  const std::vector<ir::Step>* body_;
  const Wanted* wanted_ = nullptr;
  std::size_t known_ = 0;
  bool everything_ = false;         // it may read any variable
  bool evaluates_ = false;          // it does, by a text of the script alone
  bool asks_old_directory_ = false; // cd -
  bool unset_ends_ = false;         // reading a variable that is unset ends the script
  std::set<std::string> given_;     // among what programs see

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
    // What counts from the script's first command.
    static constexpr std::array counters{"BASHPID", "LINENO", "BASH_COMMAND"};
    counts = own.reads.contains("SECONDS") && python_counts();
    const auto has = [this](std::string_view what) {
      for (std::size_t i = first; i <= last; ++i) {
        if (facts_->texts[i].find(what) != std::string::npos) {
          return true;
        }
      }
      return false;
    };
    const bool of_one =
        std::ranges::any_of(counters, [&](const char* name) { return own.reads.contains(name); }) ||
        (own.reads.contains("SECONDS") && !counts);
    const bool seeded = own.reads.contains("RANDOM") && facts_->writers.contains("RANDOM");
    if (of_one || seeded) { // of one shell
      first = 0;
    }
    if (has("$$")) {
      same_process(has("kill"));
    }
    // Where a variable is unset the script ends.
    unset_ends_ = nounset() || has(":?") || has("?}");
    std::set<std::string> needed = own.reads;
    if (counts) {
      needed.erase("SECONDS");
    }
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
    everything_ = own.anything || indirect();
    evaluates_ = own.anything && !indirect() && !has("source") && !has(". ") &&
                 std::all_of(body_->begin() + static_cast<std::ptrdiff_t>(first),
                             body_->begin() + static_cast<std::ptrdiff_t>(last) + 1,
                             [](const ir::Step& step) { return evaluates_texts(*step.statement); });
    asks_old_directory_ =
        std::ranges::any_of(std::array{"cd -", "OLDPWD", "~-", "pushd", "popd", "dirs"}, has);
    const std::set<std::string> functions = called();
    const bool moved = facts_->first_move < first;
    before.clear();
    takes.clear();
    given_.clear();
    sees_exports = known_ > 0 || computes_exports(moved);
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
    for (std::size_t i = 0; everything_ && i < first; ++i) {
      open.insert(i);
    }
    while (!open.empty()) {
      const std::size_t i = *open.begin();
      open.erase(open.begin());
      const std::string* function = defined_function((*body_)[i]);
      Need need = function == nullptr                            ? needs(i, needed, own, moved)
                  : functions.contains(*function) || everything_ ? Need::text
                                                                 : Need::nothing;
      const analysis::Effects& reads = facts_->effects[i];
      if (need == Need::text && !same_exports(i)) { // what it was made of has changed since
        need = takes_all(i, needed, own) ? Need::value : Need::whole;
      }
      if (need == Need::whole) {
        first = i;
        return begin();
      }
      if (need == Need::value) {
        for (const std::string& name : written(i)) {
          if ((needed.erase(name) > 0 || everything_) && !given_.contains(name)) {
            takes.emplace(name, local_of(name));
          }
        }
      }
      if (sees_exports) {
        for (const std::string& name : certainly_exported(i)) {
          needed.erase(name);
          given_.insert(name);
        }
      }
      const auto taken = [this](const std::string& name) {
        return takes.contains(name) || given_.contains(name);
      };
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

  // Statements that name the shell's process, from the first to the last; of one that may be ended
  // by that name all that follows.
  void same_process(bool ends) {
    const auto names = [&](std::size_t i) {
      const std::string& text = facts_->texts[i];
      return text.find("$$") != std::string::npos || text.find("BASHPID") != std::string::npos;
    };
    for (std::size_t i = 0; i < body_->size(); ++i) {
      if (names(i)) {
        first = std::min(first, i);
        last = std::max(last, i);
      }
    }
    last = ends ? body_->size() - 1 : last;
  }

  // Whether what programs see before the region cannot be said again in it.
  [[nodiscard]] bool computes_exports(bool moved) const {
    for (std::size_t i = 0; i < first; ++i) {
      const ir::Step& step = (*body_)[i];
      if (const auto* assign = std::get_if<ir::Assign>(&step.value)) {
        for (const ir::Binding& binding : assign->bindings) {
          if ((binding.exported || binding.unset) &&
              (binding.appends || binding.items || !replayable(binding.value, moved))) {
            return true;
          }
        }
      } else if (exports_within(step)) {
        return true;
      }
    }
    return false;
  }

  static bool exports_within(const ir::Step& step) {
    return ir::any_step(step, [](const ir::Step& each) {
      const auto* assign = std::get_if<ir::Assign>(&each.value);
      return assign != nullptr && assign->exports();
    });
  }

  // Variables that a step leaves in what programs see, or takes out of it.
  [[nodiscard]] std::set<std::string> certainly_exported(std::size_t index) const {
    std::set<std::string> names;
    if (const auto* assign = std::get_if<ir::Assign>(&(*body_)[index].value)) {
      for (const ir::Binding& binding : assign->bindings) {
        if (binding.exported || binding.unset) {
          names.insert(binding.variable);
        }
      }
    } else if (index < known_) {
      names = facts_->exports[index];
    }
    return names;
  }

  // Whether the exported variables that a step reads are still what they were.
  [[nodiscard]] bool same_exports(std::size_t index) const {
    const analysis::Effects& effects = facts_->effects[index];
    const auto same = [&](const std::string& name) {
      const auto found = facts_->writers.find(name);
      return !sees_exports || found == facts_->writers.end() || found->second.back() < index ||
             found->second.back() > last ||
             (!facts_->exported.contains(name) && !any_exports(name));
    };
    return std::ranges::all_of(effects.reads, same) &&
           std::ranges::all_of(effects.reads_defaulted, same);
  }

  [[nodiscard]] bool any_exports(const std::string& name) const {
    return std::ranges::any_of(facts_->exports,
                               [&](const auto& names) { return names.contains(name); });
  }

  [[nodiscard]] std::set<std::string> written(std::size_t index) const {
    return KeptFacts::written((*body_)[index], facts_->left[index]);
  }

  [[nodiscard]] std::set<std::string> all_written() const {
    std::set<std::string> names;
    for (std::size_t i = first; i <= last; ++i) {
      if (defined_function((*body_)[i]) == nullptr) {
        names.insert(facts_->left[i].writes.begin(), facts_->left[i].writes.end());
      }
    }
    return names;
  }

  // Whether Python holds what a step may have given them, and can hand it to the region.
  [[nodiscard]] bool takes_all(std::size_t index, const std::set<std::string>& needed,
                               const analysis::Effects& own) const {
    const ir::Job& job = context_->job;
    // One that is declared is more than its value where the region gives it another.
    const std::set<std::string> sets =
        facts_->declared.empty() ? std::set<std::string>{} : all_written();
    return job.interpreter.language == ir::Interpreter::Language::bash &&
           std::ranges::all_of(written(index), [&](const std::string& name) {
             const bool asked = own.reads_defaulted.contains(name) ||
                                (everything_ && !facts_->assigned[index].contains(name));
             return (!needed.contains(name) && !everything_) || given_.contains(name) ||
                    (!(facts_->declared.contains(name) && sets.contains(name)) &&
                     python_holds(index, name) && !facts_->exported.contains(name) &&
                     !facts_->lists.contains(name) && !(asked && asks_unset(name)) &&
                     !analysis::ambient_variable(name));
           });
  }

  // Whether Python knows behind a step what it may have given a variable. Unset is "" there.
  [[nodiscard]] bool python_holds(std::size_t index, const std::string& name) const {
    const bool known = context_->job.locals.contains(name);
    if (known && facts_->assigned[index].contains(name)) {
      return true;
    }
    // A variable that Python has no use for, from one region to the next.
    const bool handed = opaque((*body_)[index]) && !facts_->unread[index] &&
                        !facts_->arrays.contains(name) && !any_exports(name);
    return facts_->held[index].contains(name) && (known || handed) && !unset_ends_ &&
           (!everything_ || evaluates_);
  }

  // Whether a text makes a difference between a variable that is empty and one that is unset.
  [[nodiscard]] bool asks_unset(const std::string& name) const {
    if (!everything_) {
      return facts_->asked.contains(name);
    }
    return std::ranges::any_of(facts_->texts, [&](const std::string& text) {
      static constexpr std::array operators{"-", "+", "=", "?"};
      return text.find("-v") != std::string::npos ||
             std::ranges::any_of(operators, [&](const char* each) {
               return text.find("{" + name + each) != std::string::npos;
             });
    });
  }

  [[nodiscard]] std::string local_of(const std::string& name) const {
    const auto found = context_->job.locals.find(name);
    return found != context_->job.locals.end() ? found->second : std::string();
  }

  // Whether $SECONDS is since the task began, or since a lifted statement said so.
  [[nodiscard]] bool python_counts() const {
    const auto found = facts_->writers.find("SECONDS");
    const bool kept =
        found != facts_->writers.end() && std::ranges::any_of(found->second, [&](std::size_t i) {
          return !std::holds_alternative<ir::Assign>((*body_)[i].value);
        });
    const bool later = found != facts_->writers.end() && found->second.front() >= first;
    return !kept && !later &&
           context_->job.interpreter.language == ir::Interpreter::Language::bash &&
           !facts_->exported.contains("SECONDS");
  }

  // An eval of words, none of them what a program prints.
  static bool evaluates_texts(const shell::Statement& statement) {
    bool texts = true;
    analysis::Visitor visitor;
    visitor.statement = [&](const shell::Statement& inner) {
      const auto* command = shell::as_simple(inner);
      if (command == nullptr || analysis::command_name(*command) != "eval") {
        return;
      }
      analysis::Visitor parts;
      parts.part = [&](const shell::WordPart& part) {
        texts = texts && !std::holds_alternative<shell::CommandSubstitution>(part.value);
      };
      for (const shell::Word& word : command->words) {
        analysis::walk(word, parts);
      }
    };
    analysis::walk(statement, visitor);
    return texts;
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

  [[nodiscard]] Need needs(std::size_t index, const std::set<std::string>& needed,
                           const analysis::Effects& own, bool moved) const {
    const ir::Step& step = (*body_)[index];
    const analysis::Effects& effects = facts_->effects[index];
    if (step.statement == nullptr) {
      return Need::nothing;
    }
    if (const auto* options = std::get_if<ir::ShellOptions>(&step.value)) {
      const bool matters = options->errexit || options->nounset || options->pipefail ||
                           options->allexport || turns_off_errexit(step) ||
                           effects.commands.contains("shopt");
      return matters ? Need::text : Need::nothing;
    }
    const auto wanted = [&](const std::string& name) {
      return (everything_ || needed.contains(name)) && !given_.contains(name) &&
             !takes.contains(name);
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
      const bool nothing = std::ranges::all_of(assign->bindings, [&](const ir::Binding& binding) {
        return sees_exports && (binding.exported || binding.unset || !wanted(binding.variable));
      });
      if ((!text && !exported) || nothing) {
        return Need::nothing;
      }
      return same && !overwritten(*assign)                ? Need::text
             : !exported && takes_all(index, needed, own) ? Need::value
                                                          : Need::whole;
    }
    if (std::holds_alternative<ir::ChangeDirectory>(step.value)) {
      return asks_old_directory_ ? Need::whole : Need::nothing;
    }
    if (opaque(step)) {
      if (facts_->left[index].changes_directory && asks_old_directory_) {
        return Need::whole;
      }
      const std::set<std::string> names = written(index);
      const bool seen = std::ranges::all_of(names, [&](const std::string& name) {
        return !wanted(name) ||
               (index < known_ && (name == "PATH" || facts_->exports[index].contains(name)));
      });
      if (!effects.functions && seen) {
        return Need::nothing;
      }
      // What a file gives may be what programs see, or not.
      const bool given = !effects.functions && !facts_->unread[index];
      return given && takes_all(index, needed, own) ? Need::value : Need::whole;
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
    const bool exports = exports_within(step) && !sees_exports;
    if (exports || (effects.background && own.background) ||
        (effects.changes_directory && asks_old_directory_)) {
      return Need::whole;
    }
    return !writes                                                         ? Need::nothing
           : takes_all(index, needed, own) && (!everything_ || evaluates_) ? Need::value
                                                                           : Need::whole;
  }

  // Whether one of them has got another value since, which the region is given.
  [[nodiscard]] bool overwritten(const ir::Assign& assign) const {
    return std::ranges::any_of(assign.bindings, [&](const ir::Binding& binding) {
      return given_.contains(binding.variable) || takes.contains(binding.variable);
    });
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

  // A step that goes back to where one of the region was is in it, too.
  void come_back() {
    const auto change = [](const ir::Step& step) {
      return std::get_if<ir::ChangeDirectory>(&step.value);
    };
    std::set<std::string> saved;
    for (std::size_t i = first; i <= last; ++i) {
      (void)ir::any_step((*body_)[i], [&](const ir::Step& each) {
        if (change(each) != nullptr && !change(each)->saves.empty()) {
          saved.insert(change(each)->saves);
        }
        return false;
      });
    }
    for (std::size_t i = body_->size(); !saved.empty() && i-- > last + 1;) {
      const bool returns_there = ir::any_step((*body_)[i], [&](const ir::Step& each) {
        return change(each) != nullptr && saved.contains(change(each)->back);
      });
      if (returns_there) {
        last = i;
        return;
      }
    }
  }

  // What asks for the processes that were started beside the region's commands is in it, and the
  // first that waits for all of them.
  void beside() {
    const auto starts = [this](std::size_t i) {
      return facts_->starts_jobs[i] && defined_function((*body_)[i]) == nullptr;
    };
    std::size_t started = body_->size();
    for (std::size_t i = first; i <= last; ++i) {
      started = starts(i) ? i : started;
    }
    if (started == body_->size()) {
      return;
    }
    for (std::size_t i = last + 1; i < body_->size(); ++i) {
      if (facts_->asks_jobs[i]) {
        last = i;
      }
    }
    for (std::size_t i = first; i <= last; ++i) {
      started = starts(i) ? i : started;
    }
    const auto waits = std::find(facts_->waits.begin() + static_cast<std::ptrdiff_t>(started) + 1,
                                 facts_->waits.end(), true);
    if (waits != facts_->waits.end()) {
      last = std::max(last, static_cast<std::size_t>(waits - facts_->waits.begin()));
    }
  }

  void end() {
    come_back();
    beside();
    const analysis::Effects own = behind();
    left = {};
    left.ends = own.exits || (unset_ends_ && !facts_->errexit.at(last));
    left.moves = own.changes_directory;
    bool at_exit = false;
    for (std::size_t i = first; i <= last; ++i) {
      const ir::Step& step = (*body_)[i];
      left.ends = left.ends || ends_job(step);
      left.moves = left.moves || goes_elsewhere(step);
      // What a trap of EXIT does comes when the shell ends.
      at_exit = at_exit || ir::any_step(step, [](const ir::Step& each) {
                  return std::holds_alternative<ir::AtExit>(each.value);
                });
    }
    left.exports = changes_environment(own) || exports_computed();
    watches = false;
    bool defines = false;
    for (std::size_t i = first; i <= last; ++i) {
      watches = watches || facts_->unread[i];
      defines = defines || defined_function((*body_)[i]) != nullptr;
    }
    if ((watches && defines) || leaves_state(own) || at_exit || shows_later(own) || attributes() ||
        !find_returns()) {
      last = body_->size() - 1;
    }
    if (last + 1 == body_->size()) { // nothing comes behind it
      left = {};
      watches = false;
      returns.clear();
    }
    // Under errexit a false `&&` list ends no script, but would end a region.
    appends_true = facts_->errexit.at(last) && last + 1 < body_->size();
  }

  // What the kept statements do to the shell that those behind them find.
  [[nodiscard]] analysis::Effects behind() const {
    analysis::Effects result;
    for (std::size_t i = first; i <= last; ++i) {
      if (opaque((*body_)[i]) && defined_function((*body_)[i]) == nullptr) {
        analysis::merge(result, facts_->left[i]);
      }
    }
    result.functions = false; // what calls one says it again
    return result;
  }

  [[nodiscard]] bool changes_environment(const analysis::Effects& own) const {
    const bool shows =
        std::any_of(facts_->allexport.begin() + static_cast<std::ptrdiff_t>(first),
                    facts_->allexport.begin() + static_cast<std::ptrdiff_t>(last) + 1,
                    [](bool each) { return each; });
    return (shows && !own.writes.empty()) || own.commands.contains("export") ||
           own.commands.contains("unset") ||
           std::ranges::any_of(own.writes, [&](const std::string& name) {
             return facts_->exported.contains(name) || any_exports(name) ||
                    (analysis::ambient_variable(name) && !works_by(name));
           });
  }

  // Whether a later statement sees what no variable of a program holds: arguments that were
  // shifted, IFS, $REPLY.
  [[nodiscard]] bool shows_later(const analysis::Effects& own) const {
    const auto later = [&](const auto& asks) {
      return std::any_of(facts_->effects.begin() + static_cast<std::ptrdiff_t>(last) + 1,
                         facts_->effects.end(), asks);
    };
    const bool shifts = own.commands.contains("shift") || own.commands.contains("getopts");
    if (shifts && later([](const analysis::Effects& effects) {
          return effects.all_positionals || !effects.positionals.empty();
        })) {
      return true;
    }
    return std::ranges::any_of(own.writes, [&](const std::string& name) {
      return works_by(name) &&
             (name == "IFS" || name == "HOME" || later([&](const analysis::Effects& effects) {
                return effects.reads.contains(name) || effects.reads_defaulted.contains(name);
              }));
    });
  }

  [[nodiscard]] bool attributes() const {
    for (std::size_t i = first; i <= last; ++i) {
      if (facts_->attributes[i] && defined_function((*body_)[i]) == nullptr) {
        return true;
      }
    }
    return false;
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
    for (const std::string& name : all_written()) {
      const auto local = job.locals.find(name);
      if (const auto wanted = wanted_ != nullptr ? wanted_->find(name) : Wanted::const_iterator{};
          wanted_ != nullptr && wanted != wanted_->end() && wanted->second > last) {
        returns.emplace(name, local_of(name));
      }
      if (local == job.locals.end() ||
          (!read(local->second) && !exported.contains(local->second))) {
        continue;
      }
      if (facts_->lists.contains(name) || name == "SECONDS") { // Python has since when it counts
        return false;
      }
      returns.emplace(name, local->second);
    }
    return true;
  }

  // Whether Python does not know where a step leads, taken with its neighbours as text.
  static bool goes_elsewhere(const ir::Step& step) {
    const auto* change = std::get_if<ir::ChangeDirectory>(&step.value);
    return (change != nullptr && (!change->certain || !change->below)) ||
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
    const auto* assign = std::get_if<ir::Assign>(&each.value);
    const bool prints =
        assign != nullptr && std::ranges::any_of(assign->bindings, [](const ir::Binding& binding) {
          return binding.value.runs_program();
        });
    return prints || std::holds_alternative<ir::Launch>(each.value) ||
           std::holds_alternative<ir::Pipeline>(each.value) ||
           std::holds_alternative<ir::Background>(each.value) ||
           std::holds_alternative<ir::Submit>(each.value);
  });
}

} // namespace

const std::string* defined_function(const ir::Step& step) {
  const bool stands = opaque(step) || std::holds_alternative<ir::Function>(step.value);
  const auto* function = step.statement != nullptr && stands
                             ? std::get_if<shell::Function>(&step.statement->value)
                             : nullptr;
  return function != nullptr ? &function->name : nullptr;
}

namespace {

std::vector<Extent> extents_given(const PassContext& context, const KeptFacts& facts,
                                  const Extent::Wanted& wanted) {
  const auto& body = context.job.body;
  std::vector<Extent> found;
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (!opaque(body[i]) || defined_function(body[i]) != nullptr ||
        (!found.empty() && i <= found.back().last)) {
      continue;
    }
    Extent extent(context, facts, i);
    extent.wanted_behind(&wanted);
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
    const auto find = [&] {
      std::size_t known = 0;
      for (const Extent& each : found) {
        known = each.left.exports ? each.last + 1 : known;
      }
      extent.known_before(known);
      extent.find();
    };
    find();
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
      find();
    }
    found.push_back(std::move(extent));
  }
  return found;
}

} // namespace

std::vector<KeptExtent> kept_extents(const PassContext& context) {
  const auto& body = context.job.body;
  if (std::ranges::none_of(body, opaque)) {
    return {};
  }
  const KeptFacts facts(context);
  // What a later one is given, an earlier one that sets it must return, and may need for that.
  Extent::Wanted wanted;
  for (;;) {
    const std::vector<Extent> found = extents_given(context, facts, wanted);
    Extent::Wanted more = wanted;
    for (const Extent& each : found) {
      for (const auto& [name, local] : each.takes) {
        std::size_t& last = more[name];
        last = std::max(last, each.first);
      }
    }
    if (more == wanted) {
      return {found.begin(), found.end()};
    }
    wanted = std::move(more);
  }
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
