// What becomes of drivers: statements read one by one, and drivers that run as they were.
#include <string>
#include <utility>
#include <vector>

#include "tests/catch.hpp"
#include "tests/passes/compiled.hpp"

namespace {

using s2f::tests::compile_job;
using s2f::tests::CompiledJob;

const std::vector<std::pair<std::string, std::string>> scripts{
    {"a.sh", "#!/bin/bash\n#SBATCH --time=5\npython a.py \"$1\"\n"},
    {"b.sh", "#!/bin/bash\n#SBATCH --time=5\npython b.py \"$LR\"\n"}};

CompiledJob driver(const std::string& text) { return compile_job(text, scripts); }

} // namespace

TEST_CASE("a chain of submissions is awaited") {
  const auto made = driver("a=$(sbatch --parsable a.sh x)\nLR=0.1 sbatch -d afterok:$a b.sh");
  CHECK(made.flat_has("await a(arg1=\"x\")"));
  CHECK(made.flat_has("await b(lr=\"0.1\")"));
  CHECK_FALSE(made.raised("S2F325"));
}

TEST_CASE("a driver that cannot be read runs as it was") {
  const auto made = driver("for f in $(ls | grep -v x); do\n  sbatch --mem=4G a.sh \"$f\"\ndone");
  CHECK(made.raised("S2F325"));
  CHECK(made.has("submit 3 --mem=4G a.sh \"$f\""));
  CHECK(made.flat_has("partial(a, **each.given(arg1=1))"));
  CHECK(made.has("memory=\"4Gi\""));
  CHECK_FALSE(made.has("sbatch --mem"));
}

TEST_CASE("what the driver puts into a script is given to its task") {
  const auto made = driver("for f in $(ls | grep -v x); do\n  sbatch <<EOF\n#!/bin/bash\n"
                           "#SBATCH --mem=$(wc -l < $f)\npython run.py $f ${f%.txt} \\$HOME\nEOF\n"
                           "done");
  CHECK(made.raised("S2F326"));
  CHECK(made.has("--value \"f=$f\""));
  CHECK(made.flat_has("f=\"f\""));
  CHECK_FALSE(made.has("memory=\"4"));
}

TEST_CASE("options in a variable are not dropped in silence") {
  const auto made =
      driver("OPTS=$(cat options)\nfor f in $(ls | grep x); do sbatch $OPTS a.sh $f; done");
  CHECK(made.raised("S2F326"));
  CHECK(made.flat_has("partial(a, **each.given(arg1=1))"));
}

TEST_CASE("a driver that asks Slurm or a person is not run in a container") {
  for (const char* text :
       {"while squeue -h | grep -q .; do sleep 5; done\nsbatch a.sh",
        "read -p 'which? ' f\nsbatch a.sh $f", "select f in *; do sbatch a.sh $f; done"}) {
    const auto made = driver(text);
    CHECK(made.raised("S2F430"));
    CHECK_FALSE(made.has("submissions("));
  }
}

TEST_CASE("after a change of directory a script of the same name is another") {
  const auto made = driver("for d in $(ls | grep x); do (cd $d && sbatch a.sh 1); done");
  CHECK(made.raised("S2F602"));
  CHECK(made.flat_has("each.script == \"a.sh\""));
}

TEST_CASE("a script that the driver changes is not called as it was") {
  for (const char* text :
       {"sed -i \"s/x/$1/\" a.sh\nsbatch a.sh",
        "for f in $(ls | grep x); do\n perl -pi -e \"s/x/$f/\" a.sh\n sbatch a.sh\ndone",
        "for f in $(ls | grep x); do\n cat > b.sh <<EOF\n#!/bin/sh\necho $f\nEOF\n f=y\n"
        " echo \"python $f\" >> b.sh\n sbatch b.sh\ndone"}) {
    const auto made = driver(text);
    CAPTURE(text);
    CHECK_FALSE(made.has("partial("));
    CHECK_FALSE(made.has("await a("));
  }
  const auto made = driver("for f in $(ls | grep x); do\n sed -i \"s/x/$f/\" a.sh\n"
                           " sbatch a.sh\n sbatch c.sh $f\ndone");
  CHECK(made.raised("S2F330"));
}

