// The grammars of option values, each with what real Slurm made of it (docs/slurm.md).
#include "tests/catch.hpp"

#include <string_view>
#include <utility>
#include <vector>

#include "slurm/header.hpp"
#include "slurm/moment.hpp"
#include "slurm/values.hpp"

using namespace s2f::slurm;

namespace {

std::optional<std::int64_t> minutes(std::string_view text) {
  const auto time = parse_time(text);
  REQUIRE(time);
  return time->minutes;
}

std::string shown(std::string_view text, std::optional<std::string> now = {}) {
  const auto moment = read_moment(text);
  return moment ? show_moment(*moment, now) : "refused";
}

} // namespace

TEST_CASE("a time rounds up to minutes", "[slurm]") {
  CHECK(minutes("90") == 90);
  CHECK(minutes("1:30") == 2);
  CHECK(minutes("01:02:03") == 63);
  CHECK(minutes("1-0") == 1440);
  CHECK(minutes("1-2:30") == 1590);
  CHECK(minutes("1-25:61:61") == 3003);
  CHECK(minutes("0:01") == 1);
  CHECK(minutes("-5") == 4294960097);
}

TEST_CASE("a time can be no limit", "[slurm]") {
  for (const auto* text : {"0", "00:00:00", "-1", "UNLIMITED", "infinite"})
    CHECK(minutes(text) == std::nullopt);
}

TEST_CASE("what is no time is refused", "[slurm]") {
  for (const auto* text : {"", "2h", "1.5", "+5", "1:", ":30", "1:2:3:4", "5 ", "1_0", "1-2-3"})
    CHECK_FALSE(parse_time(text));
}

TEST_CASE("memory is in mebibytes", "[slurm]") {
  const std::vector<std::pair<std::string_view, std::int64_t>> sizes = {
      {"4096", 4096}, {"4G", 4096},  {"1500K", 2},  {"1T", 1048576},
      {"512mb", 512}, {"+4G", 4096}, {"04G", 4096}, {"0", 0}};
  for (const auto& [text, mib] : sizes)
    CHECK(parse_memory(text) == Mebibytes{mib});
  for (const auto* text : {"1.5G", "4GiB", "-1", "1P", "lots", "4 G", "1000000B", ""})
    CHECK_FALSE(parse_memory(text));
}

TEST_CASE("an array is sorted, and its throttle stands anywhere", "[slurm]") {
  const auto array = parse_array("5-8,0-3%2,7");
  REQUIRE(array);
  CHECK(array->indices == std::vector<std::int64_t>{0, 1, 2, 3, 5, 6, 7, 8});
  CHECK(array->throttle == 2);
  CHECK(parse_array("1-10:3")->indices == std::vector<std::int64_t>{1, 4, 7, 10});
  CHECK(parse_array("[1-3]")->indices == std::vector<std::int64_t>{1, 2, 3});
  CHECK(parse_array("%2")->indices == std::vector<std::int64_t>{0});
  CHECK(parse_array("0-3%0")->throttle == std::nullopt);
  for (const auto* text : {"9-0", "-1-3", "a-c", "0-9:0", "0-9:-2", "1..3", "5-", "1 - 3"})
    CHECK_FALSE(parse_array(text));
}

TEST_CASE("a dependency has types, and one ? makes it OR", "[slurm]") {
  const auto both = parse_dependency("AfterOK:1:2,singleton");
  REQUIRE(both);
  CHECK_FALSE(both->any);
  REQUIRE(both->terms.size() == 3);
  CHECK(both->terms[1] == Dependency{DependencyType::afterok, "2", {}});
  CHECK(both->terms[2].type == DependencyType::singleton);

  const auto any = parse_dependency("afterok:1?afterany:2");
  REQUIRE(any);
  CHECK(any->any);

  CHECK(parse_dependency("after:7+5")->terms[0].delay == 5);
  CHECK(parse_dependency("afterok:$a:${b}_*")->terms[1].job == "${b}_*");
  CHECK(parse_dependency("12345")->terms[0] == Dependency{DependencyType::afterany, "12345", {}});
  CHECK(parse_dependency("afterok:5_[0-1]")->terms.size() == 2);
  for (const auto* text :
       {"afterwards:1", "none", "after:1+x", "afterok:1, afterany:2", "afterok:"})
    CHECK_FALSE(parse_dependency(text));
}

