// Files and programs that the script names and that are not there.
#include "tests/catch.hpp"

#include "tests/passes/compiled.hpp"

using s2f::tests::compile_job;

TEST_CASE("A file that a command names and that is not there is said") {
  for (const char* command :
       {"sort data/table.csv", "./sim --in=in.dat", "while read x; do ./sim $x; done < list.txt",
        "FILE=a.txt; sim $FILE", "sim -i a.txt", "cp ref.fa $TMPDIR", "eval x; Rscript plot.R"}) {
    INFO(command);
    CHECK(compile_job(command).raised("S2F612"));
  }
  CHECK(compile_job("sim a.txt b.txt a.txt").said("a.txt, b.txt: not found beside the script."));
}

TEST_CASE("Nothing is said of a file that is there, that may be made, or that is none") {
  for (const char* command :
       {"date > a.txt; sort a.txt", "date | tee a.txt; sort a.txt", "sim --out a.txt", "rm a.txt",
        "mkdir a.txt", "echo a.txt", "sim 0.5 v1.0 org.example", "sim /data/a.txt", "sim *.txt",
        "sim https://host/a.txt", "cd sub; sort a.txt", "cp $X a.txt", "sort here.txt"}) {
    INFO(command);
    CHECK_FALSE(compile_job(command, {{"here.txt", "1\n"}}).raised("S2F612"));
  }
}

TEST_CASE("A program that the script names and that is not there is said") {
  CHECK(compile_job("./sim").said("./sim was not found beside the script."));
  CHECK(compile_job("bin/sim && date").said("bin/sim was not found beside the script."));
  CHECK_FALSE(compile_job("gcc -o sim a.c; ./sim").said("./sim was not"));
  CHECK_FALSE(compile_job("./sim", {{"sim", "1\n"}}).raised("S2F603"));
}

TEST_CASE("A path that leads out of the submit directory is asked for") {
  for (const char* command :
       {"sim ../configs/a.yaml", "python ../train.py", "cd ..", "cd ../..; ls", "../bin/sim",
        "sim --in=../x", "sim < ../x", "sim > ../out.txt", "sim a/../../b"}) {
    INFO(command);
    const auto job = compile_job(command);
    CHECK(job.raised("S2F613"));
    CHECK(job.flat_has("# REVIEW S2F613: job.sh:2 "));
  }
  CHECK(compile_job("sim ../a ../b").said("../a, ../b: outside of the directory"));
  for (const char* command : {"sim a/../b", "sim ...", "sim a..b", "echo ..", "cd sub; sim ../x",
                              "sim /a/../b", "cd $SLURM_SUBMIT_DIR; sim x"}) {
    INFO(command);
    CHECK_FALSE(compile_job(command).raised("S2F613"));
  }
}
