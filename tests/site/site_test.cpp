// Tests of the site file: keys, mistakes, wildcards, prefixes of paths, clusters.
#include "site/site.hpp"

#include "generated/tables/site_keys.hpp"
#include "tests/catch.hpp"

using namespace s2f::site;

namespace {

Site good(std::string_view text, const std::string& path = "slurm2flyte.toml") {
  auto site = read(path, text);
  REQUIRE(site.has_value());
  return std::move(*site);
}

Problem bad(std::string_view text) {
  const auto site = read("etc/slurm2flyte.toml", text);
  REQUIRE_FALSE(site.has_value());
  REQUIRE(site.error().size() == 1);
  return site.error().front();
}

std::string queue(const Site& site, std::string_view partition, std::string_view path = "a.sh",
                  std::string_view cluster = "") {
  const auto answer = Answers(site, path, cluster).text("partitions", partition, "queue");
  return answer ? answer->value : "?";
}

} // namespace

TEST_CASE("every key of the table can be read with its example", "[site]") {
  for (const auto& row : s2f::tables::site_keys) {
    INFO(row.key);
    std::string key(row.key);
    const std::string name = row.kind == s2f::tables::SiteKeysKind::severity ? "S2F205" : "NAME";
    if (const auto star = key.find('*'); star != key.npos)
      key.replace(star, 1, name);
    CHECK(accepts(key));
    CHECK(read("slurm2flyte.toml", key + " = " + std::string(row.example)).has_value());
    CHECK_FALSE(read("slurm2flyte.toml", key + " = 1.5").has_value());
  }
}

TEST_CASE("settings know their line", "[site]") {
  const auto site = good("# ours\n[partitions.gpu]\nqueue = \"fast\"\n\n[requeue]\nretries = 2\n");
  const Answers answers(site, "a.sh", "");
  CHECK(answers.text("partitions", "gpu", "queue")->place == "slurm2flyte.toml:3");
  CHECK(answers.number("requeue", "", "retries")->value == 2);
  CHECK(answers.number("requeue", "", "retries")->place == "slurm2flyte.toml:6");
  CHECK_FALSE(answers.text("partitions", "cpu", "queue"));
}

TEST_CASE("what a site file may not say", "[site]") {
  auto problem = bad("[partitions.gpu]\nquue = \"x\"\n");
  CHECK(problem.message == "[partitions.gpu] has no key `quue`");
  CHECK(problem.line == 2);
  CHECK(problem.column == 1);
  CHECK(problem.source_line == "quue = \"x\"");
  CHECK(problem.typed == "quue");
  CHECK(problem.candidates == std::vector<std::string>{"gpu", "queue", "spot"});
  CHECK(bad("[partition.gpu]\nqueue = \"x\"\n").message == "a site file has no key `partition`");
  CHECK(bad("[requeue]\nretries = -1\n").message ==
        "requeue.retries must be a whole number, 0 or more");
  CHECK(bad("[requeue]\nretries = \"3\"\n").column == 11);
  CHECK(bad("requeue = 3\n").message ==
        "requeue must be a table with host_maintenance, interruptible, retries");
  CHECK(bad("[partitions.gpu]\nqueue = \"a b\"\n").line == 2);
  CHECK(bad("[image]\npython = \"3.9\"\n").message ==
        "image.python must be a version from \"3.10\" to \"3.14\"");
  CHECK(bad("[timeout]\ndefault = \"4 hours\"\n").line == 2);
  CHECK(bad("[environments.x]\nrequirements = \"../r.txt\"\n").line == 2);
  CHECK(bad("[rules]\nignore = [\"S2F999\"]\n").message == "there is no rule `S2F999`");
  CHECK(bad("[rules]\nignore = [\"S2F110\"]\n").message ==
        "S2F110 is an error, which nobody can wave through");
  CHECK(bad("[rules.severity]\nS2F205 = \"error\"\n").line == 2);
  CHECK(bad("[cluster.a.cluster.b]\nmatch = []\n").message == "a cluster cannot hold another");
  CHECK(bad("[cluster.a]\nmatch = \"x\"\n").line == 2);
  CHECK(bad("[gpus]\nx = \"A\\u0000\"\n").line == 2);
  CHECK(bad("a = \n").line >= 1); // no TOML at all
  CHECK(bad("[gpus]\nx = \"A\"\nx = \"B\"\n").line == 3);
}

TEST_CASE("all mistakes are told at once, in their order", "[site]") {
  const auto site = read("slurm2flyte.toml", "[requeue]\nretries = -1\n[mail]\nnotify = 1\n");
  REQUIRE_FALSE(site.has_value());
  REQUIRE(site.error().size() == 2);
  CHECK(site.error()[0].line == 2);
  CHECK(site.error()[1].line == 4);
}

