// Imports, environment variables, docstring, packages; and that no text is too odd.
#include "tests/catch.hpp"

#include <algorithm>

#include "generated/tables/python_packages.hpp"
#include "generated/tables/python_stdlib.hpp"
#include "generated/tables/python_writers.hpp"
#include "payload/dump.hpp"
#include "source/source.hpp"
#include "tests/payload/facts.hpp"

using namespace s2f::payload;

namespace {

// "os* numpy torch?": * is of the standard library, ? is guarded.
std::string imports_in(std::string_view text) {
  std::vector<std::string> out;
  for (const Import& import : facts_of(text).imports)
    out.push_back(import.module + (import.standard_library ? "*" : "") +
                  (import.guarded ? "?" : ""));
  return joined(out);
}

std::string environment_in(std::string_view text) {
  return joined(facts_of(std::string{"import os\n"}.append(text)).environment);
}

std::string repeated(std::string_view text, int count) {
  std::string out;
  for (int i = 0; i < count; ++i)
    out += text;
  return out;
}

} // namespace

TEST_CASE("imports", "[payload]") {
  CHECK(imports_in("import os, sys\nimport numpy as np\nimport a.b.c") == "os* sys* numpy a");
  CHECK(imports_in("from torch.nn import functional as F\nimport torch") == "torch");
  CHECK(imports_in("from . import x\nfrom .y import z\nfrom ..a import b").empty());
  CHECK(imports_in("from __future__ import annotations") == "__future__*");
  CHECK(imports_in("from a import *\nfrom b import (c, d)") == "a b");
  CHECK(imports_in("import importlib\nimportlib.import_module('a.b')\n__import__('c')") ==
        "importlib* a c");
  CHECK(imports_in("# import a\n'import b'\n\"\"\"import c\"\"\"").empty());
  CHECK(imports_in("if x:\n    import a") == "a");
}

TEST_CASE("imports that need not succeed", "[payload]") {
  CHECK(imports_in("try:\n    import a\nexcept ImportError:\n    import b") == "a? b?");
  CHECK(imports_in("try:\n    import a\nexcept (ImportError, KeyError):\n    pass") == "a?");
  CHECK(imports_in("try:\n    import a\nexcept ModuleNotFoundError as e:\n    pass") == "a?");
  CHECK(imports_in("try:\n    import a\nexcept:\n    pass") == "a?");
  CHECK(imports_in("try:\n    import a\nexcept KeyError:\n    pass") == "a");
  CHECK(imports_in("try:\n    import a\nfinally:\n    pass") == "a");
  CHECK(imports_in("def f():\n    import a\nimport b") == "a? b");
  CHECK(imports_in("def f():\n    import a\nimport a") == "a");
  CHECK(imports_in("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import a") ==
        "typing* a?");
  CHECK(imports_in("class A:\n    import a") == "a");
}

TEST_CASE("what a payload runs on", "[payload]") {
  CHECK(facts_of("import torch.distributed as dist").uses_torch_distributed);
  CHECK(facts_of("from torch import distributed").uses_torch_distributed);
  CHECK(facts_of("import torch\ntorch.distributed.init_process_group()").uses_torch_distributed);
  CHECK(facts_of("from torch.nn.parallel import DistributedDataParallel as DDP")
            .uses_torch_distributed);
  CHECK(!facts_of("import torch\nimport torch.nn").uses_torch_distributed);
  CHECK(facts_of("from mpi4py import MPI").uses_mpi);
  CHECK(!facts_of("import mpi").uses_mpi);
  CHECK(facts_of("import pytorch_lightning as pl").uses_lightning);
  CHECK(facts_of("from lightning.pytorch import Trainer").uses_lightning);
  CHECK(!facts_of("import lightningcss").uses_lightning);
  CHECK(facts_of("from accelerate import Accelerator").uses_accelerate);
}