TEST_CASE("two submissions of one task are one call") {
  const auto made = driver("for f in $(ls | grep x); do\n sbatch a.sh $f\n sbatch a.sh $f\ndone");
  CHECK(made.flat_has("if each.place == \"3\" or each.place == \"4\":"));
}

TEST_CASE("an environment stands behind the Slurm tasks that it depends on") {
  const auto made = compile_job(
      "for f in $(ls | grep x); do sbatch mpi.sh; done",
      {{"mpi.sh", "#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --ntasks=8\nsrun --mpi=pmix lmp\n"}});
  CHECK(made.module.find("main_env =") > made.module.find("mpi_env ="));
}

TEST_CASE("a job that submits the next is followed by it") {
  const auto made = driver("#SBATCH --time=10\npython work.py\nsbatch a.sh next");
  CHECK(made.raised("S2F373"));
  CHECK_FALSE(made.raised("S2F327"));
  CHECK(made.flat_has("timedelta(minutes=10)"));
  CHECK(made.flat_has("await job()"));
  CHECK(made.flat_has("await a(arg1=\"next\")"));
}

TEST_CASE("a job that submits the next by a branch notes it") {
  const auto made = driver("#SBATCH --time=10\nif python work.py; then\n  sbatch a.sh next\nfi");
  CHECK(made.raised("S2F327"));
  CHECK(made.has("submit 4 a.sh next"));
  CHECK(made.flat_has("for each in submitted(await job())"));
}

TEST_CASE("a job that submits itself is followed until it does not") {
  const auto made = driver("#SBATCH --time=10\npython work.py $1\n"
                           "[ $1 -gt 3 ] || sbatch $0 $(($1 + 1))");
  CHECK(made.raised("S2F327"));
  CHECK(made.flat_has("async for each in running.follow("));
  CHECK(made.flat_has("partial(job, arguments=each.arguments)"));
}

TEST_CASE("a job that counts its runs in an inherited variable stays on Slurm") {
  const auto made = driver("#SBATCH --time=10\nexport N=$((${N:-0} + 1))\npython work.py $N\n"
                           "[ $N -gt 3 ] || sbatch $0");
  CHECK_FALSE(made.raised("S2F327"));
}

TEST_CASE("a job that submits itself with other options stays on Slurm") {
  const auto made = driver("#SBATCH --time=10\npython work.py\nsbatch --time=20 $0");
  CHECK_FALSE(made.raised("S2F327"));
}

TEST_CASE("a loop over files of the cluster asks where they are, and bundles none") {
  const auto made = driver("for f in /scratch/lab/*.fa in/*.fq; do sbatch a.sh \"$f\"; done");
  CHECK(made.raised("S2F601"));
  CHECK_FALSE(made.raised("S2F901"));
  CHECK(made.flat_has("glob.glob(\"/scratch/lab/*.fa\", root_dir=HERE)"));
  CHECK(made.has("include=(\"in/*.fq\",)"));
  CHECK_FALSE(driver("for f in in/*.fq; do sbatch a.sh \"$f\"; done").raised("S2F601"));
}

TEST_CASE("an id is nothing that a task could be given") {
  for (const char* text : {"J=$(sbatch --parsable a.sh x)\nsbatch -d afterok:$J a.sh $J",
                           "J=$(sbatch --parsable a.sh x)\nsbatch -d afterok:$J a.sh run_$J",
                           "for i in 1 2; do J=$(sbatch --parsable a.sh $i); done\n"
                           "sbatch -d afterok:$J a.sh last_$J"}) {
    INFO(text);
    const auto made = driver(text);
    CHECK(made.raised("S2F325")); // it runs as it was, with ids of its own
    CHECK_FALSE(made.flat_has("arg1=str("));
  }
}

TEST_CASE("what a submission that is waited for holds up has its name") {
  const auto made = driver("id=$(sbatch --parsable --wait a.sh x)\nsbatch -d afterok:$id a.sh y");
  CHECK_FALSE(made.flat_has("job_1"));
}

