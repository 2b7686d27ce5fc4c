// Decisions that no other test noticed when they were made wrong (tests/mutation).
#include "tests/catch.hpp"
#include "tests/passes/compiled.hpp"

using namespace s2f;
using tests::compile_job;

namespace {

project::Compiled compile_driver(const std::string& driver) {
  return project::compile({"submit.sh"}, {},
                          project::in_memory({{"submit.sh", driver},
                                              {"one.sh", "#!/bin/bash\n#SBATCH -a 0-3\necho a\n"},
                                              {"two.sh", "#!/bin/bash\necho b\n"}}));
}

bool raised(const project::Compiled& compiled, std::string_view rule) {
  return std::ranges::any_of(
      compiled.review.inputs.front().findings,
      [&](const review::PlacedFinding& placed) { return placed.finding.rule == rule; });
}

} // namespace

TEST_CASE("only hostname alone is what Python knows of the host") {
  CHECK_FALSE(compile_job("python a.py $(hostname)").has("capture(\"hostname\""));
  CHECK(compile_job("python a.py $(hostname -s)").has("capture(\"hostname\", \"-s\")"));
}

TEST_CASE("a long option of the interpreter has no letters that count") {
  const auto rules_of = [](const std::string& interpreter) {
    const auto compiled = project::compile(
        {"job.sh"}, {}, project::in_memory({{"job.sh", interpreter + "\nfalse\necho a\n"}}));
    return raised(compiled, "S2F512");
  };
  CHECK_FALSE(rules_of("#!/bin/bash --noprofile"));
  CHECK(rules_of("#!/bin/bash --login"));
  CHECK(rules_of("#!/bin/bash -l"));
}

TEST_CASE("a dependency on one element of an array is told") {
  CHECK(raised(compile_driver("id=$(sbatch --parsable --array=0-3%2 one.sh)\n"
                              "sbatch --dependency=afterok:${id}_3 two.sh\n"),
               "S2F340"));
  CHECK_FALSE(raised(compile_driver("id=$(sbatch --parsable one.sh)\n"
                                    "sbatch --dependency=afterok:$id two.sh\n"),
                     "S2F340"));
}

TEST_CASE("the graph of a driver shows each kind of dependency") {
  for (const std::string kind : {"afterok", "afternotok", "afterany"}) {
    const auto compiled = compile_driver(
        "id=$(sbatch --parsable one.sh)\nsbatch --dependency=" + kind + ":$id two.sh\n");
    const auto& edges = compiled.review.inputs.front().graph.edges;
    REQUIRE(edges.size() == 1);
    CHECK(edges.front().kind == kind);
  }
}

TEST_CASE("An option that asks for what Slurm does anyway asks nothing") {
  const auto job = compile_job("#SBATCH --begin=now --nice=0\n./sim");
  CHECK_FALSE(job.raised("S2F222"));
  CHECK(job.why("--begin=now") == "what Slurm does without it");
  CHECK(job.why("--nice=0") == "what Slurm does without it");
  CHECK(compile_job("#SBATCH --begin=now+1hour\n./sim").raised("S2F222"));
  CHECK(compile_job("#SBATCH --nice=100\n./sim").raised("S2F113"));
}
