// Lets mpirun start the ranks of a job on one node within its container.
#include "passes/mpi_in_container.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "passes/slurm_commands.hpp"
#include "passes/wrappers.hpp"

namespace s2f::passes {

namespace {

void say(PassContext& context, const shell::Statement& statement, std::int64_t ranks) {
  review::Finding finding;
  finding.rule = "S2F766";
  finding.span = statement.span;
  finding.message = ranks > 0 ? fmt::format("mpirun starts its {} ranks within the task.", ranks)
                              : std::string("mpirun starts its ranks within the task.");
  finding.slurm_does = "The ranks run on the job's one node, as Slurm and its MPI place them.";
  finding.output_does = "They run in one container. Its image has to have mpirun and the program, "
                        "built for the same MPI; Open MPI runs as root only where "
                        "OMPI_ALLOW_RUN_AS_ROOT and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM are 1.";
  context.findings.add(std::move(finding));
}

void record(PassContext& context, const Span& prefix, std::vector<std::string> instead) {
  std::string text;
  for (const std::string& word : instead) {
    text += word + " ";
  }
  context.job.removals.push_back(
      {prefix, std::move(text),
       fmt::format("line {}, the number of ranks", context.sources.begin(prefix).line)});
  ir::SrunStep step;
  step.prefix = prefix;
  step.instead = std::move(instead);
  context.job.srun_steps.push_back(std::move(step));
}

} // namespace

bool mpi_in_container(const PassContext& context) {
  const auto answer = context.answers.text("mpi", "", "one_node");
  return answer && answer->value == "container" && context.job.header.components.size() == 1 &&
         has_one_node(context.component());
}

bool start_mpi(PassContext& context, const shell::SimpleCommand& command, std::size_t at,
               const shell::Statement& statement) {
  static constexpr std::array counts{"-n", "-np", "-c", "--n", "--np"};
  static constexpr std::array hosts{"-hostfile", "--hostfile", "-machinefile", "--machinefile",
                                    "-host",     "--host",     "-H",           "-hosts",
                                    "-f"};
  const std::string name = program_name(command.words[at].literal().value_or(""));
  if (!mpi_in_container(context) || at + 1 >= command.words.size() ||
      (!name.starts_with("mpirun") && !name.starts_with("mpiexec") && name != "orterun" &&
       name != "prterun")) {
    return false;
  }
  bool counted = false;
  for (std::size_t i = at + 1; i < command.words.size(); ++i) {
    const auto word = command.words[i].literal();
    if (!word || !word->starts_with('-')) {
      if (word && std::ranges::none_of(counts, [&](const char* count) {
            return command.words[i - 1].literal() == count;
          })) {
        break; // the program
      }
      continue;
    }
    counted |= std::ranges::find(counts, *word) != counts.end();
    if (std::ranges::find(hosts, *word) != hosts.end()) {
      return false;
    }
  }
  if (counted) {
    say(context, statement, 0);
    return true;
  }
  const std::int64_t ranks = context.component().resolved.ntasks;
  say(context, statement, ranks);
  record(context,
         {statement.span.source, command.words[at].span.begin, command.words[at + 1].span.begin},
         {*command.words[at].literal(), "-np", fmt::format("{}", ranks)});
  return true;
}

void start_copies_by_mpi(PassContext& context, const shell::SimpleCommand& command, std::size_t at,
                         std::size_t program, std::int64_t copies,
                         const shell::Statement& statement) {
  say(context, statement, copies);
  record(context,
         {statement.span.source, command.words[at].span.begin, command.words[program].span.begin},
         {"mpirun", "-np", fmt::format("{}", copies)});
}

} // namespace s2f::passes
