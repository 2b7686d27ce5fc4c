// What a Python payload says of itself: its options, imports, files and Slurm variables. Read,
// never run.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source/source.hpp"

namespace s2f::payload {

using source::Span;

enum class OptionType { text, integer, real, boolean_flag, boolean_value, path, unknown };

// One command-line option or positional argument that the program declares (argparse, click, typer,
// absl, HfArgumentParser dataclasses as far as they are in the file).
struct Option {
  std::vector<std::string> flags; // "--lr", "-l"; a positional has its name without dashes
  bool positional = false;
  OptionType type = OptionType::text;
  std::string dest;    // the name of its value in the program: "num_shards"
  std::string command; // the sub-command that it belongs to; "" if to the whole program
  // A literal, laid out as a formatter would: numbers as in the source, strings in double quotes.
  // What an action implies counts ("False" for store_true).
  std::optional<std::string> default_;
  std::optional<std::string> default_text; // of a default that is a string: its value
  bool default_computed = false;           // has a default that cannot be read
  std::vector<std::string> choices;        // literal strings
  bool required = false;
  bool multiple = false;       // nargs="+", action="append"
  bool value_optional = false; // may stand without a value: nargs="?"
  std::string help;
  Span span{};
};

// A path that the program opens. Of `path`, `option`, `argument` and `pattern` exactly one is set.
struct FileUse {
  std::string path;   // the literal; "" if it comes from an option
  std::string option; // the option's long name without dashes ("out"), if it comes from one
  int argument = 0;   // n, if it is sys.argv[n]
  std::string
      pattern; // begins with literal text, and "*" stands for what is computed: "shard-*.txt"
  bool writes = false;
  bool directory = false; // makedirs, save_pretrained, ...; or a file below it is opened
  Span span{};
};

struct Import {
  std::string module; // top-level name: "numpy"
  bool standard_library = false;
  bool guarded = false; // inside try/except ImportError or a function
  Span span{};
};

struct PythonFacts {
  bool parsed = true;          // no syntax error
  std::vector<Import> imports; // distinct, in order
  std::vector<Option> options; // in the order of the text
  bool options_incomplete =
      false; // it takes others too: some are computed, imported, or any is accepted
  std::vector<FileUse> files;
  std::vector<std::string>
      environment; // names read from os.environ / os.getenv, distinct, in order
  bool writes_current_directory = false; // opens a relative path for writing
  bool uses_torch_distributed = false, uses_mpi = false, uses_lightning = false,
       uses_accelerate = false;
  std::string docstring; // first line of the module's docstring
};

[[nodiscard]] PythonFacts read_python(const source::Source& source);

// The PyPI distribution that gives an import ("yaml" -> "PyYAML", "sklearn" -> "scikit-learn",
// "numpy" -> "numpy"); nothing when it cannot be told. From grammar/python-packages.json.
[[nodiscard]] std::optional<std::string_view> distribution_of(std::string_view module);

} // namespace s2f::payload
