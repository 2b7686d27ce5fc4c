// Commands that set up software before a job works: modules, environments, installs. What one says,
// before anything is done about it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generated/tables/software_commands.hpp"
#include "passes/context.hpp"

namespace s2f::passes {

// `pip install ...`, as far as an image can do the same.
struct PipInstall {
  std::vector<std::string> packages; // "torch==2.1.0", as written
  std::vector<std::string> files;    // of -r
  std::string index_url;
  std::vector<std::string> extra_index_urls;
  std::vector<std::string> find_links;
  bool pre = false, no_index = false;
};

// `export PATH=/x/bin:$PATH` and its like.
struct SearchPath {
  std::vector<std::string> variables;
  std::string_view holds;                 // "programs", "Python modules"
  std::optional<std::string> environment; // of conda, whose programs it adds
  std::vector<std::string> cluster;       // directories that no container has
  std::vector<std::pair<std::string, std::string>>
      here;                           // variable, path below the submit directory
  std::map<std::string, bool> itself; // variables whose own value stays; true: before the rest
};

struct Software {
  using Means = tables::SoftwareCommandsMeans;
  Means means{};
  std::vector<std::string> names; // modules; conda's packages
  std::string target;             // an environment, the file that is sourced, a project's tool
  std::string file;               // of `conda env create -f`
  std::string python;             // the version that a new environment is made with
  bool conda = false;             // an environment of conda's
  bool personal = false;          // a start-up file of the user's
  PipInstall pip;
  SearchPath path;
  std::size_t inner = 0; // of a prefix: the first word of the command that it runs
  Span span{};           // the command's words
};

// Names that the script gives one value, which is plain text.
using Constants = std::map<std::string, std::string>;
[[nodiscard]] Constants constants_of(const ir::Job& job);
// The word's text with constants put in; what is not known stays as it is written.
[[nodiscard]] std::string shown(const PassContext& context, const Constants& constants,
                                const shell::Word& word);

// Nothing for a command that sets no search path, or one to what is not known here.
[[nodiscard]] std::optional<SearchPath> read_search_path(const PassContext& context,
                                                         const Constants& constants,
                                                         const shell::SimpleCommand& command);
// Nothing for a command that does something else.
[[nodiscard]] std::optional<Software> read_software(const PassContext& context,
                                                    const Constants& constants,
                                                    const shell::SimpleCommand& command);

} // namespace s2f::passes
