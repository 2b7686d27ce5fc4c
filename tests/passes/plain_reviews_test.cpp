// What the review of a plain script says, and what it need not say.
#include "tests/catch.hpp"
#include "tests/passes/compiled.hpp"

using namespace s2f;
using tests::compile_job;

namespace {

std::size_t count(const tests::CompiledJob& job, std::string_view rule) {
  return static_cast<std::size_t>(std::ranges::count(job.rules, rule));
}

} // namespace

TEST_CASE("mail to nobody by name is no notification of the module") {
  const auto nobody = compile_job("#SBATCH --mail-type=END,FAIL\necho a");
  CHECK(nobody.raised("S2F103"));
  CHECK(nobody.said("no address is written here"));
  CHECK_FALSE(nobody.has("notify"));
  CHECK(nobody.flat_has("--mail-type=END,FAIL: Flyte's tasks send no mail"));
  CHECK(nobody.why("--mail-type=END,FAIL") == "nothing is sent");

  const auto named = compile_job("#SBATCH --mail-type=END,FAIL --mail-user=me@example.org\necho a");
  CHECK(named.has("notify.Email"));
  CHECK(named.why("--mail-type=END,FAIL") == "notifications of a run");

  const auto given = compile_job("#SBATCH --mail-type=END --mail-user=me@example.org\necho \"$1\"");
  CHECK(given.said("started with `flyte run`, which sends nothing"));
  CHECK_FALSE(given.has("notify"));

  const auto begun = compile_job("#SBATCH --mail-type=BEGIN --mail-user=me@example.org\necho a");
  CHECK(begun.said("announces the end of a run alone"));
  CHECK_FALSE(begun.has("notify"));
}

TEST_CASE("what a comment says of mail stands with it") {
  const auto job = compile_job("#SBATCH --mail-type=END # tell us\n"
                               "#SBATCH --mail-user=me@example.org # the group\necho a");
  CHECK(job.has("# --mail-type: tell us"));
  CHECK(job.has("# --mail-user: the group"));
}

TEST_CASE("directives that are commented out are one note") {
  const auto job = compile_job("##SBATCH --mem=1G\n##SBATCH --time=5\n#SBATCH --mem=2G\necho a");
  CHECK(count(job, "S2F117") == 1);
  CHECK(job.said("2 directives are commented out: lines 2-3."));
  CHECK_FALSE(job.raised("S2F111"));
  CHECK(job.why("##SBATCH --mem=1G") == "commented out: a directive begins with one #");
  CHECK(compile_job("# SBATCH --mem=1G\necho a").raised("S2F111"));
}

TEST_CASE("Python's version is of no interest where nothing is run by Python") {
  CHECK_FALSE(compile_job("sort a.txt > b.txt").raised("S2F504"));
  CHECK(compile_job("python fit.py").raised("S2F504"));
  CHECK(compile_job("/opt/env/bin/python3 fit.py").raised("S2F504"));
  CHECK(compile_job("./fit.py").raised("S2F504"));
  CHECK(compile_job("pip install numpy\nsort a").raised("S2F504"));
  CHECK(compile_job("read line < list\npython $line").raised("S2F504")); // kept as Bash
}

TEST_CASE("a program of the GPU's driver comes with the GPU") {
  CHECK_FALSE(compile_job("#SBATCH --gres=gpu:1\nnvidia-smi").raised("S2F511"));
  CHECK(compile_job("nvidia-smi").raised("S2F511"));
}

TEST_CASE("a module and its program are one question") {
  const auto job = compile_job("module load solverx/2.1\nsolverx -i in.dat");
  CHECK(count(job, "S2F503") == 1);
  CHECK(job.said("What the module solverx/2.1 brings is not known here. The job runs solverx."));
  CHECK_FALSE(job.raised("S2F511"));

  const auto other = compile_job("module load solverx/2.1\nanother -i in.dat");
  CHECK(other.said("Nothing brings another into the image."));

  const auto two = compile_job("module load solverx plotx\nsolverx\nplotx");
  CHECK(count(two, "S2F503") == 2); // each has a key of its own
  CHECK(two.said("The job runs solverx."));
  CHECK(two.said("The job runs plotx."));
  CHECK_FALSE(two.raised("S2F511"));
}

