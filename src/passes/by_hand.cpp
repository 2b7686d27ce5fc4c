// Reads the statements of a script that brings up a cluster of workers, and leaves them out.
#include "passes/by_hand.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "analysis/walk.hpp"
#include "passes/slurm_commands.hpp"

namespace s2f::passes::by_hand {

bool may_bring_up(const PassContext& context) {
  const ir::Job& job = context.job;
  return job.header.components.size() == 1 && !has_one_node(context.component()) &&
         !context.component().array && !job.cluster;
}

std::vector<Part> read(ir::Job& job, const Look& look) {
  std::vector<Part> parts;
  for (ir::Step& step : job.body) {
    Part& part = parts.emplace_back();
    part.step = &step;
    if (step.statement == nullptr) {
      continue;
    }
    part.effects = analysis::effects_of(*step.statement);
    part.reads = part.effects.reads;
    part.reads.insert(part.effects.reads_defaulted.begin(), part.effects.reads_defaulted.end());
    part.writes = part.effects.writes;
    analysis::Visitor visitor;
    visitor.statement = [&](const shell::Statement& inner) {
      const auto* command = shell::as_simple(inner);
      if (command != nullptr && !command->words.empty()) {
        look(part, *command, inner);
      }
    };
    analysis::walk(*step.statement, visitor);
  }
  return parts;
}

void choose(std::vector<Part>& parts, std::span<const char* const> ends,
            const std::function<bool(const Part&, const Around&)>& own) {
  bool begun = false;
  for (Part& part : parts) {
    if (part.step->statement == nullptr) {
      continue;
    }
    Around around;
    around.command = shell::as_simple(*part.step->statement);
    around.name =
        around.command == nullptr ? std::nullopt : analysis::command_name(*around.command);
    around.begun = begun;
    const bool loop = std::holds_alternative<shell::While>(part.step->statement->value);
    around.waits = begun && (around.name == "sleep" || (loop && only_waits(part)));
    around.ends = begun && around.name && !part.effects.anything &&
                  std::ranges::find(ends, *around.name) != ends.end();
    part.own = own(part, around) || part.starts || around.waits || around.ends;
    begun |= part.starts;
  }
}

std::string StartedProgram::name() const {
  return at < plain.size() && plain[at] ? program_name(*plain[at]) : "";
}

std::string StartedProgram::verb() const {
  return at + 1 < plain.size() ? plain[at + 1].value_or("") : "";
}

StartedProgram started(const shell::SimpleCommand& command, const ScriptValues& values,
                       const slurm::Component& component) {
  StartedProgram result;
  result.words = step_words(command, 0, values, true);
  for (const StepWord& word : result.words) {
    // $SPARK_HOME/sbin/start-worker.sh: its name is known, whatever the folder is.
    const bool named = !word.text && word.shape.find('/') != std::string::npos &&
                       word.shape.find('}', word.shape.find_last_of('/')) == std::string::npos;
    result.plain.push_back(named ? std::optional(word.shape) : word.text);
  }
  result.at = behind_wrappers(result.plain).program;
  if (result.at < result.plain.size() && result.plain[result.at] == "srun") {
    const auto from = static_cast<std::ptrdiff_t>(result.at) + 1;
    result.step = read_step(std::vector<StepWord>{result.words.begin() + from, result.words.end()});
    result.copies = copies_of(*result.step, component);
    result.at = behind_wrappers(result.plain, result.at + 1 + result.step->program).program;
  }
  return result;
}

const tables::WorkerProgramsRow* row_of(const StartedProgram& program,
                                        tables::WorkerProgramsOf cluster) {
  const auto* row = std::ranges::find_if(tables::worker_programs, [&](const auto& each) {
    return each.of == cluster && each.name == program.name() &&
           (each.verb.empty() || each.verb == program.verb());
  });
  return row == std::end(tables::worker_programs) ? nullptr : row;
}

bool only_waits(const Part& part) {
  static constexpr std::array names{"sleep", "[", "[[", "test", "echo", ":", "true", "wait"};
  return part.step->statement != nullptr && !part.effects.anything && !part.effects.exits &&
         !part.effects.unparsed &&
         std::ranges::all_of(part.effects.commands, [&](const std::string& name) {
           return std::ranges::find(names, name) != names.end();
         });
}

bool read_by_starts(const std::vector<Part>& parts, const Part& part) {
  return std::ranges::any_of(parts, [&](const Part& other) {
    return other.starts && std::ranges::any_of(part.writes, [&](const std::string& name) {
             return other.reads.contains(name);
           });
  });
}

void leave_out(PassContext& context, std::vector<Part>& parts, const BringUp& bring_up) {
  std::optional<Span> whole;
  for (Part& part : parts) {
    if (!part.own || part.step->statement == nullptr) {
      continue;
    }
    ir::Step& step = *part.step;
    if (!context.ledger.settled(step.entry)) { // as a password is, which is a secret
      context.ledger.settle(step.entry, review::Disposition::platform,
                            fmt::format("Flyte starts {} and ends it", bring_up.cluster),
                            std::string(bring_up.rule), bring_up.finding);
    }
    context.job.removals.push_back(
        {step.span, "",
         fmt::format("line {}, {}", context.sources.begin(step.span).line, bring_up.cluster)});
    step.value = ir::Nothing{};
    if (bring_up.starts_alone && !part.starts) {
      continue;
    }
    whole = whole ? Span{whole->source, whole->begin, step.span.end} : step.span;
  }
  if (whole) {
    context.job.not_carried.push_back(
        {fmt::format("{} {}", context.lines(*whole), bring_up.carried), *whole});
  }
}

void asked_for(const PassContext& context, ir::Cluster& cluster, const std::string& also) {
  for (const std::string_view option : {"nodes", "ntasks"}) {
    if (cluster.replicas.asked.empty() && !context.asked(option).empty()) {
      cluster.replicas.asked = context.asked(option) + also;
      cluster.replicas.spans = context.spans(option);
    }
  }
}

} // namespace s2f::passes::by_hand
