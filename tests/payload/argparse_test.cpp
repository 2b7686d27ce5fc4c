// What is read of argparse's and optparse's declarations.
#include "tests/catch.hpp"

#include "tests/payload/facts.hpp"

using namespace s2f::payload;

namespace {

// What `parser.add_argument(arguments)` declares.
std::string declared(const std::string& arguments, const std::string& before = "") {
  const Lines all =
      options_in("import argparse\nimport os\nfrom pathlib import Path\n" + before +
                 "\np = argparse.ArgumentParser()\np.add_argument(" + arguments + ")\n");
  return all.size() == 1 ? all.front() : std::to_string(all.size()) + " options";
}

} // namespace

TEST_CASE("argparse: flags, names and destinations", "[payload]") {
  CHECK(declared("'--lr'") == "--lr text");
  CHECK(declared("'-l', \"--lr\"") == "-l --lr text");
  CHECK(declared("'-x'") == "-x text");
  CHECK(declared("'input'") == "<input> text required");
  CHECK(declared("dest='input'") == "<input> text required");
  CHECK(declared("'--a' '-b'") == "--a-b text");
  CHECK(declared("NAME", "NAME = '--x'") == "--x text");
  CHECK(declared("name") == "0 options");
  CHECK(declared("") == "0 options");
  CHECK(declared("''") == "0 options");

  const auto option = [](const std::string& arguments) {
    return facts_of("p.add_argument(" + arguments + ")").options.at(0);
  };
  CHECK(option("'-n', '--num-shards'").dest == "num_shards");
  CHECK(option("'-n', '--num'").dest == "num");
  CHECK(option("'-n'").dest == "n");
  CHECK(option("'--in', dest='source'").dest == "source");
  CHECK(option("'in-file'").dest == "in-file");
  CHECK(option("'--x', help='a ' 'b'").help == "a b");
  CHECK(option("'--x', help=f'{y}'").help.empty());
  CHECK(option("'--x', default='it'").default_text == "it");
  CHECK(!option("'--x', default=1").default_text);
}

TEST_CASE("argparse: types", "[payload]") {
  CHECK(declared("'--x', type=int") == "--x integer");
  CHECK(declared("'--x', type=float") == "--x real");
  CHECK(declared("'--x', type=str") == "--x text");
  CHECK(declared("'--x', type=bool") == "--x bool");
  CHECK(declared("'--x', type=Path") == "--x path");
  CHECK(declared("'--x', type=os.path.abspath") == "--x path");
  CHECK(declared("'--x', type=pathlib.Path", "import pathlib") == "--x path");
  CHECK(declared("'--x', type=P", "from pathlib import Path as P") == "--x path");
  CHECK(declared("'--x', type=lambda s: s.lower() == 'true'") == "--x bool");
  CHECK(declared("'--x', type=lambda s: s in ('1', 'yes')") == "--x bool");
  CHECK(declared("'--x', type=lambda s: bool(strtobool(s))") == "--x bool");
  CHECK(declared("'--x', type=lambda s: int(s)") == "--x integer");
  CHECK(declared("'--x', type=lambda s: float(s)") == "--x real");
  CHECK(declared("'--x', type=lambda s: Path(s)") == "--x path");
  CHECK(declared("'--x', type=lambda s: Path(s).expanduser()") == "--x path");
  CHECK(declared("'--x', type=lambda s: s.strip()") == "--x text");
  CHECK(declared("'--x', type=lambda s: s.split(',')") == "--x unknown");
  CHECK(declared("'--x', type=str2bool", "from tools import str2bool") == "--x bool");
  CHECK(declared("'--x', type=strtobool", "from distutils.util import strtobool") == "--x bool");
  CHECK(declared("'--x', type=json.loads") == "--x unknown");
  CHECK(declared("'--x', type=eval") == "--x unknown");
  CHECK(declared("'--x', type=f()") == "--x unknown");
  CHECK(declared("'--x', type=argparse.FileType('w')") == "--x path");
}

TEST_CASE("argparse: a converter in the file tells its type", "[payload]") {
  CHECK(declared("'--x', type=f", "def f(s):\n    return s == 'yes'") == "--x bool");
  CHECK(declared("'--x', type=f", "def f(s):\n    if s: return True\n    return False") ==
        "--x bool");
  CHECK(declared("'--x', type=f", "def f(s):\n    n = int(s)\n    if n < 0:\n        raise "
                                  "ValueError\n    return n") == "--x integer");
  CHECK(declared("'--x', type=f", "def f(s) -> float:\n    return g(s)") == "--x real");
  CHECK(declared("'--x', type=f", "def f(s):\n    return g(s)") == "--x unknown");
  CHECK(declared("'--x', type=f", "def f(s):\n    if s: return 1\n    return 'a'") ==
        "--x unknown");
  CHECK(declared("'--x', type=to_bool",
                 "def to_bool(v):\n    if isinstance(v, bool):\n        return v\n    return v "
                 "in 'yt'") == "--x bool");
  // What a nested function returns says nothing.
  CHECK(declared("'--x', type=f", "def f(s):\n    def g():\n        return 1\n    return g") ==
        "--x unknown");
}