TEST_CASE("a driver with a submit of its own notes what it submits beside it") {
  const auto made = driver("submit() { sbatch ${2:+-d $2} a.sh $1; }\nsubmit 1\nread -r x\n");
  CHECK(made.raised("S2F325"));
  CHECK(made.has("submit() { command submit 2 "));
  CHECK(made.has("\nsubmit 1\n"));
}

TEST_CASE("a driver that stands still for more than to submit is not run as it was") {
  const auto computed = [](const std::string& behind) {
    return driver("for f in $(ls *.txt | sort -r); do\n" + behind + "done\n");
  };
  CHECK(computed("sbatch --wait a.sh $f\necho next\n").raised("S2F325"));
  for (const char* behind :
       {"sbatch --wait a.sh $f\ncat out.txt\n", "sbatch --wait a.sh $f || exit 1\n",
        "if sbatch --wait a.sh $f; then echo well; fi\n", "./look\nsbatch -W a.sh $f\n"}) {
    INFO(behind);
    const auto made = computed(behind);
    CHECK(made.raised("S2F430"));
    CHECK(made.said("--wait"));
  }
  CHECK_FALSE(driver("salloc -N1 ./a.sh\nsbatch a.sh").raised("S2F430"));
  CHECK(driver("salloc -N1\nsbatch a.sh").raised("S2F430"));
  CHECK(driver("echo 'sbatch a.sh' | at 22:00\nsbatch a.sh").said("(at)"));
}

TEST_CASE("a driver asks for a file as the shell does") {
  CHECK(driver("if [ -f x ]; then sbatch a.sh 1; fi").flat_has(".is_file()"));
  CHECK(driver("if [ -d x ]; then sbatch a.sh 1; fi").flat_has(".is_dir()"));
  CHECK(driver("if [ -e x ]; then sbatch a.sh 1; fi").flat_has(".exists()"));
  CHECK(driver("if [ -s x ]; then sbatch a.sh 1; fi").raised("S2F325"));
}

TEST_CASE("options of a driver that is not read are no scripts") {
  const auto made = driver("read -r x\nsbatch -c 8 -J first --mem 4G a.sh $x");
  CHECK_FALSE(made.raised("S2F323"));
  CHECK(made.has("async def a("));
}

TEST_CASE("a log that another job reads is no file of a task's") {
  const auto with = [](const std::string& option, const std::string& reads) {
    const auto compiled = s2f::project::compile(
        {"submit.sh"}, {},
        s2f::project::in_memory(
            {{"submit.sh", "id=$(sbatch --parsable one.sh)\nsbatch -d afterok:$id two.sh"},
             {"one.sh", "#!/bin/bash\n#SBATCH -J first " + option + "\n./one\n"},
             {"two.sh", "#!/bin/bash\n" + reads + "\n"}}));
    return std::ranges::any_of(compiled.review.inputs, [](const auto& input) {
      return std::ranges::any_of(
          input.findings, [](const auto& placed) { return placed.finding.rule == "S2F605"; });
    });
  };
  CHECK(with("-o logs/%x.out", "grep loss logs/first.out > loss.txt"));
  CHECK(with("-o run-%j.log", "cat run-*.log"));
  CHECK(with("-e err.txt", "wc -l < err.txt"));
  CHECK(with("", "tail -n 1 slurm-*.out"));
  CHECK(with("-N 2 --ntasks-per-node=2\nmpirun ./app $1 > app_$1.log", "grep x app_1.log"));
  CHECK_FALSE(with("-o logs/%x.out", "mkdir -p logs\n./two"));
  CHECK_FALSE(with("-o logs/%x.out", "cat other.out"));
}

TEST_CASE("a script that is not there takes all that it is given") {
  const auto made =
      driver("for b in one two; do\n"
             "  LR=1 sbatch --array=1-3 --export=ALL,batch=$b,chr=15 gone.sh $b\ndone");
  CHECK(made.raised("S2F323"));
  CHECK(made.flat_has("index: int"));
  for (const char* name : {"batch", "chr", "lr", "arg1"}) {
    INFO(name);
    CHECK(made.flat_has(std::string(name) + ": str"));
    CHECK(made.flat_has(std::string(name) + "="));
  }
}