TEST_CASE("an exact name goes before a pattern, a longer pattern before a shorter one", "[site]") {
  const auto site = good("partitions.'*'.queue = 'any'\npartitions.'gpu*'.queue = 'gpus'\n"
                         "partitions.gpu4.queue = 'four'\n");
  CHECK(queue(site, "gpu4") == "four");
  CHECK(queue(site, "gpu8") == "gpus");
  CHECK(queue(site, "cpu") == "any");
}

TEST_CASE("a cluster's own tables go first where it matches", "[site]") {
  const auto site =
      good("partitions.gpu.queue = 'all'\n[cluster.juwels]\nmatch = ['jobs/juwels/**']\n"
           "partitions.'g*'.queue = 'booster'\n[cluster.other]\npartitions.gpu.queue='o'\n");
  CHECK(queue(site, "gpu", "jobs/juwels/a/b.sh") == "booster");
  CHECK(queue(site, "gpu", "jobs/lumi/a.sh") == "all");
  CHECK(queue(site, "gpu", "jobs/lumi/a.sh", "juwels") == "booster");
  CHECK(queue(site, "gpu", "jobs/juwels/b.sh", "other") == "o");
}

TEST_CASE("paths are answered by the longest prefix", "[site]") {
  const auto site = good("[paths]\n'/data'.as = 'volume'\n'/data/raw/'.as = 'input'\n"
                         "'$HOME'.as = 'bundled'\n'/p/*/me'.as = 'scratch'\n");
  const Answers answers(site, "a.sh", "");
  const auto as = [&](std::string_view path) {
    const auto answer = answers.path(path, "as");
    return answer ? answer->value : "?";
  };
  CHECK(as("/data/x") == "volume");
  CHECK(as("/data") == "volume");
  CHECK(as("/database") == "?");
  CHECK(as("/data/raw/x") == "input");
  CHECK(as("${HOME}/x") == "bundled");
  CHECK(as("/p/proj/me/x") == "scratch");
  CHECK(as("/p/proj/deep/me/x") == "?");
}

TEST_CASE("pyproject.toml counts only by its own table", "[site]") {
  CHECK(speaks_of_us("[tool.slurm2flyte.requeue]\nretries = 1\n"));
  CHECK_FALSE(speaks_of_us("[project]\ndependencies = ['slurm2flyte']\n"));
  CHECK_FALSE(speaks_of_us("slurm2flyte = ["));
  const auto site =
      good("[project]\nname='x'\n[tool.slurm2flyte]\nrequeue.retries = 1\n", "a/pyproject.toml");
  REQUIRE(site.settings.size() == 1);
  CHECK(site.settings[0].place == "pyproject.toml:4");
}

TEST_CASE("keys are written so that they can be read", "[site]") {
  CHECK(key_of("partitions", "gpu", "queue") == "partitions.gpu.queue");
  CHECK(key_of("modules", "cuda/12.1") == "modules.\"cuda/12.1\"");
  CHECK(key_of("paths", "a\"b\\c\n", "as") == "paths.\"a\\\"b\\\\c\\u000A\".as");
  CHECK(key_of("requeue", "", "retries") == "requeue.retries");
  for (const std::string_view name : {"gpu", "a.b", "\"", "\\", "\n", "é", "[x]", "#"})
    CHECK(accepts(key_of("partitions", name, "queue")));
  CHECK(accepts("slurm"));
  CHECK_FALSE(accepts("partitions.gpu.quue"));
  CHECK_FALSE(accepts("nonsense"));
}

TEST_CASE("wildcards", "[site]") {
  CHECK(matches("*", ""));
  CHECK(matches("gpu*", "gpu"));
  CHECK(matches("a*b*c", "aXbbYc"));
  CHECK_FALSE(matches("a*b", "abc"));
  CHECK(matches("cuda/*", "cuda/12/1"));
  CHECK(matches("v?", "v1"));
  CHECK(matches_path("jobs/*.sh", "jobs/a.sh"));
  CHECK_FALSE(matches_path("jobs/*.sh", "jobs/a/b.sh"));
  CHECK(matches_path("jobs/**", "jobs/a/b.sh"));
  CHECK(matches_path("**/b.sh", "jobs/a/b.sh"));
  CHECK(matches_path("**/x*.sh", "jobs/x/xy.sh"));
  const std::string many(2000, 'a');
  CHECK_FALSE(matches("*a*a*a*a*a*a*a*a*b", many)); // in no time
}

TEST_CASE("times", "[site]") {
  CHECK(minutes_of("90m") == 90);
  CHECK(minutes_of("1d12h") == 36 * 60);
  for (const std::string_view text : {"", "4", "h", "4 h", "0m", "-1h", "99999999999999999999d"})
    CHECK_FALSE(minutes_of(text));
}
