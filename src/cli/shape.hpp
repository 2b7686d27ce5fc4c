// The command line as a value: its commands and what each takes, for all that describes it
// (completions, manual pages).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace s2f::cli {

struct Argument {
  std::vector<std::string> names; // "-o", "--output"; of a positional its name alone
  std::string value;              // what it takes: "FILE"; "" for a flag
  std::string about;
  bool many = false; // may take, or be given, more than one
  bool required = false;

  // The longest of its names: what tables know it by.
  [[nodiscard]] const std::string& name() const { return names.back(); }
};

struct Command {
  std::string name; // "" for the program itself
  std::string about;
  std::string footer; // sections, each behind a line that ends with a colon
  std::vector<Argument> options;
  std::vector<Argument> positionals;
};

// The program itself comes first.
[[nodiscard]] std::vector<Command> commands_of(const CLI::App& app);

// The words that an option or a positional may have as its value; none where any text will do.
[[nodiscard]] std::vector<std::string> values_of(std::string_view command,
                                                 const Argument& argument);

} // namespace s2f::cli
