// Comments of the script stand in the module, each once.
#include "tests/catch.hpp"

#include "tests/passes/compiled.hpp"

using s2f::tests::compile_job;

namespace {

std::size_t times(const std::string& text, std::string_view what) {
  std::size_t count = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
    ++count;
  }
  return count;
}

} // namespace

TEST_CASE("A comment behind a statement on its line is carried over") {
  const auto job = compile_job("python a.py # the small one\npython b.py");
  CHECK(times(job.module, "# the small one") == 1);
  CHECK(job.module.find("# the small one") < job.module.find("\"a.py\""));
}

TEST_CASE("An interpreter that is named within the script stays a name of one") {
  const auto job = compile_job("python a.py\n#!/bin/bash\n#! next\npython b.py");
  CHECK(times(job.module, "# !/bin/bash") == 1);
  CHECK(times(job.module, "# next") == 1);
}

TEST_CASE("Comments behind the last statement are carried over") {
  const auto job = compile_job("python a.py\n# and then\n\n# look at the plots");
  CHECK(times(job.module, "# and then") == 1);
  CHECK(job.module.find("# and then") < job.module.find("# look at the plots"));
  CHECK(job.module.find("\"a.py\"") < job.module.find("# and then"));
}

TEST_CASE("A comment on what nothing stands for goes with it") {
  const auto job = compile_job("python a.py\n# not needed any more\nmodule unload gcc\n"
                               "# more\n\nset -u # strict\npython b.py");
  CHECK_FALSE(job.has("# not needed any more"));
  CHECK(job.why("# not needed any more") ==
        "went with the statement that it speaks of: a container starts without modules");
  CHECK_FALSE(job.has("# strict"));
  CHECK(job.why("# strict") ==
        "went with the statement that it speaks of: every variable is known");
  CHECK(times(job.module, "# more") == 1); // an empty line is between
}

TEST_CASE("A comment on what the image stands for stands above the image") {
  const auto job = compile_job("# the compiler\nmodule load python/3.11 # newest\npython a.py");
  CHECK(job.module.find("# the compiler") < job.module.find("image = "));
  CHECK(job.module.find("# newest") < job.module.find("image = "));
}

TEST_CASE("Comments within blocks stand in them") {
  const auto job = compile_job("if [ -f x ]; then # there\n"
                               "  # first\n"
                               "  python a.py # behind a\n"
                               "  # last of the branch\n"
                               "else # not there\n"
                               "  python b.py\n"
                               "fi # of the if\n"
                               "for i in 1 2; do # each\n"
                               "  python c.py $i\n"
                               "  # last of the loop\n"
                               "done\n"
                               "case $1 in # which\n"
                               "  # arm a\n"
                               "  a) python d.py ;; # behind d\n"
                               "  b)\n"
                               "    python e.py\n"
                               "    # last of the arm\n"
                               "    ;;\n"
                               "  # no more arms\n"
                               "esac # of the case\n"
                               "f() { # the function\n"
                               "  # in it\n"
                               "  python f.py\n"
                               "  # last in it\n"
                               "}\n"
                               "f\n"
                               "cat x | # the reader\n"
                               "  # the middle\n"
                               "  sort\n"
                               "python g.py --a \\\n"
                               "  1 # the end");
  std::size_t at = 0;
  for (const char* each : {"\n    if ",      "# there",
                           "# first",        "# behind a",
                           "\"a.py\"",       "# last of the branch",
                           "else:",          "# not there",
                           "\"b.py\"",       "\n    # of the if",
                           "for i in",       "# each",
                           "\"c.py\"",       "        # last of the loop",
                           "# which",        "if arg1 == \"a\"",
                           "# arm a",        "# behind d",
                           "\"d.py\"",       "elif",
                           "\"e.py\"",       "        # last of the arm",
                           "# no more arms", "# of the case",
                           "# the function", "# in it",
                           "\"f.py\"",       "# last in it",
                           "# the reader",   "# the middle",
                           "\"sort\"",       "# the end",
                           "\"g.py\""}) {
    INFO(each);
    const std::size_t next = job.module.find(each, at);
    REQUIRE(next != std::string::npos);
    at = next;
  }
}

TEST_CASE("A comment in a branch that is not taken is said to be in one") {
  const auto job = compile_job("f() { case $1 in a) # small\n python a.py ;;\n b) python b.py\n"
                               " # large\n ;; esac; }\nf a");
  CHECK(job.has("# small"));
  CHECK_FALSE(job.has("# large"));
  CHECK(job.why("# large") == "stands in a branch that is not taken");
}

TEST_CASE("Comments on values that go elsewhere stand above what follows") {
  const auto job = compile_job("N=( # the list\n  1\n  # two\n  2\n)\nLR=0.1 # the rate\n"
                               "X=$( # now\n  date\n)\npython a.py $LR \"${N[@]}\" \"$X\"");
  for (const char* each : {"# the list", "# two", "# the rate", "# now"}) {
    CHECK(times(job.module, each) == 1);
  }
}

