// What becomes of commands that set up software: layers of the image, and what a person must say.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "passes/software.hpp"

namespace s2f::passes {

// How a command is accounted for.
struct Outcome {
  review::Disposition disposition = review::Disposition::platform;
  std::string why;
  std::string rule;
  std::optional<review::FindingId> finding;
};

// One environment of a job, as it is put together from command after command.
struct Setup {
  PassContext& context;
  Constants constants;
  bool conditional = false; // the command stands within an `if`, a loop or a function
};

// modules.cpp
[[nodiscard]] Outcome load_modules(Setup& setup, const Software& software);
[[nodiscard]] Outcome use_modules(Setup& setup, const Software& software);
// Sets the image's Python; says so where flyte does not run on the one that was asked for.
void set_python(PassContext& context, std::string_view version, std::string asked, Span span);

// installs.cpp
[[nodiscard]] Outcome install_pip(Setup& setup, const Software& software);
[[nodiscard]] Outcome install_conda(Setup& setup, const Software& software);
// Adds PyPI's and Debian's packages for those of conda; returns what is not known to be one of
// PyPI's.
[[nodiscard]] std::vector<std::string> add_conda_packages(PassContext& context,
                                                          const std::vector<std::string>& specs,
                                                          const std::string& asked, Span span);

// search_paths.cpp
[[nodiscard]] Outcome use_search_path(Setup& setup, const SearchPath& path, Span span);
// What of it lies below the submit directory, as exported variables; nothing for none.
[[nodiscard]] std::optional<ir::Assign> as_assignment(const SearchPath& path);

// project_files.cpp
// The project file that stands for the environment; `tool` (poetry, pixi, uv) goes first. Nothing
// when there is none.
[[nodiscard]] std::optional<ir::ProjectFile> find_project(const PassContext& context,
                                                          std::string_view tool = {});
// "requirements.txt", "pyproject.toml with uv.lock".
[[nodiscard]] std::string name_of(const ir::ProjectFile& project);
// Takes it for the job's; of an environment.yml each part goes to its place.
void use_project(PassContext& context, ir::ProjectFile project, Span span);

// The first line of the command, for a comment: "train.sh:7 module load cuda".
[[nodiscard]] std::string cited(const PassContext& context, const Span& span);

} // namespace s2f::passes
