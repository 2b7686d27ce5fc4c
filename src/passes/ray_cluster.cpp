// A Ray cluster that the job brings up by hand: Flyte brings it up.
//
// before:  srun -N1 -n1 -w "${nodes[0]}" ray start --head --port=6379 --block &
//          for i in 1 2 3; do srun -N1 -n1 -w "${nodes[$i]}" ray start --address=$ip:6379 ... &
//          done python tune.py
// after:   cluster = "ray", 3 workers; what brought it up is Nothing; Launch{python tune.py}
#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/effects.hpp"
#include "analysis/walk.hpp"
#include "generated/tables/rank_programs.hpp"
#include "passes/by_hand.hpp"
#include "passes/pipeline.hpp"
#include "passes/rank_programs.hpp"
#include "passes/rank_start.hpp"
#include "passes/slurm_commands.hpp"
#include "passes/srun.hpp"
#include "passes/wrappers.hpp"

namespace s2f::passes {

namespace {

using by_hand::Part;
using review::Disposition;
using Names = std::set<std::string>;

bool overlap(const Names& left, const Names& right) {
  return std::ranges::any_of(left, [&](const auto& name) { return right.contains(name); });
}

class Ray {
public:
  explicit Ray(PassContext& context)
      : context_(context), job_(context.job), values_(job_.script, context.component()) {}

  void run() {
    if (!by_hand::may_bring_up(context_)) {
      return;
    }
    parts_ = by_hand::read(job_, [&](Part& part, const auto& command, const auto& statement) {
      look(part, command, statement);
    });
    for (const Part& part : parts_) {
      const auto* loop = loop_of(part);
      counted_ &=
          loop == nullptr || std::ranges::all_of(loop->words, [](const auto& word) {
            return word.literal() && word.literal()->find_first_of("*?[{") == std::string::npos;
          });
    }
    if (heads_ == 0) {
      return;
    }
    names();
    choose();
    if (const std::string why = reason(); !why.empty()) {
      if (!job_.stays_on_slurm) {
        job_.stays_on_slurm =
            ir::Reason{"S2F713",
                       fmt::format("it brings up a Ray cluster by hand, {}, and {}",
                                   shape_of(nodes_of(context_.component()), 1), why),
                       place_};
      }
      return;
    }
    record();
  }

private:
  [[nodiscard]] static const shell::For* loop_of(const Part& part) {
    const auto* statement = part.step->statement;
    return statement == nullptr ? nullptr : std::get_if<shell::For>(&statement->value);
  }

  void look(Part& part, const shell::SimpleCommand& command, const shell::Statement& statement) {
    PlainWords words;
    for (const shell::Word& word : command.words) {
      words.push_back(word.literal());
    }
    std::size_t at = 0;
    std::optional<StepOptions> step;
    if (words[0] == "srun") {
      step = read_step(command, 0, values_);
      at = step->program;
    }
    at = behind_wrappers(words, at).program;
    if (at >= words.size() || !words[at]) {
      return;
    }
    const std::string name = program_name(*words[at]);
    const std::string asked = asked_of_slurm(command);
    if (asked.starts_with("scontrol show hostname") || (step && name == "hostname")) {
      nodes_.insert(part.step);
    }
    if (name != "ray" || at + 1 >= words.size()) {
      return;
    }
    part.starts |= words[at + 1] == "start" || words[at + 1] == "stop";
    if (words[at + 1] != "start") {
      return;
    }
    if (place_.end == 0) {
      place_ = statement.span;
    }
    const bool head = std::ranges::any_of(words, [](const auto& word) { return word == "--head"; });
    const auto copies =
        step ? copies_of(*step, context_.component()) : std::optional<std::int64_t>(1);
    if (head) {
      ++heads_;
      // Without --block it goes on by itself.
      waits_ |= step && !statement.background;
      alone_ &= copies == 1;
      return;
    }
    ++starts_;
    waits_ |= !statement.background;
    under_srun_ &= step.has_value();
    const bool arithmetic =
        std::holds_alternative<shell::ArithmeticFor>(part.step->statement->value) ||
        std::holds_alternative<shell::While>(part.step->statement->value);
    if (arithmetic) {
      counted_ = false;
    }
    if (!copies) {
      unknown_ = true;
    } else {
      const auto* loop = loop_of(part);
      workers_ += *copies * (loop == nullptr ? 1 : static_cast<std::int64_t>(loop->words.size()));
    }
  }