TEST_CASE("words without quotes are one note") {
  const auto job = compile_job("mkdir $1\ncp $1/a $2\ncp $1/a $2");
  CHECK(count(job, "S2F421") == 1);
  CHECK(job.said("5 words stand without quotes: $1, $1/a, $2 (lines 2-4)."));
  CHECK(compile_job("mkdir $1").said("$1 stands without quotes."));
}

TEST_CASE("a directory of the cluster is one question") {
  const auto job = compile_job("cd /scratch/me/run\nsort a");
  CHECK(job.raised("S2F601"));
  CHECK_FALSE(job.raised("S2F462"));
  CHECK(compile_job("cd run\nsort a").raised("S2F462"));
}

TEST_CASE("tasks that are CPUs of one container are one note") {
  const auto job = compile_job("#SBATCH -n 4 -c 2\nsort a");
  CHECK(count(job, "S2F704") == 1);
  CHECK_FALSE(job.raised("S2F202"));
  CHECK(compile_job("#SBATCH -c 2 -n 1\nsort a").raised("S2F704") == false);
}

TEST_CASE("an address in angle brackets and a comment make no template") {
  CHECK_FALSE(compile_job("#SBATCH --mail-user=<me@example.org>\necho a").raised("S2F106"));
  CHECK_FALSE(compile_job("#SBATCH --account=p1 # of <project>\necho a").raised("S2F106"));
  CHECK(compile_job("#SBATCH --account=<project>\necho a").raised("S2F106"));
  CHECK(compile_job("#SBATCH --account=@@project@@\necho a").raised("S2F106"));
}

TEST_CASE("a comment on what is not carried over is not carried over") {
  const auto job = compile_job("#SBATCH --time=5\n"
                               "# where the log goes\n"
                               "#SBATCH --output=a.out # of the job\n"
                               "# not now\n"
                               "##SBATCH --mem=3G\n"
                               "# what it needs\n"
                               "# at least\n"
                               "#SBATCH --mem=2G\n"
                               "#SBATCH --nodes=1 # one\n"
                               "echo a");
  CHECK_FALSE(job.has("where the log goes"));
  CHECK_FALSE(job.has("# of the job"));
  CHECK_FALSE(job.has("# not now"));
  CHECK_FALSE(job.has("# one"));
  CHECK(job.flat_has("# what it needs # at least memory=\"2Gi\""));
  CHECK(job.why("# where the log goes") == "on directives that are not carried over");
}

TEST_CASE("a comment on a group of directives goes with those that are carried over") {
  CHECK(compile_job("#SBATCH --time=5\n# of the job\n#SBATCH --output=a\n#SBATCH --mem=1G\necho a")
            .has("# of the job"));
}

TEST_CASE("of a job that stays on Slurm, comments stand with its options") {
  const auto job = compile_job("#SBATCH --job-name=relax # of the run\n"
                               "#SBATCH --nodes=4 # enough\n"
                               "# a day\n"
                               "#SBATCH --time=24:00:00\n"
                               "#SBATCH --output=a.out # of the run\n"
                               "mpirun ./relax");
  CHECK(job.has("nodes=4,  # --nodes=4: enough"));
  CHECK(job.flat_has("# a day time_limit"));
  CHECK(job.has("# --job-name=relax: of the run"));
  CHECK_FALSE(job.has("# --output=a.out"));
}

TEST_CASE("a job is said to run what it runs") {
  CHECK(compile_job("hostname\n$@").has("\"\"\"Run the command that it is given."));
  CHECK(compile_job("root=$(dirname $PWD)\npython $root/tools/fit.py").has("\"\"\"Run fit.py."));
  CHECK(compile_job("nextflow run -c my.config -profile test main.nf").has("\"\"\"Run main.nf."));
  CHECK(compile_job("clear\npython fit.py -c x").has("\"\"\"Run fit.py."));
}

