// What is read of click, typer, absl and HfArgumentParser.
#include "tests/catch.hpp"

#include "tests/payload/facts.hpp"

using namespace s2f::payload;

namespace {

std::string click(const std::string& decorator, const std::string& before = "") {
  const Lines all = options_in("import click\n" + before + "\n@click.command()\n@click." +
                               decorator + "\ndef main(x):\n    pass\n");
  return all.size() == 1 ? all.front() : std::to_string(all.size()) + " options";
}

std::string typer(const std::string& parameter, const std::string& before = "") {
  const Lines all = options_in("import typer\nfrom pathlib import Path\nfrom typing import *\n"
                               "from typing import Annotated, List, Literal, Optional\n" +
                               before + "\napp = typer.Typer()\n@app.command()\ndef main(" +
                               parameter + "):\n    pass\n");
  return all.size() == 1 ? all.front() : std::to_string(all.size()) + " options";
}

std::string absl(const std::string& definition) {
  const Lines all =
      options_in("from absl import flags\nFLAGS = flags.FLAGS\nflags.DEFINE_" + definition + "\n");
  return all.size() == 1 ? all.front() : std::to_string(all.size()) + " options";
}

std::string field(const std::string& definition) {
  const Lines all =
      options_in("from dataclasses import dataclass, field\nfrom typing import List, Optional\n"
                 "from transformers import HfArgumentParser\n@dataclass\nclass A:\n    \"doc\"\n"
                 "    " +
                 definition + "\n    def f(self): pass\nparser = HfArgumentParser(A)\n");
  return all.size() == 1 ? all.front() : std::to_string(all.size()) + " options";
}

} // namespace

TEST_CASE("click: options", "[payload]") {
  CHECK(click("option('--lr')") == "--lr text");
  CHECK(click("option('--lr', '-l', 'rate', type=float)") == "--lr -l real");
  CHECK(click("option('--x', type=click.INT)") == "--x integer");
  CHECK(click("option('--x', type=click.IntRange(0, 3))") == "--x integer");
  CHECK(click("option('--x', type=click.FloatRange(0))") == "--x real");
  CHECK(click("option('--x', type=click.Path(exists=True))") == "--x path");
  CHECK(click("option('--x', type=click.Choice(['a', 'b']))") == "--x text {a b}");
  CHECK(click("option('--x', type=bool)") == "--x bool");
  CHECK(click("option('--x', type=Own())") == "--x unknown");
  CHECK(click("option('--x', default=3)") == "--x integer =3");
  CHECK(click("option('--x', default=-3)") == "--x integer =-3");
  CHECK(click("option('--x', default=0.5)") == "--x real =0.5");
  CHECK(click("option('--x', default='a')") == "--x text =\"a\"");
  CHECK(click("option('--x', default=True)") == "--x bool =True");
  CHECK(click("option('--x', default=f())") == "--x unknown computed");
  CHECK(click("option('--x', is_flag=True)") == "--x flag =False");
  CHECK(click("option('--x', is_flag=True, default=True)") == "--x flag =True");
  CHECK(click("option('--x/--no-x', default=True)") == "--x --no-x flag =True");
  CHECK(click("option('-v', count=True)") == "-v flag multiple");
  CHECK(click("option('--x', multiple=True, type=int)") == "--x integer multiple");
  CHECK(click("option('--x', nargs=2)") == "--x text multiple");
  CHECK(click("option('--x', required=True)") == "--x text required");
  CHECK(click("option('--x', required=False)") == "--x text");
  CHECK(click("optional('--x')") == "0 options");
  CHECK(options_in("@other.option('--x')\ndef f(x): pass").empty());
  CHECK(options_in("from click import option as o\n@o('--x')\ndef f(x): pass") ==
        Lines{"--x text"});
}

TEST_CASE("click: arguments", "[payload]") {
  CHECK(click("argument('src')") == "<src> text required");
  CHECK(click("argument('src', type=click.Path())") == "<src> path required");
  CHECK(click("argument('src', nargs=-1)") == "<src> text multiple");
  CHECK(click("argument('src', required=False)") == "<src> text");
  CHECK(click("argument('src', default='a')") == "<src> text =\"a\"");
}

TEST_CASE("click: sub-commands", "[payload]") {
  const std::string_view text = R"(
import click
@click.group()
@click.option("--debug", is_flag=True)
def cli(debug): pass
@cli.command()
@click.option("--lr", type=float)
def train_model(lr): pass
@cli.command("eval")
@click.argument("ckpt")
def evaluate(ckpt): pass
@click.command()
@click.argument("a")
def extra(a): pass
cli.add_command(extra)
)";
  CHECK(options_in(text) == Lines{"--debug flag =False", "train-model: --lr real",
                                  "eval: <ckpt> text required", "extra: <a> text required"});
}