TEST_CASE("A comment of the header stands above the environment, as it was written") {
  const std::string line = "# a line of the header that is longer than a line of the module may be "
                           "where the printer wraps   it";
  const auto job = compile_job("#SBATCH --exclusive # to measure  \t\n" + line +
                               "\n\n#! ours\n\n#SBATCH -t 5\n"
                               "python a.py");
  for (const std::string& each :
       {std::string("# --exclusive  # to measure\n"), line, std::string("# ours\n")}) {
    CHECK(job.module.find(each) < job.module.find("TaskEnvironment"));
  }
}

TEST_CASE("A comment on an option stands behind the setting that the option became") {
  const auto job = compile_job("#SBATCH --mem=2G   # the table\n#SBATCH -t 5 # enough\n"
                               "#SBATCH -J fit #what it does\n#SBATCH -c 2 -N 1 # both\n./sim");
  CHECK(job.has("memory=\"2Gi\",  # --mem=2G: the table\n"));
  CHECK(job.has("(timeout=timedelta(minutes=5))  # -t 5: enough\n"));
  CHECK(job.has("name=\"fit\",  # -J fit: what it does\n"));
  CHECK(job.has("cpu=2,  # --cpus-per-task=2: both\n"));
  CHECK(job.why("# both") == "a comment on the directive");
}

TEST_CASE("What is said of an option that only had a part in a number stands above all") {
  const auto job = compile_job("#SBATCH --mem=1G\n# one node is enough\n#SBATCH --nodes=1\n"
                               "#SBATCH --ntasks-per-node=4 # cores\n./sim");
  CHECK(job.flat_has("# one node is enough job_env = "));
  CHECK(job.has("cpu=4,  # --ntasks-per-node=4: cores\n"));
}

TEST_CASE("A line above an option stands above the setting that the option became") {
  const auto job =
      compile_job("# of the whole job\n#SBATCH -J fit\n# the table\n"
                  "#SBATCH --mem=2G\n\n# a queue\n#SBATCH -p gpu # a fast one\n"
                  "# two lines\n# for it\n#SBATCH -c 2\n# of the log\n#SBATCH -o x\n./sim");
  CHECK(job.flat_has("# the table memory=\"2Gi\""));
  CHECK(job.flat_has("# a queue # a fast one queue=\"gpu\""));
  CHECK(job.flat_has("# of the whole job fit_env = "));
  CHECK(job.flat_has("# two lines # for it cpu=2"));
  CHECK_FALSE(job.has("# of the log"));
  for (const char* each : {"# of the whole job", "# the table", "# a queue", "# a fast one",
                           "# two lines", "# for it"}) {
    INFO(each);
    CHECK(times(job.module, each) == 1);
    const auto item = std::ranges::find(job.items, each, &s2f::review::Item::text);
    REQUIRE(item != job.items.end());
    CHECK_FALSE(item->output_lines.empty());
  }
}

TEST_CASE("Comments on kept Bash stand above it, or in it") {
  const auto job = compile_job("# above\nf() { # in f\n  trap 'echo x' EXIT\n}\n# on the call\nf\n"
                               "# srun is named\npython a.py\n# behind");
  CHECK(times(job.module, "# above") == 1);
  CHECK(job.why("# in f") == "stands in the exact Bash");
  CHECK(times(job.module, "# in f") == 1);
  CHECK(times(job.module, "# on the call") == 1);
  CHECK_FALSE(job.has("# srun"));
  CHECK(job.why("# srun is named") == "names a Slurm command, which looks alive in kept Bash");
  CHECK(times(job.module, "# behind") == 1);
}

TEST_CASE("Comments of a job that stays on Slurm stand with it") {
  const auto job = compile_job("# ours\n#SBATCH -n 64\n# a solver\nsrun ./solver # in parallel");
  for (const char* each : {"# ours", "# a solver", "# in parallel"}) {
    CHECK(times(job.module, each) == 1);
  }
}

TEST_CASE("A comment within kept Bash stands there alone") {
  const auto job =
      compile_job("shopt -s extglob # wide\nls !(a) # all but a\npython a.py\n# the end");
  CHECK(times(job.module, "# wide") == 1);
  CHECK(times(job.module, "# all but a") == 1);
  CHECK(times(job.module, "# the end") == 1);
}

TEST_CASE("A comment that only draws a line says nothing") {
  const auto job = compile_job("# ------\n# the small one\n#######\npython a.py");
  CHECK(job.has("# the small one\n"));
  CHECK_FALSE(job.has("---"));
  CHECK(compile_job("# \u00fcber\npython a.py").has("# \u00fcber"));
}