  // The names that only the bring-up knows: those of the nodes, what is made of them, and what else
  // `ray start` is told, where nothing else reads it.
  void names() {
    for (const Part& part : parts_) {
      if (nodes_.contains(part.step) && !part.starts) {
        of_nodes_.insert(part.writes.begin(), part.writes.end());
      }
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (const Part& part : parts_) {
        if (!part.starts && sets(part) && overlap(part.reads, of_nodes_)) {
          for (const std::string& name : part.writes) {
            changed |= of_nodes_.insert(name).second;
          }
        }
      }
    }
    own_ = of_nodes_;
    for (const Part& part : parts_) {
      if (part.starts) {
        own_.insert(part.reads.begin(), part.reads.end());
      }
    }
    for (bool changed = true; changed;) { // what these are made of
      changed = false;
      for (const Part& part : parts_) {
        if (sets(part) && overlap(part.writes, own_)) {
          for (const std::string& name : part.reads) {
            changed |= own_.insert(name).second;
          }
        }
      }
    }
    for (bool changed = true; changed;) { // but not what the rest reads
      changed = false;
      for (const Part& part : parts_) {
        const bool rest = !part.starts && !shows(part) && !only_own(part);
        for (const std::string& name : part.reads) {
          changed |= rest && !of_nodes_.contains(name) && own_.erase(name) > 0;
        }
      }
    }
  }

  // A statement that does nothing but set variables.
  [[nodiscard]] static bool sets(const Part& part) {
    static constexpr std::array harmless{
        "[",    "[[",       "declare", "echo", "export",   "expr",   "let",     "read",
        "test", "hostname", "awk",     "cut",  "head",     "tail",   "tr",      "sed",
        "grep", "uuidgen",  "printf",  "srun", "scontrol", "python", "python3", "shuf"};
    if (part.step->statement == nullptr || part.writes.empty() || part.effects.anything ||
        part.effects.exits || part.effects.unparsed) {
      return false;
    }
    const auto* simple = shell::as_simple(*part.step->statement);
    const bool assigns = simple != nullptr && simple->words.empty();
    return assigns || std::ranges::all_of(part.effects.commands, [](const std::string& name) {
             return std::ranges::find(harmless, name) != harmless.end();
           });
  }
  [[nodiscard]] bool only_own(const Part& part) const {
    return sets(part) && std::ranges::all_of(part.writes, [&](const std::string& name) {
             return own_.contains(name);
           });
  }
  // export ip_head, which has a value already
  [[nodiscard]] bool exports_own(const Part& part) const {
    const auto* command =
        part.step->statement == nullptr ? nullptr : shell::as_simple(*part.step->statement);
    return command != nullptr && analysis::command_name(*command) == "export" &&
           !command->declared.empty() && command->words.size() == 1 &&
           std::ranges::all_of(command->declared, [&](const shell::Assignment& each) {
             return own_.contains(each.name);
           });
  }
  [[nodiscard]] static const shell::SimpleCommand* plain(const Part& part) {
    const auto* statement = part.step->statement;
    const auto* command = statement == nullptr ? nullptr : shell::as_simple(*statement);
    return command == nullptr || command->words.empty() || statement->background ||
                   !statement->redirects.empty()
               ? nullptr
               : command;
  }
  [[nodiscard]] static bool shows(const Part& part) {
    const auto* command = plain(part);
    const auto name = command == nullptr ? std::nullopt : analysis::command_name(*command);
    const auto* row = name ? tables::find_rank_programs(program_name(*name)) : nullptr;
    return name && (*name == "echo" || *name == "printf" ||
                    (row != nullptr && row->copies == tables::RankProgramsCopies::shows));
  }

  void choose() {
    bool begun = false;
    bool pause = false; // nothing but sleep since the cluster was started
    for (Part& part : parts_) {
      const auto* command = plain(part);
      const bool sleeps = command != nullptr && analysis::command_name(*command) == "sleep";
      part.own = part.starts || exports_own(part) || only_own(part) ||
                 (shows(part) && overlap(part.reads, own_)) || (sleeps && begun && pause);
      begun |= part.starts;
      pause = part.own || (pause && shows(part));
    }
  }

