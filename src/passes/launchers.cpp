// srun, MPI launchers and Slurm's own commands in a body.
//
// before:  srun python train.py            (one task)      after:  the words `srun` are removed:
// python train.py before:  srun ./solver                   (64 tasks)      after:  stays_on_slurm,
// S2F702 before:  mpirun ./solver                                 after:  stays_on_slurm, S2F702
// before:  squeue -u $USER                                 after:  Nothing, S2F407
#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "generated/tables/launchers.hpp"
#include "generated/tables/srun_options.hpp"
#include "passes/pipeline.hpp"

namespace s2f::passes {

namespace {

using Kind = tables::LaunchersKind;

const tables::LaunchersRow* find_launcher(std::string_view command) {
  const auto slash = command.find_last_of('/');
  const std::string_view name =
      slash == std::string_view::npos ? command : command.substr(slash + 1);
  const auto* found =
      std::ranges::find_if(tables::launchers, [&](const auto& row) { return row.name == name; });
  return found == std::end(tables::launchers) ? nullptr : found;
}

std::optional<std::int64_t> integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

// What one srun command line asks for.
struct StepOptions {
  std::size_t program = 0; // index of the first word of the program; words.size() if there is none
  std::optional<std::int64_t> ntasks, nodes, per_node;
  bool unknown = false; // a number that is no literal
  bool mpi = false, interactive = false, container = false, directory = false, output = false;
};

const tables::SrunOptionsRow* find_option(std::string_view name, bool is_short) {
  const auto* found = std::ranges::find_if(tables::srun_options, [&](const auto& row) {
    return is_short ? !row.short_.empty() && row.short_ == name : row.name == name;
  });
  if (found != std::end(tables::srun_options)) {
    return found;
  }
  if (is_short) {
    return nullptr;
  }
  // A unique prefix; among several the first, as they take a value alike.
  found = std::ranges::find_if(tables::srun_options,
                               [&](const auto& row) { return row.name.starts_with(name); });
  return found == std::end(tables::srun_options) ? nullptr : found;
}

void note(StepOptions& options, const tables::SrunOptionsRow& row,
          const std::optional<std::string>& value) {
  using Effect = tables::SrunOptionsEffect;
  const auto number = value ? integer(*value) : std::nullopt;
  switch (row.effect) {
  case Effect::ranks:
    (row.name == "ntasks" ? options.ntasks : options.per_node) = number;
    options.unknown |= !number;
    break;
  case Effect::nodes:
    options.nodes = number;
    options.unknown |= !number;
    break;
  case Effect::mpi:
    options.mpi = !value || *value != "none";
    break;
  case Effect::interactive:
    options.interactive = true;
    break;
  case Effect::container:
    options.container = true;
    break;
  case Effect::directory:
    options.directory = true;
    break;
  case Effect::output:
    options.output = true;
    break;
  case Effect::environment:
    options.directory |= !value || *value != "ALL";
    break;
  case Effect::cpus:
  case Effect::none:
    break;
  }
}

StepOptions read_step(const shell::SimpleCommand& command) {
  StepOptions options;
  std::size_t i = 1;
  for (; i < command.words.size(); ++i) {
    const shell::Word& word = command.words[i];
    // A word such as --nodes=$N has plain text up to the value.
    std::string text;
    bool plain = true;
    if (const auto literal = word.literal()) {
      text = *literal;
    } else {
      plain = false;
      for (const shell::WordPart& part : word.parts) {
        const auto* piece = std::get_if<shell::Literal>(&part.value);
        if (piece == nullptr) {
          break;
        }
        text += piece->value;
      }
    }
    // `srun $OPTIONS program` or `srun $PROGRAM`: an unquoted variable may be either.
    if (!plain && text.empty() && !word.quoted()) {
      options.unknown = true;
    }
    if (text.size() < 2 || text[0] != '-') {
      break;
    }
    if (text == "--") {
      ++i;
      break;
    }
    const auto value_of_next = [&]() -> std::optional<std::string> {
      if (i + 1 >= command.words.size()) {
        return std::nullopt;
      }
      return command.words[++i].literal();
    };
    if (text.starts_with("--")) {
      const auto equals = text.find('=');
      const auto* row =
          find_option(text.substr(2, equals == std::string::npos ? equals : equals - 2), false);
      if (row == nullptr) {
        continue;
      }
      std::optional<std::string> value;
      if (equals != std::string::npos) {
        if (plain) {
          value = text.substr(equals + 1);
        }
      } else if (row->argument == tables::SrunOptionsArgument::required) {
        value = value_of_next();
      }
      note(options, *row, value);
      continue;
    }
    for (std::size_t at = 1; at < text.size(); ++at) {
      const auto* row = find_option(std::string_view(text).substr(at, 1), true);
      if (row == nullptr) {
        continue;
      }
      if (row->argument == tables::SrunOptionsArgument::none) {
        note(options, *row, std::nullopt);
        continue;
      }
      std::optional<std::string> value;
      if (at + 1 < text.size()) {
        if (plain) {
          value = text.substr(at + 1);
        }
      } else if (row->argument == tables::SrunOptionsArgument::required) {
        value = plain ? value_of_next() : std::nullopt;
      }
      note(options, *row, value);
      break;
    }
  }
  options.program = i;
  return options;
}

// How many copies of the program the step starts; nothing if it can't be told.
std::optional<std::int64_t> ranks_of(const StepOptions& step, const slurm::Component& component) {
  if (step.unknown) {
    return std::nullopt;
  }
  if (step.ntasks) {
    return step.ntasks;
  }
  const std::int64_t nodes = step.nodes.value_or(component.resolved.nodes_min);
  if (step.per_node) {
    return *step.per_node * nodes;
  }
  if (step.nodes && component.winner.find("ntasks") == component.winner.end()) {
    return nodes;
  }
  return component.resolved.ntasks;
}

void stay(PassContext& context, std::string rule, std::string text, Span span) {
  if (!context.job.stays_on_slurm) {
    context.job.stays_on_slurm = ir::Reason{std::move(rule), std::move(text), span};
  }
}

void step_command(PassContext& context, const shell::SimpleCommand& command,
                  const shell::Statement& statement) {
  const StepOptions step = read_step(command);
  if (step.interactive) {
    stay(context, "S2F407", "srun --pty is interactive", statement.span);
    return;
  }
  if (step.program >= command.words.size()) {
    stay(context, "S2F407", "an srun without a program", statement.span);
    return;
  }
  const auto ranks = ranks_of(step, context.component());
  if (step.mpi) {
    stay(context, "S2F702", "srun --mpi starts the ranks of an MPI program", statement.span);
  } else if (!ranks) {
    stay(context, "S2F702", "how many copies srun starts is known only when the job runs",
         statement.span);
  } else if (*ranks > 1) {
    stay(context, "S2F702", fmt::format("srun starts {} copies of its program", *ranks),
         statement.span);
  } else if (step.container) {
    stay(context, "S2F520", "srun runs its program in a container of its own", statement.span);
  } else if (step.directory || step.output) {
    stay(context, "S2F407",
         "srun changes the directory, the environment or the streams of its program",
         statement.span);
  } else {
    const Span prefix{statement.span.source, command.words.front().span.begin,
                      command.words[step.program].span.begin};
    context.job.removals.push_back(
        {prefix, "",
         fmt::format("line {}, srun of one process", context.sources.begin(prefix).line)});
  }
}

// A module within an `if`, a function or a list: nothing tells whether it would have been loaded.
void nested_module(PassContext& context, const shell::Statement& statement,
                   const shell::SimpleCommand& command) {
  const Span span{statement.span.source, command.words.front().span.begin,
                  command.words.back().span.end};
  context.job.removals.push_back(
      {span, ":", fmt::format("line {}, a module", context.sources.begin(span).line)});
  review::Finding finding;
  finding.rule = "S2F503";
  finding.span = span;
  finding.message =
      fmt::format("`{}` stands within another command; the image must bring what it brings.",
                  context.text(span));
  finding.slurm_does = "It changes the environment where its line is reached.";
  finding.output_does = "The line does nothing, and succeeds.";
  finding.choices = {"not needed", "packages for pip or apt", "an image that has it"};
  finding.default_ = finding.choices[0];
  context.findings.add(std::move(finding));
}

bool only_shows(const shell::SimpleCommand& command) {
  return command.words.size() > 1 && command.words[1].literal() == "show";
}

} // namespace

void launchers(PassContext& context) {
  if (context.job.header.components.size() > 1) {
    stay(context, "S2F303", "a heterogeneous job has several components that start together",
         context.job.interpreter.span);
  }
  for (ir::Step& step : context.job.body) {
    if (!std::holds_alternative<ir::Opaque>(step.value) || step.statement == nullptr) {
      continue;
    }
    if (const auto* command = shell::as_simple(*step.statement)) {
      const auto name = analysis::command_name(*command);
      const auto* row = name ? find_launcher(*name) : nullptr;
      if (row != nullptr &&
          (row->kind == Kind::query || (*name == "scontrol" && only_shows(*command))) &&
          step.statement->redirects.empty()) {
        review::Finding finding;
        finding.rule = "S2F407";
        finding.span = step.span;
        finding.message =
            fmt::format("`{}` only shows what Slurm knows of the job; it is left out.", *name);
        finding.slurm_does = "It prints to the job's output.";
        finding.output_does = "Nothing: flyte get run shows the state of a run.";
        finding.choices = {"leave it out", "keep the job on Slurm"};
        finding.default_ = finding.choices[0];
        const auto id = context.findings.add(std::move(finding));
        context.ledger.settle(step.entry, review::Disposition::dropped, "flyte get run shows it",
                              "S2F407", id);
        context.job.not_carried.push_back(
            {fmt::format("{} {}: flyte get run shows the state of a run", context.at(step.span),
                         *name),
             step.span});
        context.job.removals.push_back(
            {step.span, "", fmt::format("line {}", context.sources.begin(step.span).line)});
        step.value = ir::Nothing{};
        continue;
      }
    }
    analysis::Visitor visitor;
    visitor.statement = [&](const shell::Statement& inner) {
      const auto* command = shell::as_simple(inner);
      if (command == nullptr || command->words.empty()) {
        return;
      }
      // Behind `time`, `env`, `exec`, `nohup` and their like the launcher is a later word.
      for (const shell::Word& word : command->words) {
        const auto name = word.literal();
        if (!name) {
          break;
        }
        const auto* row = find_launcher(*name);
        const bool first = &word == &command->words.front();
        if (row != nullptr && row->kind == Kind::mpi) {
          stay(context, "S2F702", fmt::format("{} starts the ranks of an MPI program", row->name),
               inner.span);
          return;
        }
        if (first && row != nullptr) {
          switch (row->kind) {
          case Kind::step:
            step_command(context, *command, inner);
            return;
          case Kind::submit:
            stay(context, "S2F407", fmt::format("the job itself calls {}", row->name), inner.span);
            return;
          case Kind::slurm:
          case Kind::query:
            stay(context, "S2F407", fmt::format("the job calls {}", row->name), inner.span);
            return;
          case Kind::module:
            if (&inner == step.statement) {
              return;
            } // the environment pass reads those of the top level
            nested_module(context, inner, *command);
            return;
          case Kind::mpi:
            return;
          }
        }
        static constexpr std::array prefixes{"time",    "env",     "exec",   "nohup",
                                             "nice",    "command", "stdbuf", "timeout",
                                             "numactl", "taskset", "then",   "do"};
        if (first && std::ranges::find(prefixes, *name) == prefixes.end()) {
          return;
        }
      }
    };
    analysis::walk(*step.statement, visitor);
  }
}

} // namespace s2f::passes