TEST_CASE("argparse: actions", "[payload]") {
  CHECK(declared("'--x', action='store_true'") == "--x flag =False");
  CHECK(declared("'--x', action='store_false'") == "--x flag =True");
  CHECK(declared("'--x', action='store_true', default=None") == "--x flag =None");
  CHECK(declared("'--x', action=argparse.BooleanOptionalAction") == "--x --no-x flag");
  CHECK(declared("'-x', '--ex', action=argparse.BooleanOptionalAction, default=True") ==
        "-x --ex --no-ex flag =True");
  CHECK(declared("'-v', action='count', default=0") == "-v flag =0 multiple");
  CHECK(declared("'--x', action='append', type=int") == "--x integer multiple");
  CHECK(declared("'--x', action='extend', nargs='+'") == "--x text multiple");
  CHECK(declared("'--x', action='store_const', const=3") == "--x flag");
  CHECK(declared("'--x', action='append_const', const=3") == "--x flag multiple");
  CHECK(declared("'--x', action='store', type=int") == "--x integer");
  CHECK(declared("'--version', action='version', version='1'") == "--version flag");
  CHECK(declared("'--x', action=MyAction") == "--x unknown");
}

TEST_CASE("argparse: defaults are literals in one layout", "[payload]") {
  CHECK(declared("'--x', default=3") == "--x text =3");
  CHECK(declared("'--x', default=3e-4") == "--x text =3e-4");
  CHECK(declared("'--x', default=-1") == "--x text =-1");
  CHECK(declared("'--x', default=1_000") == "--x text =1_000");
  CHECK(declared("'--x', default=60 * 60") == "--x text =60 * 60");
  CHECK(declared("'--x', default=None") == "--x text =None");
  CHECK(declared("'--x', default=True") == "--x text =True");
  CHECK(declared("'--x', default='adam'") == "--x text =\"adam\"");
  CHECK(declared("'--x', default='say \"a\"'") == R"(--x text ="say \"a\"")");
  CHECK(declared(R"('--x', default='a\tb\x41\u00e9\\')") == "--x text =\"a\\tbA\u00e9\\\\\"");
  CHECK(declared(R"('--x', default=r'a\tb')") == R"(--x text ="a\\tb")");
  CHECK(declared("'--x', default=('a'\n 'b')") == "--x text =\"ab\"");
  CHECK(declared("'--x', default='a' + 'b'") == "--x text =\"ab\"");
  CHECK(declared("'--x', default=f'a{{b'") == "--x text =\"a{b\"");
  CHECK(declared("'--x', default=[1, 'a']") == "--x text =[1, \"a\"]");
  CHECK(declared("'--x', default=(1,)") == "--x text =(1,)");
  CHECK(declared("'--x', default={'a': [1]}") == "--x text ={\"a\": [1]}");
  CHECK(declared("'--x', default=[]") == "--x text =[]");
  CHECK(declared("'--x', default=LR", "LR = 0.1") == "--x text =0.1");
  CHECK(declared("'--x', default=LR", "LR = 0.1\nLR = 0.2") == "--x text computed");
  CHECK(declared("'--x', default=f'{y}'") == "--x text computed");
  CHECK(declared("'--x', default=b'a'") == "--x text computed");
  CHECK(declared("'--x', default='\\N{BULLET}'") == "--x text computed");
  CHECK(declared("'--x', default=os.cpu_count()") == "--x text computed");
  CHECK(declared("'--x', default=argparse.SUPPRESS") == "--x text");
  CHECK(declared("'--x', **common") == "--x unknown computed");
}

