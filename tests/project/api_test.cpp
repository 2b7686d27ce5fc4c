// The public header by itself: what another program would write.
#include "slurm2flyte/slurm2flyte.hpp"

#include "tests/catch.hpp"

TEST_CASE("a script in memory becomes a module and a review", "[api]") {
  const slurm2flyte::File script{"jobs/train.sh", "#!/bin/bash\n"
                                                  "#SBATCH --job-name=train\n"
                                                  "#SBATCH --mem=4G\n"
                                                  "python train.py --lr 3e-4\n"};
  const slurm2flyte::File payload{"jobs/train.py", "print('trained')\n"};
  const auto result = slurm2flyte::convert({script}, {payload});
  CHECK(result.failures.empty());
  CHECK(result.errors == 0);
  REQUIRE(result.modules.size() == 1);
  const auto& module = result.modules.front();
  CHECK(module.script == "jobs/train.sh");
  CHECK(module.path == "jobs/train_flyte.py");
  CHECK(module.entry == "train");
  CHECK(module.text.find("async def train(") != std::string::npos);
  CHECK(module.text.find("memory=\"4Gi\"") != std::string::npos);
  CHECK(module.text.ends_with('\n'));
  CHECK(result.review_json.find("\"slurm2flyte-review/1\"") != std::string::npos);
  CHECK(result.review_markdown.find("jobs/train.sh") != std::string::npos);
}

TEST_CASE("the ledger and the findings are values", "[api]") {
  const slurm2flyte::File script{"train.sh",
                                 "#!/bin/bash\n"
                                 "#SBATCH --partition=gpu\n"
                                 "export WANDB_API_KEY=0123456789abcdef0123456789abcdef01234567\n"
                                 "hostname\n"};
  const auto result = slurm2flyte::convert({script});
  REQUIRE(result.scripts.size() == 1);
  const auto& one = result.scripts.front();
  CHECK(one.path == "train.sh");
  CHECK(one.module == "train_flyte.py");
  CHECK(to_string(one.verdict) == "needs_decision");
  CHECK(one.lines == 4);
  CHECK(one.lines_accounted == 4);
  bool partition = false;
  for (const auto& item : one.items) {
    CHECK(item.disposition != slurm2flyte::Disposition::open);
    CHECK(item.text.find("0123456789abcdef") == std::string::npos);
    partition = partition || (item.line == 2 && to_string(item.disposition) == "decision" &&
                              !item.output_lines.empty());
  }
  CHECK(partition);
  bool queue = false;
  for (const auto& finding : one.findings) {
    CHECK(finding.message.find("0123456789abcdef") == std::string::npos);
    if (finding.rule == "S2F210") {
      queue = true;
      CHECK(finding.severity == slurm2flyte::Severity::decision);
      CHECK(finding.config_key == "partitions.gpu.queue");
      CHECK(finding.line == 2);
      CHECK(finding.open);
      CHECK_FALSE(finding.taken.empty());
    }
  }
  CHECK(queue);
}

TEST_CASE("what sbatch refuses has no module unless it is asked for", "[api]") {
  const slurm2flyte::File script{"bad.sh", "#!/bin/bash\n#SBATCH --mem=lots\ntrue\n"};
  const auto refused = slurm2flyte::convert({script});
  CHECK(refused.modules.empty());
  CHECK(refused.errors == 1);
  const auto insisted = slurm2flyte::convert({script}, {}, {.keep_going = true});
  CHECK(insisted.modules.size() == 1);
  CHECK(insisted.errors == 1);
}

TEST_CASE("a file that is not there is a failure, not an exception", "[api]") {
  const auto result = slurm2flyte::convert_files({"no/such/script.sh"});
  CHECK(result.modules.empty());
  REQUIRE(result.failures.size() == 1);
  CHECK(result.failures.front().path == "no/such/script.sh");
  CHECK_FALSE(result.failures.front().message.empty());
}

TEST_CASE("the library tells its version", "[api]") {
  CHECK(slurm2flyte::version() == S2F_VERSION);
  CHECK_FALSE(slurm2flyte::flyte_version().empty());
}
