// Going up from a script's directory to the root of its repository.
#pragma once

#include <string>
#include <vector>

#include "project/files.hpp"

namespace s2f::project {

// "a/b/" of "a/b/c.sh", "" of "c.sh".
[[nodiscard]] std::string directory_of(const std::string& path);
// The directory and those above it, each "" or with a slash at its end; the last one is the root of
// the repository, or of the file system.
[[nodiscard]] std::vector<std::string> up_from(const std::string& directory, const Files& files);
[[nodiscard]] bool is_repository(const std::string& directory, const Files& files);
// The script's path as a file at `other` sees it.
[[nodiscard]] std::string path_from(const std::string& script, const std::string& other);

} // namespace s2f::project
