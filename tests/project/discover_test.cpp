// Which files of a repository are scripts that Slurm reads.
#include <string>
#include <vector>

#include "tests/catch.hpp"

#include "project/discover.hpp"

using namespace s2f::project;

TEST_CASE("A script is told by its name, its directives, or a call of sbatch") {
  CHECK(is_script("train.sbatch", "echo\n"));
  CHECK(is_script("train", "#!/bin/bash\n#SBATCH -N 1\n"));
  CHECK(is_script("run.py", "#!/usr/bin/env python3\n#SBATCH -N 1\n"));
  CHECK(is_script("submit.sh", "for i in 1 2; do sbatch job.sh $i; done\n"));
  CHECK(is_script("submit", "#!/bin/bash -l\nID=$(sbatch --parsable a.sh)\n"));
  CHECK(is_script("job.txt", "#!/bin/bash\n\n# note\n#SBATCH -N 1\n"));
  CHECK_FALSE(is_script("make.py", "#!/usr/bin/env python3\nT = \"\"\"\n#SBATCH -N 1\n\"\"\"\n"));
  CHECK_FALSE(is_script("notes.txt", "#SBATCH -N 1 asks for a node\n"));
  CHECK_FALSE(is_script("train.sh", "python train.py\n"));
  CHECK_FALSE(is_script("notes.txt", "then call sbatch job.sh\n"));
  CHECK_FALSE(is_script("help.sh", "echo usage: sbatch train.sh\n# sbatch train.sh\n"));
  CHECK_FALSE(is_script("other.sh", "my-sbatch x\nsbatch_args=1\n./sbatch.sh y\n"));
}

TEST_CASE("Scripts below a directory, its own first") {
  const Files files = in_memory({{"jobs/b.sh", "#SBATCH -N 1\n"},
                                 {"jobs/a/deep.sh", "#SBATCH -N 1\n"},
                                 {"jobs/a/data.bin", "#SBATCH\n"},
                                 {"jobs/.git/x.sh", "#SBATCH -N 1\n"},
                                 {"jobs/plain.sh", "true\n"},
                                 {"other.sh", "#SBATCH -N 1\n"}});
  CHECK(scripts_below("jobs", files) == std::vector<std::string>{"jobs/b.sh", "jobs/a/deep.sh"});
  CHECK(scripts_below("nowhere", files).empty());
}
