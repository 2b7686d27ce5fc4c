// The files that a conversion writes, in groups that are written together or not at all.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/outputs.hpp"
#include "project/compile.hpp"
#include "review/review.hpp"

namespace s2f::cli {

struct Group {
  std::string source; // the script, for messages
  std::vector<Output> outputs;
};

// Not below the working directory.
[[nodiscard]] bool outside(const std::string& path);

// A name by which a file is known, whatever way it was named.
[[nodiscard]] std::string same_file(const std::string& path);

// Where a module stands by the options: "" as -o, --out-dir or beside its script.
[[nodiscard]] std::string place_for(const std::string& module_path, const ConvertOptions& options);

[[nodiscard]] bool has_rule(const review::Input& input, std::string_view rule);

// The modules with their reviews; a script without a module has a review of its own, but for one
// that sbatch refuses: that one is to be mended first. The inputs' outputs stand where they will.
[[nodiscard]] std::vector<Group> group(const project::Compiled& compiled,
                                       const review::Review& review, const ConvertOptions& options);

// What stands in the way of a group, each a sentence. `taken`: the files of the groups before, and
// for what they are written.
[[nodiscard]] std::vector<std::string> objections(const Group& group,
                                                  const std::set<std::string>& inputs,
                                                  std::map<std::string, std::string>& taken,
                                                  const ConvertOptions& options,
                                                  const Console& console);

// A sentence where a pipe or a device has the place of an output: to read one may take for ever,
// and no file can take its place. "" where none has.
[[nodiscard]] std::string no_file_in(const Group& group);

// Nothing, or why it could not be. `modules_stand`: whether no module was written so far, as then
// reports keep what a verification said.
[[nodiscard]] std::string write(const Group& group, const ConvertOptions& options,
                                const Console& console, bool& modules_stand);

} // namespace s2f::cli
