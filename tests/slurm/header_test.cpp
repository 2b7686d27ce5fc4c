// What the reader says besides Slurm's own answers: places, warnings, shares, variables, the table.
#include "tests/catch.hpp"

#include <algorithm>
#include <string>

#include <nlohmann/json.hpp>

#include "generated/tables/rules.hpp"
#include "slurm/header.hpp"
#include "source/source.hpp"

using namespace s2f;

namespace {

struct Read {
  source::Sources sources;
  slurm::Header header;

  explicit Read(const std::string& directives, const slurm::ReadOptions& options = {}) {
    const auto id = sources.add("job.sh", "#!/bin/bash\n" + directives + "\nhostname\n");
    header = slurm::read_header(sources[id], options);
  }
  [[nodiscard]] std::string_view text(const source::Span& span) const { return sources.text(span); }
  [[nodiscard]] const slurm::Component& first() const { return header.components.front(); }
  [[nodiscard]] bool warns(std::string_view part) const {
    return std::ranges::any_of(header.warnings, [part](const slurm::Warning& warning) {
      return warning.message.contains(part);
    });
  }
  [[nodiscard]] slurm::VariableValue variable(std::string_view name) const {
    return slurm::variable_value(first(), name);
  }
};

} // namespace

TEST_CASE("an option knows where it and its value stand", "[slurm]") {
  const Read read("#SBATCH -HJ \"a b\" --mem=4G -n4 # note");
  const auto& uses = read.header.uses;
  REQUIRE(uses.size() == 4);
  CHECK(read.text(uses[0].span) == "-H");
  CHECK(read.text(uses[1].value_span) == "\"a b\"");
  CHECK(uses[1].value == "a b");
  CHECK(read.text(uses[2].span) == "--mem=4G");
  CHECK(read.text(uses[2].value_span) == "4G");
  CHECK(read.text(uses[3].value_span) == "4");
  REQUIRE(read.header.lines.size() == 1);
  CHECK(read.header.lines[0].uses.size() == 4);
  CHECK(read.text(*read.header.lines[0].comment) == "# note");
}

TEST_CASE("a value may stand on the next line, as sbatch joins them", "[slurm]") {
  const Read read("#SBATCH -J\n#SBATCH name -n 2");
  CHECK(read.header.accepted());
  CHECK(read.first().effective.at("job-name") == "name");
  CHECK(read.first().effective.at("ntasks") == "2");
}

TEST_CASE("reading goes on behind what sbatch refuses", "[slurm]") {
  const Read read("#SBATCH --job-name=nice   (sets the name)\n#SBATCH --bogus --ntasks=2");
  CHECK_FALSE(read.header.accepted());
  REQUIRE(read.header.rejections.size() == 2);
  CHECK(read.header.rejections[0].message == "Invalid directive found in batch script: (sets");
  CHECK(read.text(read.header.rejections[0].span) == "(sets");
  CHECK(read.first().effective.at("job-name") == "nice");
  CHECK(read.first().effective.at("ntasks") == "2");
}

TEST_CASE("later options override earlier ones, mail types add up", "[slurm]") {
  slurm::ReadOptions options;
  options.arguments = {"-t", "9"};
  options.environment = {{"SBATCH_PARTITION", "env"}};
  const Read read("#SBATCH -p a -t 5 --mail-type=END\n#SBATCH --mail-type=FAIL", options);
  const auto& uses = read.header.uses;
  CHECK(uses[0].overridden);
  CHECK(uses[1].overridden);
  CHECK_FALSE(uses[2].overridden);
  CHECK(read.first().effective.at("mail-type") == "END,FAIL");
  CHECK(read.first().effective.at("partition") == "env");
  CHECK(read.first().effective.at("time") == "00:09:00");
}

TEST_CASE("lines that only look like directives say why", "[slurm]") {
  const Read read("##SBATCH -n 1\n# SBATCH --mem=1G\n #SBATCH -n 1\n#sbatch -n 1\n"
                  "# sbatch this file\nset -e\n#SBATCH -n 2");
  const auto& inert = read.header.inert;
  REQUIRE(inert.size() == 5);
  CHECK(inert[0].why == "commented out: a directive begins with one #");
  CHECK(inert[1].why == "not a directive: there is a blank after the #");
  CHECK(inert[2].why == "not a directive: #SBATCH must stand at the start of the line");
  CHECK(inert[3].why == "not a directive: #SBATCH is written in upper case");
  CHECK(inert[4].why == "after the first command (line 7): Slurm does not read it");
  CHECK(read.header.end_line == 7);
}

TEST_CASE("what Slurm says nothing about is a warning", "[slurm]") {
  CHECK(Read("#SBATCH --comment=run#7").warns("ignores `#7`"));
  CHECK(Read("#SBATCH --comment=run#7").header.uses[0].cut_off == "#7");
  CHECK(Read("#SBATCH -o $HOME/x").warns("Slurm expands nothing"));
  CHECK(Read("#SBATCH --mail-type=END,SOMETIMES").warns("drops `SOMETIMES`"));
  CHECK(Read("#SBATCH -J=x").warns("takes no `=`"));
  CHECK(Read("#SBATCH --container-image=x").warns("plugin pyxis"));
  CHECK(Read("#SBATCH --segment=4").warns("needs Slurm 24.05"));
  CHECK(Read("#SBATCH --wrap=date").warns("no effect in a script"));
  CHECK(Read("#SBATCH -N 4 -n 2").warns("setting nnodes to 2"));
}

