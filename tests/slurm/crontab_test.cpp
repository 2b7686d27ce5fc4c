// Crontabs: the five fields, the lines, what is none.
#include "tests/catch.hpp"

#include <string>

#include "slurm/crontab.hpp"

using namespace s2f;

namespace {

std::optional<slurm::Crontab> read(source::Sources& sources, const std::string& text,
                                   const std::string& path = "crontab") {
  return slurm::read_crontab(sources[sources.add(path, text)]);
}

} // namespace

TEST_CASE("The five fields are cron's") {
  CHECK(slurm::cron_fields("0 2 * * 1-5") == "0 2 * * 1-5");
  CHECK(slurm::cron_fields("*/5\t0-23/2  1,15 jan-MAR Mon,fri") ==
        "*/5 0-23/2 1,15 jan-MAR Mon,fri");
  // Sunday is 0 as well as 7, which Flyte does not take.
  CHECK(slurm::cron_fields("0 0 * * 7") == "0 0 * * 0");
  CHECK(slurm::cron_fields("0 0 * * 5-7") == "0 0 * * 5-6,0");
  CHECK(slurm::cron_fields("0 0 * * 0-7") == "0 0 * * *");
  CHECK(slurm::cron_fields("0 0 * * sun") == "0 0 * * sun");
  for (const char* wrong : {"", "0 2 * *", "60 0 * * *", "0 24 * * *", "0 0 0 * *", "0 0 * 13 *",
                            "0 0 * * 8", "0 0 * * mond", "5-1 * * * *", "*/x * * * *", "*/ * * * *",
                            "0 2 * * 1-5 sbatch", "0~59 * * * *", ", * * * *", "1 2 3 4 five"}) {
    CHECK_FALSE(slurm::cron_fields(wrong));
  }
}

TEST_CASE("A crontab has lines that start something") {
  source::Sources sources;
  const auto table = read(sources, "# comment\n\nMAILTO=\"a@b.org\"\nA = b c\n"
                                   "0 2 * * * sbatch a.sh $(date +\\%F) > log\n"
                                   "@weekly  sbatch b.sh%input\n@reboot x\n");
  REQUIRE(table);
  CHECK_FALSE(table->of_slurm);
  REQUIRE(table->entries.size() == 3);
  CHECK(table->entries[0].text == "sbatch a.sh $(date +%F) > log");
  CHECK(table->entries[0].runs.size() == 2);
  CHECK(sources.text(table->entries[0].time) == "0 2 * * *");
  CHECK(table->entries[1].cron == "0 0 * * 0");
  CHECK(table->entries[1].text == "sbatch b.sh");
  CHECK(table->entries[1].input);
  CHECK(table->entries[2].cron.empty());
  REQUIRE(table->variables.size() == 2);
  CHECK(table->variables[0].value == "a@b.org");
  CHECK(table->variables[1].name == "A");
  CHECK(table->variables[1].value == "b c");
  CHECK(table->comments.size() == 1);
}

TEST_CASE("Options of scrontab are those of the next line") {
  source::Sources sources;
  const auto table = read(sources, "#SCRON --time=10 -J x # why\n#SCRON --mem=\"1G\"\n"
                                   "@teatime a 50%\n0 1 * * * b\n");
  REQUIRE(table);
  CHECK(table->of_slurm);
  REQUIRE(table->entries.size() == 2);
  CHECK(table->entries[0].cron == "0 16 * * *");
  CHECK(table->entries[0].text == "a 50%");
  REQUIRE(table->entries[0].options.size() == 4);
  CHECK(table->entries[0].options[3].first == "--mem=1G");
  CHECK(table->entries[1].options.empty());
}

TEST_CASE("A crontab of the system names users") {
  source::Sources sources;
  const auto table = read(sources, "0 1 * * * root sbatch a.sh\n", "etc/cron.d/jobs");
  REQUIRE(table);
  CHECK(table->entries[0].text == "sbatch a.sh");
}

TEST_CASE("Other files are no crontabs") {
  source::Sources sources;
  for (const char* other :
       {"", "# only a comment\n", "A=b\n", "#!/bin/bash\n0 2 * * * sbatch a.sh\n",
        "#SBATCH --time=5\npython a.py\n", "0 1 2 3 4 5 6\n", "1 2 3 4 5\n",
        "0 2 * * * sbatch a.sh\nand so on\n", "@fortnightly a\n", "0 2 * * *\n"}) {
    CHECK_FALSE(read(sources, other));
  }
  CHECK(slurm::is_crontab("jobs", "0 2 * * * sbatch a.sh\n"));
  CHECK(slurm::is_crontab("my.cron", "0 2 * * * ./submit.sh\n"));
  CHECK_FALSE(slurm::is_crontab("jobs", "0 2 * * * ./submit.sh\n"));
  CHECK_FALSE(slurm::is_crontab("README", "run sbatch a.sh\n"));
}
