// What of a job's directory a name stands for, and what `include=` says of it.
//
// before:  "data/part_" open_part ".csv", with data/part_1.csv and data/part_2.csv beside the
// script after:   include "data/part_*.csv"
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "passes/context.hpp"

namespace s2f::passes {

class Bundle {
public:
  explicit Bundle(PassContext& context) : context_(context) {}

  enum class Found {
    yes,
    no,      // nothing beside the script answers to it
    too_many // more than are counted
  };
  // A path or pattern below the submit directory, as `path_below` gives it. What it stands for is
  // added to what the job includes, where that does not hold it.
  Found take(const std::string& name, bool directories = true);
  // A directory with all that is below it.
  Found take_directory(const std::string& directory);

  // One file of it.
  void take_first(const std::string& directory) {
    include(directory + "/" + files_in(directory).front());
  }
  // Takes out what others hold.
  void tidy();

  [[nodiscard]] bool is_directory(const std::string& path) { return !files_in(path).empty(); }
  [[nodiscard]] bool is_file(const std::string& path) {
    return context_.file_exists(path) && files_in(path).empty();
  }
  // Files that were taken by name or pattern, not those of directories.
  [[nodiscard]] const std::vector<std::string>& files() const { return files_; }

private:
  const std::vector<std::string>& files_in(const std::string& directory);
  void include(const std::string& entry);
  void saw(const std::string& file);

  PassContext& context_;
  std::map<std::string, std::vector<std::string>> listed_;
  std::vector<std::string> files_;
  std::set<std::string> seen_;
};

// The name as a path below the submit directory, said from `directory` below it: "data/x.csv" for
// "./x.csv" from "data". Nothing for what lies elsewhere, or can be no path.
[[nodiscard]] std::optional<std::string> path_below(const std::string& name,
                                                    const std::string& directory);
// Whether a part of it is known only when the job runs, or it is a pattern.
[[nodiscard]] bool is_pattern(const std::string& name);
// Whether a file's name fits a pattern; a `*` or an open part does not cross a slash, unless `deep`
// says that an open part does.
[[nodiscard]] bool fits(std::string_view pattern, std::string_view name, bool deep = false);

} // namespace s2f::passes
