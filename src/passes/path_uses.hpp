// What a program of the shell does with the paths on its command line.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace s2f::passes {

enum class PathRole {
  reads_file,
  reads_directory,
  writes_file,
  writes_directory,     // what is written lies in it
  writes_new_directory, // the path itself becomes one
  shows,
  lists,
  unknown
};

struct PathUse {
  PathRole role = PathRole::unknown;
  bool named = false; // what it makes of an input goes by the input's name
  std::string below;  // the file in it that is written: `cp a.txt out/`
};

// One for each word of the command; a word whose text is not known has none. `made` are the
// directories that the job makes.
[[nodiscard]] std::vector<PathUse> path_uses(const std::vector<std::optional<std::string>>& words,
                                             const std::vector<std::string>& made);

[[nodiscard]] bool role_writes(PathRole role);
// Whether what the program does with its words is no reading of files: rm, chmod, echo, pip.
[[nodiscard]] bool reads_no_file(const std::string& program);
// Whether a word is, or holds, the value of an option that names what is written.
[[nodiscard]] bool option_writes(const std::vector<std::optional<std::string>>& words,
                                 std::size_t at);
// "data/x.csv", "in.dat": not "0.5" nor "org.example".
[[nodiscard]] bool has_file_ending(std::string_view path);

} // namespace s2f::passes