TEST_CASE("a refusal comes with what was probably meant", "[slurm]") {
  CHECK(Read("#SBATCH --memory=4G").warns("did you mean --mem?"));
  CHECK(Read("#SBATCH --cpus_per_task=4").warns("did you mean --cpus-per-task?"));
  CHECK(Read("#SBATCH --paritition=gpu").warns("did you mean --partition?"));
  CHECK(Read("#SBATCH --workdir=/x").warns("it is --chdir now"));
  CHECK(Read("#SBATCH --mpi=pmix").warns("an option of srun"));
  CHECK(Read("#SBATCH -mem=4G").warns("two dashes: --mem=4G"));
  CHECK_FALSE(Read("#SBATCH --quux=4").warns("did you mean"));
}

TEST_CASE("one node's share is the arithmetic of the options", "[slurm]") {
  const Read tasks("#SBATCH -N 2 --ntasks-per-node=4 -c 8 --mem-per-cpu=2G --gpus-per-task=1");
  CHECK(tasks.first().share.tasks == 4);
  CHECK(tasks.first().share.cpus == 32);
  CHECK(tasks.first().share.cpus_how == "--cpus-per-task=8 x 4 tasks");
  CHECK(tasks.first().share.memory_mib == 65536);
  CHECK(tasks.first().share.memory_how == "--mem-per-cpu=2G x 32 CPUs");
  CHECK(tasks.first().share.gpus == 4);

  const Read gpus("#SBATCH --gres=gpu:a100:2 --cpus-per-gpu=4 --mem-per-gpu=10G");
  CHECK(gpus.first().share.gpus == 2);
  CHECK(gpus.first().share.gpu_type == "a100");
  CHECK(gpus.first().share.cpus == 8);
  CHECK(gpus.first().share.memory_mib == 20480);

  const Read total("#SBATCH -N 2 --gpus=8 --mem=0");
  CHECK(total.first().share.gpus == 4);
  CHECK(total.first().share.gpus_how == "--gpus=8 over 2 nodes");
  CHECK(total.first().share.whole_node_memory);

  const Read nothing("#SBATCH -J x");
  CHECK_FALSE(nothing.first().share.cpus);
  CHECK_FALSE(nothing.first().share.memory_mib);
}

TEST_CASE("variables are set as Slurm sets them", "[slurm]") {
  const Read plain("#SBATCH -N 2");
  CHECK(plain.variable("SLURM_NTASKS").unset);
  CHECK(plain.variable("SLURM_CPUS_PER_TASK").unset);
  CHECK(plain.variable("SLURM_ARRAY_TASK_ID").unset);
  CHECK(plain.variable("SLURM_NNODES").value == "2");
  CHECK_FALSE(plain.variable("SLURM_JOB_ID").unset);
  CHECK_FALSE(plain.variable("SLURM_JOB_ID").value);

  const Read asked("#SBATCH -N 2 --ntasks-per-node=4 -c 8 --mem=4G --array=1-9:2 --export=NONE");
  CHECK(asked.variable("SLURM_NTASKS").value == "8");
  CHECK(asked.variable("SLURM_TASKS_PER_NODE").value == "4(x2)");
  CHECK(asked.variable("SLURM_CPUS_PER_TASK").value == "8");
  CHECK(asked.variable("SLURM_MEM_PER_NODE").value == "4096");
  CHECK(asked.variable("SLURM_ARRAY_TASK_COUNT").value == "5");
  CHECK(asked.variable("SLURM_ARRAY_TASK_STEP").value == "2");
  CHECK(asked.variable("SLURM_EXPORT_ENV").value == "NONE");
  CHECK_FALSE(asked.variable("SLURM_ARRAY_TASK_ID").unset);
}

TEST_CASE("every option says what becomes of it", "[slurm]") {
  std::size_t sbatch = 0;
  for (const auto& option : slurm::option_table()) {
    INFO(option.name);
    CHECK(tables::find_rules(option.rule) != nullptr);
    CHECK_FALSE(option.disposition.empty());
    CHECK_FALSE(option.becomes.empty());
    if (!option.same_as.empty())
      CHECK(slurm::find_option(option.same_as) != nullptr);
    CHECK((option.program == "plugin") == !option.plugin.empty());
    sbatch += option.program == "sbatch" ? 1 : 0;
  }
  CHECK(sbatch > 110);
}

TEST_CASE("inspect answers in its published form", "[slurm]") {
  const Read read("#SBATCH -n 2 --begin=16:00\n#SBATCH hetjob\n#SBATCH -n 3\necho\n#SBATCH -n 4");
  const auto json = nlohmann::json::parse(slurm::inspect_json(read.header, slurm::Kind::job));
  CHECK(json["schema"] == "slurm2flyte-inspect/1");
  CHECK(json["kind"] == "job");
  CHECK(json["accepted"] == true);
  CHECK(json["effective_options"]["begin"] == "NEXT 16:00:00");
  CHECK(json["resolved"]["begin"] == "NEXT 16:00:00");
  CHECK(json["resolved"]["partition"].is_null());
  CHECK(json["components"].size() == 2);
  CHECK(json["components"][1]["effective_options"]["ntasks"] == "3");
  CHECK(json["inert_directives"][0]["line"] == 6);
}
