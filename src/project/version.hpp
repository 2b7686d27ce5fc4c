// Which program this is, and which Flyte and Slurm it speaks of.
#pragma once

#include <string_view>

namespace s2f::project {

inline constexpr std::string_view tool_name = "slurm2flyte";
inline constexpr std::string_view tool_version = S2F_VERSION;
inline constexpr std::string_view flyte_version = "2.12";  // that the output is written for
inline constexpr std::string_view slurm_version = "22.05"; // whose sbatch the rules were tried on
inline constexpr std::string_view inspect_schema = "slurm2flyte-inspect/1";
inline constexpr std::string_view review_schema = "slurm2flyte-review/1";

} // namespace s2f::project
