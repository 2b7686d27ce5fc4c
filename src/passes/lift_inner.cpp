// A statement in a branch, a loop or a function that stays Bash while what is around it is lifted.
//
// before:  for f in a b; do x=${f^}; ./run "$x"; done
// after:   For{f in "a", "b": Assign{x = what bash -c "x=${f^}; ..." prints}, Launch{./run <x>}}
//
// Its shell is given the variables that it reads, and leaves nothing behind but one that it
// assigns: what does more to the shell keeps all that stands around it.
#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/behind.hpp"
#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "generated/tables/builtins.hpp"
#include "ir/inner_text.hpp"
#include "ir/steps.hpp"
#include "passes/launcher_words.hpp"
#include "passes/lifting.hpp"

namespace s2f::passes {

namespace {

bool plain_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::set<std::string> names_in(const std::string& text) {
  std::set<std::string> names;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && plain_name(text[end])) {
      ++end;
    }
    if (end > at && std::isdigit(static_cast<unsigned char>(text[at])) == 0) {
      names.insert(text.substr(at, end - at));
    }
    at = end + 1;
  }
  return names;
}

bool has_any(const std::string& text, std::initializer_list<const char*> words) {
  return std::ranges::any_of(
      words, [&](const char* word) { return text.find(word) != std::string::npos; });
}

// name=word and nothing else.
const shell::Assignment* only_assignment(const shell::Statement& statement) {
  const auto* command = shell::as_simple(statement);
  const bool one = command != nullptr && command->words.empty() &&
                   command->assignments.size() == 1 && statement.redirects.empty() &&
                   !statement.negated && !statement.background && !statement.timed;
  const shell::Assignment* each = one ? command->assignments.data() : nullptr;
  return each != nullptr && each->value && !each->array && !each->subscript ? each : nullptr;
}

bool has_substitution(const shell::Word& word) {
  bool found = false;
  analysis::Visitor visitor;
  visitor.part = [&](const shell::WordPart& part) {
    found = found || std::holds_alternative<shell::CommandSubstitution>(part.value);
  };
  analysis::walk(word, visitor);
  return found;
}

// Whether a command substitution is the last of a word, so that no newline ends it.
bool ends_with_substitution(const std::vector<shell::WordPart>& parts) {
  if (parts.empty()) {
    return false;
  }
  if (const auto* quoted = std::get_if<shell::DoubleQuoted>(&parts.back().value)) {
    return ends_with_substitution(quoted->parts);
  }
  return std::holds_alternative<shell::CommandSubstitution>(parts.back().value);
}

bool loops(const shell::Statement& statement) {
  return std::holds_alternative<shell::For>(statement.value) ||
         std::holds_alternative<shell::While>(statement.value) ||
         std::holds_alternative<shell::ArithmeticFor>(statement.value);
}

// A command of the shell itself that leaves no trace in it, but that `read` needs something of its
// own to read from, and `break` a loop.
bool harmless(const std::string& name, const shell::Statement& statement) {
  static constexpr std::array plain{"echo", "[", "test", "type"};
  if (std::ranges::find(plain, name) != plain.end()) {
    return true;
  }
  if (name == "break" || name == "continue") {
    return loops(statement);
  }
  const auto* row =
      std::ranges::find_if(tables::builtins, [&](const auto& each) { return each.name == name; });
  return row == std::end(tables::builtins) || row->as == tables::BuiltinsAs::program ||
         row->as == tables::BuiltinsAs::nothing;
}

// A shell that fails in it ends what it stands in, as the script would.
bool fails_for_good(const shell::Statement& statement) {
  return !statement.negated && (shell::as_simple(statement) != nullptr ||
                                std::holds_alternative<shell::Pipeline>(statement.value) ||
                                std::holds_alternative<shell::Subshell>(statement.value));
}

bool indirect(const shell::Statement& statement) {
  bool found = false;
  analysis::Visitor visitor;
  visitor.part = [&](const shell::WordPart& part) {
    const auto* parameter = std::get_if<shell::Parameter>(&part.value);
    found = found || (parameter != nullptr && (parameter->indirect || parameter->name == "!"));
  };
  analysis::walk(statement, visitor);
  return found;
}

} // namespace

