// Lookups in the table of sbatch's options.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generated/tables/sbatch_options.hpp"
#include "slurm/getopt.hpp"

namespace s2f::slurm {

using OptionRow = tables::SbatchOptionsRow;
using OptionValue = tables::SbatchOptionsValue;
using OptionProgram = tables::SbatchOptionsProgram;

inline constexpr std::size_t option_count = tables::sbatch_options.size();

// The index of an option that exists; a compile error otherwise.
consteval std::size_t row_of(std::string_view name) {
  for (std::size_t row = 0; row < option_count; ++row)
    if (tables::sbatch_options[row].name == name)
      return row;
  throw "no such option";
}

// option_count when there is none.
[[nodiscard]] std::size_t find_row(std::string_view name);
[[nodiscard]] inline const OptionRow& option_at(std::size_t row) {
  return tables::sbatch_options[row];
}
// The name that this project uses for an option: an alias gives the name it stands for.
[[nodiscard]] std::string_view canonical_name(std::size_t row);
// The row that remembers whether the option was given. An alias with a value of its own
// (--cluster) has its own; one that is the same option to getopt (--tasks-per-node) has not.
[[nodiscard]] std::size_t state_row(std::size_t row);

// What the sbatch that everything is measured against knows: Slurm 22.05.
inline constexpr std::string_view reference_release = "22.05";
[[nodiscard]] const OptionSet& reference_options();
// What newer releases and plugins know besides.
[[nodiscard]] const OptionSet& further_options();
// What that release knows ("18.08"; sources of since and until: Slurm's release notes), and what
// plugins do.
[[nodiscard]] OptionSet options_of_release(std::string_view release);
[[nodiscard]] const OptionSet& plugin_options();
// "18.08", "25.11": what the tables compare.
[[nodiscard]] bool is_release(std::string_view text);
// The last release that knew an option which is gone: "18.08" for "--workdir=/data".
[[nodiscard]] std::optional<std::string_view> last_release_with(std::string_view word);
// The row of the option that a removed one stood for; itself where there is none.
[[nodiscard]] std::size_t present_row(std::size_t row);

// The name of a known option that `name` (without its dashes) was probably meant to be; "" when
// none is near.
[[nodiscard]] std::string_view similar_option(std::string_view name);

} // namespace s2f::slurm
