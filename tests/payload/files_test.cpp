// Which paths a payload is seen to open.
#include "tests/catch.hpp"

#include "tests/payload/facts.hpp"

using namespace s2f::payload;

namespace {

constexpr std::string_view head = R"(
import argparse, glob, json, logging, os, shutil, sys
import cv2, h5py, joblib, numpy as np, pandas as pd, torch
import matplotlib.pyplot as plt
from pathlib import Path
p = argparse.ArgumentParser()
p.add_argument("--in-file", "-i", dest="source")
p.add_argument("-o", "--out-dir")
p.add_argument("--n", type=int)
args = p.parse_args()
)";

// The only use after the usual head, several joined by "; ", "" for none.
std::string used(const std::string& statement) {
  std::string out;
  for (const std::string& use : files_in(std::string{head} + statement + "\n"))
    out += (out.empty() ? "" : "; ") + use;
  return out;
}

} // namespace

TEST_CASE("files: open and its modes", "[payload]") {
  CHECK(used("open('a')") == "reads a");
  CHECK(used("open('a', 'r')") == "reads a");
  CHECK(used("open('a', 'rb')") == "reads a");
  CHECK(used("open('a', 'w')") == "writes a");
  CHECK(used("open('a', 'ab')") == "writes a");
  CHECK(used("open('a', mode='x')") == "writes a");
  CHECK(used("open('a', 'r+')") == "reads a; writes a");
  CHECK(used("open(file='a', mode='w')") == "writes a");
  CHECK(used("open('a', mode)") == "");
  CHECK(used("open(name, 'w')") == "");
  CHECK(used("open()") == "");
  CHECK(used("with open('a') as f, open('b', 'w') as g: pass") == "reads a; writes b");
  CHECK(used("json.dump(1, open('m.json', 'w'))") == "writes m.json");
  CHECK(used("open('/dev/null', 'w')") == "");
  CHECK(used("import gzip\ngzip.open('a.gz', 'wt')") == "writes a.gz");
  CHECK(used("from gzip import open as o\no('a.gz')") == "reads a.gz");
  CHECK(used("h5py.File('a.h5', 'w')") == "writes a.h5");
  CHECK(used("h5py.File('a.h5')") == "reads a.h5");
  CHECK(used("def open(x, y): pass\nopen('a', 'w')") == "");
  CHECK(used("door.open('a', 'w')") == "");
  CHECK(used("open('a'); open('a')") == "reads a");
}

TEST_CASE("files: pathlib", "[payload]") {
  CHECK(used("Path('a').write_text('x')") == "writes a");
  CHECK(used("Path('a').write_bytes(b)") == "writes a");
  CHECK(used("Path('a').read_text()") == "reads a");
  CHECK(used("Path('a').open('w')") == "writes a");
  CHECK(used("Path('a').open()") == "reads a");
  CHECK(used("Path('a').mkdir(parents=True)") == "writes a/");
  CHECK(used("(Path('a') / 'b').write_text('x')") == "writes a/b");
  CHECK(used("Path('a', 'b').touch()") == "writes a/b");
  CHECK(used("Path('a').joinpath('b').resolve().touch()") == "writes a/b");
  CHECK(used("(Path('a') / '/b').touch()") == "writes /b");
  CHECK(used("(Path('a') / name).touch()") == "writes pattern a/*");
  CHECK(used("(base / 'b').touch()") == "");
  CHECK(used("Path(__file__).with_name('b').read_text()") == "");
  CHECK(used("sorted(Path('a').glob('*.txt'))") == "reads a/");
  CHECK(used("Path(args.out_dir).mkdir()") == "writes --out-dir/");
  CHECK(used("o = Path(args.out_dir)\n(o / 'x.txt').write_text('')") == "writes --out-dir/");
}

