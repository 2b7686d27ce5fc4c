// What a driver that runs as it was asks of Slurm beside sbatch: to wait for its jobs, to change
// what one waits for, to release one.
//
// before:  srun -d afterok:$id sleep 1
//          scontrol update JobID=$last dependency=afterok:$id; scontrol release $last
//          echo "see squeue -j $id"
// after:   submit 3 --until -d afterok:$id sleep 1
//          submit 4 --update JobID=$last dependency=afterok:$id; :
//          echo "see flyte get run -j $id"
#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "passes/driver_plan.hpp"

namespace s2f::passes {

namespace {

Span words_of(const shell::SimpleCommand& command, std::size_t first = 0) {
  return {command.words[first].span.source, command.words[first].span.begin,
          command.words.back().span.end};
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

} // namespace

void DriverPlanner::edit_slurm_commands() {
  std::vector<Span> done;
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& each) {
    const bool file = DriverReader::waits_for_file(each);
    if (file || !reader_.polled(each).empty()) {
      const bool inside =
          std::ranges::any_of(done, [&](const Span& span) { return span.contains(each.span); });
      if (!inside) {
        done.push_back(each.span);
        says_that_it_waits(each.span,
                           file ? "It goes on when a file is there that a job is to write."
                                : "It asks for the jobs' states until they have ended.");
        edits_.push_back({each.span, fmt::format("{}submit {} --until",
                                                 own_submit_ ? "command " : "", place(each.span))});
      }
      return;
    }
    const auto* command = shell::as_simple(each);
    if (command == nullptr || command->words.size() < 2) {
      return;
    }
    const auto name = analysis::command_name(*command);
    const bool behind = (name == "nohup" || name == "exec" || name == "time") &&
                        command->words[1].literal() == "srun";
    if (name == "srun" || behind) {
      const bool waits = name == "srun" && waits_here(*command);
      if (!waits && !context_.job) { // a job of its own, which asks for resources
        review::Finding finding;
        finding.rule = "S2F324";
        finding.span = words_of(*command);
        finding.message = "The driver runs srun between submissions.";
        finding.slurm_does = "It asks for what its options say, and runs the program there.";
        finding.output_does = "The program runs in the task of the driver, with what that has.";
        finding.choices = {"give that task the resources", "run it by hand before"};
        finding.default_ = finding.choices[0];
        context_.findings.add(std::move(finding));
      }
    } else if (name == "scontrol") {
      changes_dependency(*command) || releases(*command);
    }
  };
  for (const shell::Statement& statement : driver_.script->statements) {
    analysis::walk(statement, visitor);
  }
}

// srun with a dependency stands still until the jobs that it names have ended.
bool DriverPlanner::waits_here(const shell::SimpleCommand& command) {
  const bool depends = std::ranges::any_of(command.words, [&](const shell::Word& word) {
    const std::string text(context_.sources.text(word.span));
    return text == "-d" || text.starts_with("--dep") || text.starts_with("-dafter");
  });
  if (!depends) {
    return false;
  }
  says_that_it_waits(words_of(command),
                     "srun starts when they have ended; until then the driver stands still.");
  edits_.push_back(
      {command.words.front().span, fmt::format("{}submit {} --until", own_submit_ ? "command " : "",
                                               place(command.words.front().span))});
  return true;
}

void DriverPlanner::says_that_it_waits(const Span& span, std::string slurm_does) {
  review::Finding finding;
  finding.rule = "S2F328";
  finding.span = span;
  finding.message = "The driver waits here for jobs that it submitted.";
  finding.slurm_does = std::move(slurm_does);
  finding.output_does =
      "The jobs run when the driver has ended. A run that comes here fails before "
      "it runs any of them, and says why.";
  finding.choices = {"runs do not come here", "make two drivers of it"};
  finding.default_ = finding.choices[0];
  context_.findings.add(std::move(finding));
}

// What a message says of Slurm's commands.
void DriverPlanner::rename_in_messages() {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 3> names{
      {{"squeue", "flyte get run"}, {"sacct", "flyte get run"}, {"scancel", "flyte abort run"}}};
  static constexpr std::array runners{"eval", "bash", "sh", "ssh", "trap", "alias", "xargs"};
  std::vector<Span> run; // what may be run as a command
  const auto rename = [&](const Span& span, bool behind = false) {
    const std::string_view text = context_.sources.text(span);
    for (const auto& [name, instead] : names) {
      for (auto at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
        const auto joins = [&](std::size_t i) {
          return std::isalnum(static_cast<unsigned char>(text[i])) != 0 ||
                 std::string_view("_-./=").contains(text[i]);
        };
        std::string_view before = text.substr(0, at);
        before = before.substr(0, before.find_last_not_of(" \t\"'") + 1);
        const bool word = (at == 0 || !joins(at - 1)) &&
                          (at + name.size() == text.size() || !joins(at + name.size()));
        const bool command =
            before.empty() ? !behind : std::string_view("|;&(`\n").contains(before.back());
        const Span place{span.source, span.begin + static_cast<std::uint32_t>(at),
                         span.begin + static_cast<std::uint32_t>(at + name.size())};
        const auto covers = [&](const Span& each) { return each.contains(place); };
        if (word && !command && std::ranges::none_of(run, covers) &&
            std::ranges::none_of(edits_, [&](const Edit& edit) { return covers(edit.span); })) {
          edits_.push_back({place, std::string(instead)});
        }
      }
    }
  };
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& each) {
    const auto* command = shell::as_simple(each);
    const auto name = command == nullptr ? std::nullopt : analysis::command_name(*command);
    if (name && std::ranges::find(runners, *name) != runners.end()) {
      run.push_back(each.span);
    }
    if (name == "echo") { // echo watch it with: sacct -j $id
      for (std::size_t i = 2; i < command->words.size(); ++i) {
        const std::string_view before = context_.sources.text(command->words[i - 1].span);
        if (command->words[i].literal() && !std::string_view("|;&(`").contains(before.back())) {
          rename(command->words[i].span, true);
        }
      }
    }
    for (const shell::Redirect& redirect : each.redirects) {
      if (redirect.kind == shell::RedirectKind::heredoc && name == "cat") {
        rename(redirect.heredoc_body);
      }
    }
  };
  visitor.part = [&](const shell::WordPart& part) {
    if (const auto* quoted = std::get_if<shell::DoubleQuoted>(&part.value)) {
      for (const shell::WordPart& inner : quoted->parts) {
        if (std::holds_alternative<shell::Literal>(inner.value)) {
          rename(inner.span);
        }
      }
    } else if (std::holds_alternative<shell::SingleQuoted>(part.value)) {
      rename(part.span);
    }
  };
  for (const shell::Statement& statement : driver_.script->statements) {
    analysis::walk(statement, visitor);
  }
}

