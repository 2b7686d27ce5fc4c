// Tests that many scripts are found as they are meant, and converted in pieces as they are at once.
#include "project/batch.hpp"

#include <map>
#include <string>

#include "project/discover.hpp"
#include "tests/catch.hpp"

using namespace s2f::project;

namespace {

constexpr auto job = "#!/bin/bash\n#SBATCH --mem=1G\npython work.py\n";

using Entries = std::vector<std::pair<std::string, std::string>>;

std::vector<std::string> paths_of(const Compiled& compiled) {
  std::vector<std::string> paths;
  for (const auto& input : compiled.review.inputs)
    paths.push_back(input.path);
  return paths;
}

std::map<std::string, std::string> modules_of(const Compiled& compiled) {
  std::map<std::string, std::string> texts;
  for (const auto& module : compiled.modules)
    texts.emplace(module.path, module.text);
  return texts;
}

} // namespace

TEST_CASE("pieces are what the whole is", "[batch]") {
  Entries entries;
  std::vector<std::string> scripts;
  for (int i = 0; i < 50; ++i) {
    scripts.push_back("d" + std::to_string(i % 3) + "/job" + std::to_string(i) + ".sh");
    entries.emplace_back(scripts.back(), job);
  }
  // The last one submits the first: they are one module.
  scripts.emplace_back("submit.sh");
  entries.emplace_back("submit.sh", "#!/bin/bash\nsbatch d0/job0.sh\n");
  scripts.emplace_back("gone.sh");
  const auto files = in_memory(entries);
  const auto whole = compile(scripts, {}, files);
  for (const std::size_t threads : {1, 2, 5}) {
    std::size_t told = 0;
    const auto pieces =
        compile_in_pieces(scripts, {}, files, threads, [&](std::size_t done, std::size_t total) {
          CHECK(done > told);
          CHECK(total == scripts.size());
          told = done;
        });
    CHECK(told == scripts.size());
    CHECK(paths_of(pieces) == paths_of(whole));
    CHECK(modules_of(pieces) == modules_of(whole));
    REQUIRE(pieces.failures.size() == 1);
    CHECK(pieces.failures.front().path == "gone.sh");
  }
}

TEST_CASE("a site file that is wrong is told once", "[batch]") {
  Entries entries{{"slurm2flyte.toml", "[partitions.gpu]\nquue = \"x\"\n"}};
  std::vector<std::string> scripts;
  for (int i = 0; i < 40; ++i) {
    scripts.push_back("job" + std::to_string(i) + ".sh");
    entries.emplace_back(scripts.back(), job);
  }
  CHECK(compile_in_pieces(scripts, {}, in_memory(entries), 2, {}).site_problems.size() == 1);
}

TEST_CASE("nothing to convert is no error", "[batch]") {
  CHECK(compile_in_pieces({}, {}, in_memory({}), 2, {}).review.inputs.empty());
}

TEST_CASE("what .gitignore leaves out is not looked at", "[discover]") {
  const auto files = in_memory({{"r/.gitignore", "# made\n/build/\n*.tmp.sh\nlogs\n!keep.tmp.sh\n"},
                                {"r/a.sh", job},
                                {"r/b.tmp.sh", job},
                                {"r/keep.tmp.sh", job},
                                {"r/build/c.sh", job},
                                {"r/deep/build/d.sh", job},
                                {"r/deep/logs/e.sh", job},
                                {"r/deep/.gitignore", "x/**/f.sh\n"},
                                {"r/deep/x/y/z/f.sh", job},
                                {"r/deep/f.sh", job}});
  using Names = std::vector<std::string>;
  CHECK(scripts_below("r", files) ==
        Names{"r/a.sh", "r/keep.tmp.sh", "r/deep/f.sh", "r/deep/build/d.sh"});
  CHECK(scripts_below("r", files, {.include = {}, .exclude = {}, .ignored_too = true}).size() == 8);
  CHECK(scripts_below("r", files, {.include = {"deep/**"}, .exclude = {}}) ==
        Names{"r/deep/f.sh", "r/deep/build/d.sh"});
  CHECK(scripts_below("r", files, {.include = {}, .exclude = {"deep"}}) ==
        Names{"r/a.sh", "r/keep.tmp.sh"});
}