TEST_CASE("directories of one search path are one question") {
  const auto job = compile_job("export PATH=/home/me/a:$PATH\nexport PATH=/home/me/b:$PATH\n"
                               "export LD_LIBRARY_PATH=/home/me/l:$LD_LIBRARY_PATH\ntool");
  CHECK(count(job, "S2F507") == 2);
  CHECK(job.said("PATH gets /home/me/a, /home/me/b, which no container has: what programs"));
  CHECK(job.flat_has("added /home/me/a, /home/me/b to PATH: the programs"));
}

TEST_CASE("a partition that names no queue is not lost from the module") {
  const auto job = compile_job("#SBATCH --partition=+odd\necho a");
  CHECK(job.raised("S2F210"));
  CHECK(job.flat_has("--partition=+odd is no name for a queue"));
}

TEST_CASE("a feature that is called as a GPU is the kind of GPU") {
  const auto job = compile_job("#SBATCH --gres=gpu:2 --constraint=a100\nnvidia-smi");
  CHECK(job.has("gpu=\"A100:2\",  # --gres=gpu:2 --constraint=a100"));
  CHECK(job.said("--constraint=a100 names a kind of GPU"));
  CHECK(count(job, "S2F212") == 1);
  CHECK(compile_job("#SBATCH --gres=gpu:2 -C v100-32g\nls").has("gpu=\"V100:2\""));
  // What the site means by these is not known, or another kind is asked for.
  CHECK(compile_job("#SBATCH --gres=gpu:2 -C 'a100|v100'\nls").has("gpu=2"));
  CHECK(compile_job("#SBATCH --gres=gpu:2 -C skylake\nls").has("gpu=2"));
  CHECK(compile_job("#SBATCH --gres=gpu:v100:2 -C a100\nls").has("gpu=\"V100:2\""));
  CHECK_FALSE(compile_job("#SBATCH -C a100\nls").has("gpu="));
}

TEST_CASE("what else reads a variable follows the parameter that stands for it") {
  const std::string head = "N=16\nLR=0.1\n";
  const auto job = compile_job(head + "echo \"Size: $N\"\npython fit.py --n $N --lr ${LR}");
  CHECK(job.has("n: int = 16"));
  CHECK(job.has("lr: float = 0.1"));
  CHECK(job.has("print(f\"Size: {n}\""));

  const auto file = compile_job(head + "echo \"n=${N}\" > used.txt\npython fit.py --n $N");
  CHECK(file.has("print(f\"n={n}\""));

  // Half of the places would keep the script's value.
  const auto name = compile_job(head + "OUT=run_$N\npython fit.py --n $N --out $OUT");
  CHECK_FALSE(name.has("n: int"));
  CHECK(name.flat_has("\"--n\", \"16\""));
  CHECK_FALSE(compile_job(head + "export N\npython fit.py --n $N").has("n: int"));
  CHECK_FALSE(compile_job(head + "M=$((N * 2))\npython fit.py --n $N --m $M").has("n: int"));

  // Not exactly what Python prints.
  CHECK_FALSE(compile_job("E=1e-7\necho $E\npython fit.py --eps $E").has("eps: float"));
  CHECK(compile_job("E=1e-7\npython fit.py --eps $E").has("eps: float = 1e-7"));
  // Of a comment nothing hangs.
  CHECK(compile_job("N=16 # see $N\npython fit.py --n $N").has("n: int = 16"));
}

TEST_CASE("a module that only makes others visible asks nothing") {
  const auto job = compile_job("module load StdEnv/2020 GCCcore\nsort a");
  CHECK_FALSE(job.raised("S2F503"));
  CHECK(job.flat_has("It only makes other modules visible."));
}

