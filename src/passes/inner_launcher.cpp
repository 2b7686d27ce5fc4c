// Reads the text of `bash -c` as the shell on a node would, as far as the script tells it.
#include "passes/inner_launcher.hpp"

#include "analysis/walk.hpp"
#include "passes/wrappers.hpp"
#include "shell/parse.hpp"

namespace s2f::passes {

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
  const auto* inner = script.statements.size() == 1 && script.comments.empty()
                          ? shell::as_simple(script.statements.front())
                          : nullptr;
  if (inner == nullptr || inner->words.empty() || !script.statements.front().redirects.empty() ||
      script.statements.front().background) {
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
  for (const shell::Assignment& assignment : inner->assignments) {
    const auto value = assignment.value ? assignment.value->literal() : std::nullopt;
    if (!value || assignment.append || assignment.subscript) {
      return std::nullopt;
    }
    result.environment.emplace_back(assignment.name, *value);
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
  analysis::walk(script.statements.front(), visitor);
  return result;
}

} // namespace s2f::passes
