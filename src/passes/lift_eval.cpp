// eval of a text that is known but for values in it, and that leaves the shell as it is.
//
// before:  CMD="python train.py --seed $SEED > log"; eval $CMD
// after:   Launch{bash -c "python train.py --seed {seed} > log"}
// before:  eval "python train.py --epochs 3"
// after:   Launch{python train.py --epochs 3}
#include <algorithm>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "generated/tables/builtins.hpp"
#include "passes/launcher_words.hpp"
#include "passes/lifting.hpp"
#include "shell/parse.hpp"

namespace s2f::passes {

namespace {

constexpr const char* general = "the shell's own eval";
constexpr std::string_view hole = "s2f0value0"; // stands for what only the job knows

// The same with what locals of its own were made of in place of them.
ir::Value expanded(const ir::Value& value, const Scope& scope) {
  ir::Value result;
  result.span = value.span;
  for (const ir::ValuePart& part : value.parts) {
    const auto* local = std::get_if<ir::Local>(&part);
    const ir::Value* made = local != nullptr ? scope.made_of(*local) : nullptr;
    if (made == nullptr) {
      result.append(part);
      continue;
    }
    for (ir::ValuePart& each : expanded(*made, scope).parts) {
      result.append(std::move(each));
    }
  }
  return result;
}

// The text with a hole for each part that is none.
std::string outline(const ir::Value& value) {
  std::string text;
  for (const ir::ValuePart& part : value.parts) {
    const auto* known = std::get_if<ir::Text>(&part);
    text += known != nullptr ? known->text : std::string(hole);
  }
  return text;
}

// Whether every command is a program, and nothing but programs sees that it ran.
bool only_programs(const std::vector<shell::Statement>& statements, bool one) {
  if (statements.empty() || (one && statements.size() > 1)) {
    return false;
  }
  bool good = true;
  for (const shell::Statement& statement : statements) {
    const analysis::Effects effects = analysis::effects_of(statement);
    good = good && effects.writes.empty() && effects.reads.empty() &&
           effects.reads_defaulted.empty() && effects.positionals.empty() &&
           !effects.all_positionals && !effects.status && !effects.exits && !effects.traps &&
           !effects.changes_directory && !effects.options && !effects.background &&
           !effects.functions && !effects.anything && !effects.unparsed;
    analysis::Visitor visitor;
    visitor.statement = [&](const shell::Statement& inner) {
      if (const auto* command = shell::as_simple(inner)) {
        const auto name = analysis::command_name(*command);
        const bool own = name && std::ranges::any_of(tables::builtins, [&](const auto& row) {
                           return row.name == *name && row.as != tables::BuiltinsAs::program;
                         });
        good = good && name && !own && name->find(hole) == std::string::npos;
      }
    };
    analysis::walk(statement, visitor);
  }
  return good;
}

// The words of one command that has nothing which a shell would still do.
std::optional<std::vector<ir::Value>> plain_words(const std::vector<shell::Statement>& statements,
                                                  const ir::Value& value) {
  const auto* command = statements.size() == 1 ? shell::as_simple(statements.front()) : nullptr;
  if (command == nullptr || !statements.front().redirects.empty() ||
      !command->assignments.empty()) {
    return std::nullopt;
  }
  std::vector<ir::ValuePart> holes;
  for (const ir::ValuePart& part : value.parts) {
    ir::Value single;
    single.append(part);
    if (!std::holds_alternative<ir::Text>(part)) {
      if (!Scope::one_word(single) || single.runs_program() || single.of_the_moment()) {
        return std::nullopt;
      }
      holes.push_back(part);
    }
  }
  std::vector<ir::Value> words;
  std::size_t next = 0;
  for (const shell::Word& word : command->words) {
    auto text = word.literal();
    const bool globs = std::ranges::any_of(word.parts, [](const shell::WordPart& part) {
      const auto* literal = std::get_if<shell::Literal>(&part.value);
      return literal != nullptr && literal->globs;
    });
    if (!text || globs) {
      return std::nullopt;
    }
    ir::Value made;
    for (auto at = text->find(hole); at != std::string::npos; at = text->find(hole)) {
      made.append(ir::Text{text->substr(0, at)});
      made.append(holes.at(next++));
      text->erase(0, at + hole.size());
    }
    made.append(ir::Text{*text});
    words.push_back(std::move(made));
  }
  return words;
}

} // namespace

std::string Lifting::eval(ir::Step& step, const shell::SimpleCommand& command) {
  if (command.words.size() != 2) { // the words are split and joined again
    return general;
  }
  ir::Value text;
  bool unquoted = false;
  for (std::size_t i = 1; i < command.words.size(); ++i) {
    ir::Value value = scope_.assigned(command.words[i]);
    if (!value.known() || value.many() || command.words[i].literal() == "--") {
      return general;
    }
    unquoted |= std::ranges::any_of(command.words[i].parts, [](const shell::WordPart& part) {
      return std::holds_alternative<shell::Parameter>(part.value) ||
             std::holds_alternative<shell::CommandSubstitution>(part.value);
    });
    if (i > 1) {
      text.append(ir::Text{" "});
    }
    for (ir::ValuePart& part : value.parts) {
      text.append(std::move(part));
    }
  }
  const ir::Value whole = expanded(text, scope_);
  const std::string known = outline(whole);
  if (known.empty() || text.runs_program() ||
      launcher_word(known, LauncherWords::any).has_value()) {
    return general;
  }
  source::Sources sources;
  const shell::Script script = shell::parse(sources[sources.add("eval", known)]);
  const bool one = errexit_ || job_.pipefail;
  const bool calls = std::ranges::any_of(functions_, [&](const auto& function) {
    return known.find(function.first) != std::string::npos;
  });
  if (calls || !only_programs(script.statements, one) ||
      (job_.pipefail && known.find('|') != std::string::npos)) {
    return general;
  }
  ir::Launch launch;
  text.span = command.words.size() > 1 ? command.words[1].span : step.span;
  if (auto words = plain_words(script.statements, whole)) {
    launch.words = std::move(*words);
    for (ir::Value& word : launch.words) {
      word.span = text.span;
    }
    if (std::string why = program_of(launch.words.front(), command); !why.empty()) {
      return why;
    }
  } else {
    const bool sh = job_.interpreter.language == ir::Interpreter::Language::sh;
    launch.words = {ir::Value::of(sh ? "sh" : "bash"), ir::Value::of("-c")};
    // Without quotes the shell makes words of it first, and joins them by one blank each.
    const bool twice = unquoted && known.find_first_of("'\"\\*?[~\t\n") != std::string::npos;
    if (twice) {
      launch.words.push_back(ir::Value::of("eval $1"));
      launch.words.push_back(ir::Value::of("eval"));
    }
    launch.words.push_back(text);
    analysis::Visitor visitor;
    visitor.word = [&](const shell::Word& word) {
      if (const auto literal = word.literal();
          literal && context_.file_exists && context_.file_exists(*literal)) {
        include(*literal);
      }
    };
    for (const shell::Statement& statement : script.statements) {
      analysis::walk(statement, visitor);
    }
  }
  if (std::string why = redirections(*step.statement, launch); !why.empty()) {
    return why;
  }
  find_payload(launch);
  launched_ = true;
  job_.slurm_payload.merge(slurm_names(known));
  step.value = std::move(launch);
  return {};
}

} // namespace s2f::passes
