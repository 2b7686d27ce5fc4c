// Finds files that each rank would write, and keeps the ranks from finding half of one.
#include "passes/file_of_ranks.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "generated/tables/quiet_programs.hpp"
#include "passes/wrappers.hpp"

namespace s2f::passes {

// What programs print that is the same on every node, and leave nothing behind.
bool same_everywhere(const shell::CommandSubstitution& part, bool may_vary) {
  analysis::Visitor visitor;
  bool same = true;
  visitor.statement = [&](const shell::Statement& inner) {
    same &= inner.redirects.empty() && !inner.background;
    const auto* command = shell::as_simple(inner);
    if (command != nullptr && !command->words.empty()) {
      const auto name = analysis::command_name(*command);
      const auto* row = name ? tables::find_quiet_programs(program_name(*name)) : nullptr;
      same &= row != nullptr && (may_vary || !row->varies);
    } else if (command == nullptr) {
      same &= std::holds_alternative<shell::Pipeline>(inner.value);
    }
  };
  for (const shell::Statement& statement : part.body) {
    analysis::walk(statement, visitor);
  }
  return same;
}

// Whether it is not another one each time.
bool fixed(const shell::WordPart& part) {
  static constexpr std::array varying{"RANDOM", "SECONDS", "EPOCHSECONDS", "BASHPID", "SRANDOM"};
  const auto* parameter = std::get_if<shell::Parameter>(&part.value);
  const auto* substitution = std::get_if<shell::CommandSubstitution>(&part.value);
  return (substitution == nullptr || same_everywhere(*substitution)) &&
         !std::holds_alternative<shell::ProcessSubstitution>(part.value) &&
         (parameter == nullptr || std::ranges::find(varying, parameter->name) == varying.end());
}

namespace {

// Neither another one each time, nor another one in each rank.
bool same_in_ranks(const shell::WordPart& part) {
  static constexpr std::array own{"RANK",           "LOCAL_RANK",     "GROUP_RANK",   "NODE_RANK",
                                  "SLURM_PROCID",   "SLURM_LOCALID",  "SLURM_NODEID", "HOSTNAME",
                                  "SLURM_TASK_PID", "SLURMD_NODENAME"};
  const auto* parameter = std::get_if<shell::Parameter>(&part.value);
  return fixed(part) &&
         (parameter == nullptr || std::ranges::find(own, parameter->name) == own.end());
}

bool same_in_ranks(const shell::Word& word) {
  bool same = true;
  analysis::Visitor visitor;
  visitor.part = [&](const shell::WordPart& part) { same &= same_in_ranks(part); };
  analysis::walk(word, visitor);
  return same;
}

// Its text as one word of Bash; "" where it has quotes of its own that could end.
std::string quoted(const PassContext& context, const shell::Word& word) {
  const std::string text = context.text(word.span);
  if (text.size() > 1 && text.front() == '"' && text.back() == '"' &&
      text.find('"', 1) == text.size() - 1) {
    return text.substr(1, text.size() - 2);
  }
  return text.find_first_of("\"'\\`~*?[ ") == std::string::npos ? text : std::string();
}

} // namespace

const shell::Redirect* writes_one_file(const shell::Statement& statement) {
  const auto* command = shell::as_simple(statement);
  const auto name = command == nullptr ? std::nullopt : analysis::command_name(*command);
  if (!name || statement.background || statement.negated || !command->assignments.empty()) {
    return nullptr;
  }
  const shell::Redirect* file = nullptr;
  bool text = *name == "echo" || *name == "printf";
  for (const shell::Redirect& redirect : statement.redirects) {
    if (redirect.kind == shell::RedirectKind::output && file == nullptr) {
      file = &redirect;
    } else if (redirect.kind == shell::RedirectKind::heredoc && *name == "cat" && !text &&
               command->words.size() == 1) {
      text = std::ranges::all_of(redirect.heredoc_parts,
                                 [](const auto& part) { return same_in_ranks(part); });
    } else {
      return nullptr;
    }
  }
  const bool same =
      file != nullptr && text && same_in_ranks(file->target) &&
      std::ranges::all_of(command->words, [](const auto& word) { return same_in_ranks(word); });
  return same && file->target.literal() != "/dev/null" ? file : nullptr;
}

void write_whole(PassContext& context, const ir::Step& step) {
  const shell::Redirect* file = writes_one_file(*step.statement);
  const std::string name = file == nullptr ? "" : quoted(context, file->target);
  if (name.empty()) {
    return;
  }
  const std::string_view source = context.sources[step.span.source].text;
  std::uint32_t end = step.statement->span.end;
  for (const shell::Redirect& redirect : step.statement->redirects) {
    if (redirect.kind == shell::RedirectKind::heredoc) { // behind the line that ends it
      end = static_cast<std::uint32_t>(
          std::min(source.find('\n', redirect.heredoc_body.end), source.size()));
    }
  }
  const std::string own = fmt::format("\"{}.${{LOCAL_RANK:-0}}\"", name);
  const std::string what =
      fmt::format("line {}, a file of all ranks", context.sources.begin(step.span).line);
  const Span& target = file->target.span;
  context.job.removals.push_back({target, own, what});
  context.job.removals.push_back(
      {Span{target.source, end, end}, fmt::format("\nmv -f {} \"{}\"", own, name), what});
}

bool written_whole(const ir::Job& job, const shell::Statement& statement) {
  const shell::Redirect* file = writes_one_file(statement);
  return file != nullptr && std::ranges::any_of(job.removals, [&](const ir::Removal& removal) {
           return removal.span == file->target.span;
         });
}

void say_written_whole(PassContext& context, const ir::Step& step) {
  const shell::Redirect* file = writes_one_file(*step.statement);
  review::Finding finding;
  finding.rule = "S2F781";
  finding.span = step.span;
  finding.message =
      fmt::format("Every rank writes {}, with the same text.", context.text(file->target.span));
  finding.slurm_does = "The script writes it once, before it starts the ranks.";
  finding.output_does = "Each rank writes a file of its own and gives it that name when it is "
                        "whole, so that no rank reads half of it.";
  context.findings.add(std::move(finding));
}

} // namespace s2f::passes
