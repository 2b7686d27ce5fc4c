// Whole modules: two migrations that were written by hand, the map of lines, the trailer, templates
// of the user's.
#include "emit/emit.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tests/catch.hpp"

using namespace s2f;
using namespace s2f::flyte;

namespace {

emit::Templates templates() {
  return emit::templates_from(std::string(S2F_SOURCE_DIR) + "/templates");
}

Notes after(std::string trailing) {
  Notes notes;
  notes.trailing = std::move(trailing);
  return notes;
}

Notes over(std::vector<std::string> above) {
  Notes notes;
  notes.above.assign(above.begin(), above.end());
  return notes;
}

Noted<Expr> noted(Expr value, std::string trailing = {}) {
  return {std::move(value), after(std::move(trailing))};
}

Expr python(const char* minor) {
  Arg version = arg("python_version", Expr{TupleExpr{{arg(number("3")), arg(number(minor))}}});
  version.notes = after("default: none named");
  return call("flyte.Image.from_debian_base", {version});
}

Stmt assign(std::string target, Expr value, std::string trailing = {}) {
  return {Assign{std::move(target), "", std::move(value)}, after(std::move(trailing))};
}

Stmt expression(Expr value) { return {ExprStmt{std::move(value)}, {}}; }

Stmt give(Expr value, std::string trailing = {}) {
  return {Return{std::move(value)}, after(std::move(trailing))};
}

Expr from_local(const char* type, Expr path) {
  return await(call(std::string(type) + ".from_local", {arg(call("str", {arg(std::move(path))}))}));
}

Expr here(const char* file) { return {Binary{"/", name("HERE"), str(file)}}; }

std::vector<Arg> command(const char* payload, std::vector<Arg> rest) {
  std::vector<Arg> out{arg(name("sys.executable")), arg(str(payload))};
  out.insert(out.end(), rest.begin(), rest.end());
  return out;
}

Module train() {
  Module module;
  module.file = "train_flyte.py";
  module.summary = "Train on one node with 8 A100 GPUs.";
  module.migrated = "Migrated from train.sh. What used to be \"sbatch train.sh\" is now:";
  module.commands = {{"flyte run --local train_flyte.py train", "this machine, no cluster"},
                     {"flyte run train_flyte.py train", "the cluster"},
                     {"flyte deploy train_flyte.py", "register the task"}};
  module.here_parent = 0;
  module.here_notes = after("the directory the job was submitted from");
  module.images = {
      {"image", python("12"),
       over({"train.sh:10 module load cuda/12.1: Python packages for GPUs bring their own CUDA.",
             "REVIEW S2F501: train.sh:11 activated ~/venvs/train, which was not there to be read; "
             "train.py imports the "
             "standard library only. If the job needs more, `pip freeze` it to requirements.txt "
             "and add "
             ".with_requirements(HERE / \"requirements.txt\")."})}};
  Environment environment;
  environment.variable = "train_env";
  environment.name = {"train", after("--job-name=train")};
  environment.image = noted(name("image"));
  environment.resources.cpu = noted(number("16"), "--cpus-per-task=16");
  environment.resources.memory = noted(str("64Gi"), "--mem=64G");
  environment.resources.gpu = noted(str("A100:8"), "--gres=gpu:a100:8");
  environment.resources.shm = noted(str("auto"), "/dev/shm was the node's; a container's is 64 MB");
  environment.queue = Noted<std::string>{
      "gpu", after("REVIEW S2F210: --partition=gpu; your deployment needs that queue")};
  environment.include = {"train.py"};
  module.environments = {environment};
  Task task;
  task.environment = "train_env";
  task.function = "train";
  task.parameters = {{"lr", "float", number("3e-4"), {}}};
  task.returns = "File";
  task.retries = noted(number("3"), "--requeue");
  task.retries->notes.above = {
      "REVIEW S2F220: Slurm requeues after a node failure; a retry also follows a failed command."};
  task.timeout = noted(call("timedelta", {arg("hours", number("4"))}), "--time=04:00:00");
  task.docstring = "Train one model (train.sh:12); train.py:6 writes it.";
  task.body = {
      expression(await(call("run", command("train.py", {arg(str("--lr")), arg(name("lr"))})))),
      give(from_local("File", here("model.json")))};
  module.tasks = {task};
  module.helpers["run"];
  module.entry = "train";
  module.generated_from = "train.sh";
  return module;
}

Environment job(const char* name_, const char* cpu, const char* memory,
                std::vector<std::string> comments) {
  Environment out;
  out.variable = std::string(name_) + "_env";
  out.name = {name_, after("-J " + std::string(name_))};
  out.image = noted(name("image"));
  out.resources.cpu = noted(number(cpu), comments[0]);
  out.resources.memory = noted(str(memory), comments[1]);
  out.include = {std::string(name_) + ".py"};
  return out;
}

Module chain() {
  Module module;
  module.file = "submit_flyte.py";
  module.summary = "Prepare the data, train on it, evaluate the model.";
  module.migrated = "Migrated from submit.sh, which chains prep.sh, train.sh and eval.sh. What "
                    "used to be \"bash submit.sh\" is now:";
  module.commands = {
      {"flyte run --local submit_flyte.py main --raw raw", "this machine, no cluster"},
      {"flyte run submit_flyte.py main --raw raw", "the cluster"},
      {"flyte deploy submit_flyte.py", "register the tasks"}};
  module.here_parent = 0;
  module.here_notes = after("the directory the jobs were submitted from");
  module.images = {{"image", python("12"), {}}};
  module.environments = {job("prep", "4", "16Gi", {"-c 4", "--mem=16G"}),
                         job("train", "8", "64Gi", {"-c 8", "--mem=64G"}),
                         job("eval", "2", "8Gi", {"-c 2", "--mem=8G"})};
  module.environments[1].resources.gpu = noted(number("1"), "-G 1");
  module.environments[1].resources.shm =
      noted(str("auto"), "/dev/shm was the node's; a container's is 64 MB");
  module.environments[1].queue =
      Noted<std::string>{"gpu", after("REVIEW S2F210: -p gpu; your deployment needs that queue")};
  Environment own;
  own.variable = "main_env";
  own.name = {"submit", {}};
  own.image = noted(name("image"));
  own.resources.cpu = noted(number("1"));
  own.resources.memory = noted(str("1Gi"));
  own.depends_on = {"prep_env", "train_env", "eval_env"};
  module.environments.push_back(own);

  Task prep;
  prep.environment = "prep_env";
  prep.function = "prep";
  prep.parameters = {{"raw", "Dir", {}, {}}};
  prep.returns = "Dir";
  prep.timeout = noted(call("timedelta", {arg("hours", number("1"))}), "-t 1:00:00");
  prep.docstring = "Prepare the data (prep.sh:4).";
  prep.body = {
      assign("raw_path", await(call("fetch", {arg(name("raw"))})), "was /project/raw"),
      assign("prepared", call("scratch", {arg(str("prepared"))}), "was /scratch/$USER/prepared"),
      expression(
          await(call("run", command("prep.py", {arg(str("--in")), arg(name("raw_path")),
                                                arg(str("--out")), arg(name("prepared"))})))),
      give(from_local("Dir", name("prepared")))};

  Task train;
  train.environment = "train_env";
  train.function = "train";
  train.parameters = {{"prepared", "Dir", {}, {}}, {"epochs", "int", number("5"), {}}};
  train.returns = "File";
  train.timeout = noted(call("timedelta", {arg("hours", number("12"))}), "-t 12:00:00");
  train.docstring = "Train the model (train.sh:4).";
  train.body = {
      assign("data", await(call("fetch", {arg(name("prepared"))})), "was /scratch/$USER/prepared"),
      assign("ckpt", Expr{Binary{"/", call("scratch", {arg(str("train"))}), str("ckpt.pt")}},
             "was /scratch/$USER/ckpt.pt"),
      expression(await(call("run", command("train.py", {arg(str("--data")), arg(name("data")),
                                                        arg(str("--epochs")), arg(name("epochs")),
                                                        arg(str("--ckpt")), arg(name("ckpt"))})))),
      give(from_local("File", name("ckpt")))};

  Task evaluate;
  evaluate.environment = "eval_env";
  evaluate.function = "evaluate";
  evaluate.parameters = {{"prepared", "Dir", {}, {}}, {"ckpt", "File", {}, {}}};
  evaluate.returns = "File";
  evaluate.docstring = "Evaluate the model (eval.sh:4).";
  WithStmt with;
  with.context = call("metrics.open", {arg(str("wb"))});
  with.as = "stdout";
  with.body = {expression(await(
      call("run", command("eval.py", {arg(str("--data")), arg(name("data")), arg(str("--ckpt")),
                                      arg(name("ckpt_path")), arg("stdout", name("stdout"))}))))};
  evaluate.body = {
      assign("data", await(call("fetch", {arg(name("prepared"))})), "was /scratch/$USER/prepared"),
      assign("ckpt_path", await(call("fetch", {arg(name("ckpt"))})), "was /scratch/$USER/ckpt.pt"),
      assign("metrics", here("metrics.txt")), Stmt{with, {}},
      give(from_local("File", name("metrics")))};

  Task main;
  main.environment = "main_env";
  main.function = "main";
  main.entrypoint = true;
  main.parameters = {{"raw", "Dir", {}, {}}, {"epochs", "int", number("5"), {}}};
  main.returns = "File";
  main.docstring = "Chain the jobs (submit.sh).";
  main.body = {
      assign("prepared", await(call("prep", {arg(name("raw"))}))),
      assign("ckpt", await(call("train", {arg(name("prepared")), arg(name("epochs"))})),
             "afterok:$PREP"),
      give(await(call("evaluate", {arg(name("prepared")), arg(name("ckpt"))})), "afterok:$TRAIN")};
  module.tasks = {prep, train, evaluate, main};
  module.helpers = {{"fetch", {}}, {"scratch", {}}, {"run", {"stdout"}}};
  module.entry = "main";
  module.entry_needs_input = true;
  module.generated_from = "submit.sh";
  return module;
}

std::string fixture(const std::string& name_) {
  return source::read_file(std::string(S2F_SOURCE_DIR) + "/tests/emit/fixtures/" + name_)
      .value_or("");
}

std::string emitted(const Module& module) {
  const auto output = emit::emit(module, templates());
  REQUIRE(output.has_value());
  return output->text;
}

// A module with one statement, as it stands in the task.
std::string laid_out(Stmt statement) {
  Module module;
  Environment environment;
  environment.variable = "e";
  environment.name.value = "e";
  module.environments = {environment};
  Task task;
  task.environment = "e";
  task.function = "f";
  task.body = {std::move(statement)};
  module.tasks = {task};
  const std::string text = emitted(module);
  const std::string head = "async def f() -> None:\n";
  const std::size_t begin = text.find(head) + head.size();
  std::string body = text.substr(begin, text.find("# slurm2flyte:") - begin);
  while (body.ends_with("\n\n")) {
    body.pop_back();
  }
  return body;
}

} // namespace

