// The command line as a user meets it: what it prints, writes, refuses and returns.
#include <nlohmann/json.hpp>

#include "tests/catch.hpp"

#include "cli/console.hpp"
#include "cli/suggest.hpp"
#include "cli/table.hpp"
#include "tests/cli/console.hpp"

using s2f::tests::FakeConsole;

namespace {

constexpr auto train = "#!/bin/bash\n"
                       "#SBATCH --job-name=train\n"
                       "#SBATCH --partition=gpu\n"
                       "#SBATCH --mem=4G\n"
                       "python train.py\n";

FakeConsole with_train() {
  return {.files = {{"train.sh", train}, {"train.py", "print('trained')\n"}}};
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("convert writes a module and its review beside the script", "[cli]") {
  auto console = with_train();
  CHECK(console.run({"convert", "train.sh"}) == 0);
  REQUIRE(console.written.size() == 2);
  CHECK(has(console.written.at("train_flyte.py"), "async def train("));
  CHECK(has(console.written.at("train_flyte.review.md"), "train.sh"));
  CHECK(has(console.out, "train.sh -> train_flyte.py: NEEDS DECISION"));
  CHECK(has(console.out, "  flyte run --local train_flyte.py train "));
  CHECK(has(console.out, "flyte get run"));
  CHECK(has(console.out, "flyte get logs RUN"));
  CHECK(has(console.out, "flyte abort run RUN"));
  CHECK(has(console.out, "flyte run --debug train_flyte.py train"));
  CHECK(console.err.empty());
}

TEST_CASE("converting twice writes the same bytes, without --force", "[cli]") {
  auto console = with_train();
  REQUIRE(console.run({"convert", "train.sh"}) == 0);
  const auto first = console.written;
  REQUIRE(console.run({"convert", "train.sh"}) == 0);
  CHECK(console.written == first);
}

TEST_CASE("an output that was edited by hand is left alone", "[cli]") {
  auto console = with_train();
  REQUIRE(console.run({"convert", "train.sh"}) == 0);
  const auto fresh = console.written;
  SECTION("the module") { console.written["train_flyte.py"].insert(0, "# mine\n"); }
  SECTION("the review") { console.written["train_flyte.review.md"].insert(0, "I agree.\n"); }
  const auto edited = console.written;
  CHECK(console.run({"convert", "train.sh"}) == 2);
  CHECK(console.written == edited);
  CHECK(has(console.err, "was edited by hand, so it was not overwritten; --force overwrites it"));
  CHECK_FALSE(has(console.out, "flyte run --local"));
  CHECK(console.run({"convert", "train.sh", "--force"}) == 0);
  CHECK(console.written == fresh);
}

TEST_CASE("a file that is not ours is never overwritten without --force", "[cli]") {
  auto console = with_train();
  console.written["train_flyte.py"] = "print('mine')\n";
  CHECK(console.run({"convert", "train.sh"}) == 2);
  CHECK(console.written.size() == 1);
  CHECK(has(console.err, "train_flyte.py was not written by slurm2flyte"));
  console.written = {{"review.json", "{}"}};
  CHECK(console.run({"convert", "train.sh", "--report", "review.json"}) == 2);
  CHECK(console.written.at("review.json") == "{}");
  CHECK(console.written.contains("train_flyte.py"));
}

TEST_CASE("an output never takes the place of a script", "[cli]") {
  auto console = with_train();
  CHECK(console.run({"convert", "train.sh", "-o", "./train.sh", "--force"}) == 2);
  CHECK(has(console.err, "is one of the scripts"));
  CHECK(console.written.empty());
}

TEST_CASE("scripts of one name in two directories have an output each", "[cli]") {
  FakeConsole console{.files = {{"../a/train.sh", train}, {"a/train.sh", train}}};
  CHECK(console.run({"convert", "../a/train.sh", "a/train.sh", "--out-dir", "out"}) == 0);
  CHECK(console.written.contains("out/train_flyte.py"));
  CHECK(console.written.contains("out/a/train_flyte.py"));
}

TEST_CASE("two scripts whose output would be one file are told, not mixed up", "[cli]") {
  FakeConsole console{.files = {{"../train.sh", train}, {"train.sh", train}}};
  CHECK(console.run({"convert", "../train.sh", "train.sh", "--out-dir", "out"}) == 2);
  CHECK(has(console.err, "would be written for ../train.sh and for train.sh"));
  CHECK(console.written.size() == 2);
}

TEST_CASE("the module can go to standard output, and then nothing is written", "[cli]") {
  auto console = with_train();
  CHECK(console.run({"convert", "train.sh", "-o", "-"}) == 0);
  CHECK(console.out.starts_with("\"\"\""));
  CHECK(console.out.ends_with("\n"));
  CHECK(has(console.err, "NEEDS DECISION"));
  CHECK(console.written.empty());
}

TEST_CASE("outputs go where they are asked for", "[cli]") {
  auto console = with_train();
  console.files.emplace_back("a/b.sh", train);
  CHECK(console.run({"convert", "train.sh", "-o", "x/y.py", "-q"}) == 0);
  CHECK(console.written.contains("x/y.py"));
  CHECK(console.written.contains("x/y.review.md"));
  console.written.clear();
  CHECK(console.run({"convert", "train.sh", "a/b.sh", "--out-dir", "out", "-q"}) == 0);
  CHECK(console.written.size() == 4);
  CHECK(console.written.contains("out/train_flyte.py"));
  CHECK(console.written.contains("out/a/b_flyte.review.md"));
  console.written.clear();
  CHECK(console.run({"convert", "./q/../train.sh", "--out-dir", "out", "-q"}) == 0);
  CHECK(console.written.contains("out/train_flyte.py"));
}

TEST_CASE("reports take their format from their ending", "[cli]") {
  auto console = with_train();
  CHECK(console.run({"convert", "train.sh", "-q", "--report", "r.json", "--report", "r.md",
                     "--report", "r.txt"}) == 0);
  CHECK(has(console.written.at("r.json"), "\"slurm2flyte-review/1\""));
  CHECK(has(console.written.at("r.json"), "\"output\": \"train_flyte.py\""));
  CHECK(has(console.written.at("r.md"), "# "));
  CHECK(has(console.written.at("r.txt"), "NEEDS DECISION"));
  // Again: they are known as ours.
  CHECK(console.run({"convert", "train.sh", "-q", "--report", "r.json", "--report", "r.md",
                     "--report", "r.txt"}) == 0);
  for (const auto* path : {"r.html", "r.sarif"}) {
    CHECK(console.run({"convert", "train.sh", "-q", "--report", path}) == 0);
    CHECK(console.run({"convert", "train.sh", "-q", "--report", path}) == 0); // known as ours
    console.files.emplace_back(std::string("other.") + (path + 2), "somebody else's");
    CHECK(console.run({"convert", "train.sh", "-q", "--report", console.files.back().first}) == 2);
  }
  CHECK(console.written.at("r.html").starts_with("<!doctype html>"));
  CHECK(has(console.written.at("r.sarif"), "\"version\": \"2.1.0\""));
  CHECK(console.run({"convert", "train.sh", "--report", "r.pdf"}) == 2);
}

TEST_CASE("--fail-on sets the exit status and nothing else", "[cli]") {
  auto console = with_train(); // the queue is a decision
  CHECK(console.run({"convert", "train.sh", "--fail-on", "error"}) == 0);
  const auto written = console.written;
  for (const auto& [what, status] :
       std::vector<std::pair<std::string, int>>{{"decision", 1}, {"warning", 1}, {"never", 0}}) {
    CHECK(console.run({"convert", "train.sh", "--fail-on", what}) == status);
    CHECK(console.written == written);
  }
  CHECK(console.run({"convert", "train.sh", "--fail-on", "sometimes"}) == 2);
  CHECK(has(console.err, "--fail-on wants error, decision, warning or never"));
}

TEST_CASE("a script that sbatch refuses is told as sbatch tells it, and not converted", "[cli]") {
  FakeConsole console{.files = {{"bad.sh", "#!/bin/bash\n#SBATCH --mem=lots\ntrue\n"}}};
  CHECK(console.run({"convert", "bad.sh"}) == 1);
  CHECK(console.written.empty());
  CHECK(has(console.out, "bad.sh:2:"));
  CHECK(has(console.out, "error[S2F110]"));
  CHECK(has(console.out, "#SBATCH --mem=lots\n"));
  CHECK(has(console.out, "^"));
  CHECK(console.run({"convert", "bad.sh", "--quiet"}) == 1);
  CHECK(console.out.empty());
  CHECK(has(console.err, "error[S2F110]"));
  CHECK(console.run({"convert", "bad.sh", "--fail-on", "never"}) == 0);
  CHECK(console.run({"convert", "bad.sh", "--keep-going"}) == 1);
  CHECK(console.written.contains("bad_flyte.py"));
}

TEST_CASE("a bad file is told, and the others go on", "[cli]") {
  FakeConsole console{.files = {{"train.sh", train},
                                {"empty.sh", ""},
                                {"blank.sh", " \n\n"},
                                {"binary.sh", std::string("\x7f"
                                                          "ELF\0\0\1",
                                                          7)},
                                {"nothing/notes.txt", "#SBATCH\n"},
                                {"nothing/lib.sh", "true\n"}}};
  CHECK(console.run({"convert", "trian.sh", "nothing", "empty.sh", "binary.sh", "train.sh"}) == 2);
  CHECK(has(console.err, "trian.sh: there is no such file"));
  CHECK(has(console.err, "Did you mean train.sh?"));
  CHECK(has(console.err, "nothing: no file in this directory is a job script"));
  CHECK(has(console.err, "error: empty.sh is empty"));
  CHECK(has(console.err, "error: binary.sh is a binary file"));
  CHECK(console.written.size() == 2);
  CHECK(console.written.contains("train_flyte.py"));
}

TEST_CASE("a directory stands for the scripts below it", "[cli]") {
  FakeConsole console{.files = {{"jobs/train.sh", train},
                                {"jobs/sub/eval.sbatch", train},
                                {"jobs/lib.sh", "true\n"}}};
  CHECK(console.run({"convert", "jobs", "--out-dir", "out"}) == 0);
  CHECK(console.written.size() == 4);
  CHECK(console.written.contains("out/jobs/train_flyte.py"));
  CHECK(console.written.contains("out/jobs/sub/eval_flyte.py"));
  SECTION("a script that is named as well is converted once") {
    console.written.clear();
    CHECK(console.run({"convert", "jobs", "jobs/train.sh", "--out-dir", "new"}) == 0);
    CHECK(console.written.size() == 4);
  }
  SECTION("-o names one file") {
    CHECK(console.run({"convert", "jobs", "-o", "one.py"}) == 2);
    CHECK(has(console.err, "-o names one file, but there are 2 scripts"));
  }
}

TEST_CASE("an audit counts and writes nothing", "[cli]") {
  FakeConsole console{.files = {{"jobs/train.sh", train}, {"jobs/eval.sh", train}}};
  CHECK(console.run({"audit", "jobs"}) == 0);
  CHECK(has(console.out, "Scripts by verdict"));
  CHECK(has(console.out, "Families"));
  CHECK(console.written.empty());
  console.out.clear();
  CHECK(console.run({"audit", "jobs", "--format", "json", "--weight", "read=9"}) == 0);
  const auto audit = nlohmann::json::parse(console.out);
  CHECK(audit["schema"] == "slurm2flyte-audit/1");
  CHECK(audit["scripts"] == 2);
  CHECK(console.run({"audit", "jobs", "--format", "html", "-o", "audit.html"}) == 0);
  CHECK(console.written.size() == 1);
  console.err.clear();
  CHECK(console.run({"audit", "jobs", "--weight", "reed=9"}) == 2);
  CHECK(has(console.err, "there is no weight `reed`; did you mean read?"));
  CHECK(console.run({"audit", "jobs", "--weight", "read=soon"}) == 2);
  CHECK(console.run({"audit", "jobs", "--format", "pdf"}) == 2);
  CHECK(console.run({"audit", "nowhere"}) == 2);
}

TEST_CASE("a write that fails is told, and the others go on", "[cli]") {
  FakeConsole console{.files = {{"a.sh", train}, {"b.sh", train}}};
  console.unwritable = "a_flyte.py";
  CHECK(console.run({"convert", "a.sh", "b.sh"}) == 2);
  CHECK(has(console.err, "cannot write a_flyte.py: No space left on device"));
  CHECK(console.written.size() == 2);
  CHECK(console.written.contains("b_flyte.review.md"));
}

TEST_CASE("scripts in other languages convert by their header", "[cli]") {
  const std::string body = "#SBATCH --job-name=other\n#SBATCH --mem=1G\n";
  FakeConsole console{.files = {{"job.py", "#!/usr/bin/env python3\n" + body + "print(1)\n"},
                                {"job2.csh", "#!/bin/csh\n" + body + "set x = 1\n"},
                                {"job3.zsh", "#!/bin/zsh\n" + body + "echo 1\n"}}};
  CHECK(console.run({"convert", "job.py", "job2.csh", "job3.zsh"}) == 0);
  CHECK(console.written.contains("job_flyte.py"));
  CHECK(console.written.contains("job2_flyte.py"));
  CHECK(console.written.contains("job3_flyte.py"));
}

TEST_CASE("wrong use is told in words that help", "[cli]") {
  auto console = with_train();
  const auto fails = [&console](std::vector<std::string> arguments, std::string_view message) {
    CHECK(console.run(std::move(arguments)) == 2);
    CHECK(has(console.err, message));
    CHECK(console.out.empty());
    CHECK(console.written.empty());
  };
  fails({}, "Usage: slurm2flyte");
  fails({"convrt"}, "there is no command `convrt`; did you mean convert?");
  fails({"train.sh"}, "slurm2flyte convert train.sh");
  fails({"convert"}, "convert wants PATH");
  fails({"convert", "train.sh", "--forse"}, "there is no option --forse; did you mean --force?");
  fails({"convert", "train.sh", "-o", "a", "--out-dir", "b"}, "exclude each other");
  fails({"convert", "train.sh", "b.sh", "-o", "a"}, "-o names one file");
  fails({"convert", "train.sh", "--templates", "nowhere"}, "there is no such directory");
  fails({"inspect", "train.sh", "--mem=3"}, "options of sbatch stand after --");
  fails({"inspect", "train.sh", "--env", "X"}, "--env wants NAME=VALUE");
  fails({"inspect", "none.sh"}, "none.sh: there is no such file");
  fails({"explain", "S2F999999"}, "there is no rule");
  fails({"options", "grse"}, "did you mean gres?");
}

TEST_CASE("text of a script or a path cannot act on the terminal", "[cli]") {
  FakeConsole console{.files = {{"e\x1b[31mvil.sh", train}}};
  CHECK(console.run({"convert", "e\x1b[31mvil.sh", "no\x1b]0;x\x07.sh"}) == 2);
  CHECK_FALSE(has(console.out, "\x1b"));
  CHECK_FALSE(has(console.err, "\x1b"));
  CHECK(console.run({"inspect", "e\x1b[31mvil.sh"}) == 0);
  CHECK_FALSE(has(console.out, "\x1b"));
}

TEST_CASE("commands to type are quoted for the shell and lead to the module", "[cli]") {
  FakeConsole console{.files = {{"my jobs/train.sh", train}, {"/abs/train.sh", train}}};
  CHECK(console.run({"convert", "my jobs/train.sh"}) == 0);
  CHECK(has(console.out, "flyte run --local 'my jobs/train_flyte.py' train"));
  CHECK(console.run({"convert", "/abs/train.sh"}) == 0);
  CHECK(has(console.out, "cd /abs && flyte run --local train_flyte.py train"));
}

TEST_CASE("inspect shows the header as a table", "[cli]") {
  auto console = with_train();
  CHECK(console.run({"inspect", "train.sh", "--", "--mem=8G"}) == 0);
  CHECK(has(console.out, "train.sh: a job script\nsbatch accepts it.\n"));
  CHECK(has(console.out, "partition"));
  CHECK(has(console.out, "nothing: overridden by a later one"));
  CHECK(has(console.out, "argument  mem"));
  console.input = "#!/bin/sh\n#SBATCH --mem=lots\n";
  CHECK(console.run({"inspect", "-"}) == 1);
  CHECK(has(console.out, "-:2:"));
  CHECK(has(console.out, "sbatch refuses it.\n"));
}

TEST_CASE("inspect gives JSON that names its schema", "[cli]") {
  auto console = with_train();
  CHECK(console.run({"inspect", "train.sh", "--json", "--env", "SBATCH_PARTITION=cpu"}) == 0);
  CHECK(console.out.starts_with("{"));
  CHECK(console.out.ends_with("}\n"));
  CHECK(has(console.out, "\"slurm2flyte-inspect/1\""));
}

TEST_CASE("rules, options and versions can be listed", "[cli]") {
  FakeConsole console;
  CHECK(console.run({"rules"}) == 0);
  CHECK(has(console.out, "S2F110"));
  CHECK(console.run({"rules", "--json"}) == 0);
  CHECK(console.out.starts_with("["));
  CHECK(console.run({"explain", "210"}) == 0);
  CHECK(has(console.out, "queue-must-exist"));
  CHECK(console.run({"options"}) == 0);
  CHECK(has(console.out, "--cpus-per-task"));
  for (const auto* name : {"gres", "--gres", "-N"}) {
    CHECK(console.run({"options", name}) == 0);
    CHECK(console.out.starts_with("--"));
  }
  CHECK(console.run({"options", "N", "--json"}) == 0);
  CHECK(has(console.out, "\"nodes\""));
  CHECK(console.run({"--version"}) == 0);
  CHECK(console.out.starts_with("slurm2flyte " S2F_VERSION));
  CHECK(console.run({"--version", "--json"}) == 0);
  CHECK(has(console.out, "\"version\": \"" S2F_VERSION "\""));
}

TEST_CASE("help is a result, with examples", "[cli]") {
  FakeConsole console;
  CHECK(console.run({"--help"}) == 0);
  CHECK(has(console.out, "Examples:"));
  CHECK(console.run({"convert", "--help"}) == 0);
  CHECK(has(console.out, "Usage: slurm2flyte convert"));
  CHECK(has(console.out, "Exit status:"));
  CHECK(console.err.empty());
}

TEST_CASE("colour and width go by the terminal and what the user asked for", "[cli]") {
  using s2f::cli::style_for;
  std::map<std::string, std::string> variables;
  const auto get = [&variables](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
  CHECK(style_for(true, 100, get).colour);
  CHECK_FALSE(style_for(false, 0, get).colour);
  CHECK(style_for(false, 0, get).width == 80);
  CHECK(style_for(true, 100, get).width == 100);
  CHECK(style_for(true, 7, get).width == 40);
  CHECK(style_for(true, 500, get).width == 110);
  variables = {{"CLICOLOR_FORCE", "1"}};
  CHECK(style_for(false, 0, get).colour);
  variables = {{"CLICOLOR_FORCE", "0"}};
  CHECK_FALSE(style_for(false, 0, get).colour);
  variables = {{"CLICOLOR_FORCE", "1"}, {"NO_COLOR", "1"}};
  CHECK_FALSE(style_for(true, 0, get).colour);
  variables = {{"NO_COLOR", ""}};
  CHECK(style_for(true, 0, get).colour);
  variables = {{"TERM", "dumb"}};
  CHECK_FALSE(style_for(true, 0, get).colour);
}

TEST_CASE("the nearest name is found, and none where none is near", "[cli]") {
  using s2f::cli::nearest;
  const std::vector<std::string> names{"convert", "inspect", "explain"};
  CHECK(nearest("convrt", names) == "convert");
  CHECK(nearest("inpsect", names) == "inspect");
  CHECK(nearest("zzz", names).empty());
  CHECK(nearest("", names).empty());
  CHECK(nearest(std::string(1000, 'c'), names).empty());
}

TEST_CASE("a table keeps its columns, cuts and wraps", "[cli]") {
  const s2f::cli::Table table{
      .head = {"n", "name", "why"},
      .rows = {{"1", "\xc3\xa4\xc3\xb6", "short"},
               {"10", std::string(60, 'x'), "some words that wrap in the last column"},
               {"2", "c", ""}},
      .right = 1};
  CHECK(s2f::cli::render(table, {.colour = false, .width = 60}) ==
        "   n  name                            why\n"
        "   1  \xc3\xa4\xc3\xb6                              short\n"
        "  10  xxxxxxxxxxxxxxxxxxxxxxxxxxxxx\xe2\x80\xa6  some words that wrap\n"
        "                                      in the last column\n"
        "   2  c\n");
}
