// The one way to the file system, so that tests need no disk and can make any operation fail.
#pragma once

#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "source/source.hpp"

namespace s2f::project {

// Paths are the caller's, relative ones to the working directory.
struct Files {
  std::function<std::expected<std::string, source::ReadFailure>(const std::string& path)> read;
  std::function<bool(const std::string& path)> is_file;
  std::function<bool(const std::string& path)> is_directory;
  std::function<std::vector<std::string>(const std::string& directory)>
      list; // names, sorted; empty if there is none
  // As `read`, for what was written before: a report on thousands of scripts is larger than any
  // script may be. Where it is not set, `read` is asked.
  std::function<std::expected<std::string, source::ReadFailure>(const std::string& path)>
      read_output = {};
};

[[nodiscard]] inline std::expected<std::string, source::ReadFailure>
read_output(const Files& files, const std::string& path) {
  return files.read_output ? files.read_output(path) : files.read(path);
}

[[nodiscard]] Files disk();
// For tests: path -> content.
[[nodiscard]] Files in_memory(std::vector<std::pair<std::string, std::string>> files);

// Hands a text over in pieces.
using Put = std::function<void(std::string_view piece)>;
using Producer = std::function<void(const Put& put)>;

// Writes to a temporary name in the same directory and renames; nothing half written is ever seen.
// The message names the path and what went wrong.
[[nodiscard]] std::expected<void, std::string> write_atomically(const std::string& path,
                                                                std::string_view text);
// And waits until the disk has it: for what a person said, which no second run could make again.
// It takes tens of milliseconds on a busy disk, too long for each of thousands of modules.
[[nodiscard]] std::expected<void, std::string> write_durably(const std::string& path,
                                                             std::string_view text);
// The same of a text that is too large to hold. A file that has it already is left as it is.
[[nodiscard]] std::expected<void, std::string> write_in_parts(const std::string& path,
                                                              const Producer& producer);
// Whether the file holds the words; it is read in pieces.
[[nodiscard]] bool file_holds(const std::string& path, std::string_view words);

} // namespace s2f::project
