// Finds the program behind the programs that start it.
//
// before:  env OMP_NUM_THREADS=4 timeout -k 5 2h python -u train.py
// after:   program 6 (python), script 8 (train.py)
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace s2f::passes {

// The words of a command; nothing for one that is not plain text.
using PlainWords = std::vector<std::optional<std::string>>;

struct Behind {
  std::size_t program = 0;           // index of the word that names the program itself
  std::optional<std::size_t> script; // of the Python script that a launcher of ranks starts
  bool certain = true;               // no word on the way could be something else
};

// From the word `from` on. The program's index is words.size() where none is named.
[[nodiscard]] Behind behind_wrappers(const PlainWords& words, std::size_t from = 0);

// The script that a Python interpreter at `program` runs; nothing for -m and -c.
[[nodiscard]] std::optional<std::size_t> python_script(const PlainWords& words,
                                                       std::size_t program);

// "python3.11" for "/usr/bin/python3.11".
[[nodiscard]] std::string program_name(const std::string& word);
[[nodiscard]] bool is_python(const std::string& name);

} // namespace s2f::passes
