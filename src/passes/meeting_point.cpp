// What stands around the command that starts the ranks: what leads to their meeting point is
// Flyte's affair, what names hardware or nodes is asked about, and what only shows something would
// be shown by every rank.
//
// before:  export MASTER_ADDR=$(scontrol show hostnames | head -n 1); echo $MASTER_ADDR
// after:   Nothing; Nothing
#include "passes/meeting_point.hpp"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "generated/tables/rank_programs.hpp"
#include "generated/tables/rank_variables.hpp"
#include "passes/file_of_ranks.hpp"
#include "passes/wrappers.hpp"

namespace s2f::passes {

namespace {

using review::Disposition;
using Assignments = std::vector<shell::Assignment>;

std::set<std::string> names_in(const shell::Word& word) {
  std::set<std::string> names;
  analysis::Visitor visitor;
  visitor.part = [&](const shell::WordPart& part) {
    if (const auto* parameter = std::get_if<shell::Parameter>(&part.value)) {
      names.insert(parameter->name);
    } else if (const auto* arithmetic = std::get_if<shell::Arithmetic>(&part.value)) {
      names.insert(arithmetic->variables.begin(), arithmetic->variables.end());
    }
  };
  analysis::walk(word, visitor);
  return names;
}

class MeetingPoint {
public:
  MeetingPoint(PassContext& context, RankStart& start)
      : context_(context), job_(context.job), start_(start) {}

  void run() {
    meeting_point();
    for (ir::Step& step : job_.body) {
      if (&step != start_.step && step.statement != nullptr &&
          std::holds_alternative<ir::Opaque>(step.value)) {
        around(step);
      }
    }
  }

private:
  // The variables that only say where the ranks meet: those that the launcher's own words read,
  // and those that lead to them, unless anything else reads them.
  void meeting_point() {
    const shell::SimpleCommand& command = start_.command();
    const RankLauncher& launcher = start_.launcher;
    std::set<std::string> needed;
    own_ = start_.names;
    needed = start_.needed;
    const std::size_t last = start_.own ? start_.options.program : command.words.size();
    for (std::size_t i = 0; i < last; ++i) {
      const bool contains = start_.container && i >= *start_.container && i < start_.inner;
      const bool of_program = contains || (!start_.words && i >= launcher.program);
      auto names = names_in(command.words[i]);
      if (!of_program) {
        start_.names.insert(names.begin(), names.end());
      }
      (of_program ? needed : own_).merge(names);
    }
    for (const auto& row : tables::rank_variables) {
      own_.insert(std::string(row.name));
    }
    for (const ir::Step& step : job_.body) {
      // Another start of the same program is left out.
      if (step.statement == nullptr || &step == start_.step || assignments_of(*step.statement) ||
          shows(step) || std::holds_alternative<ir::Nothing>(step.value)) {
        continue;
      }
      if (&step == start_.config || writes_nodes(step)) {
        own_.merge(analysis::effects_of(*step.statement).reads);
        continue;
      }
      const auto effects = analysis::effects_of(*step.statement);
      needed.insert(effects.reads.begin(), effects.reads.end());
      needed.insert(effects.reads_defaulted.begin(), effects.reads_defaulted.end());
    }
    bool changed = true;
    while (changed) { // what leads to a needed one is needed, what leads to an own one is own
      changed = false;
      for (const ir::Step& step : job_.body) {
        const auto* list = step.statement == nullptr ? nullptr : assignments_of(*step.statement);
        if (list == nullptr) {
          continue;
        }
        for (const shell::Assignment& assignment : *list) {
          std::set<std::string> reads;
          if (assignment.value) {
            reads.merge(names_in(*assignment.value));
          }
          for (const shell::Word& word : assignment.array.value_or(std::vector<shell::Word>{})) {
            reads.merge(names_in(word));
          }
          const bool seen = exports(*step.statement) && !of_launcher(assignment) &&
                            tables::find_rank_variables(assignment.name) == nullptr;
          for (auto* set : {&needed, &own_}) {
            if (set->contains(assignment.name) || (set == &needed && seen)) {
              for (const std::string& name : reads) {
                changed |= set->insert(name).second;
              }
            }
          }
        }
      }
    }
    for (const std::string& name : needed) {
      own_.erase(name);
    }
    unread(needed);
    names_of_nodes(needed);
  }

