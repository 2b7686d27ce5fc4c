// The commands, each a function of its options and the console; the value is the exit status.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/console.hpp"
#include "project/limits.hpp"
#include "review/finding.hpp"

namespace s2f::cli {

struct ConvertOptions {
  std::vector<std::string> paths;
  std::string output;      // -o; "-" is standard output
  std::string out_dir;     // --out-dir
  std::string root;        // what lies outside of the working directory is mirrored from here on
  std::string main_module; // the one that -o names, where a script brings others along
  std::vector<std::string> reports; // --report
  std::string templates;            // --templates
  std::string config;               // --config
  std::string cluster;              // --cluster
  std::string sign_off;             // --sign-off
  std::string format = "text";      // --format: of what is printed
  bool force = false;
  bool keep_going = false;
  std::string slurm_version; // --slurm-version
  std::string flyte_version; // --flyte-version
  bool quiet = false;
  bool verbose = false;
  bool family = false;                       // --family
  bool check = false;                        // --check: write nothing, say what is stale
  bool diff = false;                         // --diff: write nothing, show what would change
  std::string stdin_filename;                // --stdin-filename, for the path "-"
  std::size_t jobs = 0;                      // -j; 0: as many as there are processors
  std::vector<std::string> include, exclude; // --include, --exclude
  bool no_ignore = false;                    // --no-ignore
  project::Limits limits; // --max-size, --max-depth, --max-findings, --max-seconds
  std::optional<review::Severity> fail_on = review::Severity::error; // nothing: never
};
[[nodiscard]] int convert(const ConvertOptions& options, const Console& console);

struct InspectOptions {
  std::string path; // "-" is standard input
  bool json = false;
  std::vector<std::string> environment; // NAME=VALUE
  std::string now;
  std::string slurm_version;          // --slurm-version
  std::vector<std::string> arguments; // of sbatch, after --
};
[[nodiscard]] int inspect(const InspectOptions& options, const Console& console);

struct InitOptions {
  std::vector<std::string> paths; // scripts and directories; "." when there is none
  std::string output;             // -o; "-" is standard output
  bool force = false;
};
// Writes a site file that asks what the scripts leave open.
[[nodiscard]] int init(const InitOptions& options, const Console& console);

struct ConfigOptions {
  std::string path; // whose site file; the working directory's when empty
  std::string config;
  bool keys = false;
  bool json = false;
};
// Which site file holds and what it says, or every key that one may have.
[[nodiscard]] int config(const ConfigOptions& options, const Console& console);

[[nodiscard]] int explain(const std::string& code, const Console& console);
[[nodiscard]] int rules(bool json, const Console& console);
// One option with all that is known of it, or the table when `name` is empty.
[[nodiscard]] int options(const std::string& name, bool json, const Console& console);
[[nodiscard]] int version(bool json, const Console& console);

// The whole program: arguments without the program's name in, exit status out.
[[nodiscard]] int run(std::vector<std::string> arguments, const Console& console);

} // namespace s2f::cli
