// Traps of signals, which nothing sends to the commands of a task.
//
// before:  trap 'cp -r "$TMPDIR/out" .' TERM
// after:   S2F471; where the trap was lifted, nothing is left of it
#include "passes/traps.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "passes/pipeline.hpp"

namespace s2f::passes {

namespace {

// TERM, for SIGTERM, term and 15; nothing for what is none of those that only others send.
std::optional<std::string> signal_of(std::string name) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 13> signals{
      {{"HUP", "1"},
       {"INT", "2"},
       {"QUIT", "3"},
       {"USR1", "10"},
       {"USR2", "12"},
       {"ALRM", "14"},
       {"TERM", "15"},
       {"CONT", "18"},
       {"TSTP", "20"},
       {"TTIN", "21"},
       {"TTOU", "22"},
       {"XCPU", "24"},
       {"WINCH", "28"}}};
  std::ranges::transform(name, name.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  if (name.starts_with("SIG")) {
    name.erase(0, 3);
  }
  const auto* found = std::ranges::find_if(
      signals, [&](const auto& row) { return row.first == name || row.second == name; });
  return found == signals.end() ? std::nullopt : std::optional(std::string(found->first));
}

bool is_exit(const std::string& name) { return name == "0" || name == "EXIT" || name == "exit"; }

// Those of signals that do something, with the command that each stands in.
std::vector<std::pair<Trap, source::Span>> traps_of(const ir::Job& job) {
  std::vector<std::pair<Trap, source::Span>> result;
  analysis::Visitor visitor;
  visitor.statement = [&](const shell::Statement& inner) {
    const auto* command = shell::as_simple(inner);
    auto trap = command == nullptr ? std::nullopt : trap_of(*command);
    if (trap && !trap->reset() && !trap->signals.empty()) {
      result.emplace_back(std::move(*trap), inner.span);
    }
  };
  for (const ir::Step& step : job.body) {
    if (step.statement != nullptr) {
      analysis::walk(*step.statement, visitor);
    }
  }
  return result;
}

} // namespace

std::optional<Trap> trap_of(const shell::SimpleCommand& command) {
  if (analysis::command_name(command) != "trap" || command.words.size() < 2) {
    return std::nullopt;
  }
  std::size_t next = command.words[1].literal() == "--" ? 2 : 1;
  const auto first = next < command.words.size() ? command.words[next].literal() : std::nullopt;
  if (first && (*first == "-p" || *first == "-l")) {
    return std::nullopt;
  }
  Trap result;
  const bool alone = next + 1 == command.words.size();
  if (first == "-") {
    ++next;
  } else if (!alone) {
    result.handler = &command.words[next++];
  }
  for (; next < command.words.size(); ++next) {
    const std::string name = command.words[next].literal().value_or("");
    if (is_exit(name)) {
      result.exit = true;
    } else if (auto signal = signal_of(name)) {
      result.signals.push_back(std::move(*signal));
    } else {
      result.other = true;
    }
  }
  return result;
}

void traps(PassContext& context) {
  ir::Job& job = context.job;
  for (const auto& [trap, span] : traps_of(job)) {
    if (job.resume && job.resume->span.contains(span)) {
      continue; // whose meaning is kept: S2F608
    }
    const std::string names = fmt::format("{}", fmt::join(trap.signals, " and "));
    const bool several = trap.signals.size() > 1;
    const bool ignores = trap.handler->literal() == "";
    const bool kept = job.keeps(span);
    review::Finding finding;
    finding.rule = "S2F471";
    finding.span = span;
    finding.message =
        fmt::format("Nothing sends {} to the commands of a task: {}.", names,
                    ignores ? "there is nothing to ignore" : "what the trap does then is not done");
    finding.slurm_does = fmt::format(
        "{} the script when {}, and the trap runs.", several ? "They reach" : "It reaches",
        "the job is cancelled, is out of time or, with --signal, is about to be");
    if (ignores) {
      finding.slurm_does = "The script and its programs go on where one is sent, until Slurm kills "
                           "them.";
    }
    finding.output_does =
        fmt::format("{} A task that is aborted or out of time is stopped with its container.",
                    kept ? "The trap stands in the Bash that is kept, and waits for nothing."
                         : "The trap is left out.");
    const auto id = context.findings.add(std::move(finding));
    if (kept || trap.exit) {
      continue;
    }
    job.not_carried.push_back(
        {fmt::format("{} the trap of {}: no such signal is sent", context.at(span), names), span});
    const auto entry = context.ledger.find(span);
    if (entry && context.ledger[*entry].disposition == review::Disposition::open) {
      context.ledger.settle(*entry, review::Disposition::dropped, "no such signal is sent",
                            "S2F471", id);
    }
  }
}

} // namespace s2f::passes
