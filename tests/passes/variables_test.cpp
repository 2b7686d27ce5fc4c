// Variables that nothing sets, words of a value, and small things that the header and names say.
#include "tests/catch.hpp"

#include "tests/passes/compiled.hpp"

using s2f::tests::compile_job;

TEST_CASE("A variable that the script asks for is no required parameter") {
  for (const char* body :
       {"[ -n \"$DEBUG\" ] && ./a\n./b", "if [[ -z $DEBUG ]]; then ./a; fi", "echo \"<$DEBUG>\"",
        "if [ \"$DEBUG\" = y ]; then ./a; fi", "./a \"${DEBUG:-}\""}) {
    INFO(body);
    const auto job = compile_job(body);
    CHECK(job.has("debug: str = \"\""));
    CHECK(job.raised("S2F468"));
    CHECK_FALSE(job.raised("S2F403"));
  }
  CHECK(compile_job("./a \"$DATA\"").has("data: str)"));
  CHECK(compile_job("set -u\n[ -n \"$DEBUG\" ] && ./a").raised("S2F403"));
}

TEST_CASE("What the submitting shell set goes before a default") {
  for (const char* body : {": ${MODE:=}\n./a \"$MODE\"", ": ${MODE:=\"\"}\n./a \"$MODE\"",
                           ": \"${MODE:=$HOME/x}\"\n./a \"$MODE\""}) {
    INFO(body);
    const auto job = compile_job(body);
    CHECK(job.has("mode: str = \"\""));
    CHECK(job.raised("S2F468"));
  }
  CHECK(compile_job(": ${MODE:=fast}\n./a \"$MODE\"").has("mode: str = \"fast\""));
  CHECK_FALSE(compile_job("MODE=x\n: ${MODE:=}\n./a \"$MODE\"").has("mode: str"));
}

TEST_CASE("What --export does not pass on has no value") {
  const auto job = compile_job("#SBATCH --export=NONE\n./a \"x$DATA\"");
  CHECK(job.has("run(\"./a\", \"x\")"));
  CHECK(job.raised("S2F468"));
  CHECK(compile_job("#SBATCH --export=ALL\n./a \"x$DATA\"").has("data: str)"));
  CHECK(compile_job("#SBATCH --export=DATA\n./a \"x$DATA\"").has("data: str)"));
}

TEST_CASE("A name that was misspelt is asked about") {
  CHECK(compile_job("./a \"x$SLRUM_JOB_ID\"").raised("S2F469"));
  CHECK(compile_job("DATA_DIR=d\n./a \"$DATA_DIR\" \"x$DATADIR\"").raised("S2F469"));
  CHECK_FALSE(compile_job("FILE1=d\n./a \"$FILE1\" \"$FILE2\"").raised("S2F469"));
}

TEST_CASE("What is meant as words is split") {
  CHECK(compile_job("ARGS=$1\n./a $ARGS").has("*split_words("));
  CHECK(compile_job("OPTS=${1:-\"-a 1\"}\n./a $OPTS").has("*split_words("));
  CHECK_FALSE(compile_job("./a $1").has("split_words"));
}

TEST_CASE("Words within a longer one are split where the script writes several") {
  CHECK(
      compile_job("A=\"x y\"\n[ -f f ] && A=\"z w\"\n./a in_$A").has("*split_words(f\"in_{a}\")"));
  CHECK(compile_job("A=$(cat f)\n./a in_$A ${A}_b").has("*split_words(f\"in_{a}\")"));
  // The quotes keep their blanks, which a split of the whole word would not.
  CHECK(compile_job("A=\"x y\"\n[ -f f ] && A=z\n./a \"b c\"$A").raised("S2F406"));
}

TEST_CASE("Arguments that are counted are a list of the task") {
  const auto job = compile_job("echo $#\n./a \"$2\" \"${3:-x}\" \"${@:4}\"");
  CHECK(!job.raised("S2F406"));
  CHECK(job.has("arguments = arguments or []"));
  CHECK(job.has("arguments[1] if len(arguments) > 1 else \"\""));
  CHECK(job.has("*arguments[3:]"));
  // set -u ends the script where one is not there.
  CHECK(compile_job("set -u\necho $#\n./a \"$2\"").raised("S2F406"));
  CHECK(compile_job("set -- b \"$@\"\n./a \"$2\"").raised("S2F406"));
}

TEST_CASE("What echo -e makes of a text is known only when the job runs") {
  CHECK(compile_job("A=$(cat f)\necho -e \"$A\\t\"").has("echo(f\"{a}\\\\t\")"));
  CHECK(compile_job("echo -e \"a\\tb\"").has("print(\"a\\tb\", flush=True)"));
  // The digits of the value would belong to the escape.
  CHECK(compile_job("A=$(cat f)\necho -e \"\\x4$A\"").raised("S2F406"));
}

TEST_CASE("umask is a mask of the task's process") {
  CHECK(compile_job("umask 27\n./a").has("os.umask(0o027)"));
  CHECK(compile_job("umask u=rwx\n./a").raised("S2F406"));
}

TEST_CASE("An argument that only an activation reads is no required parameter") {
  CHECK_FALSE(compile_job("ENV=$1\nsource activate $ENV\n./a").has("env: str"));
}

TEST_CASE("The name of a program tells the version of Python") {
  CHECK(compile_job("python3.11 x.py").has("python_version=(3, 11)"));
  CHECK(compile_job("/usr/bin/python3.13 x.py").has("python_version=(3, 13)"));
  CHECK(compile_job("./a /usr/lib/python3.11").has("python_version=(3, 12)"));
}

TEST_CASE("A resource beside the GPUs is asked about") {
  CHECK(compile_job("#SBATCH --gres=gpu:a100:2,tmpdisk:100\n./a").raised("S2F204"));
  CHECK_FALSE(compile_job("#SBATCH --gres=gpu:a100:2\n./a").raised("S2F204"));
}

TEST_CASE("A password of curl is a secret") {
  const auto job = compile_job("curl -u bob:hunter22 https://x.org/a");
  CHECK(job.raised("S2F801"));
  CHECK_FALSE(job.has("hunter22"));
  CHECK_FALSE(compile_job("id -u bob:hunter22").raised("S2F801"));
}

TEST_CASE("A list that the script changes gives no items of an array") {
  const std::string head = "#SBATCH --array=0-1\nA=(x y)\n";
  const std::string use = "\npython show.py \"${A[$SLURM_ARRAY_TASK_ID]}\"";
  CHECK(s2f::tests::compile_job(head + use).has("item: str"));
  for (const char* change :
       {"A=(u v)", "A=(data/*)", "A=($(ls data))", "A+=(z)", "[ \"$1\" = big ] && A=(u v)",
        "if [ -d data ]; then A=(u v); fi", "for A in p q; do ./x $A; done", "f() { A=(u v); }\nf",
        "A=(\"${A[@]:1}\")", "[ -d data ] && A+=(z)", "A[0]=q", "read -ra A < list.txt"}) {
    INFO(change);
    CHECK_FALSE(s2f::tests::compile_job(head + change + use).has("item: str"));
  }
}

TEST_CASE("A variable that only Slurm knows is empty, and that is said") {
  const auto job = compile_job("./sim \"$SLURM_CLUSTER_NAME\"");
  CHECK(job.flat_has("await run(\"./sim\", \"\")"));
  CHECK(job.said("The job reads $SLURM_CLUSTER_NAME, and nothing in Flyte stands for it."));
  CHECK(compile_job("set -u\n./sim \"$SLURM_CLUSTER_NAME\"").has("await bash("));
}
