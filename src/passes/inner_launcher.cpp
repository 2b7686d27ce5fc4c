// Reads the text of `bash -c` as the shell on a node would, as far as the script tells it.
#include "passes/inner_launcher.hpp"

#include <algorithm>
#include <array>

#include "analysis/walk.hpp"
#include "passes/wrappers.hpp"
#include "shell/parse.hpp"

namespace s2f::passes {

namespace {

// Whether the word is the same on every node: no number of the node or the process, and no
// variable that only the script's own shell has.
bool same_everywhere(const shell::Word& word, const std::set<std::string>& exported) {
  bool same = true;
  analysis::Visitor visitor;
  visitor.part = [&](const shell::WordPart& part) {
    static constexpr std::array own{"SLURM_PROCID", "SLURM_LOCALID", "SLURM_NODEID",
                                    "SLURM_TASK_PID", "SLURMD_NODENAME"};
    if (const auto* parameter = std::get_if<shell::Parameter>(&part.value)) {
      same &= std::ranges::find(own, parameter->name) == own.end() &&
              (parameter->name.starts_with("SLURM_") || exported.contains(parameter->name));
    } else if (std::holds_alternative<shell::Arithmetic>(part.value) ||
               std::holds_alternative<shell::Tilde>(part.value)) {
      same = false;
    }
  };
  analysis::walk(word, visitor);
  return same;
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
  const auto* inner = script.statements.size() == 1 && script.comments.empty()
                          ? shell::as_simple(script.statements.front())
                          : nullptr;
  if (inner == nullptr || inner->words.empty() || !script.statements.front().redirects.empty() ||
      script.statements.front().background) {
    return std::nullopt;
  }
  auto launcher = read_rank_launcher(*inner, 0, values);
  if (!launcher || !launcher->why.empty()) {
    return std::nullopt;
  }
  InnerLauncher result;
  result.launcher = std::move(*launcher);
  for (const shell::Assignment& assignment : inner->assignments) {
    const auto value = assignment.value ? assignment.value->literal() : std::nullopt;
    if (!value || assignment.append || assignment.subscript) {
      return std::nullopt;
    }
    result.environment.emplace_back(assignment.name, *value);
  }
  for (std::size_t i = result.launcher.program; i < inner->words.size(); ++i) {
    const auto texts = values.of(inner->words[i]);
    const bool globs = std::ranges::any_of(inner->words[i].parts, [](const auto& part) {
      const auto* literal = std::get_if<shell::Literal>(&part.value);
      return literal != nullptr && literal->globs;
    });
    const bool one = texts && texts->size() == 1 && !globs &&
                     (inner->words[i].quoted() || inner->words[i].literal() ||
                      (!texts->front().empty() &&
                       texts->front().find_first_of(" \t\n*?[") == std::string::npos));
    if (!one || !same_everywhere(inner->words[i], exported)) {
      return std::nullopt;
    }
    result.words.push_back(texts->front());
  }
  return result;
}

} // namespace s2f::passes