TEST_CASE("what of a script of sh is Bash's is told where it stays") {
  const auto rules = [](const std::string& text) {
    const auto compiled = project::compile({"job.sh"}, {}, project::in_memory({{"job.sh", text}}));
    std::vector<std::string> found;
    for (const auto& each : compiled.review.inputs.front().findings) {
      found.push_back(each.finding.rule);
    }
    return found;
  };
  const auto warns = [&](const std::string& text) {
    const auto found = rules(text);
    return std::ranges::find(found, "S2F527") != found.end();
  };
  CHECK(warns("#!/bin/sh\n[[ $1 == a* ]] && m=1\necho $m\n"));
  CHECK(warns("#!/bin/sh\nread a <<< \"$1\"\necho $a\n"));
  CHECK_FALSE(warns("#!/bin/bash\nread a <<< \"$1\"\necho $a\n"));
  CHECK_FALSE(warns("#!/bin/sh\nread a < list\necho $a\n"));
}

TEST_CASE("srun takes a program from its directory") {
  const std::vector<std::pair<std::string, std::string>> files{{"work.sh", "#!/bin/sh\n"}};
  CHECK(compile_job("srun work.sh a", files).flat_has("run(\"./work.sh\", \"a\")"));
  CHECK(compile_job("srun work.sh a", files).flat_has("include=(\"work.sh\",)"));
  CHECK_FALSE(compile_job("srun work.sh a", files).raised("S2F511"));
  CHECK(compile_job("work.sh a", files).raised("S2F511")); // a shell does not
  CHECK(compile_job("srun other.sh a", files).raised("S2F511"));
}

TEST_CASE("a cd that ends the job on Slurm as well is no difference") {
  CHECK(compile_job("sort a\ncd run\nsort b").raised("S2F462"));
  CHECK_FALSE(compile_job("sort a\nset -e\ncd run\nsort b").raised("S2F462"));
  CHECK(compile_job("set -e\nsort a\nset +e\ncd run\nsort b").raised("S2F462"));
}

TEST_CASE("an environment that another takes the place of at once asks nothing") {
  const auto job = compile_job("source /opt/site/anaconda3/bin/activate\n"
                               "export LANG=C\nconda activate fold\npython a.py");
  CHECK(count(job, "S2F501") == 1);
  CHECK(job.said("fold was not there to be read"));
  CHECK_FALSE(job.raised("S2F506"));
  CHECK(job.why("source /opt/site/anaconda3/bin/activate") ==
        "the environment that is activated behind it takes its place");

  const auto path = compile_job("export PATH=/home/me/miniconda3/bin:$PATH\n"
                                "source activate fold\npython a.py");
  CHECK(count(path, "S2F501") == 1);

  // Something is run in it, or nothing takes its place.
  const auto used = compile_job("source /opt/site/anaconda3/bin/activate\npython prepare.py\n"
                                "conda activate fold\npython a.py");
  CHECK(count(used, "S2F501") == 2);
  CHECK(used.raised("S2F506"));
  CHECK(compile_job("source /opt/site/anaconda3/bin/activate\npython a.py").raised("S2F501"));
  CHECK(count(compile_job("source ~/envs/a/bin/activate\nconda activate fold\npython a.py"),
              "S2F501") == 2);
}

TEST_CASE("directives that stand too late are one warning") {
  const auto job = compile_job("set -e\n#SBATCH --mem=1G\n#SBATCH -c 2\necho a\n#SBATCH -n 3");
  CHECK(count(job, "S2F111") == 1);
  CHECK(job.said(
      "3 lines look like directives, but Slurm does not read them: lines 3-4, 6, after the "
      "first command (line 2)"));
  CHECK(job.why("#SBATCH -n 3") == "after the first command (line 2): Slurm does not read it");
  const auto two = compile_job("# SBATCH --mem=1G\necho a\n#SBATCH -n 3");
  CHECK(count(two, "S2F111") == 2); // each for its own reason
}

TEST_CASE("an array of the command line is asked about on Slurm, too") {
  const std::string body = "mpirun ./solve case$SLURM_ARRAY_TASK_ID";
  const auto job = compile_job("#SBATCH -N 2\n" + body);
  CHECK(job.has("SlurmScriptTask"));
  CHECK(job.raised("S2F305"));
  CHECK_FALSE(compile_job("#SBATCH -N 2 --array=1-3\n" + body).raised("S2F305"));
  CHECK_FALSE(compile_job("#SBATCH -N 2\nmpirun ./solve").raised("S2F305"));
}