// scontrol update JobID=$id dependency=...
bool DriverPlanner::changes_dependency(const shell::SimpleCommand& command) {
  if (command.words[1].literal() != "update") {
    return false;
  }
  bool job = false;
  bool depends = false;
  for (std::size_t i = 2; i < command.words.size(); ++i) {
    const std::string text = lower(context_.sources.text(command.words[i].span));
    if (text.starts_with("job=") || text.starts_with("jobid=")) {
      job = true;
    } else if (text.starts_with("dependency=")) {
      depends = true;
    } else {
      return false;
    }
  }
  if (!job || !depends) {
    return false;
  }
  Span span = command.words.front().span;
  span.end = command.words[1].span.end;
  edits_.push_back(
      {span, fmt::format("{}submit {} --update", own_submit_ ? "command " : "", place(span))});
  return true;
}

// scontrol release $id: a job whose dependency is met runs.
bool DriverPlanner::releases(const shell::SimpleCommand& command) {
  if (command.words[1].literal() != "release") {
    return false;
  }
  const Span span = words_of(command);
  review::Finding finding;
  finding.rule = "S2F329";
  finding.span = span;
  finding.message = "The driver releases a job that it had submitted to be held.";
  finding.slurm_does = "The job waits in the queue until it is released.";
  finding.output_does = "It runs as soon as its dependency is met.";
  context_.findings.add(std::move(finding));
  edits_.push_back({span, ":"});
  return true;
}

} // namespace s2f::passes