// Why none of it may be a shell of its own; "" where it may.
std::string Lifting::why_not_inner(const shell::Statement& statement) const {
  const std::string text = context_.text(statement.span);
  const analysis::Effects effects = effects_of(statement);
  const analysis::Effects behind = analysis::effects_behind(statement);
  const shell::Assignment* assigns = only_assignment(statement);
  const bool own = assigns != nullptr || analysis::in_own_shell(statement);
  const bool does = effects.anything || effects.unparsed || effects.traps || effects.background ||
                    effects.functions || effects.status || effects.all_positionals ||
                    behind.exits || behind.changes_directory || behind.options ||
                    behind.writes_match || statement.background;
  std::set<std::string> left = behind.writes;
  if (assigns != nullptr) {
    left.erase(assigns->name);
  }
  const bool calls = std::ranges::any_of(effects.commands, [&](const std::string& name) {
    return functions_.contains(name) || (name.empty() && !functions_.empty());
  });
  const bool state = !own && !std::ranges::all_of(effects.commands, [&](const std::string& name) {
    return harmless(name, statement) || (name == "read" && left.empty());
  });
  static constexpr std::initializer_list<const char*> of_one_shell{
      "$$",     "BASHPID", "PIPESTATUS", "BASH_",   "LINENO", "SECONDS", "RANDOM", "FUNCNAME",
      "OLDPWD", "$_",      "${_",        "$!",      "trap",   "alias",   "wait",   "jobs",
      "[ -v ",  "! -v ",   "[[ -v ",     "declare", "exec ",  "set -",   "set +",  "shopt"};
  const bool elsewhere =
      (elsewhere_ || !directory_.empty()) && has_any(text, {"PWD", "pwd", "cd "});
  const bool taken = std::ranges::any_of(job_.removals, [&](const ir::Removal& removal) {
    return statement.span.contains(removal.span);
  });
  std::string bare = text; // comments too: they would look alive
  std::ranges::replace(bare, '#', ' ');
  return does || !left.empty() || calls || state || elsewhere || taken || indirect(statement) ||
                 has_any(text, of_one_shell) || launcher_word(bare, LauncherWords::any)
             ? "what stays Bash does something to the shell"
             : "";
}

// The variables that its shell must be given, of those that it reads.
bool Lifting::give_inner(const shell::Statement& statement, ir::Launch& launch) {
  const analysis::Effects effects = effects_of(statement);
  const std::set<std::string> asked = analysis::asked_whether_set(statement);
  std::set<std::string> names = effects.reads;
  names.insert(effects.reads_defaulted.begin(), effects.reads_defaulted.end());
  for (const std::string& name : names_in(context_.text(statement.span))) {
    if (writes_.contains(name)) { // [[ N -lt 2 ]]: it may be read
      names.insert(name);
    }
  }
  for (const std::string& name : names) {
    if (exported_.contains(name)) {
      continue; // it is among what programs see
    }
    if (name.starts_with("SLURM_")) {
      if (writes_.contains(name)) {
        return false;
      }
      if (name == "SLURM_ARRAY_TASK_ID" && job_.array) {
        job_.array->index_used = true;
      }
      (void)note_slurm_variable(job_, name);
      continue;
    }
    if (analysis::ambient_variable(name)) {
      if (writes_.contains(name)) {
        return false;
      }
      continue;
    }
    if (maybe_exported_.contains(name) || attributes_.contains(name) ||
        scope_.list(name) != nullptr) {
      return false;
    }
    const ir::Value* value = scope_.find(name);
    if (value != nullptr) {
      if (!value->known() || value->many() || value->runs_program() || value->of_the_moment() ||
          asked.contains(name)) {
        return false;
      }
      ir::Value text = *value;
      text.unquoted = false;
      launch.environment.push_back({name, std::move(text)});
    } else if (!scope_.unset(name)) {
      return false;
    }
  }
  return true;
}

