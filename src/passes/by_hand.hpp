// What the passes have in common that find a cluster of workers which a job brings up by hand.
//
// before:  srun -n 4 dask-worker --scheduler-file s.json &
// after:   StartedProgram{"dask-worker", 4 copies}; Part{starts, own}
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/effects.hpp"
#include "generated/tables/worker_programs.hpp"
#include "passes/context.hpp"
#include "passes/script_values.hpp"
#include "passes/srun.hpp"
#include "passes/wrappers.hpp"

namespace s2f::passes::by_hand {

// A statement of the body.
struct Part {
  ir::Step* step = nullptr;
  analysis::Effects effects;
  std::set<std::string> reads, writes;
  bool starts = false; // a part of the cluster, or ends one
  bool own = false;    // is only there for the cluster
};
// Whether the job may bring one up: it has several nodes, and no other pass has found what Flyte
// starts on them.
[[nodiscard]] bool may_bring_up(const PassContext& context);
// Every statement of the body; `look` sees each command of it, and marks the part.
using Look =
    std::function<void(Part&, const shell::SimpleCommand&, const shell::Statement& statement)>;
[[nodiscard]] std::vector<Part> read(ir::Job& job, const Look& look);

// What stands around a cluster that is brought up, in the order of the script.
struct Around {
  const shell::SimpleCommand* command = nullptr; // nothing for a compound command
  std::optional<std::string> name;               // of the command
  bool begun = false;                            // a part of the cluster stands before it
  bool waits = false; // a loop that waits for the cluster, or a pause, behind its begin
  bool ends = false;  // ends it: kill, wait
};
// Says of each part, in order, whether it is only there for the cluster: those that start it, those
// that wait for it or end it, and those that `own` says so of.
void choose(std::vector<Part>& parts, std::span<const char* const> ends,
            const std::function<bool(const Part&, const Around&)>& own);

// A program behind srun and wrappers, and how often srun starts it.
struct StartedProgram {
  std::vector<StepWord> words;
  PlainWords plain;
  std::size_t at = 0; // of the program among the words; words.size() where none is named
  std::optional<StepOptions> step;
  std::optional<std::int64_t> copies = 1;

  [[nodiscard]] std::string name() const; // "" for none that is known
  [[nodiscard]] std::string verb() const; // the word behind it
};
[[nodiscard]] StartedProgram started(const shell::SimpleCommand& command,
                                     const ScriptValues& values, const slurm::Component& component);

// The row of the program, if it is a part of the cluster.
[[nodiscard]] const tables::WorkerProgramsRow* row_of(const StartedProgram& program,
                                                      tables::WorkerProgramsOf cluster);

// Whether the statement runs nothing but what waits or says something: sleep, test, echo.
[[nodiscard]] bool only_waits(const Part& part);
// Whether what starts the cluster reads what the statement sets.
[[nodiscard]] bool read_by_starts(const std::vector<Part>& parts, const Part& part);

struct BringUp {
  std::string_view rule, cluster, carried; // "S2F767", "the Dask cluster", what is not carried over
  review::FindingId finding{};
  bool starts_alone = false; // the lines that are named are those that start something
};
// Leaves out what is only there for the cluster: Flyte starts it and ends it.
void leave_out(PassContext& context, std::vector<Part>& parts, const BringUp& bring_up);
// --nodes=4 or -n 4 asked for the workers.
void asked_for(const PassContext& context, ir::Cluster& cluster, const std::string& also);

} // namespace s2f::passes::by_hand