TEST_CASE("a directory of a directory is a path of a path") {
  const auto job = compile_job("root=$(dirname $(dirname $PWD))\npython $root/a.py");
  CHECK(job.has("HERE.parent.parent"));
  CHECK_FALSE(job.has("Path(HERE"));
}

TEST_CASE("a script that a job is given is what it runs") {
  CHECK(compile_job("python3 $1").has("\"\"\"Run the script that it is given."));
  CHECK(compile_job("Rscript \"$1\" $2").has("\"\"\"Run the script that it is given."));
  CHECK(compile_job("Rscript fit.R $1").has("\"\"\"Run fit.R."));
}

TEST_CASE("echo prints a time without quotes as it prints its words") {
  for (const std::string body : {"echo begin: $(date)", "echo begin: `date` > a.log"}) {
    const auto job = compile_job(body);
    CHECK(job.has("%a %b %-d %H:%M:%S %Z %Y"));
    CHECK_FALSE(job.raised("S2F421"));
  }
  CHECK(compile_job("echo \"begin: $(date)\"").has("%a %b %e %H:%M:%S %Z %Y"));
  CHECK(compile_job("echo $(date +'%Y  %m')").has("%Y %m"));
}

TEST_CASE("a script of another language that needs Slurm is never a task that does nothing") {
  const std::string zsh = "#!/bin/zsh\n#SBATCH -n 2\nmpirun ./x\n";
  const auto alone = project::compile({"z.sh"}, {}, project::in_memory({{"z.sh", zsh}}));
  CHECK(alone.modules.empty());
  REQUIRE(alone.review.inputs.front().findings.size() == 1);
  CHECK(alone.review.inputs.front().findings.front().finding.rule == "S2F529");

  const auto driven = project::compile(
      {"d.sh"}, {},
      project::in_memory({{"d.sh", "#!/bin/bash\nsbatch -c 3 z.sh a\n"}, {"z.sh", zsh}}));
  REQUIRE(driven.modules.size() == 1);
  CHECK(driven.modules.front().text.find(
            "raise NotImplementedError(\"z.sh runs on Slurm alone\")") != std::string::npos);
  for (const auto& input : driven.review.inputs) {
    for (const auto& each : input.findings) {
      CHECK_FALSE(each.finding.rule.starts_with("S2F9"));
    }
  }
}

TEST_CASE("a script that submits nothing is told to") {
  const auto rules = [](const std::string& text) {
    std::vector<std::string> found;
    const auto compiled = project::compile(
        {"d.sh"}, {}, project::in_memory({{"d.sh", text}, {"j.sh", "#!/bin/bash\necho a\n"}}));
    for (const auto& each : compiled.review.inputs.front().findings) {
      found.push_back(each.finding.rule);
    }
    return found;
  };
  CHECK(rules("#!/bin/bash\nlaunch() {\n  sbatch j.sh\n}\n") == std::vector<std::string>{"S2F528"});
  const auto called = rules("#!/bin/bash\nlaunch() {\n  sbatch j.sh\n}\nlaunch\n");
  CHECK(std::ranges::find(called, "S2F528") == called.end());
}

TEST_CASE("a task that does nothing is told of") {
  CHECK(compile_job("module load fold\nexport N=2\ncd run").raised("S2F526"));
  CHECK(compile_job("# nothing yet").said("The script has no command."));
  CHECK_FALSE(compile_job("module load fold\necho a").raised("S2F526"));
  CHECK_FALSE(compile_job("module load fold\nif [ -f a ]; then ./x; fi").raised("S2F526"));
  CHECK_FALSE(compile_job("shift\necho $1").raised("S2F526"));
  CHECK_FALSE(compile_job("mpirun ./x").raised("S2F526"));
}