  [[nodiscard]] std::string reason() const {
    const std::int64_t others = nodes_of(context_.component()) - 1;
    if (heads_ > 1 || starts_ == 0 || !alone_) {
      return "not as one head and workers on the other nodes";
    }
    if (!under_srun_) {
      return "its workers are started without srun";
    }
    if (waits_) {
      return "the script waits for it";
    }
    if (unknown_ || (counted_ && workers_ != others)) {
      return fmt::format("its workers are not one on each of the {} other nodes", others);
    }
    for (const Part& part : parts_) {
      if (part.own || part.step->statement == nullptr) {
        continue;
      }
      for (const std::string& name : part.reads) {
        if (of_nodes_.contains(name)) {
          return fmt::format("${}, which leads to its head, is used elsewhere", name);
        }
      }
      if (nodes_.contains(part.step)) {
        return "the names of the nodes are used elsewhere";
      }
      if (const auto file = payload(part)) {
        const std::string text = context_.read_file(*file).value_or("");
        for (const std::string& name : of_nodes_) {
          if (text.find("\"" + name + "\"") != std::string::npos ||
              text.find("'" + name + "'") != std::string::npos) {
            return fmt::format("{} reads ${}, which leads to its head", *file, name);
          }
        }
      }
    }
    return {};
  }

  [[nodiscard]] std::optional<std::string> payload(const Part& part) const {
    const auto* command = plain(part);
    if (command == nullptr) {
      return std::nullopt;
    }
    PlainWords words;
    for (const shell::Word& word : command->words) {
      words.push_back(word.literal());
    }
    const std::size_t at = behind_wrappers(words).program;
    return at < words.size() && words[at] && is_python(program_name(*words[at]))
               ? python_payload(context_, words, at)
               : std::nullopt;
  }

  void record() {
    const std::int64_t nodes = nodes_of(context_.component());
    ir::Cluster cluster;
    cluster.kind = ir::Cluster::Ray{};
    cluster.span = place_;
    cluster.replicas.value = nodes - 1;
    by_hand::asked_for(context_, cluster, " less the head");
    cluster.processes.value = 1;
    job_.cluster = std::move(cluster);
    review::Finding finding;
    finding.rule = "S2F712";
    finding.span = place_;
    finding.message = fmt::format("The job brings up a Ray cluster: a head and {} worker{}.",
                                  nodes - 1, nodes == 2 ? "" : "s");
    finding.slurm_does = "srun starts `ray start` on each node, and they meet at the first one's "
                         "address. Slurm gives all nodes at once.";
    finding.output_does = "Flyte starts a Ray cluster of that size for the task and ends it. "
                          "ray.init() finds it; ports, passwords and other options of `ray start` "
                          "are not carried over.";
    const auto id = context_.findings.add(std::move(finding));
    by_hand::leave_out(context_, parts_,
                       {"S2F712", "the Ray cluster",
                        "ray start and what leads to it: Flyte starts the Ray cluster and ends it",
                        id});
    ir::PipLayer layer;
    layer.packages.push_back({"flyteplugins-ray", "the Ray cluster", {place_}, {}});
    job_.environment.pip.push_back(std::move(layer));
    context_.settle("nodes", Disposition::converted,
                    fmt::format("a head and {} workers", nodes - 1));
    for (const std::string_view option : {"ntasks", "ntasks-per-node"}) {
      context_.settle(option, Disposition::platform, "Flyte starts one Ray process a node");
    }
  }

  PassContext& context_;
  ir::Job& job_;
  ScriptValues values_;
  std::vector<Part> parts_;
  std::set<const ir::Step*> nodes_; // that have the names of nodes
  Names of_nodes_, own_;
  Span place_{};
  std::int64_t heads_ = 0, starts_ = 0, workers_ = 0;
  bool counted_ = true;  // how many workers a loop starts is known
  bool unknown_ = false; // how many an srun starts is not
  bool waits_ = false, alone_ = true, under_srun_ = true;
};

} // namespace

void ray_cluster(PassContext& context) {
  if (!context.job.stays_on_slurm) {
    Ray(context).run();
  }
}

} // namespace s2f::passes
