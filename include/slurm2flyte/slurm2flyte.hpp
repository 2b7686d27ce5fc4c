// The library: Slurm job scripts in, Flyte 2 modules and their review out.
//
//     const auto result = slurm2flyte::convert_files({"train.sh"});
//     for (const auto& module : result.modules)
//       std::cout << module.path << '\n' << module.text;
//
// Nothing of a script is ever run, and nothing is written: what to do with the texts is the
// caller's. Functions may be called from several threads at once. They throw nothing but
// std::bad_alloc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace slurm2flyte {

// "0.1.0".
[[nodiscard]] std::string_view version();
// Of the Flyte SDK that modules are written for: "2.12".
[[nodiscard]] std::string_view flyte_version();

// A file by its path and its bytes, in whatever encoding.
struct File {
  std::string path;
  std::string bytes;
};

struct Options {
  // Convert what sbatch would refuse, too. Its findings are the same.
  bool keep_going = false;
};

struct Module {
  std::string script; // the path of the script that it stands for
  std::string path;   // where it belongs: "<directory of the script>/<stem>_flyte.py"
  std::string text;   // UTF-8, ends with a newline
  // The task that stands for running the script, as in `flyte run PATH ENTRY`; "" when there is
  // none.
  std::string entry;
};

// A script that could not be read (missing, a directory, binary, empty): it has no module and no
// part in the review. Or what is wrong in a slurm2flyte.toml or slurm2flyte.signoff.json that holds
// for one of the scripts; then nothing is converted.
struct Failure {
  std::string path;
  std::string message; // a sentence for a person
};

// What became of a directive, option, statement or comment.
enum class Disposition {
  open, // never, unless slurm2flyte made a mistake; S2F900 says so then
  converted,
  adjusted,
  decision,
  platform,
  kept,
  dropped,
  inert,
  comment
};
[[nodiscard]] std::string_view to_string(Disposition disposition);

// An entry of the ledger: each part of a script is in exactly one. Lines and columns count from 1,
// columns in bytes.
struct Item {
  std::uint32_t line = 1;
  std::uint32_t end_line = 1;
  std::uint32_t column = 1;
  std::string text; // the option as written, or the statement's first line
  Disposition disposition = Disposition::open;
  std::string why;
  std::string rule;                        // "S2F102", or ""
  std::vector<std::uint32_t> output_lines; // of the module, that came from it
};

enum class Severity { note, warning, decision, error };
[[nodiscard]] std::string_view to_string(Severity severity);

struct Finding {
  std::string id;   // stays the same as long as the text that it is about does
  std::string rule; // "S2F210"
  Severity severity = Severity::note;
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  std::uint32_t end_line = 1;
  std::uint32_t end_column = 1;
  std::string message;
  std::string slurm_does;
  std::string output_does;
  std::vector<std::string> choices; // of a decision
  std::string taken;                // the choice that was taken by default, or ""
  std::string config_key;           // the key of slurm2flyte.toml that answers it, or ""
  bool open = true;                 // nobody has accepted it
  std::vector<std::uint32_t> output_lines;
};

enum class Verdict { ready, ready_with_notes, needs_decision, keep_on_slurm, not_converted };
[[nodiscard]] std::string_view to_string(Verdict verdict);

struct Script {
  std::string path;
  Verdict verdict = Verdict::not_converted;
  std::string module;      // the path of its module, which may hold other scripts too; "" for none
  std::vector<Item> items; // in the order of the script
  std::vector<Finding> findings; // so, too
  std::uint32_t lines = 0;       // with content
  std::uint32_t lines_accounted = 0;
};

struct Conversion {
  std::vector<Module> modules;   // in the order of the scripts; not every script has one
  std::vector<Script> scripts;   // those given, and those that they submit
  std::vector<Failure> failures; // in that order
  std::string review_json;       // schema slurm2flyte-review/1: every line, every finding
  std::string review_markdown;   // the same for people
  // Findings by how grave they are, over all scripts; those that somebody accepted do not count.
  std::size_t errors = 0;    // sbatch refuses it, or an internal error
  std::size_t decisions = 0; // somebody has to decide; a default was taken where there is one
  std::size_t warnings = 0;
  std::size_t notes = 0;
};

// Reads the scripts from the disk, and looks at files around them (payloads, requirements.txt).
// Relative paths go by the working directory.
[[nodiscard]] Conversion convert_files(const std::vector<std::string>& scripts,
                                       const Options& options = {});

// The same without a disk: `around` is what lies beside the scripts.
[[nodiscard]] Conversion convert(const std::vector<File>& scripts,
                                 const std::vector<File>& around = {}, const Options& options = {});

} // namespace slurm2flyte