TEST_CASE("nodes are a number or a range", "[slurm]") {
  CHECK(parse_nodes("2") == NodeCount{2, 2});
  CHECK(parse_nodes("2-4") == NodeCount{2, 4});
  CHECK(parse_nodes("-4") == NodeCount{1, 4});
  CHECK(parse_nodes("2k") == NodeCount{2048, 2048});
  CHECK(parse_nodes("0") == NodeCount{0, std::nullopt});
  for (const auto* text : {"4-2", "2-", "two", "1,2", ""})
    CHECK_FALSE(parse_nodes(text));
}

TEST_CASE("a signal has flags, a name and a time", "[slurm]") {
  const auto signal = parse_signal("RB:SIGUSR1@120");
  REQUIRE(signal);
  CHECK(signal->signal == "USR1");
  CHECK(signal->seconds == 120);
  CHECK(signal->batch_shell);
  CHECK(signal->reservation);
  CHECK(parse_signal("15")->signal == "TERM");
  CHECK(parse_signal("usr2")->seconds == 60);
  for (const auto* text : {"NOPE", "USR1@1m", "USR1@65536", "@60"})
    CHECK_FALSE(parse_signal(text));
}

TEST_CASE("a gres is read for its GPUs", "[slurm]") {
  CHECK(parse_gres("gpu") == GpuRequest{1, Per::node, ""});
  CHECK(parse_gres("gpu:a100:8") == GpuRequest{8, Per::node, "a100"});
  CHECK(parse_gres("gpu:A100") == GpuRequest{1, Per::node, "A100"});
  CHECK(parse_gres("shard:1,gpu:2") == GpuRequest{2, Per::node, ""});
  CHECK(parse_gres("gpu:a100:1,gpu:v100:2") == GpuRequest{3, Per::node, "a100,v100"});
  CHECK_FALSE(parse_gres("lscratch:100"));
  CHECK_FALSE(parse_gres("gpu:a100:"));
}

TEST_CASE("a point in time is relative to the submission", "[slurm]") {
  CHECK(shown("now+1hour") == "SUBMIT+3600s");
  CHECK(shown("now-1hour") == "SUBMIT-3600s");
  CHECK(shown("now + 1week") == "SUBMIT+604800s");
  CHECK(shown("16:00") == "NEXT 16:00:00");
  CHECK(shown("4:00 PM") == "NEXT 16:00:00");
  CHECK(shown("fika") == "NEXT 15:00:00");
  CHECK(shown("tomorrow 10:00") == "DAY+1 10:00:00");
  CHECK(shown("010230") == "2030-01-02T00:00:00");
  CHECK(shown("2030-01-20 12:34") == "2030-01-20T12:34:00");
  CHECK(shown("uts1900000000") == "2030-03-17T17:46:40");
  for (const auto* text : {"later", "now+1h", "10", "25:00", "2030-01-20T12:34:00Z", ""})
    CHECK(shown(text) == "refused");
}

TEST_CASE("with a time of submission it is absolute", "[slurm]") {
  const std::string noon = "2026-03-31T12:00:00";
  CHECK(shown("now+1hour", noon) == "2026-03-31T13:00:00");
  CHECK(shown("11:00", noon) == "2026-04-01T11:00:00");
  CHECK(shown("13:00", noon) == "2026-03-31T13:00:00");
  CHECK(shown("tomorrow", noon) == "2026-04-01T00:00:00");
  CHECK(shown("03/30", noon) == "2027-03-30T00:00:00");
  CHECK(shown("04/31", noon) == "2026-05-01T00:00:00");
}

TEST_CASE("a host that is named twice is shown twice", "[slurm]") {
  const auto shown = [](std::string_view text) {
    return s2f::slurm::show_hosts(s2f::slurm::read_hosts(text).value());
  };
  CHECK(shown("a,a") == "a,a");
  CHECK(shown("n1,n1") == "n[1,1]");
  CHECK(shown("n[1-3],b") == "n[1-3],b");
}