TEST_CASE("typer: parameters", "[payload]") {
  CHECK(typer("name: str") == "<name> text required");
  CHECK(typer("name") == "<name> text required");
  CHECK(typer("lr: float = 0.1") == "--lr real =0.1");
  CHECK(typer("num_shards: int = 4") == "--num-shards integer =4");
  CHECK(typer("out: Path = Path('x')") == "--out path computed");
  CHECK(typer("out: Optional[Path] = None") == "--out path =None");
  CHECK(typer("out: 'Path | None' = None") == "--out unknown =None");
  CHECK(typer("out: Path | None = None") == "--out path =None");
  CHECK(typer("debug: bool = False") == "--debug --no-debug flag =False");
  CHECK(typer("debug: bool = typer.Option(False, '--debug', '-d')") == "--debug -d flag =False");
  CHECK(typer("debug: bool = typer.Option(True, '--on/--off')") == "--on --off flag =True");
  CHECK(typer("lr: float = typer.Option(..., help='h')") == "--lr real required");
  CHECK(typer("lr: float = typer.Option(1e-3, '--rate')") == "--rate real =1e-3");
  CHECK(typer("src: str = typer.Argument('a')") == "<src> text =\"a\"");
  CHECK(typer("src: str = typer.Argument(...)") == "<src> text required");
  CHECK(typer("x: Annotated[int, typer.Option('--ex', help='h')] = 3") == "--ex integer =3");
  CHECK(typer("x: Annotated[int, typer.Argument()]") == "<x> integer required");
  CHECK(typer("x: List[int] = []") == "--x integer =[] multiple");
  CHECK(typer("x: list[str] = typer.Option(...)") == "--x text required multiple");
  CHECK(typer("x: Literal['a', 'b'] = 'a'") == "--x text =\"a\" {a b}");
  CHECK(typer("x: Mode = 'a'",
              "import enum\nclass Mode(str, enum.Enum):\n    A = 'a'\n    B = 'b'") ==
        "--x text =\"a\" {a b}");
  CHECK(typer("ctx: typer.Context") == "0 options");
  CHECK(typer("*args, **kwargs") == "0 options");
}

TEST_CASE("typer: which functions are commands", "[payload]") {
  CHECK(options_in("import typer\ndef main(x: int): pass\ntyper.run(main)") ==
        Lines{"<x> integer required"});
  CHECK(options_in("import typer\ndef main(x: int): pass").empty());
  CHECK(options_in("app = Typer()\n@app.command()\ndef main(x: int): pass").empty());
  CHECK(options_in("import typer\napp = typer.Typer()\n@app.command()\ndef run_it(x: int): pass\n"
                   "@app.command('b')\ndef g(y: int): pass") ==
        Lines{"run-it: <x> integer required", "b: <y> integer required"});
  CHECK(options_in("import typer\napp = typer.Typer()\n@app.callback()\ndef c(v: bool = False): "
                   "pass\n@app.command()\ndef a(x: int): pass") ==
        Lines{"--v --no-v flag =False", "a: <x> integer required"});
}

TEST_CASE("absl: flags", "[payload]") {
  CHECK(absl("string('x', 'a', 'h')") == "--x text =\"a\"");
  CHECK(absl("string('x', None, 'h', required=True)") == "--x text =None required");
  CHECK(absl("integer('x', 1, 'h')") == "--x integer =1");
  CHECK(absl("float('x', 0.1, 'h')") == "--x real =0.1");
  CHECK(absl("bool('x', False, 'h')") == "--x --nox flag =False");
  CHECK(absl("enum('x', 'a', ['a', 'b'], 'h')") == "--x text =\"a\" {a b}");
  CHECK(absl("list('x', ['a'], 'h')") == "--x text =[\"a\"]");
  CHECK(absl("multi_integer('x', [1], 'h')") == "--x integer =[1] multiple");
  CHECK(absl("string(name, 'a', 'h')") == "0 options");
  CHECK(absl("unheard_of('x', 'a', 'h')") == "0 options");
  CHECK(absl("string('x', None, 'h')\nflags.mark_flag_as_required('x')") ==
        "--x text =None required");
  CHECK(absl("string('x', None, 'h')\nflags.mark_flags_as_required(['x', 'y'])") ==
        "--x text =None required");
  CHECK(options_in("import tensorflow as tf\ntf.app.flags.DEFINE_integer('x', 1, 'h')") ==
        Lines{"--x integer =1"});
  CHECK(options_in("other.DEFINE_integer('x', 1, 'h')").empty());
  CHECK(facts_of("from absl import flags\nflags.DEFINE_enum('x', 'a', ['a'], 'help')")
            .options.at(0)
            .help == "help");
}

TEST_CASE("HfArgumentParser: fields", "[payload]") {
  CHECK(field("lr: float = 3e-4") == "--lr real =3e-4");
  CHECK(field("lr: float = field(default=3e-4, metadata={'help': 'h'})") == "--lr real =3e-4");
  CHECK(field("out_dir: str") == "--out_dir --out-dir text required");
  CHECK(field("x: Optional[str] = None") == "--x text =None");
  CHECK(field("x: List[int] = field(default_factory=lambda: [1])") == "--x integer =[1] multiple");
  CHECK(field("x: List[int] = field(default_factory=list)") == "--x integer =[] multiple");
  CHECK(field("x: bool = False") == "--x bool =False optional");
  CHECK(field("x: bool = True") == "--x --no_x bool =True optional");
  CHECK(field("x: bool") == "--x bool required");
  CHECK(field("x: int = field(init=False)") == "0 options");
  CHECK(field("x = 3") == "0 options");
}

TEST_CASE("HfArgumentParser: which classes", "[payload]") {
  const std::string two = "class A:\n    x: int = 1\nclass B(A):\n    y: int = 2\n";
  CHECK(options_in(two + "HfArgumentParser((A, B))") == Lines{"--x integer =1", "--y integer =2"});
  CHECK(options_in(two + "HfArgumentParser(B)") == Lines{"--x integer =1", "--y integer =2"});
  CHECK(options_in(two).empty());
  CHECK(!facts_of(two + "HfArgumentParser((A, B))").options_incomplete);
  CHECK(facts_of(two + "HfArgumentParser((A, TrainingArguments))").options_incomplete);
}
