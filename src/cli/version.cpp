// `slurm2flyte --version`: the program, and what it was made for.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "flyte/releases.hpp"
#include "project/version.hpp"

namespace s2f::cli {

int version(bool json, const Console& console) {
  using namespace project;
  if (json) {
    const nlohmann::ordered_json info{
        {"name", tool_name},      {"version", tool_version},
        {"flyte", flyte_version}, {"flyte_oldest", flyte::oldest_release()},
        {"slurm", slurm_version}, {"schemas", {inspect_schema, review_schema}}};
    console.out(info.dump(2) + '\n');
  } else {
    console.out(fmt::format("{} {} (for Flyte {})\n", tool_name, tool_version, flyte_version));
  }
  return done;
}

} // namespace s2f::cli
