// getopt_long of the C library, with its messages, over words that know where they stand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "slurm/words.hpp"

namespace s2f::slurm {

enum class Argument : std::uint8_t { none, required, optional };

struct LongOption {
  std::string_view name;
  Argument argument{};
  std::size_t id = 0; // two options with one id are the same to getopt
};
struct ShortOption {
  char letter{};
  Argument argument{};
  std::size_t id = 0;
};
struct OptionSet {
  std::vector<LongOption> longs; // in the order in which an ambiguity names them
  std::vector<ShortOption> shorts;
};

struct Place { // of bytes in the words: word `word`, from byte `byte` of its text
  std::size_t word = 0;
  std::size_t byte = 0;
};

struct FoundOption {
  std::size_t id = 0;
  std::string spelling; // "-c", "--cpus-per-tas"
  std::optional<std::string> value;
  Place option;                  // where the option starts
  std::optional<Place> argument; // where its value starts
  std::size_t last_word = 0;     // the last word that belongs to it
  bool further = false;          // found among the further options
};

enum class OptionFault : std::uint8_t { unknown, ambiguous, no_argument_allowed, argument_missing };

struct OptionError {
  OptionFault fault{};
  std::string message; // as getopt prints it, without the program's name
  std::string name;    // as written, with its dashes
  std::size_t word = 0;
  std::size_t byte = 0;
};

struct StrayWord { // not an option: with POSIX order, getopt stops here
  std::size_t word = 0;
};

struct EndOfOptions {};

using OptionStep = std::variant<FoundOption, OptionError, StrayWord, EndOfOptions>;

class Getopt {
public:
  // `further` is asked only for a long option that `options` does not know; may be null.
  Getopt(const OptionSet& options, const OptionSet* further, std::span<const Word> words)
      : options_(&options), further_(further), words_(words) {}

  // After a StrayWord the next call goes on behind it, which getopt itself does not do.
  OptionStep next();

private:
  OptionStep long_option();
  OptionStep short_option();

  const OptionSet* options_;
  const OptionSet* further_;
  std::span<const Word> words_;
  std::size_t word_ = 0;
  std::size_t byte_ = 0;     // within a bundle of short options; 0 outside
  bool only_strays_ = false; // after `--`
};

} // namespace s2f::slurm