TEST_CASE("environment variables", "[payload]") {
  CHECK(environment_in("os.environ['A']\nos.environ.get('B')\nos.getenv('C', 'x')") == "A B C");
  CHECK(environment_in("os.environ['A']; os.environ['A']") == "A");
  CHECK(environment_in("os.environ['A'] = '1'\ndel os.environ['B']").empty());
  CHECK(environment_in("os.environ['A'] = os.environ['B']") == "B");
  CHECK(environment_in("'A' in os.environ").append(" ") == "A ");
  CHECK(environment_in("os.environ.setdefault('A', 'x')\nos.environ.pop('B', 0)") == "A B");
  CHECK(environment_in("from os import environ as e, getenv\ne['A']\ngetenv('B')") == "A B");
  CHECK(environment_in("K = 'A'\nos.environ[K]\nos.environ[k]\nos.environ[f'{x}']") == "A");
  CHECK(environment_in("os.getenv(key='A')") == "A");
  CHECK(environment_in("d['A']\nd.get('B')\nos.path['C']").empty());
  CHECK(environment_in("int(os.environ.get('SLURM_PROCID', 0))") == "SLURM_PROCID");
  CHECK(environment_in("import click\n@click.option('--x', envvar='A')\ndef f(x): pass") == "A");
}

TEST_CASE("docstring", "[payload]") {
  CHECK(facts_of("\"\"\"Trains.\"\"\"").docstring == "Trains.");
  CHECK(
      facts_of("#!/usr/bin/env python\n# c\n'''\n  Trains a model.  \n\nMore.\n'''\n").docstring ==
      "Trains a model.");
  CHECK(facts_of("import os\n'''no'''").docstring.empty());
  CHECK(facts_of("x = '''no'''").docstring.empty());
  CHECK(facts_of("b'no'").docstring.empty());
  CHECK(facts_of("f'no'").docstring.empty());
  CHECK(facts_of("''").docstring.empty());
}

TEST_CASE("packages", "[payload]") {
  CHECK(distribution_of("yaml") == "PyYAML");
  CHECK(distribution_of("sklearn") == "scikit-learn");
  CHECK(distribution_of("cv2") == "opencv-python");
  CHECK(distribution_of("PIL") == "pillow");
  CHECK(distribution_of("skimage") == "scikit-image");
  CHECK(distribution_of("bs4") == "beautifulsoup4");
  CHECK(distribution_of("dateutil") == "python-dateutil");
  CHECK(distribution_of("Bio") == "biopython");
  CHECK(distribution_of("numpy") == "numpy");
  CHECK(!distribution_of("my_own_module"));
  CHECK(!distribution_of(""));
  CHECK(!distribution_of("utils"));
  CHECK(!distribution_of("os"));
  for (const auto& row : s2f::tables::python_packages)
    CHECK((s2f::tables::find_python_stdlib(row.module) == nullptr && !row.distribution.empty()));
  for (const auto& row : s2f::tables::python_writers)
    CHECK((row.argument || row.keyword));
}

TEST_CASE("syntax errors spoil only what they touch", "[payload]") {
  const auto facts =
      facts_of("import a\np.add_argument('--x')\nif (:\nimport os\nopen('f', 'w')\n");
  CHECK(!facts.parsed);
  CHECK(facts.imports.at(0).module == "a");
  CHECK(facts.options.size() == 1);
  CHECK(!facts_of("print 'hello'\nimport a").parsed);
  CHECK(imports_in("print 'hello'\nimport a\nexec 'x'") == "a");
  CHECK(facts_of("print('hello')").parsed);
  CHECK(facts_of("match x:\n    case 1: pass\ntype T = int\nf'{a['b']}'").parsed);
  CHECK(!facts_of("def f(:").parsed);
  CHECK(!facts_of("p.add_argument(").parsed);
  CHECK(!facts_of("x = 'open").parsed);
}

