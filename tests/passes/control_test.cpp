// Tests of what becomes of commands beside others, of their input and of kept statements.
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "slurm2flyte/slurm2flyte.hpp"
#include "tests/catch.hpp"

#include "tests/passes/compiled.hpp"

namespace {

using nlohmann::json;

struct Converted {
  std::string module;
  json input;

  [[nodiscard]] std::string body() const { return input["body"].get<std::string>(); }
  [[nodiscard]] bool has(std::string_view text) const {
    return module.find(text) != std::string::npos;
  }
  [[nodiscard]] bool raises(std::string_view rule) const {
    for (const json& finding : input["findings"]) {
      if (finding["rule"] == rule) {
        return true;
      }
    }
    return false;
  }
};

Converted convert(const std::string& body) {
  const slurm2flyte::File script{"job.sh", "#!/bin/bash\n#SBATCH --ntasks=1\n" + body + "\n"};
  const auto result = slurm2flyte::convert({script}, {});
  REQUIRE(result.modules.size() == 1);
  CHECK(result.errors == 0);
  return {result.modules.front().text, json::parse(result.review_json)["inputs"][0]};
}

} // namespace

TEST_CASE("commands in the background are gathered where nothing stands between", "[control]") {
  const auto both = convert("./a &\n./b &\nwait\n./c");
  CHECK(both.body() == "lifted");
  CHECK(both.has("await asyncio.gather("));
  CHECK(both.raises("S2F411"));
  const auto loop = convert("for i in 1 2; do ./a $i & done\nwait");
  CHECK(loop.has("for i in (1, 2)"));
  CHECK(loop.has("await asyncio.gather("));
  const auto files = convert("./a > a.log &\n./b\nwait");
  CHECK(files.has("running.append(await spawn(\"./a\", stdout=stdout))"));
  CHECK(files.has("await asyncio.gather(*running)"));
}

TEST_CASE("wait for one command gives its status", "[control]") {
  const auto one = convert("./a &\npid=$!\n./b\nwait $pid");
  CHECK(one.body() == "lifted");
  CHECK(one.has("status = await pid"));
  CHECK_FALSE(one.raises("S2F434"));
  CHECK(convert("./a &\npid=$!\n./b\nkill $pid").body() != "lifted");
  CHECK(convert("./a &\n./b").raises("S2F434"));
  CHECK(convert("wait\n./b").body() == "lifted");
}

TEST_CASE("what a program reads is a file or a text", "[control]") {
  CHECK(convert("./a < in.txt").has("stdin=HERE / \"in.txt\""));
  CHECK(convert("./a <<< \"x y\"").has("text=\"x y\\n\""));
  CHECK(convert("cat > a.txt <<EOF\nx\nEOF").has("write_text(\"x\\n\")"));
  CHECK(convert("./a 3< in.txt").body() == "kept");
}

TEST_CASE("case asks one pattern after the other", "[control]") {
  const auto chain = convert("case $1 in a|b) ./a ;; *.txt) ./b ;; *) ./c ;; esac");
  CHECK(chain.has("if arg1 == \"a\" or arg1 == \"b\":"));
  CHECK(chain.has("elif arg1.endswith(\".txt\"):"));
  CHECK(convert("case $1 in a) ./a ;& b) ./b ;; esac").body() == "kept");
}

TEST_CASE("a pattern that a known text is compared with decides at once", "[control]") {
  for (const char* test : {"$KIND == *fast*", "$KIND == slow*.d/f?", "$KIND != *slower*"}) {
    INFO(test);
    const auto job = s2f::tests::compile_job(std::string("KIND=slow_fast.d/f1\nif [[ ") + test +
                                             " ]]; then\n  ./taken\nelse\n  ./left\nfi");
    CHECK(job.has("./taken"));
    CHECK_FALSE(job.has("./left"));
  }
  for (const char* test : {"$KIND == fast*", "$KIND == *slow", "$KIND != slow*"}) {
    INFO(test);
    const auto job = s2f::tests::compile_job(std::string("KIND=slow_fast\nif [[ ") + test +
                                             " ]]; then\n  ./taken\nelse\n  ./left\nfi");
    CHECK(job.has("./left"));
    CHECK_FALSE(job.has("./taken"));
  }
  CHECK(s2f::tests::compile_job("if [[ $1 == fast* ]]; then\n  ./taken\nfi").has("startswith"));
}

TEST_CASE("one kept statement does not keep what is around it", "[control]") {
  const auto small = convert("A=1\n./a $A\ntype $A\n./b");
  CHECK(small.body() == "mixed");
  CHECK(small.has("await run(\"./a\", \"1\", check=False)"));
  CHECK(small.has("A=1\ntype $A"));
  CHECK(small.has("await run(\"./b\")"));
}
