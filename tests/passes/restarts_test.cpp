// Jobs that start themselves again, and drivers that submit one script again and again.
#include "tests/catch.hpp"

#include "tests/passes/compiled.hpp"

using s2f::tests::compile_job;

TEST_CASE("A job that submits itself until it is done is tried again") {
  for (const char* end :
       {"if [ ! -f ckpt/DONE ]; then\n  sbatch $0\nfi", "[ -f ckpt/DONE ] || sbatch \"$0\"",
        "if [[ ! -e ckpt/DONE ]]; then echo again; sbatch job.sh; fi\necho bye",
        "[ -f ckpt/DONE ] || { echo again; sbatch ./job.sh \"$@\"; }"}) {
    INFO(end);
    const auto job = compile_job(std::string("./train --ckpt-dir ckpt\n") + end);
    CHECK(job.raised("S2F368"));
    CHECK_FALSE(job.raised("S2F327"));
    CHECK(job.has("retries=3"));
    CHECK(job.has("await resumable("));
    CHECK(job.has("raise subprocess.CalledProcessError(1"));
    CHECK_FALSE(job.has("sbatch \""));
  }
}

TEST_CASE("A job that submits itself otherwise is none that is tried again") {
  for (const char* body :
       {"./train --ckpt-dir ckpt\nsbatch $0",                            // without end
        "./train\n[ -f DONE ] || sbatch $0",                             // keeps nothing
        "./train --ckpt-dir ckpt\n[ -f DONE ] || sbatch $0 $(($1 + 1))", // counts
        "./train --ckpt-dir ckpt\n[ -f DONE ] || sbatch -n 2 $0",        // is another job
        "./train --ckpt-dir ckpt\n[ -f DONE ] || sbatch other.sh",
        "[ -f DONE ] || sbatch $0\n./train --ckpt-dir ckpt"}) {
    INFO(body);
    CHECK_FALSE(compile_job(body).raised("S2F368"));
  }
}

TEST_CASE("A job that has itself requeued fails the attempt") {
  const auto job = compile_job("./train --ckpt-dir ckpt || scontrol requeue \"$SLURM_JOB_ID\"");
  CHECK(job.raised("S2F368"));
  CHECK(job.has("retries=3"));
  const auto bare = compile_job("timeout 3h ./train\nif [[ $? == 124 ]]; then\n"
                                "  scontrol requeue ${SLURM_JOB_ID}\nfi");
  CHECK(bare.raised("S2F368"));
  CHECK(bare.said("has itself requeued"));
  CHECK(bare.has("if status == 124:"));
  CHECK_FALSE(compile_job("./train || scontrol requeue 1234").raised("S2F368"));
}

TEST_CASE("A job that waits for its own failure is tried again") {
  const auto job =
      compile_job("sbatch -d afternotok:$SLURM_JOB_ID job.sh\n./train --ckpt-dir ckpt");
  CHECK(job.raised("S2F368"));
  CHECK(job.has("retries=3"));
  CHECK_FALSE(job.raised("S2F327"));
}

TEST_CASE("A trap that submits the job again is one that requeues it") {
  for (const char* trap : {"trap 'sbatch $0; exit 0' USR1\n",
                           "again() { echo again; sbatch $0; exit 0; }\ntrap again USR1\n"}) {
    INFO(trap);
    const auto job = compile_job("#SBATCH --signal=B:USR1@60\n" + std::string(trap) +
                                 "./train --ckpt-dir ckpt &\nwait");
    CHECK(job.raised("S2F608"));
    CHECK(job.has("await resumable("));
  }
}

TEST_CASE("Runs of one script, one behind the other, are attempts where they go on") {
  const std::vector<std::pair<std::string, std::string>> files{
      {"train.sh", "#!/bin/bash\n./train --ckpt-dir ckpt\n"},
      {"run.sh", "#!/bin/bash\n./simulate\n"}};
  const auto chain = [&](const std::string& kind, const std::string& script) {
    return compile_job("jid=$(sbatch --parsable " + script + ")\nfor i in $(seq 4); do\n" +
                           "jid=$(sbatch --parsable -d " + kind + ":$jid " + script + ")\ndone",
                       files);
  };
  const auto job = chain("afterany", "train.sh");
  CHECK(job.raised("S2F368"));
  CHECK(job.has("retries=4"));
  CHECK(job.has("await train()"));
  CHECK(chain("afternotok", "train.sh").raised("S2F368"));
  CHECK(chain("afterok", "train.sh").raised("S2F369"));
  const auto loop = chain("afterany", "run.sh");
  CHECK(loop.raised("S2F369"));
  CHECK(loop.has("for _ in range(1, 5):"));
  CHECK_FALSE(compile_job("jid=$(sbatch --parsable run.sh a)\n"
                          "jid=$(sbatch --parsable -d afterany:$jid run.sh b)",
                          files)
                  .raised("S2F369"));
}
