// What a command has of the world: where it prints and how, and its way to files. Given to it, so
// that tests can stand in for all of it.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "project/files.hpp"
#include "review/review.hpp"

namespace s2f::cli {

// What the program tells the shell.
enum ExitStatus : int {
  done = 0,     // and nothing at or above --fail-on
  findings = 1, // at or above --fail-on
  failed = 2,   // wrong use, input or output, or an internal error
};

using Variables = std::function<std::optional<std::string>(const std::string& name)>;

struct Console {
  std::function<void(std::string_view)> out; // standard output: results
  std::function<void(std::string_view)> err; // standard error: what went wrong
  review::TextStyle out_style;
  review::TextStyle err_style;
  project::Files files;
  using Write = std::function<std::expected<void, std::string>(const std::string& path,
                                                               std::string_view text)>;
  Write write;         // what can be made again
  Write write_durably; // what a person has said
  std::function<std::expected<void, std::string>(const std::string& path)> make_directories;
  std::function<std::string()> standard_input;
  bool err_is_terminal = false;
  // Of a text that is too large to hold; where it is not set, `write` gets all of it.
  std::function<std::expected<void, std::string>(const std::string& path,
                                                 const project::Producer& producer)>
      write_in_parts = {};
  Variables environment = {}; // of the process; none where nothing is said
};

// Colour only on a terminal; NO_COLOR turns it off, CLICOLOR_FORCE on. `width` 0: not known.
[[nodiscard]] review::TextStyle style_for(bool terminal, std::uint32_t width,
                                          const Variables& environment);

// Of the running process.
[[nodiscard]] Console process_console();

// "slurm2flyte: error: ...", made safe for a terminal; ends with a newline.
void complain(const Console& console, std::string_view message);
// More lines to the last complaint, indented.
void hint(const Console& console, std::string_view message);

} // namespace s2f::cli