// The arguments of the script, or of the function that is called, up to the last that it reads.
bool Lifting::give_inner_arguments(const shell::Statement& statement, ir::Launch& launch) {
  const std::set<int> positions = effects_of(statement).positionals;
  const std::string text = context_.text(statement.span);
  for (int i = 1; !positions.empty() && i <= *positions.rbegin(); ++i) {
    if (has_any(text, {fmt::format("{{{}-", i).c_str(), fmt::format("{{{}+", i).c_str(),
                       fmt::format("{{{}?", i).c_str(), fmt::format("{{{}:?", i).c_str()})) {
      return false;
    }
    shell::Parameter parameter;
    parameter.name = fmt::format("{}", i);
    shell::DoubleQuoted quoted;
    quoted.parts.push_back({std::move(parameter), statement.span});
    shell::Word word;
    word.span = statement.span;
    word.parts.push_back({std::move(quoted), statement.span});
    ir::Value value = scope_.value_of(word);
    if (!value.known() || value.many() || value.runs_program()) {
      return false;
    }
    value.unquoted = false;
    launch.words.push_back(std::move(value));
  }
  return true;
}

// Its lines, with the blanks before them.
std::string Lifting::inner_lines(const shell::Statement& statement) const {
  const std::string& text = context_.sources[statement.span.source].text;
  std::uint32_t begin = statement.span.begin;
  while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t')) {
    --begin;
  }
  if (begin > 0 && text[begin - 1] != '\n') {
    begin = statement.span.begin;
  }
  return text.substr(begin, statement.span.end - begin);
}

// Whether it can be a shell of its own: then it is.
bool Lifting::inner(ir::Step& step, bool last, const std::string& why) {
  const shell::Statement& statement = *step.statement;
  const bool asked = errexit_ && (depth_ > 0 || asked_);
  const bool ends_well = errexit_ && !fails_for_good(statement);
  if (allexport_ || asked || (ends_well && last) || !why_not_inner(statement).empty()) {
    return false;
  }
  ir::Launch launch;
  launch.launcher = ir::inner_launcher + why;
  launch.words.push_back(ir::Value::of(job_.interpreter.path, step.span));
  for (const std::string& argument : job_.interpreter.arguments) {
    launch.words.push_back(ir::Value::of(argument, step.span));
  }
  const std::string letters = fmt::format("{}{}", errexit_ ? "e" : "", nounset_ ? "u" : "");
  if (job_.pipefail) {
    launch.words.push_back(ir::Value::of(fmt::format("-{}o", letters), step.span));
    launch.words.push_back(ir::Value::of("pipefail", step.span));
  } else if (!letters.empty()) {
    launch.words.push_back(ir::Value::of("-" + letters, step.span));
  }
  if (!give_inner(statement, launch)) {
    return false;
  }
  const shell::Assignment* assigns = only_assignment(statement);
  const bool own_status = assigns != nullptr && has_substitution(*assigns->value);
  if (assigns != nullptr) {
    const std::string& name = assigns->name;
    const bool other = exported_.contains(name) || maybe_exported_.contains(name) ||
                       attributes_.contains(name) || analysis::ambient_variable(name) ||
                       name.starts_with("SLURM_") || name == "IFS" || assigns->append ||
                       scope_.list(name) != nullptr || scope_.number(name) ||
                       (own_status && !ends_with_substitution(assigns->value->parts));
    if (other) {
      return false;
    }
  }
  std::string text = "\n";
  std::vector<std::string> given;
  given.reserve(launch.environment.size());
  for (const ir::NamedValue& each : launch.environment) {
    given.push_back(each.name);
  }
  if (!given.empty()) { // they are not for the programs that it starts
    text += fmt::format("declare +x {}  # what the task gives it\n", fmt::join(given, " "));
  }
  text += inner_lines(statement) + "\n";
  if (assigns != nullptr && own_status) {
    const char* status = assigns->name == "status" ? "code" : "status";
    text += fmt::format("{0}=$?\nprintf %s \"${1}\"\nexit ${0}\n", status, assigns->name);
  } else if (assigns != nullptr) {
    text +=
        fmt::format("printf %s. \"${}\"  # the dot keeps a newline at its end\n", assigns->name);
  } else if (ends_well) {
    text += "true\n";
  }
  if (nounset_) { // where a variable is unset, -c would end with 127
    text = "\n(" + text + ")\n";
  }
  job_.slurm_payload.merge(slurm_names(text));
  launch.words.push_back(ir::Value::of("-c", step.span));
  launch.words.push_back(ir::Value::of(std::move(text), step.span));
  const std::string& path = job_.path;
  launch.words.push_back(ir::Value::of(path.substr(path.find_last_of('/') + 1), step.span));
  if (!give_inner_arguments(statement, launch)) {
    return false;
  }
  launched_ = true;
  if (assigns == nullptr) {
    step.value = std::move(launch);
    return true;
  }
  launch.status_matters = false;
  ir::Value value;
  value.span = step.span;
  value.append(ir::Output{std::move(launch)});
  if (!own_status) {
    ir::Computed cut;
    cut.operation = ir::Operation::without_suffix;
    cut.operands = {std::move(value), ir::Value::of(".", step.span)};
    value = ir::Value{};
    value.span = step.span;
    value.append(std::move(cut));
  }
  const std::string& name = assigns->name;
  if (job_.locals.contains(name)) {
    job_.changing_locals.insert(job_.locals[name]);
  }
  (void)scope_.local(name, false, true);
  ir::Assign result;
  result.bindings.push_back({name, std::move(value), job_.locals.at(name)});
  step.value = std::move(result);
  return true;
}

