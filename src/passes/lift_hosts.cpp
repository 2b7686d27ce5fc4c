// The nodes of a job, as `scontrol show hostnames` prints them: the one that the task runs on.
//
// before:  MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
// after:   Assign{MASTER_ADDR = Computed{host_name}}
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "passes/lifting.hpp"

namespace s2f::passes {

namespace {

// scontrol show hostnames [$SLURM_JOB_NODELIST]
bool prints_hosts(const shell::Statement& statement) {
  const auto* command = shell::as_simple(statement);
  constexpr std::size_t most = 4;
  if (command == nullptr || statement.background || statement.negated || statement.timed ||
      !statement.redirects.empty() || !command->assignments.empty() || command->words.size() < 3 ||
      command->words.size() > most || analysis::command_name(*command) != "scontrol" ||
      command->words[1].literal() != "show") {
    return false;
  }
  const auto what = command->words[2].literal();
  if (what != "hostname" && what != "hostnames") {
    return false;
  }
  if (command->words.size() == 3) {
    return true;
  }
  const std::vector<shell::WordPart>* parts = &command->words[3].parts;
  if (parts->size() == 1) {
    if (const auto* quoted = std::get_if<shell::DoubleQuoted>(&parts->front().value)) {
      parts = &quoted->parts;
    }
  }
  const auto* list =
      parts->size() == 1 ? std::get_if<shell::Parameter>(&parts->front().value) : nullptr;
  static constexpr std::array names{"SLURM_JOB_NODELIST", "SLURM_NODELIST", "SLURM_STEP_NODELIST"};
  return list != nullptr && list->op.empty() && !list->subscript &&
         std::ranges::find(names, list->name) != names.end();
}

// The words of a program that is given nothing else.
std::optional<std::vector<std::string>> plain_words(const shell::Statement& statement) {
  const auto* command = shell::as_simple(statement);
  if (command == nullptr || statement.background || statement.negated || statement.timed ||
      !statement.redirects.empty() || !command->assignments.empty()) {
    return std::nullopt;
  }
  std::vector<std::string> words;
  for (const shell::Word& word : command->words) {
    const auto text = word.literal();
    if (!text) {
      return std::nullopt;
    }
    words.push_back(*text);
  }
  return words;
}

using Words = std::vector<std::string>;

// The first line, which is the node that the job's script runs on.
bool is_first(const Words& words) {
  return words == Words{"head", "-n", "1"} || words == Words{"head", "-n1"} ||
         words == Words{"head", "-1"};
}

// Of one line the same.
bool leaves_one(const Words& words) {
  return words == Words{"sort"} || words == Words{"uniq"} || words == Words{"sort", "-u"} ||
         words == Words{"tail", "-n", "1"} || words == Words{"tail", "-1"} ||
         words == Words{"paste", "-d,", "-s"} || words == Words{"paste", "-s", "-d,"} ||
         words == Words{"paste", "-sd,"} || words == Words{"paste", "-sd", ","} ||
         words == Words{"paste", "-s", "-d", ","} || words == Words{"paste", "-d", ",", "-s"};
}

} // namespace

// Nothing where the body is something else.
std::optional<ir::Value> Lifting::hosts(const std::vector<shell::Statement>& body) {
  if (body.size() != 1 || functions_.contains("scontrol")) {
    return std::nullopt;
  }
  const auto* piped = std::get_if<shell::Pipeline>(&body.front().value);
  const shell::Statement& first = piped != nullptr ? piped->commands.front() : body.front();
  if (!prints_hosts(first)) {
    return std::nullopt;
  }
  bool one = context_.component().resolved.nodes_min == 1;
  ir::Value value;
  value.append(ir::Computed{ir::Operation::host_name, {}, true});
  for (std::size_t i = 1; piped != nullptr && i < piped->commands.size(); ++i) {
    const auto words = plain_words(piped->commands[i]);
    if (words && one && *words == Words{"wc", "-l"} && i + 1 == piped->commands.size()) {
      return ir::Value::of("1"); // one is one under any name
    }
    if (!words || !(is_first(*words) || (one && leaves_one(*words)))) {
      return std::nullopt;
    }
    one = true;
  }
  if (!one) {
    return std::nullopt;
  }
  if (std::ranges::none_of(context_.findings.all(), [&](const review::Finding& each) {
        return each.rule == "S2F452" && first.span.contains(each.span);
      })) {
    review::Finding finding;
    finding.rule = "S2F452";
    finding.span = first.span;
    finding.message =
        fmt::format("`{}` names the node that the job runs on.", context_.text(first.span));
    finding.slurm_does = "It prints the names of the job's nodes.";
    finding.output_does = "The name is that of the task's container.";
    context_.findings.add(std::move(finding));
  }
  return value;
}

} // namespace s2f::passes
