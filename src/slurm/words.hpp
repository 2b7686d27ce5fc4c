// The words of a directive, as sbatch splits them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace s2f::slurm {

struct Word {
  std::string text;              // without quotes and escapes
  std::vector<std::uint32_t> at; // where each byte of `text` stands in the source
  std::uint32_t begin = 0;       // in the source, with its quotes
  std::uint32_t end = 0;
  std::uint32_t line = 0;             // 1-based; 0 for an argument of the command line
  std::optional<std::string> cut_off; // of an unquoted # inside the word, to the next blank
};

struct WordError { // fatal to sbatch, before it looks at any option
  std::string message;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

struct Words {
  std::vector<Word> words;
  std::optional<WordError> error;
  std::optional<std::uint32_t> comment; // where an unquoted # begins
  std::optional<std::uint32_t> ignored; // from here on nothing is read: an empty word, `hetjob`
};

// Splits `rest`, the part of line number `line` after the sentinel, which starts at `offset` of the
// source. `file` is how sbatch calls the script in its messages.
[[nodiscard]] Words split_words(std::string_view rest, std::uint32_t offset, std::uint32_t line,
                                std::string_view file);

// True for `hetjob` or `packjob` in any case, before a blank or at the end.
[[nodiscard]] bool is_hetjob(std::string_view text);

} // namespace s2f::slurm