TEST_CASE("a job becomes what an expert wrote", "[emit]") {
  CHECK(check(train()).empty());
  CHECK(emitted(train()) == fixture("train_flyte.py"));
}

TEST_CASE("a chain of jobs becomes what an expert wrote", "[emit]") {
  CHECK(check(chain()).empty());
  CHECK(emitted(chain()) == fixture("submit_flyte.py"));
}

TEST_CASE("lines know from where they came", "[emit]") {
  Module module = train();
  const auto span = [](std::uint32_t at) { return Span{source::SourceId{0}, at, at + 1}; };
  module.environments[0].resources.cpu->notes.spans = {span(1)};
  module.environments[0].queue->notes.spans = {span(2)};
  module.tasks[0].retries->notes.spans = {span(3)};
  module.tasks[0].body[0].notes.spans = {span(4)};
  module.not_carried = {{"train.sh:4 --output=x: each task has its own log (flyte get logs), and "
                         "this line is a long one",
                         {span(5)}}};
  KeptText kept{"KEPT", "\necho a\necho b\n", over({"train.sh:5-6, as it was"})};
  kept.notes.spans = {span(6)};
  module.kept = {kept};
  const auto output = emit::emit(module, templates());
  REQUIRE(output.has_value());
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < output->text.size();) {
    const std::size_t end = output->text.find('\n', at);
    lines.push_back(output->text.substr(at, end - at));
    at = end + 1;
  }
  std::string cited;
  for (const auto& [line, from] : output->lines) {
    cited += std::to_string(from.begin) + lines.at(line - 1) + "\n";
  }
  CHECK(cited ==
        R"(5- train.sh:4 --output=x: each task has its own log (flyte get logs), and this line is a
5  long one
1        cpu=16,  # --cpus-per-task=16
2    queue="gpu",  # REVIEW S2F210: --partition=gpu; your deployment needs that queue
6# train.sh:5-6, as it was
6KEPT = r"""
6echo a
6echo b
6"""
3    # REVIEW S2F220: Slurm requeues after a node failure; a retry also follows a failed
3    # command.
3    retries=3,  # --requeue
4    await run(sys.executable, "train.py", "--lr", lr)
)");
}