TEST_CASE("files: libraries", "[payload]") {
  CHECK(used("np.save('a.npy', x)") == "writes a.npy");
  CHECK(used("np.savez(file='a.npz', x=1)") == "writes a.npz");
  CHECK(used("np.load('a.npy')") == "reads a.npy");
  CHECK(used("torch.save(m, 'a.pt')") == "writes a.pt");
  CHECK(used("torch.save(obj=m, f='a.pt')") == "writes a.pt");
  CHECK(used("torch.load('a.pt')") == "reads a.pt");
  CHECK(used("df.to_csv('a.csv')") == "writes a.csv");
  CHECK(used("df.groupby(1).sum().to_parquet('a.pq')") == "writes a.pq");
  CHECK(used("df.to_csv()") == "");
  CHECK(used("pd.read_csv('a.csv')") == "reads a.csv");
  CHECK(used("plt.savefig('a.png')") == "writes a.png");
  CHECK(used("fig.savefig('a.png')") == "writes a.png");
  CHECK(used("cv2.imwrite('a.png', x)") == "writes a.png");
  CHECK(used("joblib.dump(x, 'a.pkl')") == "writes a.pkl");
  CHECK(used("model.save_pretrained('a')") == "writes a/");
  CHECK(used("os.makedirs('a', exist_ok=True)") == "writes a/");
  CHECK(used("shutil.copy('a', 'b')") == "reads a; writes b");
  CHECK(used("shutil.copytree('a', 'b')") == "reads a/; writes b/");
  CHECK(used("os.listdir('a')") == "reads a/");
  CHECK(used("glob.glob('a/*.txt')") == "reads pattern a/*.txt");
  CHECK(used("logging.basicConfig(level=1, filename='a.log')") == "writes a.log");
  CHECK(used("from torch import save\nsave(m, 'a.pt')") == "writes a.pt");
  CHECK(used("import wandb\nwandb.save('a.pt')") == "");
  CHECK(used("print('a')\nos.path.exists('a')\nnp.array('a')") == "");
}

TEST_CASE("files: paths from options", "[payload]") {
  CHECK(used("open(args.source)") == "reads --in-file");
  CHECK(used("open(str(args.source))") == "reads --in-file");
  CHECK(used("open(os.path.expanduser(args.source))") == "reads --in-file");
  CHECK(used("open(vars(args)['source'])") == "reads --in-file");
  CHECK(used("open(p.parse_args().source)") == "reads --in-file");
  CHECK(used("open(args.source or 'x')") == "reads --in-file");
  CHECK(used("s = args.source\nopen(s)") == "reads --in-file");
  CHECK(used("s = args.source\ns = f(s)\nopen(s)") == "");
  CHECK(used("open(args.nothing)") == "");
  CHECK(used("open(thing.source)") == "");
  CHECK(used("np.save(os.path.join(args.out_dir, 'a', f(x)), y)") == "writes --out-dir/");
  CHECK(used("np.save(f'{args.out_dir}/a-{i}.npy', y)") == "writes --out-dir/");
  CHECK(used("np.save(args.out_dir + '/a.npy', y)") == "writes --out-dir/");
  CHECK(used("np.save('{}/a.npy'.format(args.out_dir), y)") == "writes --out-dir/");
  CHECK(used("np.save('%s/a.npy' % args.out_dir, y)") == "writes --out-dir/");
  CHECK(used("np.save(args.out_dir + '.npy', y)") == "");
  CHECK(used("np.save(f'{args.out_dir}.npy', y)") == "");
  CHECK(used("os.makedirs(os.path.dirname(args.out_dir))") == "");
  CHECK(used("args.out_dir = os.path.join(args.out_dir, 'x')\nopen(args.out_dir, 'w')") ==
        "writes --out-dir/");
  CHECK(used("args.out_dir = 'x'\nopen(args.out_dir, 'w')") == "");
}

TEST_CASE("files: through functions", "[payload]") {
  CHECK(used("def f(args):\n    open(args.source)\nf(args)") == "reads --in-file");
  CHECK(used("def f(a):\n    open(a.source)\nf(args)") == "reads --in-file");
  CHECK(used("def f(x, path):\n    open(path)\nf(1, args.source)") == "reads --in-file");
  CHECK(used("def f(x, path):\n    open(path)\nf(1, path=args.source)") == "reads --in-file");
  CHECK(used("def f(path):\n    open(path)\nf(args.source)\nf('b')") == "");
  CHECK(used("def f(path):\n    open(path)") == "");
  CHECK(used("def f(source, out_dir):\n    open(source)\nf(**vars(args))") == "reads --in-file");
  CHECK(used("def f(*rest):\n    open(rest)\nf(args.source)") == "");
  CHECK(used("class A:\n    def __init__(self, d):\n        self.d = d\n    def f(self):\n"
             "        open(os.path.join(self.d, 'x'), 'w')\nA(args.out_dir)") ==
        "writes --out-dir/");
  CHECK(used("def f(x):\n    f(x)\n    open(x)") == "");
  CHECK(files_in("def get():\n    p.add_argument('--a')\n    return p.parse_args()\n"
                 "cli = get()\nopen(cli.a)") == Lines{"reads --a"});
  CHECK(files_in("class T:\n    def f(self):\n        p.add_argument('--a')\n"
                 "        self.args = p.parse_args()\n    def g(self): open(self.args.a)") ==
        Lines{"reads --a"});
}

