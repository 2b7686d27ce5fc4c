// What is taken for a secret, and what is only a word.
#include "tests/catch.hpp"

#include "tests/passes/compiled.hpp"

using s2f::tests::compile_job;

TEST_CASE("A password whose value is the word for one hides nothing") {
  for (const char* line : {"# PASSWD=password", "export DB_PASSWORD=PASSWORD", "TOKEN=passwd"}) {
    INFO(line);
    const auto job = compile_job(std::string(line) + "\n./serve --password $DB_PASSWORD");
    CHECK_FALSE(job.raised("S2F901"));
    CHECK(job.has("--password"));
  }
}

TEST_CASE("A password that is a word of its own is one") {
  for (const char* line : {"export DB_PASSWORD=hunter2horse", "# PASSWD=correcthorse"}) {
    INFO(line);
    const auto job = compile_job(std::string(line) + "\n./serve --as me");
    CHECK_FALSE(job.has("hunter2horse"));
    CHECK_FALSE(job.has("correcthorse"));
  }
}

TEST_CASE("A secret of the submitting shell is no parameter of the task") {
  const auto job = compile_job("python train.py --token \"$HF_TOKEN\" --name \"$FLAVOUR\"");
  CHECK(job.raised("S2F802"));
  CHECK(job.has("flyte.Secret(\"hf-token\", as_env_var=\"HF_TOKEN\")"));
  CHECK(job.has("flavour: str"));
  CHECK_FALSE(job.has("hf_token"));
}

TEST_CASE("A secret of the submitting shell is there for kept Bash too") {
  const auto job = compile_job("shopt -s extglob\nls !(a)\ncurl -H \"key: $API_KEY\" x.org");
  CHECK(job.raised("S2F406"));
  CHECK(job.has("flyte.Secret(\"api-key\", as_env_var=\"API_KEY\")"));
  CHECK_FALSE(job.has("api_key"));
}

TEST_CASE("A script that sets it, or makes do without, asks for no secret") {
  for (const char* body : {"HF_TOKEN=$(cat token)\npython x.py --token $HF_TOKEN",
                           "read -r HF_TOKEN < token\npython x.py --token $HF_TOKEN"}) {
    INFO(body);
    CHECK_FALSE(compile_job(body).raised("S2F802"));
  }
}

TEST_CASE("A secret that an option exports stands in no task that stays on Slurm") {
  for (const char* start : {"mpirun ./x", "srun -n 8 ./x"}) {
    INFO(start);
    const auto job = compile_job(std::string("#SBATCH --nodes=4\n#SBATCH --export=ALL,API_KEY="
                                             "a1b2c3d4e5f6,LEVEL=3\n") +
                                 start);
    CHECK(job.has("SlurmScriptTask"));
    CHECK(job.has("\"ALL,API_KEY,LEVEL=3\""));
    CHECK_FALSE(job.has("a1b2c3d4e5f6"));
    CHECK_FALSE(job.raised("S2F901"));
  }
}

TEST_CASE("An option that asks for none is given no secret") {
  CHECK_FALSE(compile_job("ch-run --no-passwd ubuntu:22.04 -- sim a").raised("S2F801"));
  CHECK(compile_job("sim --passwd ubuntu:22.04").raised("S2F801"));
}

TEST_CASE("A short secret of one directory may be a word of another") {
  const auto compiled = s2f::project::compile(
      {"a/job.sh", "b/job.sh"}, {},
      s2f::project::in_memory({{"a/job.sh", "#!/bin/bash\nsim --passwd ubuntu22\n"},
                               {"b/job.sh", "#!/bin/bash\nsim --on ubuntu22\n"}}));
  REQUIRE(compiled.modules.size() == 2);
  CHECK(compiled.modules[0].text.find("ubuntu22") == std::string::npos);
  CHECK(compiled.modules[1].text.find("ubuntu22") != std::string::npos);
}