// A statement of a branch, a loop or a function.
std::string Lifting::lift_within(ir::Step& step, bool last) {
  if (!mixes_) {
    return lift_statement(step, false);
  }
  const Attempt attempt(*this);
  const std::size_t open = later_.size();
  const std::size_t loops = loops_;
  const std::size_t depth = depth_;
  const std::size_t calls = calls_;
  const std::set<std::string> locals = active_locals_;
  std::string why = lift_statement(step, false);
  if (why.empty()) {
    return why;
  }
  attempt.undo();
  later_.resize(open);
  loops_ = loops;
  depth_ = depth;
  calls_ = calls;
  active_locals_ = locals;
  step.value = ir::Opaque{};
  step.status.clear();
  if (inner(step, last, why)) {
    return {};
  }
  attempt.undo();
  return why;
}

namespace {

// How many programs a step starts itself, and how many pieces of it stay Bash.
std::pair<std::size_t, std::size_t> count(const ir::Step& step) {
  std::size_t launches = 0;
  std::size_t pieces = 0;
  (void)ir::any_step(step, [&](const ir::Step& each) {
    const std::size_t here = ir::inner_launches(each).size();
    pieces += here;
    launches += here == 0 && std::holds_alternative<ir::Launch>(each.value) ? 1 : 0;
    launches += std::holds_alternative<ir::Pipeline>(each.value) ? 1 : 0;
    return false;
  });
  return {launches, pieces};
}

} // namespace

// What a shell of its own would have to be told.
static bool changes_shell_by_hand(const ir::Job& job) {
  static constexpr std::array others{"shopt", "enable", "alias"};
  return std::ranges::any_of(job.body, [&](const ir::Step& step) {
    const analysis::Effects effects =
        step.statement == nullptr ? analysis::Effects{} : analysis::effects_of(*step.statement);
    return effects.traps || std::ranges::any_of(others, [&](const char* name) {
             return effects.commands.contains(name);
           });
  });
}

// Whether it reads better with pieces of Bash in it than as a whole.
bool Lifting::worth_mixing(const ir::Step& step, const std::set<std::string>& functions) const {
  auto [launches, pieces] = count(step);
  for (const auto& [name, made] : made_functions_) {
    if (!functions.contains(name)) {
      const auto [more, inside] = count(job_.body[made.place]);
      launches += more;
      pieces += inside;
    }
  }
  return launches > 0 && pieces <= launches;
}

// What could not be lifted as a whole, with pieces of it that stay Bash.
std::string Lifting::lift_mixed(ir::Step& step, bool last) {
  if (job_.interpreter.language != ir::Interpreter::Language::bash || job_.cluster ||
      job_.submits || changes_shell_by_hand(job_)) {
    return "what is kept stays together";
  }
  std::set<std::string> functions;
  for (const auto& [name, made] : made_functions_) {
    functions.insert(name);
  }
  step.value = ir::Opaque{};
  step.status.clear();
  mixes_ = true;
  std::string why = lift_statement(step, last);
  mixes_ = false;
  if (why.empty() && !worth_mixing(step, functions)) {
    why = "more of it stays Bash than is lifted";
  }
  return why;
}

} // namespace s2f::passes