TEST_CASE("argparse: choices, nargs, required", "[payload]") {
  CHECK(declared("'--x', choices=['a', 'b']") == "--x text {a b}");
  CHECK(declared("'--x', choices=('a', 'b')") == "--x text {a b}");
  CHECK(declared("'--x', type=int, choices=[1, 2]") == "--x integer {1 2}");
  CHECK(declared("'--x', choices=MODELS", "MODELS = {'r': 1, 's': 2}") == "--x text {r s}");
  CHECK(declared("'--x', choices=sorted(MODELS.keys())", "MODELS = {'r': 1}") == "--x text {r}");
  CHECK(declared("'--x', choices=list_models()") == "--x text");
  CHECK(declared("'--x', choices=['a', b]") == "--x text");
  CHECK(declared("'--x', nargs='+'") == "--x text multiple");
  CHECK(declared("'--x', nargs=2, type=int") == "--x integer multiple");
  CHECK(declared("'--x', nargs='?', const='c'") == "--x text optional");
  CHECK(declared("'x', nargs='?'") == "<x> text optional");
  CHECK(declared("'x', nargs='*'") == "<x> text multiple");
  CHECK(declared("'x', nargs='+'") == "<x> text required multiple");
  CHECK(declared("'x', nargs=argparse.REMAINDER") == "<x> text multiple");
  CHECK(declared("'--x', required=True") == "--x text required");
  CHECK(declared("'--x', required=False") == "--x text");
}

TEST_CASE("argparse: a parser may be held anywhere", "[payload]") {
  CHECK(options_in("def add(parser):\n    parser.add_argument('--x')") == Lines{"--x text"});
  CHECK(options_in("class A:\n    def f(self):\n        self.p = ArgumentParser()\n"
                   "        self.p.add_argument('--x')") == Lines{"--x text"});
  CHECK(options_in("p = argparse.ArgumentParser()\ng = p.add_argument_group('g')\n"
                   "m = g.add_mutually_exclusive_group()\nm.add_argument('--x')") ==
        Lines{"--x text"});
  CHECK(options_in("from lib import get_parser\np = get_parser()\np.add_argument('--x')") ==
        Lines{"--x text"});
  CHECK(options_in("if True:\n  for _ in [1]:\n    with a as b:\n      p.add_argument('--x')") ==
        Lines{"--x text"});
  CHECK(options_in("p.add_argument('--b'); p.add_argument('--a')") ==
        Lines{"--b text", "--a text"});
  // Not every add_argument is argparse's.
  CHECK(options_in("from selenium import webdriver\no = webdriver.ChromeOptions()\n"
                   "o.add_argument('--headless')")
            .empty());
  CHECK(options_in("add_argument('--x')\np.add('--y')\n# p.add_argument('--z')").empty());
}

TEST_CASE("argparse: sub-commands", "[payload]") {
  const std::string_view text = R"(
parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int)
sub = parser.add_subparsers(dest="cmd", required=True, help="what")
train = sub.add_parser("train")
train.add_argument("--lr", type=float)
group = train.add_argument_group("g")
group.add_argument("--wd", type=float)
sub.add_parser("eval").add_argument("ckpt")
deep = train.add_subparsers()
deep.add_parser("fast").add_argument("-k")
)";
  CHECK(options_in(text) == Lines{"--seed integer", "<cmd> text {train eval} required",
                                  "train: --lr real", "train: --wd real",
                                  "eval: <ckpt> text required", "train: <command> text {fast}",
                                  "train fast: -k text"});
}

TEST_CASE("argparse: set_defaults", "[payload]") {
  CHECK(options_in("p.add_argument('--x', default=1)\np.set_defaults(x=2, f=main)") ==
        Lines{"--x text =2"});
  CHECK(options_in("p.set_defaults(x=2)\np.add_argument('--x', default=1)") ==
        Lines{"--x text =1"});
  CHECK(options_in("p.set_defaults(x=2)\np.add_argument('--x')") == Lines{"--x text =2"});
}

TEST_CASE("argparse: what cannot be read is told", "[payload]") {
  CHECK(facts_of("for n in names:\n    p.add_argument(f'--{n}')").options_incomplete);
  CHECK(facts_of("p.add_argument(*flags, type=int)").options_incomplete);
  CHECK(facts_of("a, rest = p.parse_known_args()").options_incomplete);
  CHECK(facts_of("import fire\nfire.Fire(main)").options_incomplete);
  CHECK(facts_of("import hydra").options_incomplete);
  CHECK(!facts_of("p.add_argument('--x')\na = p.parse_args()").options_incomplete);
}

TEST_CASE("optparse", "[payload]") {
  const std::string head = "from optparse import OptionParser\np = OptionParser()\n";
  CHECK(options_in(head + "p.add_option('-f', '--file', type='int', default=3, help='h')") ==
        Lines{"-f --file integer =3"});
  CHECK(options_in(head + "p.add_option('-v', action='store_true', dest='v')") == Lines{"-v flag"});
  CHECK(options_in("menu.add_option('-f')").empty());
}