TEST_CASE("a comment that does not fit goes above", "[emit]") {
  const Expr run = await(call("run", {arg(name("sys.executable")), arg(str("train.py")),
                                      arg(str("--learning-rate")), arg(name("lr"))}));
  CHECK(laid_out({ExprStmt{run}, after("train.sh:12, which is as long as this")}) ==
        "    # train.sh:12, which is as long as this\n    await run(sys.executable, \"train.py\", "
        "\"--learning-rate\", lr)\n");
  CHECK(laid_out({ExprStmt{run}, after("x")}) ==
        "    await run(sys.executable, \"train.py\", \"--learning-rate\", lr)  # x\n");
}

TEST_CASE("the comment of a lone element stands after its brackets", "[emit]") {
  Arg pair{"", str("A"), str("8"), after("-c 8")};
  const Expr dict{DictExpr{{pair}}};
  CHECK(laid_out(assign("x", dict)) == "    x = {\"A\": \"8\"}  # -c 8\n");
  CHECK(laid_out(expression(await(call("run", {arg(dict)})))) ==
        "    await run({\"A\": \"8\"})  # -c 8\n");
  // The statement's own comment makes room for it.
  CHECK(laid_out(assign("x", dict, "mine")) == "    # mine\n    x = {\"A\": \"8\"}  # -c 8\n");
  const std::string longer(70, 'y');
  pair.notes = after(longer);
  CHECK(laid_out(assign("x", Expr{DictExpr{{pair}}})) ==
        "    x = {\n        # " + longer + "\n        \"A\": \"8\"\n    }\n");
}

