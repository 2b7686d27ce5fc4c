// Variables that nothing in the task reads are not made.
#include "tests/catch.hpp"

#include "tests/passes/compiled.hpp"

using s2f::tests::compile_job;

TEST_CASE("What only kept Bash reads is no variable of the task") {
  const auto job = compile_job("# where it is\nTOOLS=$HOME/tools\n./first\n"
                               "eval \"$TOOLS/run --all\"");
  CHECK(job.has("# where it is"));
  CHECK(job.has("./first"));
  CHECK(job.has("TOOLS=$HOME/tools"));
  CHECK_FALSE(job.has("tools = "));
}

TEST_CASE("What a program reads is one, and what has an effect stays") {
  const auto job =
      compile_job("TOOLS=$HOME/tools\n./first $TOOLS/x $TOOLS/y\nNOTE=$(./note)\n./end");
  CHECK(job.has("tools = "));
  CHECK(job.has("./note"));
}

TEST_CASE("A workflow manager that submits jobs of its own stays on Slurm") {
  for (const char* command :
       {"snakemake -j 9 --cluster \"sbatch -c 4\"", "snakemake --cluster='sbatch' all",
        "snakemake --executor slurm", "nextflow run x.nf -profile docker,slurm",
        "time snakemake --drmaa ' -p q'"}) {
    INFO(command);
    CHECK(compile_job(command).raised("S2F407"));
  }
  for (const char* command :
       {"snakemake -j 4", "nextflow run x.nf -profile docker", "echo --cluster"}) {
    INFO(command);
    CHECK_FALSE(compile_job(command).raised("S2F407"));
  }
}

TEST_CASE("A module's name tells the version of Python") {
  CHECK(compile_job("module load py311\npython x.py").has("python_version=(3, 11)"));
  CHECK(compile_job("module load python-3.13\npython x.py").has("python_version=(3, 13)"));
  CHECK_FALSE(compile_job("module load pytorch\npython x.py").has("python_version=(3, 11)"));
}

TEST_CASE("A second search path adds to the first") {
  const auto job = compile_job("export PYTHONPATH=$PWD/a:$PYTHONPATH\n"
                               "export PYTHONPATH=$PYTHONPATH:$PWD/b\npython x.py");
  CHECK(job.has("f\"{HERE}/a:{HERE}/b\""));
}

TEST_CASE("Counts of tokens are no secrets") {
  CHECK_FALSE(compile_job("python x.py --max_token 120000 --mask_token '[MASK]'").raised("S2F801"));
  CHECK(compile_job("python x.py --api_token a8f3kq0192hdkq").raised("S2F801"));
}

TEST_CASE("A loop whose status is asked for moves no statement into the region behind it") {
  const auto job = compile_job("for i in x yy; do\n  ./a\ndone\necho \"for $?\"\npwd | tail -c 5\n"
                               "if ./t; then\n  while read -r line; do\n    false\n"
                               "  done < a.txt\nfi");
  CHECK(job.has("await bash("));
  CHECK(job.has("\"tail\", \"-c\", \"5\""));
}
