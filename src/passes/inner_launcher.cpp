// Reads the text of `bash -c` as the shell on a node would, as far as the script tells it.
#include "passes/inner_launcher.hpp"

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "passes/wrappers.hpp"
#include "shell/parse.hpp"

namespace s2f::passes {

namespace {

using Environment = std::vector<std::pair<std::string, std::string>>;

// The commands of `a; b && c` in order; nothing where something else joins them.
bool in_order(const shell::Statement& statement, std::vector<const shell::Statement*>& into) {
  if (const auto* both = std::get_if<shell::AndOr>(&statement.value)) {
    return both->is_and && !statement.background && !statement.negated &&
           in_order(*both->left, into) && in_order(*both->right, into);
  }
  into.push_back(&statement);
  return !statement.background && !statement.negated && statement.redirects.empty();
}

bool given(const std::vector<shell::Assignment>& assignments, Environment& into) {
  for (const shell::Assignment& assignment : assignments) {
    const auto value = assignment.value ? assignment.value->literal() : std::nullopt;
    if (!value || assignment.append || assignment.subscript) {
      return false;
    }
    into.emplace_back(assignment.name, *value);
  }
  return true;
}

// What may stand before the launcher: `export NAME=VALUE`, and what only shows something.
bool before_launcher(const shell::Statement& statement, Environment& into) {
  const auto* command = shell::as_simple(statement);
  const auto name = command == nullptr ? std::nullopt : analysis::command_name(*command);
  if (name == "export" && command->words.size() == 1 && command->assignments.empty()) {
    return given(command->declared, into);
  }
  return name == "echo" || name == "hostname" || name == "date" || name == "nvidia-smi";
}

} // namespace

std::optional<InnerLauncher> read_inner_launcher(const shell::SimpleCommand& command,
                                                 std::size_t shell, const ScriptValues& values,
                                                 const std::set<std::string>& exported) {
  const auto name = command.words[shell].literal();
  const bool runs_text = name && (program_name(*name) == "bash" || program_name(*name) == "sh") &&
                         command.words.size() == shell + 3 &&
                         command.words[shell + 1].literal() == "-c";
  const auto text = runs_text ? values.template_of(command.words[shell + 2]) : std::nullopt;
  if (!text) {
    return std::nullopt;
  }
  source::Sources sources;
  const auto id = sources.add("-c", *text);
  const shell::Script script = shell::parse(sources[id]);
  std::vector<const shell::Statement*> statements;
  for (const shell::Statement& statement : script.statements) {
    if (!in_order(statement, statements)) {
      return std::nullopt;
    }
  }
  const auto* inner = statements.empty() || !script.comments.empty()
                          ? nullptr
                          : shell::as_simple(*statements.back());
  if (inner == nullptr || inner->words.empty()) {
    return std::nullopt;
  }
  auto launcher = read_rank_launcher(*inner, 0, values);
  if (!launcher) {
    return std::nullopt;
  }
  InnerLauncher result;
  result.launcher = std::move(*launcher);
  if (!result.launcher.why.empty()) {
    return result;
  }
  statements.pop_back();
  for (const shell::Statement* statement : statements) {
    if (!before_launcher(*statement, result.environment)) {
      result.launcher.why = "the text of its shell does more than start the launcher";
      return result;
    }
  }
  if (!given(inner->assignments, result.environment)) {
    return std::nullopt;
  }
  auto words = known_words(*inner, result.launcher, &exported);
  if (!words) {
    result.launcher.why = "the words behind the launcher are not all known";
    return result;
  }
  result.words = std::move(*words);
  analysis::Visitor visitor;
  visitor.part = [&](const shell::WordPart& part) {
    if (const auto* parameter = std::get_if<shell::Parameter>(&part.value)) {
      result.names.insert(parameter->name);
    }
  };
  for (const shell::Statement& statement : script.statements) {
    analysis::walk(statement, visitor);
  }
  return result;
}

} // namespace s2f::passes
