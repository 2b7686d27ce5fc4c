// What a job does with the path of a file that it is given.
#pragma once

#include <optional>
#include <string>

#include "ir/workload.hpp"

namespace s2f::passes {

// Whether it makes other paths of it (${1/_R1/_R2}, $1.bai, dirname) that it does not first write
// itself: they lie beside the file.
[[nodiscard]] bool names_neighbours(const ir::Job& job, const std::string& parameter);

// A pattern of files in one directory: the directory, and what fnmatch takes for the names.
struct FolderPattern {
  std::string directory, leaf;
};
// Nothing where a directory may be meant, or a shell alone knows what. `program`: a plain name
// does, too, as for find.
[[nodiscard]] std::optional<FolderPattern> folder_pattern(const std::string& pattern, bool program,
                                                          bool deep = false);

} // namespace s2f::passes