TEST_CASE("comments are no instructions to tools", "[emit]") {
  const auto comment = [](const char* text) { return laid_out({Pass{}, over({text})}); };
  CHECK(comment("noqa") == "    # * noqa\n    pass\n");
  CHECK(comment("a # fmt: off") == "    # a # * fmt: off\n    pass\n");
  CHECK(comment("type: ignore") == "    # * type: ignore\n    pass\n");
  CHECK(comment("#!x\n\n y\x1b[0m\xff") == "    # #!x y\\x1b[0m\\xff\n    pass\n");
  CHECK(comment(" \n ") == "    pass\n");
}

TEST_CASE("strings that need their quotes in a replacement field are put together", "[emit]") {
  const Expr field{Subscript{name("x"), str("it's \"it\"")}};
  CHECK(laid_out({Return{Expr{FString{{str("a{"), field, str("}b")}}}}, {}}) ==
        "    return \"a{\" + str(x['it\\'s \"it\"']) + \"}b\"\n");
  CHECK(laid_out({Return{Expr{FString{{str("a{"), call("str", {arg(name("x"))})}}}}, {}}) ==
        "    return f\"a{{{x}\"\n");
  CHECK(laid_out({Return{Expr{FString{{str("say \"hi\" "), Expr{Subscript{name("x"), str("k")}}}}}},
                  {}}) == "    return f'say \"hi\" {x[\"k\"]}'\n");
  CHECK(laid_out({Return{Expr{FString{{str("plain")}}}}, {}}) == "    return \"plain\"\n");
}

TEST_CASE("the trailer tells an edited file", "[emit]") {
  const std::string text = emitted(train());
  CHECK(emit::edited(text) == emit::Edited::untouched);
  CHECK(emit::edited("# mine\n" + text) == emit::Edited::by_hand);
  CHECK(emit::edited(text + "x = 1\n") == emit::Edited::by_hand);
  CHECK(emit::edited("x = 1\n") == emit::Edited::not_ours);
  CHECK(emit::edited("") == emit::Edited::not_ours);
  CHECK(emit::trailer("a\nb.sh", "x") ==
        "# slurm2flyte: generated from a b.sh, sha256 of the text above: 2d711642b726");
}

TEST_CASE("a directory overrides templates", "[emit]") {
  const auto directory = std::filesystem::temp_directory_path() / "s2f-templates-test";
  std::filesystem::create_directories(directory / "helpers");
  std::ofstream(directory / "helpers" / "run.py.mustache")
      << "{{{signature}}}\n    raise SystemExit(json.dumps([1]))\n";
  const auto output = emit::emit(train(), emit::templates_from(directory.string()));
  REQUIRE(output.has_value());
  CHECK(output->text.find("\n\nasync def run(*command: str | float | Path) -> None:\n    raise "
                          "SystemExit(json.dumps([1]))\n\n\nif") != std::string::npos);
  CHECK(output->text.find("\nimport json\nimport sys\n") != std::string::npos);
  CHECK(output->text.find("import asyncio") == std::string::npos);
  std::ofstream(directory / "module.py.mustache") << "{{#x}}";
  const auto failed = emit::emit(train(), emit::templates_from(directory.string()));
  REQUIRE_FALSE(failed.has_value());
  CHECK(failed.error() == "template \"module.py\": line 1: the section \"x\" is not closed");
  CHECK_FALSE(emit::templates_from(directory.string())("../helpers/run.py").has_value());
  std::filesystem::remove_all(directory);
}

TEST_CASE("kept text stays exact", "[emit]") {
  CHECK(emit::quote_block("a\nb\\n\n") == "r\"\"\"a\nb\\n\n\"\"\"");
  CHECK(emit::quote_block("a\"\"\"\n") == "\"\"\"a\"\"\\\"\n\"\"\"");
  CHECK(emit::quote_block("a\\") == "\"\"\"a\\\\\"\"\"");
  CHECK(emit::quote_block("a\"") == "\"\"\"a\\\"\"\"\"");
  CHECK(emit::quote("\xff") == "\"\\udcff\"");
  CHECK(emit::quote("say \"x\"") == "'say \"x\"'");
}
