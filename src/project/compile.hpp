// Scripts in, modules and their review out: the whole compiler as one function, without a command
// line.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "emit/emit.hpp"
#include "project/files.hpp"
#include "project/limits.hpp"
#include "project/site_files.hpp"
#include "review/review.hpp"
#include "slurm/header.hpp"

namespace s2f::project {

struct CompileOptions {
  bool keep_going = false;   // convert what sbatch would refuse
  std::string slurm_release; // "18.08": whose options the scripts use; "": today's
  std::string flyte_release; // "2.9": that the modules must run with; "": the one of this program
  emit::Templates templates = emit::built_in_templates();
  SiteOptions site = {};
  std::string sign_off; // this file in place of the nearest one
  Limits limits = {};
  std::pair<std::string, std::string> module_file; // of that script: what its module is called
};

struct CompiledModule {
  std::string input; // the script that it stands for
  std::string path;  // <directory of the script>/<stem>_flyte.py
  std::string text;
};

// What could not be read: missing, a directory, binary, empty. No module and no review entry stands
// for it.
struct InputFailure {
  std::string path;
  std::string message; // a sentence: what is wrong and what to do
};

struct Compiled {
  review::Review review; // one Input for each script that was read, in the order given
  std::vector<CompiledModule> modules; // in that order, those that have one
  std::vector<InputFailure> failures;
  std::vector<std::string> sign_off_problems; // the same
  std::vector<site::Problem> site_problems;   // with any of them nothing was converted
};

// Deterministic: the same files give the same bytes. Reads only through `files`; executes nothing.
[[nodiscard]] Compiled compile(const std::vector<std::string>& scripts,
                               const CompileOptions& options, const Files& files);

// The kind of a script for `inspect`: job, driver, both, template or other.
[[nodiscard]] slurm::Kind kind_of(const source::Source& source);

} // namespace s2f::project
