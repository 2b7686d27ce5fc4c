// The text of a path: where it lies, what it is called.
#pragma once

#include <string>
#include <string_view>

namespace s2f::passes {

// Whether a path, with variables as the script writes them, is one of the cluster's file systems.
[[nodiscard]] bool on_cluster(std::string_view text);
// Without "./" before it.
[[nodiscard]] std::string clean(std::string path);
// Its last component.
[[nodiscard]] std::string leaf_of(std::string_view path);
// Python's name for a path or an option; "" where there is none. Of "s1.sam" it is "s1", or
// "s1_sam" as a whole.
[[nodiscard]] std::string path_python_name(std::string_view text, bool whole = false);
// The text of a script with "${USER}" as "$USER" and "~/" as "$HOME/".
[[nodiscard]] std::string plain_names(std::string text);

} // namespace s2f::passes