TEST_CASE("no text is too odd", "[payload]") {
  CHECK(facts_of("").parsed);
  CHECK(facts_of("\n\n# only\n").parsed);
  std::string bytes;
  for (int i = 0; i < 4096; ++i)
    bytes += static_cast<char>((i * 7919 + i / 13) % 256);
  CHECK(!facts_of(bytes).parsed);
  CHECK(!facts_of(std::string_view{"import a\0b", 10}).parsed);
  CHECK(!facts_of(std::string(std::size_t{5} << 20, 'x')).parsed);
  for (const char* piece :
       {"(", "[", "{", "f(", "a.", "not ", "-", "lambda: ", "'", "\"\"\"", "f'{", "if x:\n", "@",
        "*", "\\", "a=", "open(self.x, ", "x if y else "})
    (void)facts_of(repeated(piece, 20'000));
}

TEST_CASE("deep nesting is bounded", "[payload]") {
  const int depth = 3'000;
  CHECK(files_in("open(" + repeated("(", depth) + "'a'" + repeated(")", depth) + ")").size() <= 1);
  (void)facts_of("open('a'" + repeated(" + 'a'", depth) + ")");
  (void)facts_of("p.add_argument('--x', default=" + repeated("[", depth) + repeated("]", depth) +
                 ")");
  (void)facts_of("import os\n" + repeated("open(os.path.join('a', ", depth) +
                 repeated("))", depth));
  (void)facts_of("x = 'a'\nopen(" + repeated("lambda: ", depth) + "x)");
  (void)facts_of("x" + repeated(".x", depth) + "()");
  (void)facts_of(repeated("f'{", 300) + repeated("}'", 300));
}

TEST_CASE("names that stand for each other cost no more than a budget", "[payload]") {
  std::string doubling = "x0 = 'a'\n";
  for (int i = 1; i < 200; ++i) {
    const std::string before = "x" + std::to_string(i - 1);
    doubling += "x" + std::to_string(i) + " = " + before + " + " + before + "\n";
  }
  CHECK(files_in(doubling + "open(x199)").empty());
  CHECK(files_in("a = b\nb = a\nopen(a)\nopen(b)").empty());
  CHECK(files_in("def f(x):\n    open(x)\n    g(x)\ndef g(x):\n    f(x)").empty());
  CHECK(files_in("a = a\nopen(a)").empty());
  CHECK(files_in("p.add_argument('--a')\nargs.a = args.a\nopen(args.a)") == Lines{"reads --a"});
}

TEST_CASE("spans point at what was found", "[payload]") {
  const std::string text = "import os\n  \nparser.add_argument('--x')\n";
  const auto facts = facts_of(text);
  const auto& span = facts.options.at(0).span;
  CHECK(text.substr(span.begin, span.size()) == "parser.add_argument('--x')");
  CHECK(text.substr(facts.imports.at(0).span.begin, 9) == "import os");
}

TEST_CASE("dump is JSON of all facts", "[payload]") {
  const std::string text = dump(facts_of("import os\np.add_argument('--x', type=int)\nopen('a')"));
  for (const char* key : {"\"--x\"", "\"integer\"", "\"path\": \"a\"", "\"module\": \"os\""})
    CHECK(text.contains(key));
}

TEST_CASE("the payloads of the repository's examples are read", "[payload]") {
  namespace source = s2f::source;
  source::Sources sources;
  const auto bytes = source::read_file(std::string{S2F_SOURCE_DIR} + "/grammar/compile_tables.py");
  REQUIRE(bytes);
  const auto facts = read_python(sources[sources.add("compile_tables.py", *bytes)]);
  CHECK(facts.parsed);
  CHECK(facts.docstring == "Compiles the JSON tables, the templates and the rule pages into C++ "
                           "constants at build time.");
  const auto is_own = [](const Import& import) { return !import.standard_library; };
  CHECK(std::ranges::none_of(facts.imports, is_own));
}
