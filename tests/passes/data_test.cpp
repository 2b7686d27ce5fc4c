// Paths of the cluster, checkpoints and results of earlier runs.
#include "tests/catch.hpp"

#include "tests/passes/compiled.hpp"

using s2f::tests::compile_job;

TEST_CASE("A path with the user's name in it becomes an input") {
  for (const char* command :
       {"cat /project/$USER/a.txt", "cat \"/project/${USER}/a.txt\"",
        "IN=/project/$USER/a.txt\ncat \"$IN\"", "cat ~/a.txt", "cat $HOME/a.txt"}) {
    INFO(command);
    const auto job = compile_job(command);
    CHECK(job.has("a: File"));
    CHECK(job.has("await run(\"cat\", a_path)"));
    CHECK(job.raised("S2F606"));
    CHECK_FALSE(job.raised("S2F601"));
    CHECK_FALSE(job.has("getpass"));
  }
}

TEST_CASE("A path that something else may read stays where it is") {
  for (const char* command :
       {"cat /project/a.txt\nwhile read x; do echo $x; done < /project/a.txt",
        "IN=/project/a.txt\ncat $IN\nwhile read x; do echo $x; done < $IN",
        "cat /project/a.txt\nif [ -f /project/a.txt ]; then echo there; fi",
        "cat /project/d/a.txt\n./work /project/d", "cat /project/a.txt\n./work --in=/project/a.txt",
        "export IN=/project/a.txt\ncat $IN\n./work", "eval x=1; cat /project/a.txt"}) {
    INFO(command);
    const auto job = compile_job(command);
    CHECK_FALSE(job.has("flyte.io"));
    CHECK_FALSE(job.raised("S2F606"));
    CHECK(job.raised("S2F601"));
  }
}

TEST_CASE("What is copied in is downloaded to where it is read") {
  const auto job = compile_job("cp /project/ref.fa /project/s1.fq $TMPDIR\ncd $TMPDIR\nls ref.fa");
  CHECK(job.has("tmpdir = Path(tempfile.gettempdir())"));
  CHECK(job.has("await stage(ref, tmpdir / \"ref.fa\")"));
  CHECK(job.has("await stage(s1, tmpdir / \"s1.fq\")"));
  CHECK_FALSE(job.has("enter("));
  const auto copy = compile_job("cp -v /project/ref.fa .\nls ref.fa");
  CHECK(copy.has("ref_path = await fetch(ref, \"ref.fa\")"));
}

TEST_CASE("What is copied out is handed over") {
  const auto file = compile_job("./work > s1.sam\ncp s1.sam /project/out/");
  CHECK(file.has("await keep(s1)"));
  CHECK(file.raised("S2F607"));
  const auto directory = compile_job("./work\ncp *.sam /project/out/");
  CHECK(directory.has("Dir.from_local(str(out))"));
  const auto both = compile_job("./work\ncp a.sam /project/out/\ncp -r b /project/out/");
  CHECK(both.has("Dir.from_local(str(out))"));
}

TEST_CASE("Streams of a program that go to two files stand in one with") {
  const auto job = compile_job("./work > a.out 2> a.err");
  CHECK(job.flat_has("with (HERE / \"a.out\").open(\"wb\") as stdout, "
                     "(HERE / \"a.err\").open(\"wb\") as stderr:"));
}

TEST_CASE("A comment that names a Slurm command is not kept") {
  const auto job =
      compile_job("for ((i = 0; i < 2; i++)); do\n  # srun old\n  echo $i # then sbatch\n"
                  "done\n# plain\necho $LINENO $!");
  CHECK_FALSE(job.has("# srun"));
  CHECK_FALSE(job.has("sbatch\n"));
}

TEST_CASE("A job that requeues itself goes on from its checkpoints") {
  const auto job = compile_job("trap 'scontrol requeue $SLURM_JOB_ID' USR1\n"
                               "./train --ckpt-dir ckpt &\nwait");
  CHECK(job.has("await resumable("));
  CHECK(job.has("Dir.from_local(str(HERE / \"ckpt\"))"));
  CHECK(job.has("retries=3"));
  CHECK(job.raised("S2F608"));
  for (const char* command :
       {"trap 'scontrol requeue $SLURM_JOB_ID' USR1\n./train &\nwait",
        "trap 'rm x; scontrol requeue $SLURM_JOB_ID' USR1\n./train --ckpt-dir ckpt &\nwait",
        "trap 'scontrol requeue $SLURM_JOB_ID' USR1\n./train --ckpt-dir ckpt &\n./b &\nwait",
        "trap 'scontrol requeue $SLURM_JOB_ID' USR1\n./train --ckpt-dir /scratch/c &\nwait"}) {
    INFO(command);
    CHECK_FALSE(compile_job(command).raised("S2F608"));
  }
}

TEST_CASE("A test for a result of an earlier run is told from one for a preparation") {
  CHECK(compile_job("[ -f a.txt ] && exit 0\n./work").raised("S2F609"));
  CHECK(compile_job("if [[ ! -e a.txt ]]; then ./work; fi").raised("S2F609"));
  CHECK_FALSE(compile_job("[ -d out ] || mkdir out\n./work").raised("S2F609"));
  CHECK_FALSE(compile_job("if [ ! -f in.txt ]; then echo no; exit 1; fi\n./work").raised("S2F609"));
  CHECK_FALSE(compile_job("[ ! -d $TMPDIR/a ] && ./work").raised("S2F609"));
  CHECK(compile_job("./train --resume last.pt").raised("S2F610"));
  CHECK_FALSE(compile_job("./train --epochs 3").raised("S2F610"));
}

TEST_CASE("A place that a program is told to write to is named") {
  CHECK(compile_job("./train --output_dir runs/a").raised("S2F604"));
  CHECK(compile_job("mkdir -p runs\n./train").raised("S2F604"));
  CHECK_FALSE(compile_job("./train --output_dir /scratch/a").raised("S2F604"));
  CHECK_FALSE(compile_job("ps -o pid").raised("S2F604"));
  CHECK_FALSE(compile_job("python p.py --out s_$SLURM_JOB_NAME.txt",
                          {{"p.py", "import argparse\np = argparse.ArgumentParser()\n"
                                    "p.add_argument(\"--out\")\na = p.parse_args()\n"
                                    "open(a.out, \"w\").write(\"\")\n"}})
                  .raised("S2F604"));
}

TEST_CASE("A regular loop over options becomes parameters") {
  const auto job = compile_job("R=1\nwhile getopts \"d:r:v\" o; do case $o in d) D=$OPTARG;; "
                               "r) R=$OPTARG;; v) V=1;; esac; done\n./work \"$D\" \"$R\" \"$V\"");
  CHECK(job.has("d: str = \"\", r: str = \"1\", v: str = \"\""));
  CHECK(job.raised("S2F611"));
  for (const char* command :
       {"while getopts d: o; do case $o in d) D=$OPTARG;; esac; done\n./work \"$@\"",
        "D=$HOME\nwhile getopts d: o; do case $o in d) D=$OPTARG;; esac; done\n./work \"$D\"",
        "while getopts d: o; do case $o in d) D=$OPTARG; E=1;; esac; done\n./work \"$D\"",
        "while getopts d: o; do case $o in d) D=$OPTARG;; esac; done\n./work \"${D-x}\"",
        "while getopts d o; do case $o in d) D=$OPTARG;; esac; done\n./work \"$D\""}) {
    INFO(command);
    CHECK_FALSE(compile_job(command).raised("S2F611"));
  }
}