TEST_CASE("files: literal text and what is computed in it", "[payload]") {
  CHECK(used("open('a' + 'b')") == "reads ab");
  CHECK(used("open('a' 'b')") == "reads ab");
  CHECK(used("D = 'd'\nopen(f'{D}/x')") == "reads d/x");
  CHECK(used("D = 'd'\nopen(D + '/x')") == "reads d/x");
  CHECK(used("D = 'd'\nopen(os.path.join(D, 'x'))") == "reads d/x");
  CHECK(used("D = 'd/'\nopen(os.path.join(D, 'x'))") == "reads d/x");
  CHECK(used("open(f'a-{i}-{j:03d}.txt', 'w')") == "writes pattern a-*-*.txt");
  CHECK(used("open('a-%d.txt' % i, 'w')") == "writes pattern a-*.txt");
  CHECK(used("open('a-{}.txt'.format(i), 'w')") == "writes pattern a-*.txt");
  CHECK(used("open('a-' + str(i) + '.txt', 'w')") == "writes pattern a-*.txt");
  CHECK(used("open(f'{i}.txt', 'w')") == "");
  CHECK(used("open(f'{i}' 'x', 'w')") == "");
  CHECK(used("open(f(x) + 'a')") == "");
  CHECK(used("open('a' if x else 'b')") == "");
  CHECK(used("open(f'a{{b}}')") == "reads a{b}");
  CHECK(used("for D in x:\n    open(D)") == "");
  CHECK(used("def f():\n    global D\n    D = 'x'\nD = 'y'\nopen(D)") == "");
  CHECK(used("class A:\n    D = 'x'\n    def f(self): open(D)") == "");
}

TEST_CASE("files: words of sys.argv", "[payload]") {
  CHECK(used("open(sys.argv[1])") == "reads argv[1]");
  CHECK(used("s = sys.argv[2]\nopen(s, 'w')") == "writes argv[2]");
  CHECK(used("me, a, b = sys.argv\nopen(b)") == "reads argv[2]");
  CHECK(used("a, b = sys.argv[1:]\nopen(b)") == "reads argv[2]");
  CHECK(used("a, b = sys.argv[1:3]\nopen(a)") == "reads argv[1]");
  CHECK(used("open(sys.argv[0])") == "");
  CHECK(used("open(sys.argv[-1])") == "");
  CHECK(used("open(os.path.join(sys.argv[1], 'x'), 'w')") == "writes argv[1]/");
}

TEST_CASE("files: options of other libraries", "[payload]") {
  CHECK(files_in("import click\n@click.command()\n@click.option('--out-dir', '-o')\n"
                 "def main(out_dir):\n    open(out_dir, 'w')") == Lines{"writes --out-dir"});
  CHECK(files_in("import click\n@click.argument('log', type=click.File('w'))\ndef f(log): pass") ==
        Lines{"writes --log"});
  CHECK(files_in("import argparse\np.add_argument('log', type=argparse.FileType())") ==
        Lines{"reads --log"});
  CHECK(files_in("import typer\ndef main(src: str, out: str = 'x'):\n    open(out, 'w')\n"
                 "typer.run(main)") == Lines{"writes --out"});
  CHECK(files_in("from absl import flags\nFLAGS = flags.FLAGS\n_O = "
                 "flags.DEFINE_string('out', None, '')\nopen(FLAGS.out, 'w')\n"
                 "open(_O.value)") == Lines{"writes --out", "reads --out"});
  CHECK(files_in("class A:\n    data_dir: str = 'x'\nparser = HfArgumentParser(A)\n"
                 "a, = parser.parse_args_into_dataclasses()\nopen(a.data_dir)") ==
        Lines{"reads --data_dir"});
}

TEST_CASE("files: writing into the current directory", "[payload]") {
  const auto writes = [](const std::string& text) {
    return facts_of(text).writes_current_directory;
  };
  CHECK(writes("open('a', 'w')"));
  CHECK(writes("open('d/a', 'w')"));
  CHECK(writes("open(f'a-{i}', 'w')"));
  CHECK(writes("import os\nos.makedirs('d')"));
  CHECK(!writes("open('a')"));
  CHECK(!writes("open('/tmp/a', 'w')"));
  CHECK(!writes("open('~/a', 'w')"));
  CHECK(!writes("from smart_open import open\nopen('s3://b/k', 'w')"));
  CHECK(!writes("open(f'/tmp/{i}', 'w')"));
  CHECK(!writes("import sys\nopen(sys.argv[1], 'w')"));
}