  // DISTRIBUTED_ARGS="--nnodes $NNODES", which nothing reads: it goes with what it is made of, lest
  // `set -u` end the shell there.
  void unread(const std::set<std::string>& needed) {
    bool changed = true;
    while (changed) {
      changed = false;
      for (const ir::Step& step : job_.body) {
        const auto* list = step.statement == nullptr ? nullptr : assignments_of(*step.statement);
        if (list == nullptr || exports(*step.statement)) {
          continue;
        }
        for (const shell::Assignment& each : *list) {
          const auto reads = each.value ? names_in(*each.value) : std::set<std::string>{};
          const bool leads = std::ranges::any_of(
              reads, [&](const std::string& name) { return own_.contains(name) && sets(name); });
          bool quiet = each.value && !each.array;
          analysis::Visitor visitor;
          visitor.part = [&](const shell::WordPart& part) {
            quiet &= !std::holds_alternative<shell::CommandSubstitution>(part.value) &&
                     !std::holds_alternative<shell::ProcessSubstitution>(part.value);
          };
          if (each.value) {
            analysis::walk(*each.value, visitor);
          }
          if (leads && quiet && !needed.contains(each.name) && !own_.contains(each.name)) {
            changed |= own_.insert(each.name).second;
          }
        }
      }
    }
  }
  // Whether the script itself gives the name a value.
  [[nodiscard]] bool sets(const std::string& name) const {
    return std::ranges::any_of(job_.body, [&](const ir::Step& step) {
      const auto* list = step.statement == nullptr ? nullptr : assignments_of(*step.statement);
      return list != nullptr &&
             std::ranges::find(*list, name, &shell::Assignment::name) != list->end();
    });
  }

  // Names of nodes, and what is made of them, that nothing reads in the job: nothing has them.
  void names_of_nodes(const std::set<std::string>& needed) {
    bool changed = true;
    while (changed) {
      changed = false;
      for (const ir::Step& step : job_.body) {
        const auto* list = step.statement == nullptr ? nullptr : assignments_of(*step.statement);
        for (const shell::Assignment& each : list == nullptr ? Assignments{} : *list) {
          const bool asks =
              context_.text(each.span).find("scontrol show host") != std::string::npos;
          std::set<std::string> reads;
          if (each.value) {
            reads.merge(names_in(*each.value));
          }
          for (const shell::Word& word : each.array.value_or(std::vector<shell::Word>{})) {
            reads.merge(names_in(word));
          }
          const bool made = std::ranges::any_of(
              reads, [&](const std::string& name) { return nodes_.contains(name); });
          changed |= (asks || made) && !needed.contains(each.name) && !own_.contains(each.name) &&
                     nodes_.insert(each.name).second;
        }
      }
    }
  }

  // Makes or clears the list of nodes that the launcher reads, and does no more.
  [[nodiscard]] bool writes_nodes(const ir::Step& step) const {
    static constexpr std::array tools{"scontrol", "echo", "printf", "sed",   "awk",  "sort",
                                      "uniq",     "cat",  "rm",     "touch", "cut",  "tr",
                                      "head",     "seq",  "tee",    "[",     "srun", "hostname"};
    if (!start_.launcher.hostfile || shows(step)) {
      return false;
    }
    const shell::Statement& statement = *step.statement;
    const std::string text = context_.text(statement.span);
    const std::string& file = *start_.launcher.hostfile;
    bool names = !file.empty() && file.find('$') == std::string::npos &&
                 text.find(file.substr(file.find_last_of('/') + 1)) != std::string::npos;
    for (const std::string& name : names_in(start_.command().words[start_.launcher.list])) {
      names |=
          text.find("$" + name) != std::string::npos || text.find("${" + name) != std::string::npos;
    }
    const auto effects = analysis::effects_of(statement);
    return names && !effects.exits && !effects.anything &&
           std::ranges::all_of(effects.commands, [](const std::string& each) {
             return std::ranges::find(tools, each) != tools.end();
           });
  }

  // echo, date, nvidia-smi: says something in the log.
  [[nodiscard]] static bool shows(const ir::Step& step) {
    const auto* command = shell::as_simple(*step.statement);
    if (command == nullptr || command->words.empty() || step.statement->background ||
        !step.statement->redirects.empty()) {
      return false;
    }
    const auto name = analysis::command_name(*command);
    if (!name) {
      return false;
    }
    const auto* row = tables::find_rank_programs(program_name(*name));
    return *name == "echo" || *name == "printf" || *name == "type" ||
           (row != nullptr && row->copies == tables::RankProgramsCopies::shows);
  }

  // Whether an exported variable is there for the launcher's command line: it is read there, and
  // holds words of it or something that leads to the first node, not a number for the program.
  [[nodiscard]] bool of_launcher(const shell::Assignment& assignment) const {
    return start_.names.contains(assignment.name) && assignment.value &&
           context_.text(assignment.value->span).find_first_of(" $`") != std::string::npos;
  }

