// The audit: what it counts, and which scripts it takes for one.
#include <algorithm>
#include <string>
#include <vector>

#include "tests/catch.hpp"

#include "review/audit.hpp"

using namespace s2f::review;

namespace {

PlacedFinding decision(const std::string& rule, const std::string& key,
                       const std::string& message = "What: this.") {
  PlacedFinding placed;
  placed.finding.rule = rule;
  placed.finding.severity = Severity::decision;
  placed.finding.config_key = key;
  placed.finding.message = message;
  placed.line = 3;
  return placed;
}

Input input(const std::string& path, Verdict verdict, std::vector<PlacedFinding> findings = {}) {
  Input made;
  made.path = path;
  made.kind = "job";
  made.verdict = verdict;
  made.body = "lifted";
  made.source_text = "#!/bin/bash\n#SBATCH --mem=1G\n" + path + "\n";
  made.findings = std::move(findings);
  return made;
}

} // namespace

TEST_CASE("One answer closes the decisions that name its key") {
  const Review review{
      "tool",
      "2",
      {input("a.sh", Verdict::needs_decision,
             {decision("S2F210", "partitions.gpu.queue"), decision("S2F507", "")}),
       input("b.sh", Verdict::needs_decision, {decision("S2F210", "partitions.gpu.queue")}),
       input("c.sh", Verdict::needs_decision, {decision("S2F210", "partitions.\"a.b\".queue")})}};
  const Audit result = audit(review, {});
  CHECK(result.open_decisions == 4);
  REQUIRE(result.answers.size() == 2);
  CHECK(result.answers[0].tally.what == "partitions.gpu.queue");
  CHECK(result.answers[0].tally.count == 2);
  CHECK(result.answers[0].tally.scripts == 2);
  CHECK(result.answers[0].tally.first == "a.sh:3");
  REQUIRE(result.single.size() == 1);
  CHECK(result.single[0].count == 1);
  REQUIRE(result.names.contains("partitions"));
  CHECK(result.names.at("partitions")[1].what == "\"a.b\"");
}

TEST_CASE("What was signed is open no more") {
  auto signed_one = decision("S2F210", "partitions.gpu.queue");
  signed_one.finding.accepted = Acceptance{};
  const Audit result = audit({"tool", "2", {input("a.sh", Verdict::ready, {signed_one})}}, {});
  CHECK(result.open_decisions == 0);
  CHECK(result.answers.empty());
}

TEST_CASE("Effort is counts times weights") {
  const Review review{"tool",
                      "2",
                      {input("a.sh", Verdict::needs_decision, {decision("S2F507", "")}),
                       input("b.sh", Verdict::keep_on_slurm)}};
  const Audit result = audit(review, {{"decision", 7}, {"read", 0}});
  const auto of = [&](const std::string& name) {
    return *std::ranges::find(result.effort, name, &Effort::name);
  };
  CHECK(of("decision").minutes() == 7);
  CHECK(of("read").count == 2);
  CHECK(of("read").minutes() == 0);
  CHECK(of("on_slurm").count == 1);
}

TEST_CASE("Every script is in one wave") {
  auto several = input("big.sh", Verdict::needs_decision);
  several.shape.nodes = 4;
  auto array = input("shards.sh", Verdict::needs_decision);
  array.shape.array = true;
  auto driver = input("submit.sh", Verdict::ready);
  driver.kind = "driver";
  const Review review{"tool",
                      "2",
                      {several, input("jobs/train.sh", Verdict::ready), array,
                       input("jobs/Eval.sh", Verdict::ready), driver,
                       input("mpi.sh", Verdict::keep_on_slurm),
                       input("odd.sh", Verdict::not_converted)}};
  std::vector<std::pair<std::string, std::vector<std::string>>> waves;
  for (const Wave& wave : audit(review, {}).waves) {
    waves.emplace_back(wave.name, wave.scripts);
  }
  const decltype(waves) expected{{"independent", {"shards.sh", "jobs/Eval.sh"}},
                                 {"pipelines", {"submit.sh"}},
                                 {"one_node", {"jobs/train.sh"}},
                                 {"several_nodes", {"big.sh"}},
                                 {"by_hand", {"odd.sh"}},
                                 {"on_slurm", {"mpi.sh"}}};
  CHECK(waves == expected);
}

TEST_CASE("A family differs in what belongs to a cluster") {
  const std::string one = "#!/bin/bash\n#SBATCH --partition=gpu\n#SBATCH -A proj1\n"
                          "module load cuda/12.1\npython /scratch/a/train.py --lr 0.1\n";
  const std::string other = "#!/bin/bash\n#SBATCH -p a100\n#SBATCH --account=other\n"
                            "module load cuda/11.8\npython $HOME/b/train.py --lr 0.1\n";
  CHECK(family_text(one) == family_text(other));
  SECTION("an argument is none of that") {
    CHECK(family_text(one) != family_text(other + "# more\n"));
    CHECK(family_text("python train.py --lr 0.1\n") != family_text("python train.py --lr 0.2\n"));
  }
  SECTION("nor is memory, or another program") {
    CHECK(family_text("#SBATCH --mem=1G\n") != family_text("#SBATCH --mem=2G\n"));
    CHECK(family_text("/a/train.py\n") != family_text("/a/eval.py\n"));
    CHECK(family_text("module load cuda\n") != family_text("module load gcc\n"));
  }
  SECTION("and it says in what") {
    Input left = input("a.sh", Verdict::ready);
    left.source_text = one;
    Input right = input("b.sh", Verdict::ready);
    right.source_text = other;
    const Audit result = audit({"tool", "2", {left, right}}, {});
    REQUIRE(result.families.size() == 1);
    CHECK(result.families[0].scripts == std::vector<std::string>{"a.sh", "b.sh"});
    CHECK(result.families[0].differ ==
          std::vector<std::string>{"--account", "--partition", "modules", "paths"});
  }
}

TEST_CASE("Text of scripts acts on no reader of an audit") {
  Input hostile = input("<script>alert(1)</script>|`x`.sh", Verdict::needs_decision,
                        {decision("S2F210", "partitions.\"<b>|\\u202e\".queue")});
  const Audit result = audit({"tool", "2", {hostile}}, {});
  CHECK(render_audit_html(result, 10).find("<script>") == std::string::npos);
  CHECK(render_audit_markdown(result, 10).find("<script>") == std::string::npos);
  CHECK(render_audit_json(result).find("slurm2flyte-audit/1") != std::string::npos);
}