  void around(ir::Step& step) {
    if (const auto* list = assignments_of(*step.statement)) {
      if (!list->empty() && std::ranges::all_of(*list, [&](const shell::Assignment& each) {
            return nodes_.contains(each.name);
          })) {
        drop_names(step);
        return;
      }
      const auto own = [&](const shell::Assignment& each) {
        const auto* row = tables::find_rank_variables(each.name);
        const bool by_flyte = row != nullptr && row->from == tables::RankVariablesFrom::flyte;
        const bool hidden = !exports(*step.statement) || of_launcher(each);
        return own_.contains(each.name) && (row == nullptr ? hidden : by_flyte);
      };
      const auto hardware = [](const shell::Assignment& each) {
        const auto* row = tables::find_rank_variables(each.name);
        return row != nullptr && row->from == tables::RankVariablesFrom::hardware;
      };
      if (!list->empty() && std::ranges::all_of(*list, own)) {
        const bool set = std::ranges::all_of(*list, [](const shell::Assignment& each) {
          return tables::find_rank_variables(each.name) != nullptr;
        });
        drop(step, Disposition::platform,
             set ? "Flyte sets it in every rank" : "only the launcher of the ranks reads it");
      } else if (!list->empty() && std::ranges::all_of(*list, hardware) &&
                 exports(*step.statement)) {
        drop_hardware(step);
      }
      return;
    }
    if (&step == start_.config || writes_nodes(step)) {
      drop(step, Disposition::platform, "only the launcher of the ranks reads it");
    } else if (start_.loop && waits_for_all(*step.statement)) {
      drop(step, Disposition::platform, "the task ends when its rank does");
    } else if (shows(step)) {
      drop(step, Disposition::dropped, "every rank would print it");
    } else {
      write_whole(context_, step);
    }
  }

  void drop(ir::Step& step, Disposition disposition, const std::string& why) {
    context_.ledger.settle(step.entry, disposition, why, "S2F703");
    leave_out(step, why);
  }

  void leave_out(ir::Step& step, const std::string& why) {
    const std::string name = named(step);
    job_.not_carried.push_back(
        {fmt::format("{} {}: {}", context_.at(step.span), name, why), step.span});
    job_.removals.push_back(
        {step.span, "", fmt::format("line {}, {}", context_.sources.begin(step.span).line, name)});
    step.value = ir::Nothing{};
  }

  [[nodiscard]] std::string named(const ir::Step& step) const {
    if (const auto* list = assignments_of(*step.statement)) {
      std::vector<std::string> names;
      for (const shell::Assignment& each : *list) {
        names.push_back(each.name);
      }
      return fmt::format("{}", fmt::join(names, ", "));
    }
    const auto* command = shell::as_simple(*step.statement);
    return command == nullptr ? std::string("what writes the list of nodes")
                              : analysis::command_name(*command).value_or("");
  }

  // A variable that the program could read all the same, if it is exported.
  void drop_names(ir::Step& step) {
    if (!exports(*step.statement)) {
      drop(step, Disposition::platform, "nothing reads it");
      return;
    }
    review::Finding finding;
    finding.rule = "S2F761";
    finding.span = step.span;
    finding.message =
        fmt::format("{} holds what Slurm says of its nodes; it is left out.", named(step));
    finding.slurm_does = "Every rank has the variable.";
    finding.output_does = "No rank has it. MASTER_ADDR leads to the first, WORLD_SIZE and "
                          "GROUP_RANK say how many ranks there are and on which replica one is.";
    finding.choices = {"the program does not read it", "keep the job on Slurm"};
    finding.default_ = finding.choices[0];
    const auto id = context_.findings.add(std::move(finding));
    context_.ledger.settle(step.entry, Disposition::decision, "names of nodes", "S2F761", id);
    leave_out(step, "names of nodes");
  }

  void drop_hardware(ir::Step& step) {
    review::Finding finding;
    finding.rule = "S2F705";
    finding.span = step.span;
    finding.message =
        fmt::format("{} names hardware of the site's nodes; it is left out.", named(step));
    finding.slurm_does = "The ranks talk over that device.";
    finding.output_does = "They talk over the network that their containers have.";
    finding.choices = {"leave it out", "set it for the new cluster: env_vars of the environment"};
    finding.default_ = finding.choices[0];
    const auto id = context_.findings.add(std::move(finding));
    context_.ledger.settle(step.entry, Disposition::decision, "names hardware of the site",
                           "S2F705", id);
    leave_out(step, "hardware of the site");
  }

  PassContext& context_;
  ir::Job& job_;
  RankStart& start_;
  std::set<std::string> own_, nodes_;
};

} // namespace

void leave_meeting_point(PassContext& context, RankStart& start) {
  MeetingPoint(context, start).run();
}

} // namespace s2f::passes
